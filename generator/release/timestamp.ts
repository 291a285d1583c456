/** The one time of a release: SOURCE_DATE_EPOCH where it is set, else the day of the release label. Never the clock. */
import { product } from "../../runtime/contract/product.ts";
import { UsageError } from "../text/usage-error.ts";

export interface Timestamp {
  /** Seconds since 1970 in UTC. */
  readonly seconds: number;
  /** The same by ISO 8601. */
  readonly text: string;
}

/** The last second that every format of a release can name (2038). */
const SECONDS_MAX = 0x7fff_ffff;

/** Source: https://reproducible-builds.org/specs/source-date-epoch/. Throws UsageError for what is no such number. */
export function releaseTime(epoch: string | undefined): Timestamp {
  // An empty date object, set by what is given.
  const date = new Date(0);
  const [year = 0, month = 0, day = 0] = product.updated.split("-").map(Number);
  if (epoch === undefined || epoch === "") date.setUTCFullYear(year, month - 1, day);
  else if (/^(?:0|[1-9][0-9]*)$/.test(epoch) && Number(epoch) <= SECONDS_MAX) date.setTime(Number(epoch) * 1000);
  else {
    const wrong = `SOURCE_DATE_EPOCH ${JSON.stringify(epoch)} is not a whole number of seconds from 0 to ${SECONDS_MAX}`;
    throw new UsageError(wrong);
  }
  return { seconds: date.getTime() / 1000, text: date.toISOString().replace(".000Z", "Z") };
}
