/**
 * Reads the text of a file in pieces, with the line that each begins on. It is strict: bytes that
 * are NUL or not UTF-8 end the reading, since guessing an encoding would make up labels. A byte
 * order mark at the start is dropped.
 */
import { isUtf8 } from "node:buffer";
import type { Effects } from "../../../effects/effects.ts";
import { countLines } from "../../../text/lines.ts";
import { SourceError } from "./source.ts";

export interface Piece {
  readonly text: string;
  /** The line that it begins on, from 1. */
  readonly line: number;
}

/**
 * Small enough that a parser cannot run far past the limits, which are checked between two pieces.
 */
const PIECE_BYTES = 1 << 16;

/**
 * Reads a file of any size; throws SourceError, with `name` as the file's name, at the first line
 * that is not text.
 */
export function* readPieces(effects: Effects, file: string, name = file): Generator<Piece, void> {
  if (effects.kind(file) !== "file") throw new SourceError(`${file}: There is no such file. Name one that exists`);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  // Bytes of a character that continues in the next piece.
  let rest: Uint8Array = new Uint8Array();
  for (const chunk of effects.chunks(file)) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const bytes = Buffer.concat([rest, chunk.subarray(start, start + PIECE_BYTES)]);
      const whole = bytes.subarray(0, bytes.length - unfinished(bytes));
      if (whole.includes(0) || !isUtf8(whole)) throw encodingError(whole, name, line);
      const text = decoder.decode(whole, { stream: true });
      yield { text, line };
      line += countLines(text);
      rest = bytes.subarray(whole.length);
    }
  }
  if (rest.length > 0)
    throw new SourceError(`${name}:${line}: The file ends in the middle of a character. Get the whole file`);
}

/** How many bytes at the end begin a character that is not complete. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.at(-back) ?? 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** Names the first line with such bytes; `bytes` begins on `line`. */
function encodingError(bytes: Uint8Array, name: string, line: number): SourceError {
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  const bad = lines.findIndex((text) => text.includes("\0") || !isUtf8(Buffer.from(text, "latin1")));
  const isUtf16 = line === 1 && /^(?:\xfe\xff|\xff\xfe)/.test(lines[0] ?? "");
  const hasNul = lines[bad]?.includes("\0") === true;
  const what = isUtf16 ? "The file is UTF-16" : hasNul ? "The line has a NUL, as UTF-16 does" : "The line is not UTF-8";
  return new SourceError(`${name}:${line + bad}: ${what}. Save the file as UTF-8`);
}
