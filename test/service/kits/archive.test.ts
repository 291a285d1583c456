/**
 * The bytes of a kit's ZIP, read here by the format's own specification (APPNOTE 6.3.10) and by no library: every field is
 * one that O-42 rules, or that a reader relies on, and none depends on the machine, the zone or the Node that wrote it.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { archive, type ArchiveFile } from "../../../generator/integration/archive.ts";
import { RECIPES } from "../../support/documents.ts";
import { readZip } from "../../support/kits.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { sha256 } from "../../support/sha256.ts";

/** The fields of a local header and of a central one that both have, and what only the central one has. */
interface Entry {
  readonly name: string;
  readonly nameBytes: Buffer;
  readonly versionMadeBy: number;
  readonly versionNeeded: number;
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly date: number;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  readonly extra: number;
  readonly comment: number;
  readonly disk: number;
  readonly internal: number;
  readonly external: number;
  readonly content: Buffer;
  /** The local header, field by field, as the central one has them. */
  readonly local: Readonly<Record<string, number | string>>;
}

interface Parsed {
  readonly entries: readonly Entry[];
  /** Of the end record: disks, counts, and the length of its comment. */
  readonly end: Readonly<Record<string, number>>;
}

/** Reads a ZIP in which every byte belongs to exactly one record; throws where one does not. */
function parse(zip: Buffer): Parsed {
  const at = zip.length - 22;
  if (zip.readUInt32LE(at) !== 0x06054b50) throw new Error("No end record in the last 22 bytes");
  const directory = { size: zip.readUInt32LE(at + 12), offset: zip.readUInt32LE(at + 16) };
  if (directory.offset + directory.size !== at) throw new Error("Something lies between the directory and its end");
  const entries: Entry[] = [];
  let [central, local] = [directory.offset, 0];
  while (central < at) {
    if (zip.readUInt32LE(central) !== 0x02014b50) throw new Error(`No central header at ${central}`);
    if (zip.readUInt32LE(central + 42) !== local) throw new Error(`A gap in front of the local header at ${local}`);
    const entry = readEntry(zip, central, local);
    entries.push(entry);
    central += 46 + entry.nameBytes.length + entry.extra + entry.comment;
    local += 30 + entry.nameBytes.length + Number(entry.local["extra"]) + entry.compressed;
  }
  if (central !== at || local !== directory.offset) throw new Error("Something lies between the records");
  const [disk, startDisk, here, total, comment] = [4, 6, 8, 10, 20].map((offset) => zip.readUInt16LE(at + offset));
  return { entries, end: { disk, startDisk, here, total, comment } as Record<string, number> };
}

function readEntry(zip: Buffer, central: number, local: number): Entry {
  const short = (offset: number): number => zip.readUInt16LE(offset);
  const long = (offset: number): number => zip.readUInt32LE(offset);
  if (long(local) !== 0x04034b50) throw new Error(`No local header at ${local}`);
  const nameBytes = zip.subarray(central + 46, central + 46 + short(central + 28));
  const start = local + 30 + short(local + 26) + short(local + 28);
  const shared = (from: number) => ({
    versionNeeded: short(from),
    flags: short(from + 2),
    method: short(from + 4),
    time: short(from + 6),
    date: short(from + 8),
    crc: long(from + 10),
    compressed: long(from + 14),
    size: long(from + 18),
    extra: short(from + 24),
  });
  const own = shared(central + 6);
  return {
    ...own,
    name: nameBytes.toString(),
    nameBytes,
    versionMadeBy: short(central + 4),
    comment: short(central + 32),
    disk: short(central + 34),
    internal: short(central + 36),
    external: long(central + 38),
    content: zip.subarray(start, start + own.compressed),
    local: { ...shared(local + 4), name: zip.subarray(local + 30, local + 30 + short(local + 26)).toString() },
  };
}

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
function parsed(): [name: string, entries: readonly Entry[]][] {
  return [...kits].map(([name, zip]) => [name, parse(zip).entries]);
}

/** 2026-09-02 12:00:00 as MS-DOS writes it. */
const DATE = ((2026 - 1980) << 9) | (9 << 5) | 2;
const TIME = 12 << 11;

