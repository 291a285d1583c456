/** The reconciliation service as a program, asked over a socket by a client that others wrote. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { addAllProviders, cdk } from "cocoda-sdk";
import { expect, it } from "vitest";
import { runHere, serve } from "../../support/command.ts";
import { starterRegistry } from "../../support/documents.ts";
import { buildRelease } from "../../support/release.ts";

const SKOS = "http://www.w3.org/2004/02/skos/core#";

it("answers the ReconciliationApi provider of cocoda-sdk, and ends by a signal", async () => {
  const service = await serve(
    "lib/generator/main.js",
    ["reconcile", "--out", await buildRelease(starterRegistry())],
    {},
  );
  try {
    addAllProviders();
    const registry = cdk.initializeRegistry({
      uri: "https://words.example/registry",
      provider: "ReconciliationApi",
      api: `http://127.0.0.1:${service.port}/0.2?lang={language}`,
      schemes: [{ uri: "https://words.example", namespace: "https://words.example/" }],
    });
    const mappings = async (prefLabel: Record<string, string>): Promise<unknown> => {
      const from = { uri: "https://other.example/1", prefLabel, inScheme: [{ uri: "https://other.example" }] };
      const found = await registry.getMappings({ from, mode: "or" });
      return found.map(({ to, type }) => [to.memberSet[0]?.uri, ...type]);
    };
    expect(await mappings({ fr: "demande de remboursement" })).toEqual([
      ["https://words.example/C-DFM7YZ", `${SKOS}exactMatch`],
    ]);
    expect(await mappings({ de: "demande de remboursement" })).toEqual([]);
    expect(await mappings({ en: "Refund Request" })).toEqual([]);
    const put = await fetch(`http://127.0.0.1:${service.port}/0.2`, { method: "PUT", body: "x" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  } finally {
    service.child.kill("SIGTERM");
  }
  expect([await service.exit, service.stderr()]).toEqual([0, ""]);
});

it("says in one line what is wrong with its options", async () => {
  const taken = http.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const port = String((taken.address() as AddressInfo).port);
  const out = await buildRelease(starterRegistry());
  const says = async (...args: string[]) => {
    const { code, stderr } = await runHere(["reconcile", ...args]);
    return [code, stderr];
  };
  expect(await says("--out", "none")).toEqual([2, expect.stringMatching(/^none\/manifest.json .*\n$/)]);
  expect(await says("--port", "x")).toEqual([2, '--port "x" is not a port number\n']);
  expect(await says("--base", "example.org")).toEqual([2, '--base "example.org" is not an address such as https://example.org/reconcile\n']); // prettier-ignore
  expect(await says("--out", out, "--port", port)).toEqual([1, `Port ${port} is in use: name another one by --port\n`]);
  taken.close();
});
