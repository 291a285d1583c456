import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { MAPPINGS_PATH } from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { MAPPINGS_MAX_LENGTH } from "../../../generator/contract/mapping.ts";
import { checkMappings } from "../../../generator/verify/audit/mappings.ts";
import type { ConceptRecord } from "../../../generator/registry/record.ts";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { sha256 } from "../../support/sha256.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease, copyRelease } from "../../support/release.ts";
import { serveFolder } from "../../support/service.ts";
import { Copy, faultsAfter } from "../../support/tamper.ts";

const PROVENANCE = { source: "s", license: "CC0-1.0", sourceId: null, reviewedBy: null, reviewedAt: null };

function mapped(code: string, provenance: object, more: Partial<ConceptRecord> = {}): ConceptRecord {
  return concept(code, [expression("en", code.toLowerCase())], {
    provenance: { ...PROVENANCE, ...provenance },
    ...more,
  });
}

const REASONS = { 0: null, 3: "unknown_identifier", 4: "ambiguous_identifier" };

const registry = checkedRegistry({
  concepts: [
    mapped("A", { sourceId: "http://example.org/a", exactMatch: ["http://example.org/x", "http://example.org/🍍"] }),
    mapped("B", { exactMatch: ["http://example.org/x"], closeMatch: ["http://example.org/close"] }),
    mapped(
      "C",
      { sourceId: "http://example.org/c", exactMatch: ["http://example.org/c"] },
      { notations: [{ notation: "1.2" }, { notation: "\uFEFF9" }] },
    ),
    mapped("D", {}, { notations: [{ notation: "1.2", datatype: "urn:t" }, { notation: "9" }] }),
    {
      ...mapped("E", { sourceId: "http://example.org/draft" }),
      expressions: [expression("en", "e", { reviewStatus: "draft" })],
    },
  ],
});

