import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileIndex } from "../../../generator/index/compile.ts";
import { type Keys, keysOf } from "../../../generator/registry/keys.ts";
import type { CheckedRegistry } from "../../../generator/registry/checked.ts";
import { tagOf } from "../../../generator/registry/concept.ts";
import { keyPages, numberPostings } from "../../../generator/index/key-pages.ts";
import { memorySource, pieces } from "../../../runtime/registry/byte-source.ts";
import {
  DIGEST_BYTES,
  FOOTER_FIELDS,
  FORMAT_VERSION,
  HASH_VERSION,
  hashKey,
  MAGIC,
  pageOf,
} from "../../../runtime/registry/index-format.ts";
import { sha256 } from "../../../runtime/http/digest.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { openIndex, type RegistryIndex } from "../../../runtime/registry/index.ts";
import { formatSums } from "../../../runtime/release/manifest.ts";
import { ReleaseError } from "../../../runtime/release/plain-file.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { ownRelease, ORIGIN } from "../../support/release.ts";

function compile(registry: CheckedRegistry): Buffer {
  return Buffer.concat([...compileIndex({ registry, origin: ORIGIN })]);
}

/** What the index must say, by the plainest means: a map of every published key to its postings. */
function postingsOf(registry: CheckedRegistry): Map<string, Set<string>> {
  const map = new Map<string, Set<string>>();
  [...registry.concepts].forEach(({ expressions }, conceptId) => {
    for (const entry of expressions) {
      const key = entry.expression.normalize("NFC");
      const posting = `${tagOf(entry).toLowerCase()} ${conceptId} ${entry.equivalenceStrength}`;
      map.set(key, (map.get(key) ?? new Set()).add(posting));
    }
  });
  return map;
}

function expectSamePostings(index: RegistryIndex, registry: CheckedRegistry): void {
  const expected = postingsOf(registry);
  const wrong = [...expected].filter(([key, postings]) => {
    const found = index
      .postings(key)
      .map((one) => `${index.meta.languages[one.languageId]} ${one.conceptId} ${one.strength}`);
    const isSame = found.length === postings.size && found.every((one) => postings.has(one));
    const isOther = index.postings(key.slice(1)).length > 0 !== expected.has(key.slice(1));
    return !isSame || new Set(found).size < found.length || isOther || index.postings(`${key}\u0000`).length > 0;
  });
  expect(wrong).toEqual([]);
  expect([...registry.concepts].filter(({ code }, id) => index.conceptId(code) !== id)).toEqual([]);
  expect(index.expressionCount).toBe(expected.size);
}

/** A registry of `count` English expressions, fifty a concept. */
function made(count: number, text: (i: number) => string): CheckedRegistry {
  return checkedRegistry({
    concepts: Array.from({ length: Math.ceil(count / 50) }, (_, c) =>
      concept(
        `M-${c}`,
        Array.from({ length: Math.min(50, count - c * 50) }, (_unused, i) => expression("en", text(c * 50 + i))),
      ),
    ),
  });
}

function pagesOf({ concepts }: CheckedRegistry, keys: Keys = keysOf(concepts)): Uint8Array[] {
  const kinds = concepts.kinds.values;
  return [...keyPages(keys, kinds, numberPostings(kinds))];
}

