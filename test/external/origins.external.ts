/**
 * Real web servers load what `host` writes for every form of origin, answer there, and give a part
 * of a file to who names its tag (RFC 9110 §13.1.5).
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runHere } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { apache, caddy, isThere, nginxWithSettings as nginx, withServer } from "./web-servers.ts";

const ORIGINS = [
  "http://[::1]:21600",
  "https://[2001:db8::7]",
  "https://xn--bcher-kva.example",
  "http://registry.example:8081",
  "https://localhost:8443",
  "http://192.0.2.7",
  `https://${"long-".repeat(10)}name.words.example`,
];

describe.each([nginx, apache, caddy].filter(isThere))("$name", (server) => {
  it.each(ORIGINS)("is a host of %s", async (origin) => {
    const release = await buildRelease(checkedRegistry({ concepts: [] }), origin);
    for (const more of [[], ["--runtime", "http://127.0.0.1:9"]]) {
      const folder = mkdtempSync(path.join(tmpdir(), `${server.name}-`));
      const port = await freePort();
      const place = ["--into", folder, "--files", folder, "--root", release, "--listen", `127.0.0.1:${port}`];
      const args = ["host", server.name, "--release", release, ...place, ...more];
      expect(await runHere(args)).toMatchObject({ code: 0 });
      await withServer(server, { folder, port, reads: [release] }, async () => {
        const ask = (fields: Record<string, string>): Promise<IncomingMessage> =>
          answerTo(port, { host: new URL(origin).host, ...fields });
        const { statusCode, headers } = await ask({});
        expect([statusCode, headers["content-location"]]).toEqual([200, `${origin}/llms.txt`]);
        const parts = [headers.etag ?? "", '"other"'].map(async (tag) => {
          const part = await ask({ range: "bytes=0-1", "if-range": tag });
          return part.statusCode;
        });
        // In front of a runtime a host sends no parts either.
        expect(await Promise.all(parts)).toEqual([more.length === 0 ? 206 : 200, 200]);
      });
      rmSync(folder, { recursive: true });
    }
  });
});

async function answerTo(port: number, headers: Record<string, string>): Promise<IncomingMessage> {
  const sent = get({ host: "127.0.0.1", port, path: "/llms.txt", headers, agent: false });
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer.resume();
}
