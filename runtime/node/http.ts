/**
 * Loads Node's HTTP module with require(). An import evaluates every export, and since Node 22 one
 * of them (WebSocket) loads an HTTP client of 14 MB, which takes a tenth of the start-up time.
 */
import { createRequire } from "node:module";

export const http = createRequire(import.meta.url)("node:http") as typeof import("node:http");
