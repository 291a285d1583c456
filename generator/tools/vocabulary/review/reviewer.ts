/**
 * Who reviewed and when, from the command line: a role, never a personal name (O-22), and a date,
 * never from the clock.
 */
import { isDay } from "../../../text/day.ts";
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { checkLabel } from "../../../registry/check-concept.ts";

/** Returns the role; throws UsageError if the text is not one. */
export function parseRole(text: string | undefined): string {
  if (text === undefined) throw new UsageError("--as ROLE is needed: who reviewed, such as terminology board");
  const fault = roleFault(text);
  if (fault !== undefined) throw new UsageError(`--as: ${fault}`);
  return text;
}

/** Why a text is not a role; undefined if it is one. */
export function roleFault(text: string): string | undefined {
  if (/\S@\S/.test(text)) return `${quote(text)} looks like an e-mail address: name a role`;
  return checkLabel(text, "role")[0]?.text;
}

/** Returns a calendar date, `YYYY-MM-DD`; throws UsageError if the text is not one. */
export function parseDate(text: string | undefined): string {
  if (text === undefined) throw new UsageError("--on DATE is needed: the day, YYYY-MM-DD");
  if (!isDay(text)) throw new UsageError(`--on ${quote(text)} is not a date: write YYYY-MM-DD`);
  return text;
}
