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