describe("the compiled index", () => {
  it("says of every key what a plain map says", () => {
    for (const registry of [checkedRegistry(nasty), made(2000, (i) => `expression number ${i}`)]) {
      expectSamePostings(openIndex(memorySource(compile(registry))), registry);
    }
  });

  it("O-02: never takes a code for an expression or an expression for a code", () => {
    const index = openIndex(
      memorySource(
        compile(checkedRegistry({ concepts: [concept("ABC", [expression("en", "abc"), expression("en", "XYZ")])] })),
      ),
    );
    expect(index.postings("ABC")).toEqual([]);
    expect(index.conceptId("XYZ")).toBeUndefined();
    expect(index.postings("\u00FFABC")).toEqual([]);
    expect(index.conceptId("ABC")).toBe(0);
  });

  it("answers for keys longer than any registry holds", () => {
    const index = openIndex(memorySource(compile(checkedRegistry(nasty))));
    for (const length of [1365, 1366, 4095, 4096, 4097, 100_000])
      expect(index.postings("語".repeat(length))).toEqual([]);
    expect(index.conceptId("A".repeat(100_000))).toBeUndefined();
  });

  it("is the same bytes for the same registry, whatever the order of its files", () => {
    const concepts = [...nasty.concepts];
    const shuffled = checkedRegistry({ ...nasty, concepts: concepts.toReversed() });
    expect(compile(shuffled).equals(compile(checkedRegistry(nasty)))).toBe(true);
  });

  it("keeps a posting for each language and concept of a crowded key", () => {
    const registry = checkedRegistry({
      concepts: Array.from({ length: 1000 }, (_, i) =>
        concept(`C-${i}`, [expression("en", "same"), expression("de", "same")]),
      ),
    });
    const index = openIndex(memorySource(compile(registry)));
    expect(index.postings("same").length).toBe(2000);
    expectSamePostings(index, registry);
  });

  it("tries another seed when one page is flooded with keys chosen for it", () => {
    const count = 3000;
    const pageCount = Math.ceil((count + count / 50) / 64);
    const chosen: string[] = [];
    for (let i = 0; chosen.length < count; i++) {
      const key = Buffer.from(`k${i}`);
      if (pageOf(hashKey(key, 0, { page: 0, fingerprint: 0 }).page, pageCount) === 0) chosen.push(`k${i}`);
    }
    const registry = made(count, (i) => chosen[i] ?? "");
    const keys = keysOf(registry.concepts);
    expect([keys.pageCount, keys.seed]).toEqual([pageCount, 1]);
    expect(Math.max(...pagesOf(registry, keys).map((page) => page.length))).toBeLessThan(8192);
    expectSamePostings(openIndex(memorySource(compile(registry))), registry);
  });

  it("tells apart keys of one page that have one fingerprint", () => {
    const byFingerprint = new Map<number, string>();
    const colliding: string[] = [];
    for (let i = 0; colliding.length < 8; i++) {
      const text = `c${i}`;
      const key = Buffer.from(text);
      const { fingerprint } = hashKey(key, 0, { page: 0, fingerprint: 0 });
      const other = byFingerprint.get(fingerprint);
      if (other !== undefined) colliding.push(other, text);
      byFingerprint.set(fingerprint, text);
    }
    const registry = made(colliding.length, (i) => colliding[i] ?? "");
    expect(keysOf(registry.concepts)).toMatchObject({ pageCount: 1, seed: 0 });
    expectSamePostings(openIndex(memorySource(compile(registry))), registry);
  });

  it("finds long keys in pages longer than 64 KiB", () => {
    const registry = made(3000, (i) => `${"語".repeat(900)}${i}`);
    expect(Math.max(...pagesOf(registry).map((page) => page.length))).toBeGreaterThan(65_536);
    expectSamePostings(openIndex(memorySource(compile(registry))), registry);
  });

  it("pins its format and hash: a change of either is a new version", () => {
    expect([FORMAT_VERSION, HASH_VERSION]).toEqual([8, 1]);
    const hash = (text: string, seed: number): string => {
      const key = Buffer.from(text);
      const { page, fingerprint } = hashKey(key, seed, { page: 0, fingerprint: 0 });
      return `${page.toString(16)} ${fingerprint.toString(16)}`;
    };
    expect([hash("", 0), hash("taxi", 0), hash("taxi", 1), hash("語", 0), hash("café", 7)]).toMatchInlineSnapshot(`
      [
        "1aee8d83 488bdcb8",
        "bd13a431 707102d9",
        "e38f91f3 667cca72",
        "af761c67 4cd29259",
        "61c6e903 dc1c66bc",
      ]
    `);
    expect(
      createHash("sha256")
        .update(compile(checkedRegistry(nasty)))
        .digest("hex"),
    ).toMatchInlineSnapshot(`"363f16a7bb6e5b6631f29ba9f2c890f390b569f2df55a9bb23407065cda5bac6"`);
  });

  it("is written in small pieces, and read in small pieces where it is long", () => {
    const registry = made(20_000, (i) => `expression number ${i}`);
    const lengths = Array.from(compileIndex({ registry, origin: ORIGIN }), (chunk) => chunk.length);
    const whole = lengths.reduce((sum, length) => sum + length, 0);
    // The longest piece is what is read at once of a section that waited for its place.
    expect(whole).toBeGreaterThan(4_000_000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1 << 18);
    const parts = [...pieces(memorySource(compile(registry)), { offset: 0, length: whole })].map(
      ({ length }) => length,
    );
    expect(Math.max(...parts)).toBe(65_536);
  });

  it("returns nothing for any key of an empty registry", () => {
    const index = openIndex(memorySource(compile(checkedRegistry(empty))));
    expect([index.conceptCount, index.expressionCount, index.postings("x"), index.conceptId("X")]).toEqual([
      0,
      0,
      [],
      undefined,
    ]);
  });
});