describe("O-69: the identifiers of a registry", () => {
  let out: string;
  beforeAll(async () => {
    out = path.join(folder({}), "dist");
    copyRelease(await buildRelease(registry), out);
  });

  const lookup = (...args: string[]): Promise<Outcome> => runHere(["lookup", "--out", out, ...args]);

  it("are listed once each in order, with all who claim them", () => {
    expect(readFileSync(path.join(out, MAPPINGS_PATH), "utf8").trimEnd().split("\n")).toEqual([
      '{"key":"1.2","claims":[{"code":"C","by":"notation"},{"code":"D","by":"notation"}]}',
      '{"key":"9","claims":[{"code":"D","by":"notation"}]}',
      '{"key":"http://example.org/a","claims":[{"code":"A","by":"sourceId"}]}',
      '{"key":"http://example.org/c","claims":[{"code":"C","by":"exactMatch"},{"code":"C","by":"sourceId"}]}',
      '{"key":"http://example.org/x","claims":[{"code":"A","by":"exactMatch"},{"code":"B","by":"exactMatch"}]}',
      '{"key":"http://example.org/🍍","claims":[{"code":"A","by":"exactMatch"}]}',
      '{"key":"\uFEFF9","claims":[{"code":"C","by":"notation"}]}',
    ]);
  });

  it.each<[identifier: string, status: 0 | 3 | 4, code: string | null]>([
    ["http://example.org/a", 0, "A"],
    ["http://example.org/c", 0, "C"],
    ["http://example.org/🍍", 0, "A"],
    ["9", 0, "D"],
    ["\uFEFF9", 0, "C"],
    ["http://example.org/x", 4, null],
    ["1.2", 4, null],
    ["http://example.org/close", 3, null],
    ["http://example.org/draft", 3, null],
    ["http://example.org/A", 3, null],
    ["", 3, null],
    ["~", 3, null],
  ])("lead to a code or to none: %j", async (identifier, status, code) => {
    const { code: exit, stdout } = await lookup("--exit-status", identifier);
    const { data } = JSON.parse(stdout) as { data: { concept: { code: string } | null } };
    expect([exit, data.concept?.code ?? null]).toEqual([status, code]);
    expect(data).toMatchObject({
      identifier,
      status: code === null ? "abstained" : "resolved",
      reason: REASONS[status],
    });
    expect((await lookup(identifier)).code).toBe(0);
  });

  it("are asked for one at a time", async () => {
    const refusal = { code: 2, stderr: expect.stringMatching(/^Name one identifier: /) as string };
    expect(await lookup()).toMatchObject(refusal);
    expect(await lookup("a", "b")).toMatchObject(refusal);
  });

  it("are served with their digest, and linked from the catalog", async () => {
    const service = await serveFolder(out);
    const { status, headers, body } = await service.send("GET", MAPPINGS_PATH);
    const catalog = await service.send("GET", paths.apiCatalog);
    await service.close();
    const text = readFileSync(path.join(out, MAPPINGS_PATH), "utf8");
    expect([status, headers["content-type"], body.toString()]).toEqual([200, "application/x-ndjson", text]);
    expect(headers.etag).toBe(`"${sha256(text)}"`);
    expect(catalog.body.toString()).toContain(MAPPINGS_PATH);
  });

  const file = MAPPINGS_PATH.slice(1);
  it.each<[string, readonly [from: string | RegExp, to: string], string]>([
    [
      "another code",
      ['/a","claims":[{"code":"A"', '/a","claims":[{"code":"B"'],
      "B does not claim http://example.org/a by sourceId",
    ],
    ["a missing line", [/.*example.org\/c.*\n/, ""], "lacks http://example.org/c C sourceId"],
    ["lines in another order", ['"key":"9"', '"key":"0"'], "0 is not in order"],
    ["a byte order mark", [/^/, "\uFEFF"], "\\u{FEFF}{"],
    ["a last line that does not end", [/\n$/, ""], "not UTF-8, or its last line does not end"],
    [
      "a notation of another concept",
      ['"key":"9","claims":[{"code":"D"', '"key":"9","claims":[{"code":"A"'],
      "A does not claim 9 by notation",
    ],
    ["a notation that nobody has", ['"key":"9"', '"key":"90"'], "D does not claim 90 by notation"],
    ["a notation less", [/.*"key":"9".*\n/, ""], "lacks 9 D notation"],
    ["a code that nobody has", ['"D","by":"notation"}]}\n', '"Z","by":"notation"}]}\n'], "Z does not claim"],
  ])("are vouched for by verify, which finds %s", async (_, [from, to], fault) => {
    expect(await faultsAfter(out, (copy) => copy.replace(file, from, to))).toContainEqual(
      expect.stringContaining(`${file}: ${fault}`),
    );
  });

  it("are vouched for by verify, which finds that they are missing", async () => {
    expect(await faultsAfter(out, (copy) => rmSync(copy.at(file)))).toContainEqual(`${file}: missing`);
  });

  it("are whole as they were built", async () => {
    expect(await faultsAfter(out, () => undefined)).toEqual([]);
  });
});

describe("a release that has no budget for its identifiers", () => {
  it("is asked concept by concept, with the same answers", async () => {
    const whole = await buildRelease(registry);
    const copy = new Copy(whole);
    rmSync(copy.at(MAPPINGS_PATH.slice(1)));
    copy.resign();
    const answer = async (out: string, identifier: string): Promise<string> =>
      (await runHere(["lookup", "--out", out, identifier])).stdout;
    for (const one of ["a", "c", "x", "🍍", "close", "draft"]
      .map((name) => `http://example.org/${name}`)
      .concat("9", "1.2"))
      expect(await answer(copy.directory, one)).toBe(await answer(whole, one));
  });

  it("lacks nothing for verify", () => {
    const claims = (length: number): Set<string> => new Set([`urn:${"x".repeat(length)}\nA\nexactMatch`]);
    expect(checkMappings({ names: [], text: () => undefined }, claims(MAPPINGS_MAX_LENGTH))).toEqual([]);
    expect(checkMappings({ names: [], text: () => undefined }, claims(1000))).toEqual([
      "registry/mappings.ndjson: missing",
    ]);
  });
});

describe("a registry without identifiers", () => {
  it("has no such document, and knows none", async () => {
    const out = path.join(folder({}), "dist");
    copyRelease(await buildRelease(checkedRegistry({ concepts: [concept("A", [expression("en", "a")])] })), out);
    expect(() => readFileSync(path.join(out, MAPPINGS_PATH))).toThrow("ENOENT");
    expect(readFileSync(path.join(out, paths.apiCatalog), "utf8")).not.toContain(MAPPINGS_PATH);
    expect((await runHere(["lookup", "--out", out, "--exit-status", "x"])).code).toBe(3);
  });
});
