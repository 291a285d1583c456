/** Bytes without host-specific types: concatenation, streams, hex and Base64 (RFC 4648 §4, §8). */

/** `length` is the total of all parts. */
export function concat(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reads a whole body; stops and returns undefined if it has more than `maxBytes`. */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= maxBytes) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return concat(chunks, size);
    chunks.push(value);
    size += value.length;
  }
  reader?.cancel().catch(() => undefined);
  return undefined;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Lowercase hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Converts lowercase hex to Base64: three hex digits make two Base64 digits. */
export function hexToBase64(hex: string): string {
  let text = "";
  for (let i = 0; i < hex.length; i += 3) {
    const bits = (valueAt(hex, i) << 8) | (valueAt(hex, i + 1) << 4) | valueAt(hex, i + 2);
    text += DIGITS.charAt(bits >> 6) + DIGITS.charAt(bits & 63);
  }
  return text.slice(0, Math.ceil((hex.length * 2) / 3)).padEnd(Math.ceil(hex.length / 6) * 4, "=");
}

/** The value of a hex digit, or 0 after the last one. */
function valueAt(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  return code < 58 ? code - 48 : code < 103 ? code - 87 : 0;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Little endian; exact up to 2^53. */
export function getUint64(view: DataView, offset: number): number {
  return view.getUint32(offset + 4, true) * 4_294_967_296 + view.getUint32(offset, true);
}
