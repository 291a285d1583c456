/** The fetch handler on node:http, with the usual adapter. */
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createFetchHandler } from "../generator/tools/hosts/portable/fetch.ts";
import { openRelease } from "../runtime/release/release.ts";
import { announce } from "./announce.ts";

const listener = getRequestListener(createFetchHandler(openRelease(process.argv[2] ?? "dist")));
const server = createServer((request, response) => void listener(request, response));
announce(server);
