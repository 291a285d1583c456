/**
 * The bytes of a kit's ZIP (APPNOTE 6.3.10), every field by another library than the one that wrote
 * them: each is one that O-42 rules, or that a reader relies on, and none depends on the machine,
 * the zone or the Node that wrote it.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import yauzl, { type Entry, type LocalFileHeader } from "yauzl";
import { archive, type ArchiveFile } from "../../../generator/archives/archive.ts";
import { RECIPES } from "../../support/documents.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { sha256 } from "../../support/sha256.ts";

/** An entry of the directory, its local header, and its content as it is stored. */
interface Parsed {
  readonly entry: Entry;
  readonly local: LocalFileHeader;
  readonly content: Buffer;
}

/** Reads a ZIP in which every byte belongs to exactly one record; throws if one does not. */
async function parse(zip: Buffer): Promise<Parsed[]> {
  const reader = await yauzl.fromBufferPromise(zip, { strictFileNames: true });
  const found: Parsed[] = [];
  let [end, directory] = [0, 0];
  for await (const entry of reader.eachEntry()) {
    if (entry.relativeOffsetOfLocalHeader !== end) throw new Error(`A gap in front of the local header at ${end}`);
    const local = await reader.readLocalFileHeaderPromise(entry);
    end = local.fileDataStart + entry.compressedSize;
    directory += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    found.push({ entry, local, content: zip.subarray(local.fileDataStart, end) });
  }
  if (end + directory + 22 !== zip.length) throw new Error("Something lies between the records");
  return found;
}

/** The fields that a local header and the directory both have. */
const SHARED = [
  "versionNeededToExtract", "generalPurposeBitFlag", "compressionMethod", "lastModFileTime", "lastModFileDate",
  "crc32", "compressedSize", "uncompressedSize", "extraFieldLength",
] as const; // prettier-ignore

let kits: ReadonlyMap<string, Buffer>;
beforeAll(async () => {
  // With the empty registry a file of a kit is empty, so both are looked at.
  const directories = [await buildRelease(checkedRegistry(nasty)), await buildRelease(checkedRegistry(empty))];
  kits = new Map(
    directories.flatMap((directory, i) =>
      RECIPES.map((id) => [`${["nasty", "empty"][i]} ${id}`, kitIn(directory, id)] as const),
    ),
  );
});

function kitIn(directory: string, id: string): Buffer {
  return readFileSync(path.join(directory, `api/v1/integration-studio/kit/${id}.zip`));
}

/** Each kit with its entries. */
function parsed(): Promise<[name: string, entries: readonly Parsed[]][]> {
  return Promise.all([...kits].map(async ([name, zip]) => [name, await parse(zip)]));
}

/** 2026-09-02 12:00:00 as MS-DOS writes it. */
const DATE = ((2026 - 1980) << 9) | (9 << 5) | 2;
const TIME = 12 << 11;