describe("opening a release", () => {
  let directory: string;
  let file: string;
  let good: Buffer;
  beforeAll(async () => {
    directory = await ownRelease(checkedRegistry(nasty));
    file = path.join(directory, "registry.index");
    good = readFileSync(file);
  });
  afterAll(() => rmSync(path.dirname(directory), { recursive: true }));

  function refusal(bytes: Uint8Array, memoryMaxBytes?: number): string {
    writeFileSync(file, bytes);
    try {
      openRelease(directory, memoryMaxBytes).close();
      return "opened";
    } catch (error) {
      expect(error).toBeInstanceOf(ReleaseError);
      return (error as Error).message;
    } finally {
      writeFileSync(file, good);
    }
  }

  it("opens what was built, in memory and by positioned reads", () => {
    expect([refusal(good), refusal(good, 0)]).toEqual(["opened", "opened"]);
  });

  it("refuses a foreign, a cut or a changed index, wherever the change is, with one clear line", () => {
    for (const limit of [undefined, 0]) {
      expect(refusal(Buffer.from("not an index at all"), limit)).toMatch(/Not a registry index/);
      expect(refusal(Buffer.alloc(0), limit)).toMatch(/Not a registry index/);
      expect(refusal(Buffer.alloc(good.length), limit)).toMatch(/Not a registry index/);
      for (const length of [good.length - 1, good.length - 40, good.length >> 1, 400]) {
        expect(refusal(good.subarray(0, length), limit)).toMatch(/cut short|damaged|out of bounds/);
      }
      expect(refusal(Buffer.concat([good, Buffer.from("x")]), limit)).toMatch(/cut short|damaged/);
    }
    for (let at = 0; at < good.length; at += 9973) {
      const flipped = Buffer.from(good);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      expect([at, refusal(flipped)]).not.toEqual([at, "opened"]);
    }
    for (let at = good.length - 240; at < good.length; at += 7) {
      const flipped = Buffer.from(good);
      flipped[at] = (flipped[at] ?? 0) ^ 0x80;
      expect([at, refusal(flipped)]).not.toEqual([at, "opened"]);
      expect(refusal(flipped)).not.toContain("\n");
    }
  });

  it("refuses an index of another release, whole as it is", () => {
    const other = compile(checkedRegistry(empty));
    expect(refusal(other)).toMatch(/does not begin after its bundle|out of bounds/);
  });

  it("refuses a bundle with a byte changed, a byte less or a byte more, and none at all", () => {
    const bundle = path.join(directory, "registry/bundle.ndjson");
    const whole = readFileSync(bundle);
    const changed = Buffer.from(whole);
    changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 1;
    for (const bytes of [changed, whole.subarray(1), Buffer.concat([whole, Buffer.from("\n")]), Buffer.alloc(0)]) {
      writeFileSync(bundle, bytes);
      expect(refusal(good)).toMatch(/differs from its digest|damaged|cut short/);
    }
    rmSync(bundle);
    expect(refusal(good)).toMatch(/bundle\.ndjson does not exist: build first/);
    writeFileSync(bundle, whole);
    expect(refusal(good)).toBe("opened");
  });

  it("refuses an index of another format version and says to build again", () => {
    const other = Buffer.from(good);
    const at = good.length - DIGEST_BYTES - MAGIC.length - FOOTER_FIELDS.length * 4;
    other.writeUInt32LE(2, at);
    expect(refusal(other)).toMatch(/has format 2\.1; .*build it again/);
  });
});

