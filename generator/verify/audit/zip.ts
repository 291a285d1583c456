/**
 * Reads a ZIP in the only form that a kit has (APPNOTE 6.3.10; O-42): stored files and nothing
 * else. Reading begins at the first byte, and every record is written again from what was read, so
 * every byte is checked. Nothing is decompressed, so nothing expands.
 */
import { crc32 } from "node:zlib";
import { product } from "../../../runtime/contract/product.ts";
import type { Files } from "./parts.ts";

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const LOCAL_BYTES = 30;
/** Version 2.0 is needed, flag 11 says UTF-8, method 0 stores. */
const NEEDED = 20;
const UTF8_FLAG = 0x800;
/** Unix, version 6.3. */
const MADE_BY = (3 << 8) | 63;

const [year = 0, month = 0, day = 0] = product.updated.split("-").map(Number);
/** 4.4.6: noon on the label's date. */
const DOS_DATE = ((year - 1980) << 9) | (month << 5) | day;
const DOS_TIME = 12 << 11;

/**
 * Returns every file below `root`, which is left out of the names, or a string that says what is
 * wrong.
 */
export function readZip(zip: Buffer, root: string): Files | string {
  const files = new Map<string, Buffer>();
  const directory: Buffer[] = [];
  let [at, previous] = [0, ""];
  while (at + LOCAL_BYTES <= zip.length && zip.readUInt32LE(at) === LOCAL) {
    const end = at + LOCAL_BYTES + zip.readUInt16LE(at + 26);
    const start = end + zip.readUInt16LE(at + 28);
    const nameBytes = zip.subarray(at + LOCAL_BYTES, end);
    const content = zip.subarray(start, start + zip.readUInt32LE(at + 18));
    const name = nameBytes.toString();
    if (start + zip.readUInt32LE(at + 18) > zip.length) return `${name}: cut short`;
    const fields = fieldsOf(nameBytes, content);
    const fault = faultOfName(name, previous, root) ?? faultOfHeader(zip.subarray(at, start), fields, nameBytes);
    if (fault !== undefined) return `${name}: ${fault}`;
    directory.push(centralOf(name, fields, at));
    files.set(name.slice(root.length), content);
    previous = name;
    at = start + content.length;
  }
  const tail = Buffer.concat([...directory, endOf(directory, at)]);
  if (zip.subarray(at).equals(tail)) return files;
  return `its directory is not that of its ${files.size} files: another date, mode or flag, or bytes that belong to no file`;
}

function faultOfName(name: string, previous: string, root: string): string | undefined {
  if (!name.startsWith(root)) return "not in its folder";
  if (!/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/.test(name)) return "not a plain name";
  // Plain names are ASCII, so this is the order of bytes.
  return name <= previous ? "not in byte order" : undefined;
}

function faultOfHeader(header: Buffer, fields: Buffer, name: Buffer): string | undefined {
  const expected = Buffer.concat([u32(LOCAL), fields, name]);
  if (header.equals(expected)) return undefined;
  if (header.readUInt16LE(8) !== 0) return "compressed";
  if (header.readUInt16LE(6) !== UTF8_FLAG) return "has flags other than the one for UTF-8 names";
  if (header.readUInt32LE(10) !== expected.readUInt32LE(10)) return "does not have the date of the release";
  if (header.readUInt32LE(14) !== expected.readUInt32LE(14)) return "differs from its CRC";
  return "has more than a name";
}

/** The fields that local and central headers share. */
function fieldsOf(name: Buffer, content: Buffer): Buffer {
  const size = u32(content.length);
  const head = [u16(NEEDED), u16(UTF8_FLAG), u16(0), u16(DOS_TIME), u16(DOS_DATE), u32(crc32(content)), size, size];
  return Buffer.concat([...head, u16(name.length), u16(0)]);
}

function centralOf(name: string, fields: Buffer, offset: number): Buffer {
  const mode = name.endsWith(".sh") ? 0o100755 : 0o100644;
  // No comment, disk 0, no internal attributes.
  const rest = [u16(0), u16(0), u16(0), u32(mode * 0x10000), u32(offset), Buffer.from(name)];
  return Buffer.concat([u32(CENTRAL), u16(MADE_BY), fields, ...rest]);
}

function endOf(directory: readonly Buffer[], offset: number): Buffer {
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = u16(directory.length & 0xffff);
  return Buffer.concat([u32(END), u16(0), u16(0), count, count, u32(size), u32(offset), u16(0)]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