describe("the ZIP of a kit", () => {
  it("O-42: is one run of records: no gap, no comment, no directory, one disk, no zip64", async () => {
    for (const [kit, zip] of kits) {
      const entries = await parse(zip);
      const total = entries.length;
      const [disk, startDisk, here, all, comment] = [4, 6, 8, 10, 20].map((at) =>
        zip.readUInt16LE(zip.length - 22 + at),
      );
      expect([kit, total > 15, disk, startDisk, here, all, comment]).toEqual([kit, true, 0, 0, total, total, 0]);
      expect([kit, entries.map(({ entry }) => entry.fileCommentLength)]).toEqual([kit, entries.map(() => 0)]);
      // Neither the record of zip64 nor its locator, nor the values that point to them.
      for (const signature of ["504b0606", "504b0607"])
        expect([kit, zip.includes(signature, 0, "hex")]).toEqual([kit, false]);
      expect(
        entries.filter(({ entry }) => Math.max(entry.uncompressedSize, entry.compressedSize) === 0xffffffff),
      ).toEqual([]);
      expect(entries.filter(({ entry }) => entry.fileName.endsWith("/"))).toEqual([]);
    }
  });

  it("O-42: has its entries in byte order of their names, each once", async () => {
    for (const [kit, entries] of await parsed()) {
      const names = entries.map(({ entry }) => entry.fileNameRaw);
      const sorted = names.toSorted((a, b) => Buffer.compare(a, b));
      expect([kit, names.map(String)]).toEqual([kit, sorted.map(String)]);
      expect([kit, new Set(names.map(String)).size]).toEqual([kit, names.length]);
    }
  });

  it("O-42: stores every entry as it is, with its CRC and size in both headers and nothing behind it", async () => {
    for (const [kit, entries] of await parsed()) {
      for (const { entry, content } of entries) {
        const { fileName: name, compressionMethod, compressedSize, uncompressedSize, versionNeededToExtract } = entry;
        expect([kit, name, compressionMethod, compressedSize, versionNeededToExtract <= 20]).toEqual([
          kit,
          name,
          0,
          uncompressedSize,
          true,
        ]);
        expect([kit, name, entry.crc32, uncompressedSize]).toEqual([kit, name, crc32(content), content.length]);
      }
    }
  });

  it("O-42: has the UTF-8 flag and no other, so no data descriptor and no encryption, and no extra field", async () => {
    for (const [kit, entries] of await parsed()) {
      for (const { entry } of entries) {
        const { fileName: name, generalPurposeBitFlag, extraFieldLength, internalFileAttributes } = entry;
        expect([kit, name, generalPurposeBitFlag, extraFieldLength, internalFileAttributes]).toEqual([
          kit,
          name,
          0x0800,
          0,
          0,
        ]);
      }
    }
  });

  it("O-42: says the same in local and central headers", async () => {
    for (const [kit, entries] of await parsed()) {
      for (const { entry, local } of entries) {
        expect([kit, local.fileName]).toEqual([kit, entry.fileNameRaw]);
        const said = (header: Entry | LocalFileHeader): unknown[] => SHARED.map((field) => header[field]);
        expect([kit, entry.fileName, said(local)]).toEqual([kit, entry.fileName, said(entry)]);
      }
    }
  });

  it("O-42 O-65: has one DOS time in all entries of all kits, that of the release label", async () => {
    const all = (await parsed()).flatMap(([, entries]) => entries.map(({ entry }) => entry));
    const times = new Set(all.map((entry) => `${entry.lastModFileDate} ${entry.lastModFileTime}`));
    expect([...times]).toEqual([`${DATE} ${TIME}`]);
  });

  it("O-42: gives the modes of Unix: 0100755 to what ends with .sh, 0100644 to all else, and no DOS attributes", async () => {
    const scripts: string[] = [];
    for (const [kit, entries] of await parsed()) {
      for (const { entry } of entries) {
        const { fileName: name, externalFileAttributes: external, versionMadeBy } = entry;
        const mode = name.endsWith(".sh") ? 0o100755 : 0o100644;
        if (name.endsWith(".sh")) scripts.push(`${kit} ${name}`);
        expect([kit, name, (external >>> 16).toString(8), external & 0xffff]).toEqual([kit, name, mode.toString(8), 0]);
        // 3 is Unix: without it nobody reads the mode.
        expect([kit, name, versionMadeBy >>> 8]).toEqual([kit, name, 3]);
      }
    }
    expect(scripts.length).toBe(10);
    expect(scripts.every((name) => name.endsWith("/curl/handoff.sh"))).toBe(true);
  });

  it("O-41 O-42: has names of plain ASCII below one root, which lead nowhere else on any system", async () => {
    for (const [kit, entries] of await parsed()) {
      const root = `service-semantics-${kit.split(" ")[1]}/`;
      const names = entries.map(({ entry }) => entry.fileName);
      for (const name of names) {
        expect([kit, name, /^[A-Za-z0-9._/-]+$/.test(name), name.startsWith(root)]).toEqual([kit, name, true, true]);
        const parts = name.split("/");
        expect([kit, name, parts.filter((part) => ["", ".", ".."].includes(part) || part.endsWith("."))]).toEqual([
          kit,
          name,
          [],
        ]);
        expect([kit, name, parts.length <= 3, name.length < 100]).toEqual([kit, name, true, true]);
      }
      // On a file system that ignores case no file hides another.
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    }
  });
});

