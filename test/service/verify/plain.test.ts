/** Bytes changed by whatever changes bytes: every file, every kind of damage, and the file is named. Nothing is signed again. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { DIGEST_BYTES, FOOTER_BYTES, SECTIONS } from "../../../runtime/registry/index-format.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { openIndex } from "../../../runtime/registry/index.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { Copy, IDENTITY, MANIFEST, SUMS } from "../../support/tamper.ts";
import { readRegistry } from "../../support/tamper-index.ts";

const dists: string[] = [];
beforeAll(async () => {
  const small = checkedRegistry({ concepts: [concept("S-1", [expression("en", "one")])] });
  dists.push(await buildRelease(checkedRegistry(nasty)), await buildRelease(small));
});

/**
 * The same damage to every file at once but to the sums, which are what tells of a manifest that is gone: each must be
 * named, whatever is wrong with the others.
 */
async function unnamed(damage: (copy: Copy, name: string) => void): Promise<string[]> {
  const missed: string[] = [];
  for (const dist of dists) {
    const copy = new Copy(dist);
    const names = copy.names().filter((name) => name !== SUMS);
    expect(names.length).toBeGreaterThan(60);
    for (const name of names) damage(copy, name);
    const faults = await copy.verify();
    missed.push(...names.filter((name) => !faults.some((fault) => fault.startsWith(`${name}: `))));
    expect(faults.filter((fault) => fault.includes("\n"))).toEqual([]);
    rmSync(path.dirname(copy.directory), { recursive: true });
  }
  return missed;
}

const DAMAGES: [title: string, damage: (copy: Copy, name: string) => void][] = [
  ["the first byte flipped", (copy, name) => flip(copy, name, () => 0)],
  ["a byte in the middle flipped", (copy, name) => flip(copy, name, (length) => length >> 1)],
  ["the last byte flipped", (copy, name) => flip(copy, name, (length) => length - 1)],
  ["the last byte cut off", (copy, name) => copy.write(name, copy.read(name).subarray(0, -1))],
  ["half of it cut off", (copy, name) => copy.write(name, copy.read(name).subarray(0, copy.read(name).length >> 1))],
  ["a byte appended", (copy, name) => copy.write(name, Buffer.concat([copy.read(name), Buffer.from(" ")]))],
  ["everything in it gone", (copy, name) => copy.write(name, "")],
];

function flip(copy: Copy, name: string, at: (length: number) => number): void {
  const bytes = copy.read(name);
  const place = at(bytes.length);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  copy.write(name, bytes);
}

describe("a file with", () => {
  it.each(DAMAGES)("%s is named, be it every file at once", async (_title, damage) => {
    expect(await unnamed(damage)).toEqual([]);
    const copy = new Copy(dists[0] ?? "");
    damage(copy, SUMS);
    expect((await copy.verify()).some((fault) => fault.includes(SUMS))).toBe(true);
  });
});

describe("in the place of a file", () => {
  const REPLACED: [title: string, replace: (copy: Copy, name: string) => void][] = [
    ["nothing", () => undefined],
    ["a folder", (copy, name) => mkdirSync(copy.at(name))],
    ["a link to the same bytes elsewhere", (copy, name) => symlinkSync(path.join(dists[0] ?? "", name), copy.at(name))],
    ["a link to itself", (copy, name) => symlinkSync(copy.at(name), copy.at(name))],
    ["a pipe that nobody writes to", (copy, name) => void execFileSync("mkfifo", [copy.at(name)])],
  ];

  it.each(REPLACED)("%s is found and named", async (_title, replace) => {
    const replaceOne = (copy: Copy, name: string): void => {
      rmSync(copy.at(name));
      replace(copy, name);
    };
    expect(await unnamed(replaceOne)).toEqual([]);
    const copy = new Copy(dists[0] ?? "");
    replaceOne(copy, SUMS);
    expect((await copy.verify()).some((fault) => fault.startsWith(`${SUMS}: `))).toBe(true);
  });

  it("another file of the release is found: two that changed places are both named", async () => {
    for (const [one, other] of [
      ["answers.md", "api-reference.md"],
      ["schemas/error.v1.json", "schemas/status.v1.json"],
      ["api/v1/integration-studio/kit/clarification.zip", "api/v1/integration-studio/kit/workflow-routing.zip"],
      ["index.html", "shell.html"],
      ["manifest.json", "registry.index"],
    ] as const) {
      const copy = new Copy(dists[0] ?? "");
      const bytes = copy.read(one);
      copy.write(one, copy.read(other));
      copy.write(other, bytes);
      const faults = await copy.verify();
      for (const name of [one, other]) expect(faults.filter((fault) => fault.startsWith(`${name}: `))).not.toEqual([]);
    }
  });

  it("a renamed one is found: both names are named", async () => {
    const copy = new Copy(dists[0] ?? "");
    const names = copy.names().filter((name) => ![SUMS, MANIFEST].includes(name));
    for (const name of names) renameSync(copy.at(name), copy.at(`${name}x`));
    const faults = await copy.verify();
    for (const name of names) {
      expect([name, faults.includes(`${name}: missing`)]).toEqual([name, name !== IDENTITY]);
      expect([name, faults.includes(`${name}x: not listed in SHA256SUMS`)]).toEqual([name, true]);
    }
  });
});

