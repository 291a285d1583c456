/** Folders and archives that can be compared; others are refused in one line and leave nothing. */
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";
import { beforeAll, describe, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { DIGEST_BYTES, FOOTER_BYTES, FOOTER_FIELDS, MAGIC } from "../../../runtime/registry/index-format.ts";
import { openIndex } from "../../../runtime/registry/index.ts";
import { concept, checkedRegistry, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { compare, compared, newFolder, tampered } from "../../support/diff.ts";

const registry = (...texts: string[]): ReturnType<typeof checkedRegistry> =>
  checkedRegistry({
    concepts: [concept("A", texts.map((text) => expression("en", text))), concept("B", [expression("de", "zwei")])],
  }); // prettier-ignore

let one: string;
let two: string;
beforeAll(async () => {
  one = await buildRelease(registry("a", "b"));
  two = await buildRelease(registry("a", "c"));
});

function writeArchive(name: string, bytes: Uint8Array): string {
  const file = path.join(newFolder(), name);
  writeFileSync(file, bytes);
  return file;
}

async function zipOf(release: string, options: { readonly compress: boolean }): Promise<string> {
  const zip = new ZipFile();
  for (const name of fileSystem.list(release)) zip.addFile(path.join(release, name), `some/where/${name}`, options);
  zip.end();
  return writeArchive("dist.zip", await buffer(zip.outputStream));
}

/** Releases below folders of a tar, which has no suffix. */
async function tarOf(folders: Readonly<Record<string, string>>): Promise<string> {
  const tar = pack();
  for (const [folder, release] of Object.entries(folders)) {
    tar.entry({ name: folder, type: "directory" });
    for (const name of fileSystem.list(release))
      tar.entry({ name: `${folder}/${name}` }, readFileSync(path.join(release, name)));
  }
  tar.finalize();
  return writeArchive("release", await buffer(tar));
}

/** What is said of a side, in one line. */
async function refusal(given: string): Promise<string> {
  const error: unknown = await compare(given, one).catch((fault: unknown) => fault);
  expect(error).toHaveProperty("name", expect.stringMatching(/^(?:UsageError|ReleaseError)$/));
  expect((error as Error).message).not.toContain("\n");
  return (error as Error).message;
}

describe("an archive", () => {
  it.each([true, false])("is a ZIP, compressed: %s, with the release somewhere in it", async (compress) => {
    const zip = await zipOf(two, { compress });
    expect(await compared(two, zip)).toMatchObject({ verdict: "same", b: { given: zip, kind: "archive" } });
    expect((await compared(one, zip)).resolutions).toContainEqual({
      kind: "now_resolves",
      expression: "c",
      language: "en",
      before: { reason: "no_reviewed_exact_match" },
      after: { code: "A" },
    });
  });

  it.each(["dist", "n".repeat(120)])("is a tar, whatever its suffix, with names in it of any length: %s", async (name) => {
    expect(await compared(await tarOf({ [name]: two }), two)).toMatchObject({ verdict: "same" });
  }); // prettier-ignore

  it("is the shallowest release in it", async () => {
    expect(await compared(two, await tarOf({ "a/deep/dist": one, z: two }))).toMatchObject({ verdict: "same" });
  });
});

/** A ZIP with an entry of each name; `edit` changes its bytes. */
async function hostileZip(
  names: readonly string[],
  edit: (zip: Buffer) => Buffer | void = () => undefined,
  mode = 0o100644,
): Promise<string> {
  const zip = new ZipFile();
  const placeholders = names.map((name, i) => `${"n".repeat(name.length - 1)}${i}`);
  for (const name of placeholders) zip.addBuffer(Buffer.from("x".repeat(1000)), name, { mode });
  zip.end();
  let text = (await buffer(zip.outputStream)).toString("latin1");
  for (const [i, name] of names.entries()) text = text.replaceAll(placeholders[i] ?? "", name);
  const bytes = Buffer.from(text, "latin1");
  return writeArchive("hostile.zip", edit(bytes) ?? bytes);
}

/** Where the one central header of a ZIP is. */
const central = (zip: Buffer): number => zip.indexOf(Buffer.from("PK\u0001\u0002", "latin1"));

type TarKind = "file" | "symlink" | "link";

async function hostileTar(...entries: readonly (readonly [kind: TarKind, name: string])[]): Promise<string> {
  const tar = pack();
  for (const [type, name] of entries) {
    if (type === "file") tar.entry({ name }, "hello");
    else tar.entry({ name, type, linkname: "/etc/passwd" });
  }
  tar.finalize();
  return writeArchive("hostile.tar", await buffer(tar));
}

async function cut(archive: Promise<string>, length: (whole: number) => number): Promise<string> {
  const file = await archive;
  truncateSync(file, length(readFileSync(file).length));
  return file;
}

describe("a hostile archive is refused in one line, and nothing of it stays:", () => {
  const setFlag = (zip: Buffer): void =>
    void zip.writeUInt16LE(zip.readUInt16LE(central(zip) + 8) | 1, central(zip) + 8);
  const declareMuch = (zip: Buffer): void => {
    for (let at = central(zip); at >= 0; at = zip.indexOf(Buffer.from("PK\u0001\u0002", "latin1"), at + 4))
      zip.writeUInt32LE(0xf000_0000, at + 24);
  };

  it.each<[string, () => Promise<string>, RegExp]>([
    ["a ZIP that leads out", () => hostileZip(["../../escaped"]), /invalid relative path/],
    ["a ZIP with an absolute path", () => hostileZip(["/escaped"]), /absolute path/],
    ["a ZIP with a path of Windows", () => hostileZip(["..\\escaped.txt"]), /invalid characters/],
    ["a ZIP with a name twice, in two spellings", () => hostileZip(["./same", "same"]), /"same" occurs twice/],
    ["a ZIP with a name that is not plain", () => hostileZip(["same//name"]), /"same\/\/name" is not a plain name/],
    ["a ZIP with a name twice", () => hostileZip(["same/name", "same/name"]), /"same\/name" occurs twice/],
    ["a ZIP with a file where a folder must be", () => hostileZip(["folder", "folder/file"]), /cannot be read as an archive/],
    ["a ZIP with a link", () => hostileZip(["a-link"], undefined, 0o120777), /"a-link" is not a regular file/],
    ["an encrypted ZIP", () => hostileZip(["secret"], setFlag), /"secret" is encrypted/],
    ["a ZIP of which more comes out than it declares", () => hostileZip(["bomb"], (zip) => void zip.writeUInt32LE(10, central(zip) + 24)), /too many bytes/],
    ["a ZIP with a method of its own", () => hostileZip(["method"], (zip) => void zip.writeUInt16LE(99, central(zip) + 10)), /compression method/],
    ["a ZIP with another byte in a file", () => hostileZip(["changed"], (zip) => void zip.writeUInt32LE(7, central(zip) + 16)), /"changed" is damaged: its CRC-32 is another/],
    ["a ZIP that is cut", () => cut(hostileZip(["name"]), (whole) => whole - 30), /hostile\.zip cannot be read as an archive/],
    ["a ZIP that declares more than 8 GiB", () => hostileZip(["bomb-one", "bomb-two", "bomb-six"], declareMuch), /declares 12079595520 bytes, more than 8589934592/],
    ["a tar that leads out", () => hostileTar(["file", "../escaped"]), /"\.\.\/escaped" is not a plain name/],
    ["a tar with a symbolic link", () => hostileTar(["symlink", "innocent"]), /"innocent" is not a regular file/],
    ["a tar with a hard link", () => hostileTar(["link", "innocent"]), /"innocent" is not a regular file/],
    ["a tar with a name twice", () => hostileTar(["file", "a"], ["file", "a"]), /occurs twice/],
    ["a tar that is cut", () => cut(hostileTar(["file", "a"]), () => 700), /cut off/],
    ["a tar without a release", () => hostileTar(["file", "a"]), /holds no release: no folder in it has/],
    ["a text", async () => writeArchive("text", Buffer.from("no archive at all")), /cannot be read as an archive/],
  ])("%s", async (_what, make, message) => {
    expect(await refusal(await make())).toMatch(message);
  }); // prettier-ignore
});

/** The index of a release with another number at a place, counted by its footer's fields. */
function withNumber(at: (field: number, index: Buffer) => number, value: number): string {
  const index = Buffer.from(readFileSync(path.join(one, "registry.index")));
  const field = index.length - DIGEST_BYTES - MAGIC.length - FOOTER_FIELDS.length * 4;
  expect(field).toBeGreaterThan(index.length - DIGEST_BYTES - FOOTER_BYTES);
  index.writeUInt32LE(value, at(field, index));
  return tampered(one, { "registry.index": index });
}

/** Where the pages begin in the file of the index. */
function pagesIn(index: Buffer): number {
  const bundle = readFileSync(path.join(one, "registry/bundle.ndjson"));
  return openIndex(memorySource(Buffer.concat([bundle, index]))).sections.pages.offset - bundle.length;
}

function withoutDetail(): string {
  const bundle = readFileSync(path.join(one, "registry/bundle.ndjson"));
  const detail = bundle.indexOf('}\n{"code":"B"') + 2;
  expect(detail).toBeGreaterThan(1);
  bundle.writeUInt32LE(0, detail);
  return tampered(one, { "registry/bundle.ndjson": bundle });
}

function withoutName(): string {
  const bundle = readFileSync(path.join(one, "registry/bundle.ndjson"), "utf8");
  return tampered(one, { "registry/bundle.ndjson": bundle.replace('"Name of B"', '{"a":12345}') });
}

describe("a side that cannot be compared gets one clear line:", () => {
  it.each<[string, () => string, RegExp]>([
    ["a path that leads nowhere", () => "/nonexistent", /"\/nonexistent" is not a folder or an archive here; a git revision is compared once it is built/],
    ["no name", () => "", /"" is not a folder/],
    ["a folder without a release", newFolder, /holds no release/],
    ["a foreign index", () => tampered(one, { "registry.index": "x".repeat(1000) }), /Not a registry index/],
    ["an empty index", () => tampered(one, { "registry.index": "" }), /registry\.index/],
    ["an index of another format", () => withNumber((field) => field, 99), /has format 99\.1; this runtime reads 8\.1/],
    ["a count that leads anywhere", () => withNumber((field) => field + 5 * 4, 4_000_000_000), /damaged/],
    ["a page that leads anywhere", () => withNumber((_field, index) => pagesIn(index), 0xffff_fff0), /damaged/],
    ["a detail that is no JSON", withoutDetail, /damaged/],
    ["a name that is no text", withoutName, /damaged/],
  ])("%s", async (_what, given, message) => {
    expect(await refusal(given())).toMatch(message);
  }); // prettier-ignore
});

it("a damaged index in an archive is refused as a fault of the archive", async () => {
  const archive = await zipOf(tampered(one, { "registry.index": "x".repeat(1000) }), { compress: false });
  const message = "Not a registry index: the first bytes are not its magic number";
  expect(await refusal(archive)).toBe(`${archive}/registry.index: ${message}`);
});

describe("an archive with a name that no file system has", () => {
  it("is refused with one line", async () => {
    const zip = readFileSync(await zipOf(one, { compress: false }));
    const spoiled = Buffer.from(zip.toString("latin1").replaceAll("/answers.json", "\\an\n\u001b[1m.json"), "latin1");
    expect(await refusal(writeArchive("spoiled.zip", spoiled))).toMatch(/cannot be read as an archive: invalid characters in fileName/);
  }); // prettier-ignore
});

describe("a release of another version", () => {
  it("is compared if its index opens, although other files are missing or added", async () => {
    const manifest = '{"schema":"some.other.manifest","origin":7}';
    const files = { "manifest.json": manifest, "new-document.json": "{}", "openapi.json": null };
    const found = await compared(one, tampered(one, files, true));
    expect(found).toMatchObject({ verdict: "different", resolutions: [], concepts: [] });
    expect(found.warnings).toEqual(["B names no origin in its manifest: addresses are compared unchanged"]);
    const others = found.documents.filter(({ change }) => change !== "changed");
    expect(others.map(({ path: name, change }) => [name, change])).toEqual([
      ["new-document.json", "added"],
      ["openapi.json", "removed"],
    ]);
  });
});

describe("notes of concepts", () => {
  it("are compared", async () => {
    const noted = (text: string) => checkedRegistry({ concepts: [concept("A", [expression("en", "a")], { notes: { note: [{ text }] } })] }); // prettier-ignore
    const { concepts } = await compared(await buildRelease(noted("x")), await buildRelease(noted("y")));
    expect(concepts).toMatchObject([{ code: "A", change: "changed", changes: [{ pointer: "/notes/note/0/text" }] }]);
  });
});

describe("a folder with links", () => {
  it("is not whole, and compared all the same", async () => {
    const linked = tampered(one, {});
    mkdirSync(path.join(linked, "more"));
    symlinkSync("/nonexistent", path.join(linked, "more/dangling"));
    expect(await compared(one, linked)).toMatchObject({
      warnings: [expect.stringMatching(/^B is not whole: npm run verify -- \S+ names each fault$/)],
    });
  });

  it("is not whole either if a link leads to the bytes of the release, which are compared", async () => {
    const linked = tampered(one, { "llms.txt": null });
    symlinkSync(path.join(one, "llms.txt"), path.join(linked, "llms.txt"));
    expect(await compared(one, linked)).toMatchObject({
      verdict: "same",
      warnings: [expect.stringMatching(/^B is not whole: npm run verify -- \S+ names each fault$/)],
    });
  });
});