const file = (text: string | Uint8Array, executable = false): ArchiveFile => ({ bytes: Buffer.from(text), executable });

describe("archive()", () => {
  /** Their order by UTF-16 units differs from that by bytes, and for some from a locale's. */
  const NAMES = ["z", "a", "B", "_", "é", "Z", "ä", "ß", "i", "İ", "語/語", "\uE000", "\uFF5E", "\u{10000}", "😀", "a/b", "a-b", "a.b", "ab", "a0", "日本語.sh", "\u{10FFFF}"]; // prettier-ignore

  it("O-42: sorts names that are not ASCII, and astral ones, by their bytes, and marks all as UTF-8", async () => {
    const made = await archive(new Map(NAMES.map((name) => [name, file(name)])));
    const entries = await parse(Buffer.from(made));
    const names = entries.map(({ entry }) => entry.fileName);
    const sorted = NAMES.map((name) => Buffer.from(name)).toSorted((a, b) => Buffer.compare(a, b));
    expect(names).toEqual(sorted.map(String));
    expect(names).not.toEqual(NAMES.toSorted());
    for (const { entry, content } of entries)
      expect([entry.generalPurposeBitFlag, entry.extraFieldLength, String(content)]).toEqual([
        0x0800,
        0,
        entry.fileName,
      ]);
  });

  it("F22 O-42: gives the same bytes in whatever order the files come, and each time", async () => {
    const orders = [NAMES, NAMES.toReversed(), NAMES.toSorted(), [...NAMES.slice(7), ...NAMES.slice(0, 7)]];
    const digests = await Promise.all(
      orders.map(async (names) => sha256(await archive(new Map(names.map((name) => [name, file(name)]))))),
    );
    expect(new Set(digests).size).toBe(1);
  });

  it("O-42: takes the mode from what is said of a file, not from its name, and any bytes at all", async () => {
    const every = Uint8Array.from({ length: 256 }, (_none, i) => i);
    const long = new Uint8Array(3_000_000).fill(0x50);
    const files = new Map([
      ["empty", file("")],
      ["every", file(every, true)],
      ["long.sh", file(long)],
      ["signature", file(Buffer.from("504b0304504b0102504b0506", "hex"))],
    ]);
    const entries = await parse(Buffer.from(await archive(files)));
    const modes = entries.map(({ entry }) => [entry.fileName, (entry.externalFileAttributes >>> 16).toString(8)]);
    expect(modes).toEqual([
      ["empty", "100644"],
      ["every", "100755"],
      ["long.sh", "100644"],
      ["signature", "100644"],
    ]);
    for (const { entry, content } of entries) {
      const bytes = files.get(entry.fileName)?.bytes ?? Buffer.alloc(1);
      expect([entry.fileName, content.equals(bytes), entry.crc32]).toEqual([entry.fileName, true, crc32(content)]);
    }
  });

  it("O-42: of a buffer that is a part of another takes that part, and of no files makes an empty archive", async () => {
    const whole = Buffer.from("before-inside-behind");
    const entries = await parse(Buffer.from(await archive(new Map([["x", file("")], ["y", { bytes: whole.subarray(7, 13), executable: false }]])))); // prettier-ignore
    expect(entries.map(({ content }) => content.toString())).toEqual(["", "inside"]);
    const none = Buffer.from(await archive(new Map()));
    expect([none.length, await parse(none)]).toEqual([22, []]);
  });

  it.each(["/etc/passwd", "../x", "a/../../x", "C:/x"])("refuses a name that leads elsewhere: %s", async (name) => {
    await expect(async () => archive(new Map([[name, file("x")]]))).rejects.toThrow(/path/);
  });
});
