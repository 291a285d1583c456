/** Who may send to `POST /mcp`: its Host, the authority of its target, its Origin. */
import { describe, it } from "vitest";
import {
  expectError,
  expectResult,
  FORBIDDEN,
  HOST,
  listing as listTools,
  type McpRequest,
  post,
  REQUEST_LINE,
  wireOf,
} from "../../support/mcp.ts";
import { exchangeOne } from "../../support/raw.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { type Reply, serviceFor } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));

const listing = (headers: Record<string, string | undefined> = {}): McpRequest => listTools({ headers });

/** A good request over a connection of its own, behind these lines. */
function sendBehind(lines: readonly string[]): Promise<Reply> {
  return exchangeOne(service, wireOf(listing(), lines));
}

describe("the sender", () => {
  const hosts = (port: number): string[] => [
    `127.0.0.1:${port}`, "127.0.0.1", "localhost", "localhost:1", "LOCALHOST:8080", "[::1]", "[::1]:65535",
    "registry.example", "registry.example:443", "Registry.Example",
  ]; // prettier-ignore

  it("O-50: may address the service by its origin or, over loopback, by a loopback name with any port", async () => {
    for (const host of hosts(service.port)) expectResult(await post(service, listing({ Host: host })), "tools/list");
  });

  // Every other spelling of both: test/unit/runtime/http/caller.test.ts.
  const foreignHosts = [
    "evil.example",
    "registry.example:80",
    "localhost.evil.example",
    "registry.example/",
    "0.0.0.0",
    "null",
  ];

  it.each(foreignHosts)("O-50 M28: is refused with 403, -32600, id null where Host is %s", async (host) => {
    expectError(await post(service, listing({ Host: host })), FORBIDDEN);
  });

  it("M28: is refused in JSON-RPC where Host is empty", async () => {
    expectError(await sendBehind([REQUEST_LINE, "Host:"]), FORBIDDEN);
  });

  it("O-50: may name an origin of the service, or none", async () => {
    for (const origin of [
      undefined, ORIGIN, "http://localhost:1234", "http://localhost", "https://localhost", "http://127.0.0.1:9",
      "http://[::1]:8080", `http://127.0.0.1:${service.port}`,
    ]) expectResult(await post(service, listing({ Origin: origin })), "tools/list"); // prettier-ignore
  });

  const foreignOrigins = [
    "https://evil.example",
    "null",
    "",
    "http://registry.example",
    "https://registry.example/",
    "file://",
  ];

  it.each(foreignOrigins)("O-55 O-50: is refused with 403, -32600, id null where Origin is %s", async (origin) => {
    expectError(await post(service, listing({ Origin: origin })), FORBIDDEN);
  });

  it("O-55: is refused where there are two origins, and where only the origin is right", async () => {
    expectError(await sendBehind([REQUEST_LINE, HOST, `Origin: ${ORIGIN}`, "Origin: https://evil.example"]), FORBIDDEN);
    expectError(await post(service, listing({ Host: "evil.example", Origin: ORIGIN })), FORBIDDEN);
    expectError(await post(service, listing({ Host: "evil.example", Origin: "http://evil.example" })), FORBIDDEN);
  });

  it("O-50 M28: is who the absolute target is for, not who Host names", async () => {
    const line = (authority: string): string => `POST http://${authority}/mcp HTTP/1.1`;
    for (const authority of ["registry.example", "localhost:1", `127.0.0.1:${service.port}`])
      expectResult(await sendBehind([line(authority), HOST]), "tools/list");
    for (const authority of ["evil.example", "registry.example.evil.example", "localhost@evil.example", "localhost:x"])
      expectError(await sendBehind([line(authority), HOST]), FORBIDDEN);
    expectError(await sendBehind([line("evil.example").replace("/mcp", "/mcp?x=1"), HOST]), FORBIDDEN);
  });

  it("M28 O-50: may speak HTTP/1.0, and must name the service then too", async () => {
    expectResult(await sendBehind(["POST /mcp HTTP/1.0", HOST]), "tools/list");
    expectError(await sendBehind(["POST /mcp HTTP/1.0"]), FORBIDDEN);
    expectError(await sendBehind(["POST /mcp HTTP/1.0", "Host: evil.example"]), FORBIDDEN);
  });
});
