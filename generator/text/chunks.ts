/** Streams of bytes: generators of chunks, which may return a value at the end. */

/** Passes the chunks on and shows each one to `see`. */
export function* tap<T>(chunks: Generator<Uint8Array, T>, see: (chunk: Uint8Array) => void): Generator<Uint8Array, T> {
  let step = chunks.next();
  for (; step.done !== true; step = chunks.next()) {
    see(step.value);
    yield step.value;
  }
  return step.value;
}

/** A text as UTF-8, whole or in pieces; pieces may be encoded already. */
export function* encoded(text: string | Iterable<string | Uint8Array>): Generator<Uint8Array, void> {
  for (const piece of typeof text === "string" ? [text] : text)
    yield typeof piece === "string" ? encoder.encode(piece) : piece;
}

/**
 * Streams texts as UTF-8. Short texts are joined, so that a million texts are not a million chunks.
 */
export class TextPieces {
  #budget = new Uint8Array();
  #start = 0;
  #end = 0;

  /**
   * Yields each chunk that is full, and returns the bytes of these texts together; a text may be
   * encoded already.
   */
  *add(...texts: readonly (string | Uint8Array)[]): Generator<Uint8Array, Uint8Array> {
    const most = texts.reduce((sum, text) => sum + text.length * (typeof text === "string" ? 3 : 1), 0);
    if (most > this.#budget.length - this.#end) {
      yield* this.rest();
      // A new buffer each time: the receiver of a chunk may keep it.
      this.#budget = new Uint8Array(Math.max(most, PIECE_BYTES));
      this.#start = this.#end = 0;
    }
    const start = this.#end;
    for (const text of texts) {
      if (typeof text === "string") this.#end += encoder.encodeInto(text, this.#budget.subarray(this.#end)).written;
      else {
        this.#budget.set(text, this.#end);
        this.#end += text.length;
      }
    }
    return this.#budget.subarray(start, this.#end);
  }

  /** Yields everything that was added and not yet yielded. */
  *rest(): Generator<Uint8Array, void> {
    if (this.#end > this.#start) yield this.#budget.subarray(this.#start, this.#end);
    this.#start = this.#end;
  }
}

const PIECE_BYTES = 32 * 1024;
const encoder = new TextEncoder();

/**
 * The lines of a text in chunks, without their line ends (LF or CR LF); the last line needs none.
 */
export function* splitLines(chunks: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  for (const line of wholeLines(chunks)) yield line.subarray(0, line.length - endLength(line));
}

/** The same with their line ends. */
export function* wholeLines(chunks: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  let rest: Uint8Array[] = [];
  for (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      yield joined(rest, chunk.subarray(start, end + 1));
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) yield joined(rest, new Uint8Array());
}

const LF = 0x0a;
const CR = 0x0d;

function joined(before: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  return before.length === 0 ? last : Buffer.concat([...before, last]);
}

/** In bytes; a CR at the end of the last line counts as its line end. */
export function endLength(line: Uint8Array): number {
  const feed = line.at(-1) === LF ? 1 : 0;
  return line.at(-1 - feed) === CR ? feed + 1 : feed;
}
