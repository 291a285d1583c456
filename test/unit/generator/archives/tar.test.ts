/**
 * The tar of a release by its headers, and the reader, given hostile archives whose headers are
 * written here by the specification (POSIX.1-2024, pax). How the library reads headers is not
 * tested here; other readers are asked in tar.external.ts.
 */
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { describe, expect, it, vi } from "vitest";
import { ArchiveError, packTar, readTar, type TarEntry } from "../../../../generator/archives/tar.ts";

const TIME = 1_788_350_400;

function entry(name: string, content: string | Uint8Array = name, executable?: boolean): TarEntry {
  const bytes = Buffer.from(content);
  // In pieces of seven bytes, so that none is a block.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_none, i) => bytes.subarray(i * 7, i * 7 + 7));
  return { path: name, size: bytes.length, chunks: () => pieces, ...(executable !== undefined && { executable }) };
}

const packed = (entries: Iterable<TarEntry>, time = TIME): Promise<Buffer> => buffer(packTar(entries, time));

/** Names and contents; `pieces` cuts the archive differently from its blocks. */
async function unpacked(bytes: Uint8Array, pieces = 1000): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const { path: name, chunks } of readTar(cut(bytes, pieces)))
    found.push([name, (await buffer(chunks)).toString()]);
  return found;
}

const cut = (bytes: Uint8Array, pieces: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / pieces) }, (_none, i) => bytes.subarray(i * pieces, (i + 1) * pieces));

const LONG = "long-name-".repeat(13);
/** Of every length that the format treats differently, in an order that only bytes give. */
const NAMES = [
  "z", "a", "B", "a-b", "a.b", "a0", "empty", "run.sh", "c/d/e/f", "é", "\u{10000}", "\uFF5E", "日本語/文書.txt", "with space", "-dash", "~", "..a", "a..",
  "n".repeat(100), "n".repeat(101), `${"d".repeat(99)}/f`, `${"d".repeat(100)}/f`, `${"d".repeat(155)}/${"f".repeat(100)}`, `${"d".repeat(156)}/f`,
  `${LONG}/${LONG}`, `${LONG}/${LONG}x/y`, `${"deep/".repeat(60)}end`, `${"ü".repeat(120)}/${"ß".repeat(100)}/${"é".repeat(50)}`,
]; // prettier-ignore
const EVERY = NAMES.map((name) => entry(name, name === "empty" ? "" : `${name}\n`.repeat(9), name.endsWith(".sh")));
const every = await packed(EVERY);
const byBytes = (names: Iterable<string>): string[] =>
  [...names].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
const FOLDERS = new Set(
  NAMES.flatMap((name) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index + 1))),
);
const LISTED = byBytes([...NAMES, ...FOLDERS]);

