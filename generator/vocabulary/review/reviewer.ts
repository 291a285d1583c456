/** Who reviewed and when, as the command line says it: a role, never a personal name (O-22), and a date, never the clock. */
import { isDay } from "../../text/day.ts";
import { quote } from "../../text/printable.ts";
import { UsageError } from "../../text/usage-error.ts";
import { checkLabel } from "../../registry/check-concept.ts";

/** A role; throws UsageError for what is none. */
export function parseRole(text: string | undefined): string {
  if (text === undefined) throw new UsageError("--as ROLE is needed: who reviewed, such as terminology board");
  const [fault] = checkLabel(text, "role");
  if (fault !== undefined) throw new UsageError(`--as: ${fault.text}`);
  if (/\S@\S/.test(text)) throw new UsageError(`--as ${quote(text)} looks like an e-mail address: name a role`);
  return text;
}

/** A day of the calendar as `YYYY-MM-DD`; throws UsageError for what is none. */
export function parseDate(text: string | undefined): string {
  if (text === undefined) throw new UsageError("--on DATE is needed: the day, YYYY-MM-DD");
  if (!isDay(text)) throw new UsageError(`--on ${quote(text)} is no day as YYYY-MM-DD`);
  return text;
}
