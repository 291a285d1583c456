/**
 * Unsigned 32-bit numbers in bytes, little endian. For records by the million: a DataView of each
 * would take longer than everything else about it.
 */

export function uint32At(bytes: Uint8Array, at: number): number {
  return uint16At(bytes, at) + 0x1_0000 * uint16At(bytes, at + 2);
}

function uint16At(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

/** Writes numbers one after the other, from `start`. */
export function setUint32s(bytes: Uint8Array, start: number, values: readonly number[]): void {
  let at = start;
  for (const value of values) {
    bytes[at++] = value;
    bytes[at++] = value >>> 8;
    bytes[at++] = value >>> 16;
    bytes[at++] = value >>> 24;
  }
}
