/** Bytes without any host's own type: joined, and written in hexadecimal and Base64 (RFC 4648 §4, §8). */

/** `length` is that of all parts together. */
export function concat(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const HEX = Array.from({ length: 256 }, (_none, byte) => byte.toString(16).padStart(2, "0"));

/** Lowercase hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Base64 of bytes that are given in hexadecimal. */
export function hexToBase64(hex: string): string {
  let binary = "";
  for (let i = 0; i < hex.length; i += 2) binary += String.fromCharCode(Number.parseInt(hex.slice(i, i + 2), 16));
  return btoa(binary);
}
