/** Folders made to break an auditor: whatever is in them, each fault is one line, and the end comes in time. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { verifyRelease } from "../../../generator/verify/verify.ts";
import { FOOTER_BYTES, SECTIONS } from "../../../runtime/registry/index-format.ts";
import { run } from "../../support/command.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { Copy, faultsAfter, IDENTITY, MANIFEST } from "../../support/tamper.ts";
import { patchIndex } from "../../support/tamper-index.ts";

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
    const outcome = await run("lib/generator/main.js", ["verify", "--out", empty]);
    expect([outcome.code, outcome.stdout]).toEqual([1, ""]);
    expect(outcome.stderr).not.toMatch(/\n {4}at /);
  });

  it("with a release of an older form is told file by file", async () => {
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

  it("with twenty thousand files, and a manifest that lists a hundred thousand more, is told in time", async () => {
    const copy = new Copy(dist);
    mkdirSync(copy.at("many"));
    for (let i = 0; i < 20_000; i++) copy.write(`many/${i}`, "");
    copy.edit(MANIFEST, (manifest) => {
      for (let i = 0; i < 100_000; i++) manifest.files.push({ path: `none/${i}`, bytes: 0, sha256: "0".repeat(64) });
    });
    const faults = await copy.verify();
    expect(faults.length).toBeGreaterThan(120_000);
    expect(faults).toContain("none/99999: missing");
  });

  it("with files larger than memory is told without reading them into it", async () => {
    const copy = new Copy(dist);
    for (const name of ["answers.html", "llms.txt"]) truncateSync(copy.at(name), 200 * 1024 * 1024);
    copy.resign();
    const faults = await copy.verify();
    expect(faults).toContain("answers.html: larger than any file of a release, so it was not read");
    expect(faults).toContain("llms.txt: larger than any file of a release, so it was not read");
  });
});

/** Files that are JSON. */
const JSON_FILES = [
  "openapi.json",
  "api/v1/status",
  "mcp.json",
  "agent-tool.json",
  "schemas/error.v1.json",
  "mcp-server.json",
];

describe("JSON", () => {
  const HOSTILE: [title: string, bytes: Uint8Array | string, fault: RegExp][] = [
    ["of a hundred thousand lists in each other", "[".repeat(100_000) + "]".repeat(100_000), /nested deeper than/],
    ["of a hundred thousand objects in each other", '{"a":'.repeat(100_000) + "0" + "}".repeat(100_000), /nested deeper than/],
    ["with a name twice", '{"openapi":"3.1.0","openapi":"3.0.0"}', /has a name twice/],
    ["that is not UTF-8", Buffer.from([0x22, 0xff, 0x22]), /not JSON/],
    ["with a byte order mark", "\uFEFF{}", /not JSON/],
    ["that is a number", "1e999", /: /],
    ["that is null", "null", /: /],
    ["with a name that objects have", '{"__proto__":{"paths":{}},"constructor":1,"toString":2}', /: /],
  ]; // prettier-ignore

  it.each(HOSTILE)("%s is one fault of its file, in every document", async (_title, bytes, fault) => {
    const faults = await faultsOf((copy) => {
      for (const name of JSON_FILES) copy.write(name, bytes);
    });
    for (const name of JSON_FILES) expect([name, faults.some((text) => text.startsWith(`${name}: `) && fault.test(text))]).toEqual([name, true]);
    const vouching = await faultsOf((copy) => copy.write(IDENTITY, bytes));
    expect(vouching.some((text) => text.startsWith(`${IDENTITY}: `) && fault.test(text))).toBe(true);
    const manifest = await faultsOf((copy) => copy.write(MANIFEST, bytes));
    expect(manifest.some((text) => text.startsWith(`${MANIFEST}: `) && fault.test(text))).toBe(true);
  }); // prettier-ignore

  /** What lists digests is left as it is: it is not about them. */
  async function faultsOf(change: (copy: Copy) => void): Promise<string[]> {
    const copy = new Copy(dist);
    change(copy);
    return copy.verify();
  }
});

describe("text that makes a careless expression take forever", () => {
  it.each(["<", "<script ", "](", "](a", "<a", '<a href="', "&", "`", "\n ", " 1", "\u0301", "https://", "href=", "https://registry.example/"])(
    "is judged in time: %j a million times",
    async (piece) => {
      const names = ["answers.html", "answers.md", "api-reference.html", "index.html", "mcp-guide.html", "llms.txt", "agent-instructions.txt"];
      const text = piece.repeat(Math.ceil(2_000_000 / piece.length));
      const faults = await faultsAfter(dist, (copy) => {
        for (const name of names) copy.write(name, text);
      });
      // Two of them hold what the JSON says no longer; of the others the words are free.
      for (const name of names.slice(0, 3)) expect([name, faults.some((fault) => fault.startsWith(`${name}: `))]).toEqual([name, true]);
    },
    20_000,
  ); // prettier-ignore
});

describe("an index signed again", () => {
  const TABLE = SECTIONS.length * 16;
  it("whose sections lie anywhere, are endless or lie upon each other is refused in one line", async () => {
    const values = [0n, 1n, 8n, 0xffffn, 0x7fffffffn, 0xffffffffn, 1n << 53n, (1n << 64n) - 1n];
    for (let field = 0; field < TABLE; field += 8) {
      for (const value of values.filter((_value, i) => (field / 8 + i) % 4 === 0)) {
        const faults = await indexFaults((body) => {
          const at = body.length - FOOTER_BYTES + field;
          body.writeBigUInt64LE(body.readBigUInt64LE(at) === value ? value + 1n : value, at);
        });
        expect([field, value, faults.length > 0]).toEqual([field, value, true]);
      }
    }
  }, 120_000);

  it("with any of its bytes changed is named, and breaks nothing", async () => {
    let seed = 7;
    const next = (limit: number): number => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    for (let round = 0; round < 60; round++) {
      const faults = await indexFaults((body) => {
        for (let i = 0; i <= round % 4; i++) {
          const at = next(body.length);
          body[at] = (body[at] ?? 0) ^ (1 + next(255));
        }
      });
      expect([round, faults.length > 0]).toEqual([round, true]);
    }
  }, 120_000);

  async function indexFaults(change: (body: Buffer) => void): Promise<string[]> {
    const faults = await faultsAfter(dist, (copy) => patchIndex(copy, (body) => (change(body), body)));
    return faults.filter((fault) => fault.startsWith("registry.index: "));
  }
});
