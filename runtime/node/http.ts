/**
 * Node's HTTP module, by require(): an import evaluates every export of it, and from Node 22 on one of them (WebSocket) loads
 * an HTTP client of 14 MB, which takes a tenth of a start.
 */
import { createRequire } from "node:module";

export const http = createRequire(import.meta.url)("node:http") as typeof import("node:http");