describe("a file that no release has", () => {
  it("is named, hidden or not, wherever it lies, and on one line whatever its name is", async () => {
    const copy = new Copy(dists[0] ?? "");
    const names = [
      "extra",
      ".hidden",
      "api/v1/.x",
      "schemas/new.v1.json",
      "assets/evil.js",
      "a\nb: fine",
      "e\u001B[2Jf",
      "\u202Egnp",
    ];
    for (const name of names) copy.write(name, "x");
    const faults = await copy.verify();
    expect(faults.filter((fault) => fault.endsWith(": not listed in SHA256SUMS")).length).toBe(names.length);
    expect(faults.join("")).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });
});

describe("a byte of the index flipped", () => {
  /** The start, the middle and the end of every section, of what is padding, of the footer and of the trailer. */
  function places(bytes: Buffer): [what: string, at: number][] {
    const { sections } = openIndex(memorySource(bytes));
    const spans: [string, number, number][] = SECTIONS.map((name) => [
      name,
      sections[name].offset,
      sections[name].length,
    ]);
    const end = bytes.length - DIGEST_BYTES;
    spans.push(
      ["magic", sections.bundle.length, 8],
      ["footer", end - FOOTER_BYTES, FOOTER_BYTES],
      ["trailer", end, DIGEST_BYTES],
    );
    const found = spans.flatMap(([what, start, length]): [string, number][] => [
      [what, start],
      [what, start + (length >> 1)],
      [what, start + length - 1],
    ]);
    for (const name of SECTIONS.filter((section) => section !== "bundle")) {
      const behind = sections[name].offset + sections[name].length;
      if (behind % 8 !== 0) found.push([`padding behind ${name}`, behind]);
    }
    return found;
  }

  it("is found wherever it is, and its file is named", async () => {
    const copy = new Copy(dists[0] ?? "");
    const bytes = readRegistry(copy);
    const bundle = copy.read("registry/bundle.ndjson").length;
    const all = places(bytes);
    expect(new Set(all.map(([what]) => what)).size).toBeGreaterThan(SECTIONS.length + 3);
    for (const [what, place] of all) {
      const [name, at] = place < bundle ? ["registry/bundle.ndjson", place] : ["registry.index", place - bundle];
      flip(copy, name, () => at);
      const faults = await copy.verify();
      expect([what, at, faults.includes(`${name}: differs from its digest in SHA256SUMS`)]).toEqual([what, at, true]);
      expect([what, at, faults.some((fault) => /^registry\.index: (?!differs)/.test(fault))]).toEqual([what, at, true]);
      // Blocks are looked at where there is an index that can be opened.
      const isOpened = !faults.some((fault) => /^registry\.index: (?:Registry|Not a registry) index/.test(fault));
      expect([what, at, faults.some((fault) => fault.startsWith("registry.blocks: "))]).toEqual([what, at, isOpened]);
      flip(copy, name, () => at);
    }
    expect(await copy.verify()).toEqual([]);
  });
});

describe("faults", () => {
  it("that have nothing to do with each other are all named, each time in the same order", async () => {
    const copy = new Copy(dists[0] ?? "");
    copy.edit("api/v1/status", (status) => (status.data.publishedConcepts = 3));
    copy.write("extra", "x");
    copy.replace(
      "sitemap.xml",
      "<loc>https://registry.example/answers</loc>",
      "<loc>https://registry.example/none</loc>",
    );
    rmSync(copy.at("api/v1/integration-studio/kit/clarification.zip"));
    const faults = await copy.verify();
    for (const fault of [
      "extra: not listed in SHA256SUMS",
      "api/v1/integration-studio/kit/clarification.zip: missing",
      'api/v1/status: its "data.publishedConcepts" does not agree with the release',
      "sitemap.xml: leads to /none, which is not there",
      "sitemap.xml: not the pages and concepts of this release",
    ])
      expect(faults).toContain(fault);
    expect(await copy.verify()).toEqual(faults);
    const moved = `${copy.directory}-moved`;
    cpSync(copy.directory, moved, { recursive: true });
    renameSync(copy.directory, `${copy.directory}-before`);
    renameSync(moved, copy.directory);
    expect(await copy.verify()).toEqual(faults);
  });
});