describe("packTar()", () => {
  it("lists folders and files by the bytes of their names, with modes, root's numbers and one time", async () => {
    const found: unknown[] = [];
    const reader = extract();
    reader.on("entry", ({ name, type, mode, size, uid, gid, uname, gname, mtime }, stream, next) => {
      found.push([name, type, mode, size, uid, gid, uname, gname, mtime?.getTime()]);
      stream.on("end", next).resume();
    });
    await pipeline([every], reader);
    const sizes = new Map(EVERY.map(({ path: name, size }) => [name, size]));
    const expected = LISTED.map((name) => {
      const directory = name.endsWith("/");
      const mode = directory || name.endsWith(".sh") ? 0o755 : 0o644;
      return [name, directory ? "directory" : "file", mode, sizes.get(name) ?? 0, 0, 0, "", "", TIME * 1000];
    });
    expect(found).toEqual(expected);
  });

  it("is read back by readTar, however the archive is cut", async () => {
    const expected = byBytes(NAMES).map((name) => [name, name === "empty" ? "" : `${name}\n`.repeat(9)]);
    for (const pieces of [1, 511, 512, 513, 1 << 20]) expect(await unpacked(every, pieces)).toEqual(expected);
  });

  it("gives the same bytes each time and in whatever order the files come, without clock and chance", async () => {
    const stop = (): never => {
      throw new Error("There is no clock");
    };
    const spies = [vi.spyOn(Date, "now").mockImplementation(stop), vi.spyOn(Math, "random").mockImplementation(stop)];
    const others = [await packed(EVERY), await packed(EVERY.toReversed())];
    for (const spy of spies) spy.mockRestore();
    for (const other of others) expect(other.equals(every)).toBe(true);
  });

  it("depends on the time, the mode, the name and the content", async () => {
    const variants = [
      await packed([entry("a", "1")]),
      await packed([entry("a", "2")]),
      await packed([entry("b", "1")]),
      await packed([entry("a", "1", true)]),
      await packed([entry("a", "1")], TIME + 1),
    ];
    expect(new Set(variants.map((bytes) => createHash("sha256").update(bytes).digest("hex"))).size).toBe(5);
    expect((await packed([entry("a", "1", false)])).equals(variants[0] ?? every)).toBe(true);
  });

  it("of no files is the end alone", async () => {
    expect((await packed([])).equals(Buffer.alloc(1024))).toBe(true);
  });

  it.each([
    ["2 bytes too few", 12, /^"a" has 10 of the 12 bytes it was said to have$/],
    ["1 byte too many", 9, /^"a" has more than the 9 bytes it was said to have$/],
    ["any", 0, /^"a" has more than the 0 bytes/],
  ])("refuses content with %s", async (_what, size, message) => {
    const fault = await packed([{ ...entry("a", "0123456789"), size }, entry("b")]).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ArchiveError);
    expect((fault as Error).message).toMatch(message);
  });

  it("tells the fault of reading a file as it is", async () => {
    const cause = new Error("EIO");
    const broken: TarEntry = {
      path: "x",
      size: 10,
      *chunks() {
        yield new Uint8Array(5);
        throw cause;
      },
    };
    expect(await packed([entry("a"), broken, entry("z")]).catch((error: unknown) => error)).toBe(cause);
  });

  it.each(["", "/a", "../a", "a/../b", "a/./b", "./a", "a//b", "a/", "a\\b", "a\nb", "a\u0000", "C:/x", "a\u0085", "\uD800", "..", "x".repeat(4097)])(
    "refuses the name %j",
    async (name) => {
      await expect(packed([entry(name, "x")])).rejects.toThrow(ArchiveError);
    },
  ); // prettier-ignore

  it("refuses a name that is there twice, and a file where a folder must be", async () => {
    await expect(packed([entry("a"), entry("a")])).rejects.toThrow('"a" occurs twice');
    await expect(packed([entry("a"), entry("a/b")])).rejects.toThrow("another file or folder");
    await expect(packed([entry("a/b"), entry("a")])).rejects.toThrow("another file or folder");
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 31])("refuses the time %d, which the header cannot tell", async (time) => {
    await expect(packed([entry("a")], time)).rejects.toThrow(ArchiveError);
    expect((await packed([entry("a")], 2 ** 31 - 1)).subarray(136, 147).toString()).toBe("17777777777");
  });

  it("opens a file only when its part is read, and no other once the reader has returned", async () => {
    let asked = 0;
    let closed = false;
    const piece = 1 << 20;
    const big: TarEntry = {
      path: "big",
      size: 1000 * piece,
      *chunks() {
        try {
          for (; asked < 1000; asked++) yield new Uint8Array(piece);
        } finally {
          closed = true;
        }
      },
    };
    let read = 0;
    for await (const chunk of packTar([big, entry("other")], TIME)) {
      read += chunk.length;
      expect(asked * piece - read).toBeLessThan(8 * piece);
      if (read > 20 * piece) break;
    }
    // The file is let go of before the loop is left.
    expect(closed).toBe(true);
    const then = asked;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked).toBe(then);
  });

  it("writes a size beyond the octal field in base 256, and reads it", async () => {
    const size = 2 ** 33 + 1;
    const piece = new Uint8Array(1 << 20);
    const big: TarEntry = {
      path: "big",
      size,
      *chunks() {
        for (let left = size; left > 0; left -= piece.length) yield piece.subarray(0, left);
      },
    };
    const archive = packTar([big], TIME);
    const { value: first } = await archive.next();
    await archive.return();
    // 8 GiB and a byte, in base 256.
    expect(
      Buffer.from(first ?? every)
        .subarray(124, 136)
        .toString("hex"),
    ).toBe("800000000000000200000001");
    expect(await refusal(first ?? every)).toBe(BROKEN);
  });
});

const BROKEN = "it is not an uncompressed tar, or it is damaged or cut off";

