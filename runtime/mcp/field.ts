/**
 * The values of the header fields that repeat the message: ASCII. In `Mcp-Name` a name may be
 * encoded as `=?base64?…?=` around the Base64 of its UTF-8.
 * Source: MCP 2026-07-28, Streamable HTTP (value encoding); RFC 4648 §4.
 */

const ENCODED = /^=\?base64\?(?<digits>.*)\?=$/;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** RFC 9110 §5.5: node:http reads other bytes as Latin-1, so they could look like characters. */
export function isPlainField(field: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(field);
}

/** The decoded name, or undefined if it cannot be decoded. */
export function decodeName(field: string): string | undefined {
  if (!isPlainField(field)) return undefined;
  const digits = ENCODED.exec(field)?.groups?.["digits"];
  if (digits === undefined) return field;
  try {
    const bytes = atob(digits);
    // atob is lenient; one name has one encoding (RFC 4648 §3.5).
    if (btoa(bytes) !== digits) return undefined;
    return decoder.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
