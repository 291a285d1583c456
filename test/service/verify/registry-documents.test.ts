/** Retired codes, history and coverage changed by somebody who signs everything again; and what is odd, and valid. */
import { beforeAll, describe, expect, it } from "vitest";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";
import { Copy, faultsAfter, MANIFEST, type Loose } from "../../support/tamper.ts";

let dist: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty));
});

const RETIRED = "registry/retired.json";
const HISTORY = "registry/history.json";
const COVERAGE = "registry/coverage.json";

type Edit = [what: string, change: (value: Loose) => void];

/** The fault of each edit begins with the document's name. */
function found(name: string, edits: readonly Edit[]): void {
  it.each(edits)("is found: %s", async (_what, change) => {
    const faults = await faultsAfter(dist, (copy) => copy.edit(name, change));
    expect([faults.some((fault) => fault.startsWith(`${name}: `)), faults.slice(0, 3)]).toEqual([
      true,
      expect.anything(),
    ]);
  });
}

describe("coverage that the index does not hold", () => {
  found(COVERAGE, [
    ["the number of concepts", (value) => value.concepts++],
    ["a domain's", (value) => value.domains.listed[0].concepts++],
    ["a domain less", (value) => value.domains.listed.pop()],
    ["what a language covers", (value) => value.languages.listed[0].concepts++],
    ["what it covers of a domain", (value) => value.languages.listed[0].byDomain[1]++],
    ["what is found under a tag", (value) => value.languages.listed[8].tags.listed.pop()],
    ["a concept that is not lacking", (value) => value.languages.listed[0].lacking.listed.pop()],
    ["a language less", (value) => value.languages.listed.pop()],
    ["their order", (value) => value.languages.listed.push(value.languages.listed.shift())],
    ["an ambiguous expression less", (value) => value.ambiguous.withinLanguage.listed.pop()],
    ["one in the other list", (value) => value.ambiguous.withinLanguage.listed.push(value.ambiguous.acrossLanguages.listed.pop())],
    ["a meaning less", (value) => value.ambiguous.withinLanguage.listed[0].concepts.listed.pop()],
    ["how many meanings", (value) => value.ambiguous.withinLanguage.listed[1].concepts.total--],
    ["a tag of a meaning", (value) => (value.ambiguous.acrossLanguages.listed[0].concepts.listed[0].tags.listed[0] = "fr")],
    ["a limit", (value) => (value.limits.lacking = 1)],
    ["an address", (value) => (value.$schema = "https://evil.example/schemas/registry-coverage.v1.json")],
  ]); // prettier-ignore
});

describe("retired codes that the content digest does not cover", () => {
  found(RETIRED, [
    ["one less", (value) => value.retired.pop()],
    ["one more", (value) => value.retired.push({ ...value.retired[0], code: "N-RETIRED-TOO" })],
    ["another successor", (value) => (value.retired[0].replacedBy = "N-RIVER")],
    ["none", (value) => (value.retired[0].replacedBy = null)],
    ["itself", (value) => (value.retired[0].replacedBy = "N-RETIRED")],
    ["another version", (value) => (value.retired[0].retiredIn = "2026.10.2")],
    ["one that is published", (value) => (value.retired[0].code = "N-TAXI")],
    ["an address", (value) => (value.canonicalOrigin = "https://evil.example")],
  ]);
});

describe("a history that is not that of the manifest", () => {
  const own = { registryVersion: "2026.11.1", contentSha256: "0".repeat(64), reassigned: [], acknowledgement: null };
  found(HISTORY, [
    ["another version", (value) => (value.current.registryVersion = "2026.11.2")],
    ["another content", (value) => (value.current.contentSha256 = "0".repeat(64))],
    ["recorded, and not listed", (value) => (value.current.recorded = true)],
    ["listed, and not recorded", (value) => value.releases.push({ ...own, contentSha256: value.current.contentSha256 })],
    ["listed with another content", (value) => (value.releases.push(own), (value.current.recorded = true))],
    ["a release above it", (value) => value.releases.push({ ...own, registryVersion: "2026.11.10" })],
    ["releases that are not in order", (value) => value.releases.push({ ...own, registryVersion: "2026.10.10" }, { ...own, registryVersion: "2026.10.9" })],
  ]); // prettier-ignore

  it("is found in the manifest: another content than its concepts and retired codes give", async () => {
    const faults = await faultsAfter(dist, (copy) => {
      const digest = "0".repeat(64);
      copy.edit(MANIFEST, (value) => (value.registry.contentSha256 = digest));
      copy.edit(HISTORY, (value) => (value.current.contentSha256 = digest));
    });
    expect(faults).toEqual([expect.stringMatching(/^registry\/retired\.json: with the concepts it does not give/)]);
  });
});

describe("a registry whose texts are addresses", () => {
  it("is whole: of this service and of others, in expressions, reasons and acknowledgements", async () => {
    // What is drawn for an example is the first.
    const texts = [
      "https://other.example/x",
      "ftp://\u00C5.example/y",
      `${ORIGIN}/nothing`,
      `See ${ORIGIN}/concepts/GONE`,
    ];
    const registry = checkedRegistry({
      concepts: ["T-A", "T-B"].map((code) => concept(code, texts.map((text) => expression("en", text)))),
      retired: [{ code: "T-OLD", retiredIn: "2026.10.1", replacedBy: "T-A", name: "https://name.example", reason: `${ORIGIN}/why and https://reason.example/` }],
      history: [{ registryVersion: "2026.10.1", contentSha256: "0".repeat(64), reassigned: [{ expression: "https://old.example", language: null, from: "T-B", to: "T-A" }], acknowledgement: "https://ticket.example/1" }],
    }); // prettier-ignore
    const odd = await buildRelease(registry);
    const copy = new Copy(odd);
    expect(await copy.verify()).toEqual([]);
  });
});
