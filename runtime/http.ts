/**
 * What the runtime takes of node:http. A module that imports it by name makes Node evaluate all that it exports, and one
 * of those (WebSocket) loads an HTTP client: 14 MB, and longer than node:http itself takes. require() leaves it alone.
 */
import { createRequire } from "node:module";

const http = createRequire(import.meta.url)("node:http") as typeof import("node:http");

export const { createServer: createHttpServer, METHODS, STATUS_CODES } = http;
