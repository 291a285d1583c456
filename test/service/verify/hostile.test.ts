/** Folders made to break an auditor: each fault is one line, and verify ends in time. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { readJson } from "../../../generator/verify/audit/json.ts";
import { verifyRelease } from "../../../generator/verify/verify.ts";
import { runHere } from "../../support/command.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { Copy, faultsAfter, IDENTITY, type Loose, MANIFEST } from "../../support/tamper.ts";

let dist: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty));
});

describe("a folder", () => {
  it("that is empty has no release in it, and that is all there is to say", async () => {
    const empty = mkdtempSync(path.join(tmpdir(), "empty-"));
    const faults = await verifyRelease(fileSystem, empty);
    expect(faults).toContain("manifest.json: missing, or not a regular file");
    expect(faults).toContain("registry.index: missing, or not a regular file");
    const outcome = await runHere(["verify", "--out", empty]);
    expect([outcome.code, outcome.stdout]).toEqual([1, ""]);
    expect(outcome.stderr).not.toMatch(/\n {4}at /);
  });

  it("with a release of an older form is reported file by file", async () => {
    const faults = await faultsAfter(dist, (copy) => {
      rmSync(copy.at("mcp-guide.html"));
      copy.edit("api/v1/status", (status) => delete status.data.publicBundle);
      copy.write("concepts.html", "<!doctype html>\n");
    });
    for (const fault of [
      /^mcp-guide\.html: missing/,
      /^api\/v1\/status: data lacks the property/,
      /^concepts\.html: does not belong in a release/,
    ])
      expect(faults).toContainEqual(expect.stringMatching(fault));
  });

  it("with a thousand files, and a manifest that lists twenty thousand more, is judged in time", async () => {
    const copy = new Copy(dist);
    mkdirSync(copy.at("many"));
    for (let i = 0; i < 1_000; i++) copy.write(`many/${i}`, "");
    copy.edit(MANIFEST, (manifest) => {
      for (let i = 0; i < 20_000; i++) manifest.files.push({ path: `none/${i}`, bytes: 0, sha256: "0".repeat(64) });
    });
    const faults = await copy.verify();
    expect(faults.length).toBeGreaterThan(21_000);
    expect(faults).toContain("none/19999: missing");
  });

  it("with a file larger than any of a release is judged without reading it", async () => {
    const copy = new Copy(dist);
    copy.write("llms.txt", "");
    truncateSync(copy.at("llms.txt"), 2 ** 40);
    expect(await copy.verify()).toContain("llms.txt: larger than any file of a release, so it was not read");
  });
});

describe("JSON", () => {
  /** Each is put into another document. */
  const HOSTILE: [title: string, document: string, bytes: Uint8Array | string, fault: RegExp][] = [
    ["of a hundred thousand lists in each other", "openapi.json", "[".repeat(100_000) + "]".repeat(100_000), /nested deeper than/],
    ["of a hundred thousand objects in each other", "api/v1/status", '{"a":'.repeat(100_000) + "0" + "}".repeat(100_000), /nested deeper than/],
    ["with a name twice", "mcp.json", '{"openapi":"3.1.0","openapi":"3.0.0"}', /has a name twice/],
    ["that is not UTF-8", "agent-tool.json", Buffer.from([0x22, 0xff, 0x22]), /not JSON/],
    ["with a byte order mark", "schemas/error.v1.json", "\uFEFF{}", /not JSON/],
    ["that is a number", "mcp-server.json", "1e999", /: /],
    ["that is null", "answers.json", "null", /: /],
    ["with a name that objects have", "api-reference.json", '{"__proto__":{"paths":{}},"constructor":1,"toString":2}', /: /],
  ]; // prettier-ignore

  it.each(HOSTILE)("%s is returned as a value or refused as a fault", (...[_title, _document, bytes, fault]) => {
    const json = readJson(Buffer.from(bytes));
    expect(`: ${json.ok ? typeof json.value : json.fault}`).toMatch(fault);
  });

  it("that is hostile is reported with its file and on one line, also in SHA256SUMS and manifest.json", async () => {
    const copy = new Copy(dist);
    for (const [, name, bytes] of HOSTILE) copy.write(name, bytes);
    const faults = await copy.verify();
    for (const [, name, , fault] of HOSTILE) {
      const own = faults.filter((text) => text.startsWith(`${name}: `) && fault.test(text));
      expect([name, own]).not.toEqual([name, []]);
    }
  });

  const none = { toString: 1 };

  it.each<[file: string, change: (value: Loose) => void]>([
    ["openapi.json", (value) => (value.info.description = none)],
    ["openapi.json", (value) => (value.info.contact = { name: none, email: none, url: none })],
    ["mcp.json", (value) => (value.serverInfo.title = none)],
    ["mcp-server.json", (value) => (value.service.description = none)],
  ])("%s with no text where it is printed again is a fault of it", async (file, change) => {
    const faults = await faultsAfter(dist, (copy) => copy.edit(file, change));
    expect(faults).toContainEqual(expect.stringContaining(`${file}: `));
  });

  it("with no texts where texts are is a fault of its file, and no more", async () => {
    const faults = await faultsAfter(dist, (copy) => {
      copy.edit("registry/concepts.jsonld", (value) => Object.assign(value["@graph"][1], { "@id": none, "skos:prefLabel": [{ "@value": none }] })); // prettier-ignore
      copy.edit("api/v1/adoption-guide", (value) => delete value.title);
    });
    for (const name of ["registry/concepts.jsonld", "api/v1/adoption-guide"])
      expect(faults).toContainEqual(expect.stringContaining(`${name}: `));
  });

  it.each(HOSTILE)("%s is a fault of the files that vouch for others", (...[_title, _document, bytes, fault]) => {
    for (const name of [IDENTITY, MANIFEST]) {
      const copy = new Copy(dist);
      copy.write(name, bytes);
      const own = copy.sums().filter((text) => text.startsWith(`${name}: `) && fault.test(text));
      expect([name, own]).not.toEqual([name, []]);
    }
  });
});

describe("text that makes a careless expression take forever", () => {
  const NAMES = ["answers.html", "answers.md", "api-reference.html", "index.html", "mcp-guide.html", "llms.txt", "agent-instructions.txt"]; // prettier-ignore

  const PIECES = ["<", "<script ", "](", "](a", "<a", '<a href="', "&", "`", "\n ", " 1", "\u0301", "https://", "href=", "https://registry.example/"]; // prettier-ignore

  it("is judged in time, in every document that is read for words or addresses", async () => {
    const text = PIECES.map((piece) => piece.repeat(Math.ceil(100_000 / piece.length))).join("\n");
    const faults = await faultsAfter(dist, (copy) => {
      for (const name of NAMES) copy.write(name, text);
    });
    for (const name of NAMES) expect(faults).toContainEqual(expect.stringContaining(`${name}: `));
  });
});