describe("the ZIP of a kit", () => {
  it("O-42: is one run of records: no gap, no comment, no directory, one disk, no zip64", () => {
    for (const [kit, zip] of kits) {
      const { entries, end } = parse(zip);
      const total = entries.length;
      expect([kit, total > 15, end]).toEqual([kit, true, { disk: 0, startDisk: 0, here: total, total, comment: 0 }]);
      expect([kit, entries.map(({ comment, disk }) => comment + disk)]).toEqual([kit, entries.map(() => 0)]);
      // Neither the record of zip64 nor its locator, nor the values that point to them.
      for (const signature of ["504b0606", "504b0607"])
        expect([kit, zip.includes(signature, 0, "hex")]).toEqual([kit, false]);
      expect(entries.filter(({ size, compressed }) => Math.max(size, compressed) === 0xffffffff)).toEqual([]);
      expect(entries.filter(({ name }) => name.endsWith("/"))).toEqual([]);
    }
  });

  it("O-42: has its entries in byte order of their names, each once", () => {
    for (const [kit, entries] of parsed()) {
      const names = entries.map(({ nameBytes }) => nameBytes);
      const sorted = names.toSorted((a, b) => Buffer.compare(a, b));
      expect([kit, names.map(String)]).toEqual([kit, sorted.map(String)]);
      expect([kit, new Set(names.map(String)).size]).toEqual([kit, names.length]);
    }
  });

  it("O-42: stores every entry as it is, with its CRC and size in both headers and nothing behind it", () => {
    for (const [kit, entries] of parsed()) {
      for (const { name, method, compressed, size, crc, content, versionNeeded } of entries) {
        expect([kit, name, method, compressed, versionNeeded <= 20]).toEqual([kit, name, 0, size, true]);
        expect([kit, name, crc, size]).toEqual([kit, name, crc32(content), content.length]);
      }
    }
  });

  it("O-42: has the UTF-8 flag and no other, so no data descriptor and no encryption, and no extra field", () => {
    for (const [kit, entries] of parsed()) {
      for (const { name, flags, extra, internal } of entries) {
        expect([kit, name, flags, extra, internal]).toEqual([kit, name, 0x0800, 0, 0]);
      }
    }
  });

  it("O-42: says the same in local and central headers", () => {
    for (const [kit, entries] of parsed()) {
      for (const { local, name, ...central } of entries) {
        const shared = Object.keys(local).filter((field) => field !== "name") as (keyof typeof central)[];
        expect(shared.length).toBe(9);
        expect([kit, local["name"]]).toEqual([kit, name]);
        for (const field of shared)
          expect([kit, name, field, local[field]]).toEqual([kit, name, field, central[field]]);
      }
    }
  });

  it("O-42 O-65: has one DOS time in all entries of all kits, that of the release label", () => {
    const times = new Set(parsed().flatMap(([, entries]) => entries.map(({ date, time }) => `${date} ${time}`)));
    expect([...times]).toEqual([`${DATE} ${TIME}`]);
  });

  it("O-42: gives the modes of Unix: 0100755 to what ends with .sh, 0100644 to all else, and no DOS attributes", () => {
    const scripts: string[] = [];
    for (const [kit, entries] of parsed()) {
      for (const { name, external, versionMadeBy } of entries) {
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

  it("O-41 O-42: has names of plain ASCII below one root, which lead nowhere else on any system", () => {
    for (const [kit, entries] of parsed()) {
      const root = `service-semantics-${kit.split(" ")[1]}/`;
      for (const { name } of entries) {
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
      expect(new Set(entries.map(({ name }) => name.toLowerCase())).size).toBe(entries.length);
    }
  });

  it("O-42: is read the same by another library", async () => {
    for (const [kit, zip] of kits) {
      const { entries } = parse(zip);
      const others = await readZip(zip);
      expect([kit, others.map(({ name, mode, bytes }) => [name, mode, sha256(bytes)])]).toEqual([
        kit,
        entries.map(({ name, external, content }) => [name, external >>> 16, sha256(content)]),
      ]);
    }
  });
});

const file = (text: string | Uint8Array, executable = false): ArchiveFile => ({ bytes: Buffer.from(text), executable });

describe("archive()", () => {
  /** In the order of UTF-16 units and in that of bytes these stand differently; some also differ by locale. */
  const NAMES = ["z", "a", "B", "_", "é", "Z", "ä", "ß", "i", "İ", "語/語", "\uE000", "\uFF5E", "\u{10000}", "😀", "a/b", "a-b", "a.b", "ab", "a0", "日本語.sh", "\u{10FFFF}"]; // prettier-ignore

  it("O-42: sorts names that are not ASCII, and astral ones, by their bytes, and marks all as UTF-8", async () => {
    const made = await archive(new Map(NAMES.map((name) => [name, file(name)])));
    const { entries } = parse(Buffer.from(made));
    const sorted = NAMES.map((name) => Buffer.from(name)).toSorted((a, b) => Buffer.compare(a, b));
    expect(entries.map(({ name }) => name)).toEqual(sorted.map(String));
    expect(entries.map(({ name }) => name)).not.toEqual(NAMES.toSorted());
    expect(entries.map(({ flags, extra }) => [flags, extra])).toEqual(entries.map(() => [0x0800, 0]));
    for (const { name, content } of entries) expect(content.toString()).toBe(name);
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
    const { entries } = parse(Buffer.from(await archive(files)));
    expect(entries.map(({ name, external }) => [name, (external >>> 16).toString(8)])).toEqual([
      ["empty", "100644"],
      ["every", "100755"],
      ["long.sh", "100644"],
      ["signature", "100644"],
    ]);
    for (const { name, content, crc } of entries) {
      expect([name, content.equals(files.get(name)?.bytes ?? Buffer.alloc(1)), crc]).toEqual([
        name,
        true,
        crc32(content),
      ]);
    }
  });

  it("O-42: of a buffer that is a part of another takes that part, and of no files makes an empty archive", async () => {
    const whole = Buffer.from("before-inside-behind");
    const { entries } = parse(Buffer.from(await archive(new Map([["x", file("")], ["y", { bytes: whole.subarray(7, 13), executable: false }]])))); // prettier-ignore
    expect(entries.map(({ content }) => content.toString())).toEqual(["", "inside"]);
    const none = Buffer.from(await archive(new Map()));
    expect([none.length, parse(none).entries]).toEqual([22, []]);
  });

  it.each(["/etc/passwd", "../x", "a/../../x", "C:/x"])("refuses a name that leads elsewhere: %s", async (name) => {
    await expect(async () => archive(new Map([[name, file("x")]]))).rejects.toThrow(/path/);
  });
});