/** A header by the specification, with what is hostile in it. */
function header(fields: {
  name?: string;
  type?: string;
  size?: number | Buffer;
  magic?: string;
  sum?: number;
}): Buffer {
  const { name = "a", type = "0", size = 0, magic = "ustar\u000000", sum } = fields;
  const block = Buffer.alloc(512);
  block.write(name);
  block.write("0000644\u00000000000\u00000000000\u0000", 100);
  if (typeof size === "number") block.write(size.toString(8).padStart(11, "0"), 124);
  else size.copy(block, 124);
  block.write("00000000000\u0000        ", 136);
  block.write(type, 156);
  block.write(magic, 257);
  const total = block.reduce((a, b) => a + b, 0);
  block.write(`${(sum ?? total).toString(8).padStart(6, "0")}\u0000 `, 148);
  return block;
}
const END = Buffer.alloc(1024);
const tarOf = (...parts: readonly Buffer[]): Buffer => Buffer.concat([...parts, END]);
const extended = (type: string, body: string): Buffer => {
  const bytes = Buffer.from(body);
  return Buffer.concat([header({ name: "ext", type, size: bytes.length }), bytes, Buffer.alloc(512 - bytes.length)]);
};
/** A record of pax, whose length counts its own digits. */
const named = (name: string): string => {
  const rest = ` path=${name}\n`;
  const length = Buffer.byteLength(rest);
  return `${length + String(length + 2).length}${rest}`;
};
/** What is said of an archive, however it is cut. */
const refusal = async (bytes: Uint8Array): Promise<string> => {
  const faults = await Promise.all(
    [1, 512, 1 << 20].map((pieces) => unpacked(bytes, pieces).catch((error: unknown) => error)),
  );
  for (const fault of faults) expect(fault).toBeInstanceOf(ArchiveError);
  const [message, ...others] = faults.map((fault) => (fault as Error).message);
  for (const other of others) expect(other).toBe(message);
  expect(message).not.toMatch(/[\r\n]/);
  return message ?? "";
};

