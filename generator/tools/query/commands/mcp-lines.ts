/**
 * Reads the lines of a host before the SDK does. The SDK closes the pipe if a line is too long, and
 * ignores a line that is not a message. Here such a line gets a JSON-RPC error, and the
 * conversation continues (M14, M25).
 */
import { type McpError, mcpError } from "../../../../runtime/mcp/error.ts";
import { parseJson } from "../../../../runtime/text/json.ts";

/** Bytes; the SDK reads up to 10 MiB. */
const LINE_MAX_BYTES = 8 * 1024 * 1024;

const LF = 0x0a;
/** Nothing but white space of JSON (RFC 8259 §2). */
const BLANK = /^[ \t\r]*$/;

interface Lines {
  /** The reason why a value is not passed on; undefined for a message that is passed on. */
  readonly refusalOf: (value: unknown) => McpError | undefined;
  /** Receives the error, as one line. */
  readonly refuse: (error: string) => void;
}

/** Passes on the valid lines, each with its line feed. */
export async function* messageLines(input: AsyncIterable<Uint8Array>, lines: Lines): AsyncGenerator<Uint8Array, void> {
  for await (const line of linesOf(input)) {
    if (line !== undefined && BLANK.test(line.toString("latin1"))) continue;
    const refusal = judge(line, lines.refusalOf);
    if (refusal !== undefined) lines.refuse(refusal);
    else if (line !== undefined) yield Buffer.concat([line, Uint8Array.of(LF)]);
  }
}

/**
 * Yields undefined for a line that is too long, of which nothing is kept. Text without a line feed
 * is not a line.
 */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer | undefined, void> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    let at = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, at)) {
      bytes += end - at;
      yield bytes > LINE_MAX_BYTES ? undefined : Buffer.concat([...held, chunk.subarray(at, end)]);
      [held, bytes, at] = [[], 0, end + 1];
    }
    bytes += chunk.length - at;
    if (bytes > LINE_MAX_BYTES) held = [];
    else held.push(chunk.subarray(at));
  }
}

/** The error that a line gets; undefined for one that is passed on. */
function judge(line: Buffer | undefined, refusalOf: Lines["refusalOf"]): string | undefined {
  if (line === undefined) return formatError(mcpError("parse_error", "The message is too long"));
  const json = parseJson(line);
  if (!json.ok) return formatError(mcpError("parse_error", "The message is not JSON in UTF-8 with unique names"));
  const error = refusalOf(json.value);
  return error === undefined ? undefined : formatError(error, idOf(json.value));
}

/** The id of a message: a string or a safe integer, else null (O-63). */
function idOf(value: unknown): string | number | null {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}

function formatError({ code, message, data }: McpError, id: string | number | null = null): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}
