/** The fetch handler on node:http, with the usual adapter. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createFetchHandler } from "../runtime/fetch.ts";
import { openRelease } from "../runtime/release/release.ts";

const listener = getRequestListener(createFetchHandler(openRelease(process.argv[2] ?? "dist")));
const server = createServer((request, response) => void listener(request, response));
server.keepAliveTimeout = 30_000;
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
