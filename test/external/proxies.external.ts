/** The proxies of docs/hosting.md as printed, in front of the real service: the law, and `/mcp`. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../support/command.ts";
import { mcpRequest } from "../support/mcp.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { type Service, serveFolder } from "../support/service.ts";
import { apache, caddy, isThere, nginx, withServer } from "./web-servers.ts";
import { freePort } from "../support/free-port.ts";

const NAME = "registry.example.org";
const GUIDE = readFileSync(path.resolve(import.meta.dirname, "../../docs/hosting.md"), "utf8");
let dist: string;
let runtime: Service;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty), `http://${NAME}`);
  runtime = await serveFolder(dist);
});
afterAll(() => runtime.close());

/**
 * What a test changes: the port that the proxy listens on, for any name, and that of the service.
 */
function adapt(printed: string, port: number): string {
  return printed
    .replace("listen 80", `listen 127.0.0.1:${port}`)
    .replace("*:80", `*:${port}`)
    .replace(`http://${NAME} {`, `http://:${port} {`)
    .replace("127.0.0.1:8080", `127.0.0.1:${runtime.port}`);
}

describe.each([nginx, apache, caddy])("$name as a proxy", (server) => {
  it.skipIf(!isThere(server))("keeps every law, and Host", async () => {
    const printed = new RegExp(`^\`\`\`${server.name}\\n(.*?)^\`\`\``, "ms").exec(GUIDE)?.[1] ?? "";
    const folder = mkdtempSync(path.join(tmpdir(), `${server.name}-`));
    const port = await freePort();
    writeFileSync(path.join(folder, server.file), adapt(printed, port));
    await withServer(server, { folder, port, reads: [] }, async () => {
      const args = ["verify-origin", `http://127.0.0.1:${port}`, "--release", dist, "--json"];
      const { code, stdout } = await runHere(args);
      const { differences } = JSON.parse(stdout) as { differences: object[] };
      expect([differences, code]).toEqual([[], 0]);
      expect([await statusOf(port, NAME), await statusOf(port, "other.example")]).toEqual([200, 403]);
    });
    rmSync(folder, { recursive: true });
  });
});

/** That of a call that names a host. */
async function statusOf(port: number, host: string): Promise<number | undefined> {
  const { headers, body } = mcpRequest("server/discover");
  const sent = request({ port, path: "/mcp", method: "POST", headers: { ...headers, host } });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
