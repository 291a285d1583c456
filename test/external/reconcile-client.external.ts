/** The reconciliation service as a process, asked by cocoda-sdk, a client that others wrote. */
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { serve } from "../support/command.ts";
import { starterRegistry } from "../support/documents.ts";
import { install } from "../support/npx.ts";
import { buildRelease } from "../support/release.ts";

const SKOS = "http://www.w3.org/2004/02/skos/core#";

/** What is used of it here; it has no types. */
interface Cocoda {
  readonly addAllProviders: () => void;
  readonly cdk: { initializeRegistry(registry: object): Registry };
}

interface Registry {
  getMappings(of: { readonly from: object; readonly mode: string }): Promise<readonly Mapping[]>;
}

interface Mapping {
  readonly to: { readonly memberSet: readonly { readonly uri: string }[] };
  readonly type: readonly string[];
}

const folder = mkdtempSync(path.join(tmpdir(), "cocoda-"));
const isHere = await install(["cocoda-sdk@3.6.1"], folder);

it.skipIf(!isHere)("answers the ReconciliationApi provider of cocoda-sdk, and ends by a signal", async () => {
  const service = await serve(
    "lib/generator/main.js",
    ["reconcile", "--out", await buildRelease(starterRegistry())],
    {},
  );
  try {
    const main = createRequire(path.join(folder, "x")).resolve("cocoda-sdk");
    const { addAllProviders, cdk } = (await import(pathToFileURL(main).href)) as Cocoda;
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
