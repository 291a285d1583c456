/** Serves a built release by the fetch handler on node:http, as the baseline for other hosts of it. Arguments: DIST PORT. */
import { createServer } from "node:http";
import { createFetchHandler } from "../runtime/fetch.ts";
import { openRelease } from "../runtime/release/release.ts";

const [directory = "", port = ""] = process.argv.slice(2);
const release = openRelease(directory);
const handler = createFetchHandler(release);

const server = createServer((request, response) => {
  void (async () => {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const { method = "GET", url = "/" } = request;
    const init = { method, headers: request.headers as Record<string, string>, ...(body.length > 0 && { body }) };
    const answer = await handler(new Request(release.manifest.origin + url, init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(new Uint8Array(await answer.arrayBuffer()));
  })();
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write(`${directory} on http://127.0.0.1:${port}\n`));
