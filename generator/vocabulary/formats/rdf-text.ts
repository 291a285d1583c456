/**
 * The text of a file in pieces, with the line that each begins on. Strict: bytes that are not UTF-8 or are NUL end the
 * reading, since a guess at an encoding would make labels that nobody wrote. A byte order mark at the start is left out.
 */
import { isUtf8 } from "node:buffer";
import type { Effects } from "../../effects/effects.ts";
import { SourceError } from "./source.ts";

export interface Piece {
  readonly text: string;
  /** The line that it begins on, from 1. */
  readonly line: number;
}

/** Small enough that a parser which is fed one piece cannot run far ahead of the limits that are checked between two. */
const PIECE_BYTES = 1 << 16;

/** Reads a file of any size; throws a SourceError at the first byte that is no text. */
export function* readPieces(effects: Effects, file: string): Generator<Piece, void> {
  if (effects.kind(file) !== "file") throw new SourceError(`${file}: There is no file of this name. Name one that is`);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  let offset = 0;
  let unfinished: Uint8Array = new Uint8Array();
  for (const chunk of effects.chunks(file)) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const bytes = chunk.subarray(start, start + PIECE_BYTES);
      const place = { file, line, offset, unfinished };
      const text = decode(decoder, bytes, place);
      if (bytes.includes(0)) throw nulError(bytes, place);
      yield { text, line };
      line += countLines(text);
      offset += bytes.length;
      unfinished = endOf(unfinished, bytes);
    }
  }
  if (!isUtf8(unfinished)) {
    throw new SourceError(`${file}:${line}: The file ends in the middle of a character. Get the whole file`);
  }
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

interface Place {
  readonly file: string;
  readonly line: number;
  /** Of the bytes in the file. */
  readonly offset: number;
  /** The bytes before, of a character that may end in these. */
  readonly unfinished: Uint8Array;
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, place: Place): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    throw encodingError(bytes, place);
  }
}

/** The last bytes, as long as they may be the beginning of a character. */
function endOf(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const last = Buffer.concat([before, bytes.subarray(-3)]).subarray(-3);
  for (let length = 1; length <= last.length; length++) {
    if ((last.at(-length) ?? 0) >= 0xc0) return last.subarray(-length);
  }
  return new Uint8Array();
}

function encodingError(bytes: Uint8Array, { file, line, offset, unfinished }: Place): SourceError {
  const all = Buffer.concat([unfinished, bytes]);
  const valid = validLength(all);
  const at = offset - unfinished.length + valid;
  const isUtf16 = at === 0 && (all[0] === 0xfe || all[0] === 0xff);
  const what = isUtf16 ? "The file is UTF-16, not UTF-8" : `Byte ${at + 1} of the file is not UTF-8`;
  const where = line + countLines(all.subarray(0, valid).toString("latin1"));
  return new SourceError(`${file}:${where}: ${what}. Save the file as UTF-8`);
}

/** How many bytes from the start are UTF-8, by halving: what a prefix breaks, every longer one breaks. */
function validLength(bytes: Uint8Array): number {
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isPrefix(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether bytes are UTF-8 that may end in the middle of a character. */
function isPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function nulError(bytes: Uint8Array, { file, line, offset }: Place): SourceError {
  const at = bytes.indexOf(0);
  const where = line + countLines(Buffer.from(bytes.subarray(0, at)).toString("latin1"));
  const remedy = "Save the file as UTF-8 text: it may be UTF-16, or no text at all";
  return new SourceError(`${file}:${where}: Byte ${offset + at + 1} of the file is NUL. ${remedy}`);
}