describe("a damaged dist", () => {
  it("is refused: missing, not JSON, another shape, a document that differs, no index", async () => {
    const directory = mkdtempSync(path.join(path.dirname(await ownRelease(checkedRegistry(empty))), "x-"));
    const open = (): string => {
      try {
        openRelease(directory).close();
        return "opened";
      } catch (error) {
        return (error as Error).message.replace(directory, "DIR");
      }
    };
    expect(open()).toMatch(/does not exist: build first/);
    writeFileSync(path.join(directory, "manifest.json"), "{");
    expect(open()).toMatch(/is not JSON/);
    writeFileSync(path.join(directory, "manifest.json"), "{}");
    expect(open()).toMatch(/not what this runtime reads/);
    const whole = await ownRelease(checkedRegistry(empty));
    const manifest = readFileSync(path.join(whole, "manifest.json"), "utf8");
    writeFileSync(path.join(whole, "manifest.json"), manifest.replace("2026.11.1", "2026.11.2"));
    expect(() => openRelease(whole)).toThrow(/SHA256SUMS differs|differs from its digest/);
    writeFileSync(path.join(whole, "manifest.json"), manifest);
    writeFileSync(path.join(whole, "api/v1/status"), "{}");
    expect(() => openRelease(whole)).toThrow(/differs from its digest/);
    for (const make of ["mkdir", "mkfifo"]) {
      rmSync(path.join(whole, "api/v1/status"), { recursive: true });
      execFileSync(make, [path.join(whole, "api/v1/status")]);
      expect(() => openRelease(whole)).toThrow(/api\/v1\/status is not a regular file: build again$/);
    }
    for (const folder of [directory, whole]) rmSync(path.dirname(folder), { recursive: true });
  });

  it("is refused where mcp.json is none, or offers what the release does not have, under digests that fit", async () => {
    const whole = await ownRelease(checkedRegistry(empty));
    const good = readFileSync(path.join(whole, "mcp.json"), "utf8");
    const bad: readonly [RegExp, string | Uint8Array][] = [
      [/mcp\.json is not JSON/, "{"],
      [/mcp\.json is not JSON/, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(good)])],
      [/mcp\.json is not JSON/, good.replace('"tools"', '"tools":[],"tools"')],
      [/mcp\.json is not what this runtime reads \(tools /, JSON.stringify({ ...JSON.parse(good), tools: [] })],
      [/mcp\.json is not what this runtime reads \(tools\[/, good.replace('"resolve_service_semantics"', '"another"')],
      [
        /mcp\.json names a resource that is not a document/,
        good.replace(`${ORIGIN}/answers.md`, "https://other.example/answers.md"),
      ],
      [
        /mcp\.json names a resource that is not a document/,
        good.replace(`${ORIGIN}/answers.md`, `${ORIGIN}/../package.json`),
      ],
    ];
    for (const [wrong, text] of bad) {
      sealWith(whole, "mcp.json", text);
      expect(() => openRelease(whole)).toThrow(wrong);
    }
    sealWith(whole, "mcp.json", good);
    openRelease(whole).close();
    rmSync(path.dirname(whole), { recursive: true });
  });
});

/** Puts other bytes into a file of a release, and their digests where they belong. */
function sealWith(directory: string, name: string, text: string | Uint8Array): void {
  writeFileSync(path.join(directory, name), text);
  const manifest = JSON.parse(readFileSync(path.join(directory, "manifest.json"), "utf8")) as Manifest;
  const files = manifest.files.map((file) =>
    file.path === name ? { ...file, sha256: sha256(Buffer.from(text)) } : file,
  );
  const bytes = Buffer.from(JSON.stringify({ ...manifest, files }));
  writeFileSync(path.join(directory, "manifest.json"), bytes);
  const identity = ".well-known/service-semantics-deployment.json";
  const others = [
    { path: "manifest.json", sha256: sha256(bytes) },
    { path: identity, sha256: sha256(readFileSync(path.join(directory, identity))) },
  ];
  const sums = formatSums([...files, ...others]);
  writeFileSync(path.join(directory, "SHA256SUMS"), sums);
}
