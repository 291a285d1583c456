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
  const [fault] = checkLabel(text, "role");
  if (fault !== undefined) throw new UsageError(`--as: ${fault.text}`);
  if (/\S@\S/.test(text)) throw new UsageError(`--as ${quote(text)} looks like an e-mail address: name a role`);
  return text;
}

/** Returns a calendar date, `YYYY-MM-DD`; throws UsageError if the text is not one. */
export function parseDate(text: string | undefined): string {
  if (text === undefined) throw new UsageError("--on DATE is needed: the day, YYYY-MM-DD");
  if (!isDay(text)) throw new UsageError(`--on ${quote(text)} is not a date: write YYYY-MM-DD`);
  return text;
}