describe("readTar()", () => {
  it("gives a file's first bytes before its last ones are there", async () => {
    const bytes = await packed([entry("a", "x".repeat(100_000))]);
    let given = 0;
    const source = function* (): Generator<Uint8Array> {
      for (; given < bytes.length; given += 512) yield bytes.subarray(given, given + 512);
    };
    const entries = readTar(source());
    const { value } = await entries.next();
    const first = await value?.chunks[Symbol.asyncIterator]().next();
    expect(first?.value?.length).toBeGreaterThan(0);
    expect(given).toBeLessThan(bytes.length - 20_000);
    await entries.return();
  });

  it("returns the next file if the reader skips one, or reads only its beginning", async () => {
    // More than is held in memory.
    const bytes = await packed([entry("a", "x".repeat(200_000)), entry("b", "y".repeat(200_000)), entry("c", "end")]);
    for (const pieces of [700, 70_000, 1 << 20]) {
      const names: string[] = [];
      let last = "";
      for await (const { path: name, chunks } of readTar(cut(bytes, pieces))) {
        names.push(name);
        if (name === "a") continue;
        for await (const chunk of chunks) {
          last = Buffer.from(chunk).toString();
          break;
        }
      }
      expect([names, last]).toEqual([["a", "b", "c"], "end"]);
    }
  });

  it("closes its source when the reader returns, and rejects with the error of its source", async () => {
    let closed = false;
    const bytes = await packed([entry("a"), entry("b")]);
    const source = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield bytes;
      } finally {
        closed = true;
      }
    };
    const entries = readTar(source());
    await entries.next();
    await entries.return();
    expect(closed).toBe(true);
    const cause = new Error("EIO");
    const failing = function* (): Generator<Uint8Array> {
      yield bytes.subarray(0, 100);
      throw cause;
    };
    await expect(readTar(failing()).next()).rejects.toBe(cause);
  });

  it("refuses an archive that is cut off anywhere, also between two files and before its end", async () => {
    // The last file ends with zeros, which could be taken for the end.
    const bytes = await packed([entry("a/b", "b"), entry(`é${LONG}`, Buffer.alloc(4096))]);
    for (let length = 0; length < bytes.length; length += 256) {
      expect([length, await refusal(bytes.subarray(0, length))]).toEqual([length, BROKEN]);
    }
    expect(await refusal(bytes.subarray(0, -1))).toBe(BROKEN);
    expect(await unpacked(Buffer.concat([bytes, Buffer.alloc(9000 - (9000 % 512))]))).toEqual(await unpacked(bytes));
  });

  it("refuses an archive that is cut off, also to a reader that is late or skips the file", async () => {
    const bytes = (await packed([entry("a", "x".repeat(2000))])).subarray(0, 1500);
    const late = readTar([bytes]);
    const content = (await late.next()).value?.chunks[Symbol.asyncIterator]();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const all = async (): Promise<void> => {
      while ((await content?.next())?.done === false);
    };
    await expect(all()).rejects.toThrow(BROKEN);
    await expect(late.next()).rejects.toThrow(BROKEN);
    const unread = readTar([bytes]);
    await unread.next();
    await expect(unread.next()).rejects.toThrow(BROKEN);
  });

  it("refuses what is no tar", async () => {
    const random = Buffer.concat([1, 2, 3, 4, 5].map((i) => createHash("sha512").update(String(i)).digest()));
    const gzip = gzipSync(Buffer.concat([every, random]));
    const v7 = tarOf(header({ magic: "" }));
    const wrongSum = tarOf(header({ sum: 1 }));
    const behind = tarOf(header({}), END, Buffer.from("text"));
    const none = [Buffer.alloc(0), Buffer.alloc(512), Buffer.from("text"), Buffer.alloc(4096, 0x61)];
    for (const bytes of [...none, Buffer.concat([random, random]), gzip, v7, wrongSum, behind])
      expect(await refusal(bytes)).toBe(BROKEN);
  });

  it.each([
    ["a hard link", "1"],
    ["a symbolic link", "2"],
    ["a character device", "3"],
    ["a block device", "4"],
    ["a pipe", "6"],
    ["a contiguous file", "7"],
    ["a sparse file", "S"],
    ["nobody knows what", "Z"],
  ])("refuses %s", async (_what, type) => {
    for (const size of [0, 512]) {
      const bytes = tarOf(header({ name: "ok" }), header({ name: "x/y", type, size }), Buffer.alloc(size, 1));
      expect(await refusal(bytes)).toBe('"x/y" is not a regular file');
    }
  });

  it.each([
    "/etc/passwd",
    "../x",
    "a/../../x",
    "a/..",
    "..",
    ".",
    "a/./b",
    "././a",
    ".//a",
    "./../a",
    "./",
    "a//b",
    "a\\..\\b",
    "C:/x",
    "c:x",
    "a\u001Bb",
    "a\tb",
    "a\nb",
    "a\u007Fb",
    "a\u0085b",
    "dir/",
  ])("refuses the name %j, in the header, by pax and by GNU", async (name) => {
    const visible = JSON.stringify(name.replace(/^\.\//, "")).replace("\u007F", "\\u{7F}").replace("\u0085", "\\u{85}");
    const said = `${visible} is not a plain name below the root of an archive`;
    expect(await refusal(tarOf(header({ name })))).toBe(said);
    expect(await refusal(tarOf(extended("x", named(name)), header({})))).toBe(said);
    expect(await refusal(tarOf(extended("L", `${name}\u0000`), header({})))).toBe(said);
  });

  it("refuses names that are empty or too long, in one short line", async () => {
    expect(await refusal(tarOf(header({ name: "" })))).toContain("is not a plain name");
    const long = `${"a/".repeat(2500)}b`;
    const bytes = Buffer.alloc(Math.ceil(long.length / 512) * 512);
    bytes.write(long);
    const message = await refusal(tarOf(header({ name: "ext", type: "L", size: long.length }), bytes, header({})));
    expect(message).toContain("is not a plain name");
    expect(message.length).toBeLessThan(200);
    expect(await refusal(tarOf(header({ name: "ext", type: "L", size: 2 ** 30 })))).toBe(BROKEN);
  });

  it("refuses a name that is there twice, and a file where a folder must be", async () => {
    const a = header({ name: "a" });
    expect(await refusal(tarOf(a, a))).toBe('"a" occurs twice');
    expect(await refusal(tarOf(a, header({ name: "./a" })))).toBe('"a" occurs twice');
    expect(await refusal(tarOf(a, extended("x", named("a")), header({ name: "b" })))).toBe('"a" occurs twice');
    expect(await refusal(tarOf(a, header({ name: "a/b" })))).toContain("another file or folder");
    expect(await refusal(tarOf(header({ name: "a/b" }), a))).toContain("another file or folder");
  });

  it("refuses sizes that no file can have, and does not wait for their end", async () => {
    const sizes = [0x80, 0x81, 0xff].map((first) => Buffer.from([first, ...Buffer.alloc(11, 0x7f)]));
    for (const size of [2 ** 33 - 1, Buffer.from("zzz"), ...sizes])
      expect(await refusal(tarOf(header({ size })))).toBe(BROKEN);
  });

  it("returns no directory, whatever its name and size, and the file after it", async () => {
    const folders = ["./", "../x/", "a/", "a/"].map((name) => header({ name, type: "5" }));
    const bytes = tarOf(...folders, header({ name: "d/", type: "5", size: 700 }), header({ name: "a/b" }));
    for (const pieces of [1, 512, 1 << 20]) expect(await unpacked(bytes, pieces)).toEqual([["a/b", ""]]);
  });
});
