/**
 * A gap: an expression that was asked for and abstained, as a line of a gaps file. The file is
 * NDJSON without a header, so that a program adds a line at its end and nothing is read for it.
 * Nothing but these five members is kept: not who asked, not where, and no time of the day.
 */
import { ABSTENTION_REASONS, type AbstentionReason } from "../../runtime/contract/resolution.ts";
import { checkRequest } from "../../runtime/registry/answer.ts";
import { wholeLines } from "./chunks.ts";
import { isDay } from "./day.ts";

export interface Gap {
  readonly expression: string;
  /** The tag that was sent; null if none was. */
  readonly language: string | null;
  readonly reason: AbstentionReason;
  /** How often. */
  readonly count: number;
  /** The last day on which it was asked, YYYY-MM-DD. */
  readonly day: string;
}

/** In bytes, above the longest expression as escaped as it can be: a longer line is not read. */
export const GAP_MAX_BYTES = 1 << 14;

const EXAMPLE = formatGap({
  expression: "refund",
  language: "en",
  reason: "no_reviewed_exact_match",
  count: 1,
  day: "2026-12-01",
}).trimEnd();

/** A line that is not a gap, with its number. */
export class GapError extends Error {
  override name = "GapError";
  readonly line: number;

  constructor(line: number, what: string) {
    super(`${what}; each line is a gap such as ${EXAMPLE}`);
    this.line = line;
  }
}

/** With its line end. */
export function formatGap({ expression, language, reason, count, day }: Gap): string {
  return `${JSON.stringify({ expression, language, reason, count, day })}\n`;
}

/** The gaps of a file in pieces, in its order. Throws GapError at the first line that is none. */
export function* readGaps(chunks: Iterable<Uint8Array>): Generator<Gap, void> {
  let line = 0;
  const tooLong = (): GapError => new GapError(line + 1, `the line has more than ${GAP_MAX_BYTES} bytes`);
  for (const bytes of wholeLines(withinLines(chunks, tooLong))) {
    if (bytes.length > GAP_MAX_BYTES) throw tooLong();
    line++;
    const gap = parseGap(bytes);
    if (typeof gap === "string") throw new GapError(line, gap);
    yield gap;
  }
}

/** No more than a line and a chunk are ever held, whatever the file is. */
function* withinLines(chunks: Iterable<Uint8Array>, tooLong: () => GapError): Generator<Uint8Array, void> {
  let open = 0;
  for (const chunk of chunks) {
    const last = chunk.lastIndexOf(LINE_FEED);
    open = last < 0 ? open + chunk.length : chunk.length - 1 - last;
    yield chunk;
    if (open > GAP_MAX_BYTES) throw tooLong();
  }
}

/** The gap, or what is wrong with the line. */
function parseGap(bytes: Uint8Array): Gap | string {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    return "the line is not JSON in UTF-8";
  }
  if (typeof value !== "object" || value === null || Object.keys(value).sort().join() !== MEMBERS)
    return `the line does not have exactly the members ${MEMBERS.replaceAll(",", ", ")}`;
  const { expression, language, reason, count, day } = value as Readonly<Record<string, unknown>>;
  const request = checkRequest(language === null ? { expression } : { expression, language });
  if ("status" in request) return `no service takes its expression and language: ${request.message}`;
  const known = ABSTENTION_REASONS.find((one) => one === reason);
  if (known === undefined) return `its reason is none of ${ABSTENTION_REASONS.join(", ")}`;
  if (!Number.isSafeInteger(count) || (count as number) < 1) return "its count is not a whole number from 1";
  if (typeof day !== "string" || !isDay(day)) return "its day is not a date, YYYY-MM-DD";
  return {
    expression: request.expression,
    language: request.language ?? null,
    reason: known,
    count: count as number,
    day,
  };
}

const MEMBERS = "count,day,expression,language,reason";
const LINE_FEED = 0x0a;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
