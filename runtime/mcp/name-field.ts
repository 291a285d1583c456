/**
 * The value of `Mcp-Name`: plain, or `=?base64?…?=` around the Base64 of its UTF-8.
 * Source: MCP 2026-07-28, Streamable HTTP (value encoding); RFC 4648 §4.
 */

const ENCODED = /^=\?base64\?(?<digits>.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The name that the field stands for, or undefined where it cannot be decoded. */
export function decodeName(field: string): string | undefined {
  const digits = ENCODED.exec(field)?.groups?.["digits"];
  if (digits === undefined) return field;
  if (!BASE64.test(digits)) return undefined;
  try {
    return decoder.decode(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
