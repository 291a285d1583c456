/** Bytes on their way: generators of pieces, which may return a value at their end. */

/** Passes the pieces on and shows each one on its way. */
export function* tap<T>(chunks: Generator<Uint8Array, T>, see: (chunk: Uint8Array) => void): Generator<Uint8Array, T> {
  let step = chunks.next();
  for (; step.done !== true; step = chunks.next()) {
    see(step.value);
    yield step.value;
  }
  return step.value;
}

export function* once(bytes: Uint8Array): Generator<Uint8Array, void> {
  yield bytes;
}

/** A text, whole or in pieces, of which some may be encoded, as UTF-8. */
export function* encoded(text: string | Iterable<string | Uint8Array>): Generator<Uint8Array, void> {
  for (const piece of typeof text === "string" ? [text] : text)
    yield typeof piece === "string" ? encoder.encode(piece) : piece;
}

/** Texts on their way as UTF-8: small ones are gathered, so that a million texts are not a million pieces. */
export class TextPieces {
  #room = new Uint8Array();
  #start = 0;
  #end = 0;

  /** Yields what has become full, and returns the bytes of these texts together; one may be bytes already. */
  *add(...texts: readonly (string | Uint8Array)[]): Generator<Uint8Array, Uint8Array> {
    const most = texts.reduce((sum, text) => sum + text.length * (typeof text === "string" ? 3 : 1), 0);
    if (most > this.#room.length - this.#end) {
      yield* this.rest();
      // New room each time: who took a piece may keep it.
      this.#room = new Uint8Array(Math.max(most, PIECE_BYTES));
      this.#start = this.#end = 0;
    }
    const start = this.#end;
    for (const text of texts) {
      if (typeof text === "string") this.#end += encoder.encodeInto(text, this.#room.subarray(this.#end)).written;
      else {
        this.#room.set(text, this.#end);
        this.#end += text.length;
      }
    }
    return this.#room.subarray(start, this.#end);
  }

  /** Yields what was added and not yielded yet. */
  *rest(): Generator<Uint8Array, void> {
    if (this.#end > this.#start) yield this.#room.subarray(this.#start, this.#end);
    this.#start = this.#end;
  }
}

const PIECE_BYTES = 32 * 1024;
const encoder = new TextEncoder();

/** The lines of a text in pieces, without their line ends (LF or CR LF); the last one needs none. */
export function* splitLines(chunks: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  let rest: Uint8Array[] = [];
  for (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      yield withoutReturn(joined(rest, chunk.subarray(start, end)));
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) yield withoutReturn(joined(rest, new Uint8Array()));
}

const LF = 0x0a;
const CR = 0x0d;

function joined(before: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  return before.length === 0 ? last : Buffer.concat([...before, last]);
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === CR ? line.subarray(0, -1) : line;
}
