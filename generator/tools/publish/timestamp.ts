/**
 * The only time of a release: SOURCE_DATE_EPOCH if it is set, else the day on which the registry
 * was released, else that of the last review in it, else that of the release label. It never comes
 * from the clock. Files in its archives have a time that follows from it.
 */
import { UsageError } from "../../text/usage-error.ts";

export interface Timestamp {
  /** Seconds since 1970 in UTC. */
  readonly seconds: number;
  /** The same in ISO 8601. */
  readonly text: string;
}

/** The last second that every format of a release can express (2038). */
const SECONDS_MAX = 0x7fff_ffff;

/**
 * Reads SOURCE_DATE_EPOCH, in seconds; undefined if it is unset or empty. Throws UsageError if it
 * is not a whole number up to SECONDS_MAX.
 * Source: https://reproducible-builds.org/specs/source-date-epoch/.
 */
export function parseEpoch(epoch: string | undefined): number | undefined {
  if (epoch === undefined || epoch === "") return undefined;
  if (/^(?:0|[1-9][0-9]*)$/.test(epoch) && Number(epoch) <= SECONDS_MAX) return Number(epoch);
  throw new UsageError(
    `SOURCE_DATE_EPOCH ${JSON.stringify(epoch)} is not a whole number of seconds from 0 to ${SECONDS_MAX}`,
  );
}

export function releaseTime(epoch: number | undefined, day: string): Timestamp {
  // An empty date object, set by what is given.
  const date = new Date(0);
  const [year = 0, month = 0, ofMonth = 0] = day.split("-").map(Number);
  if (epoch === undefined) date.setUTCFullYear(year, month - 1, ofMonth);
  else date.setTime(epoch * 1000);
  return { seconds: date.getTime() / 1000, text: date.toISOString().replace(".000Z", "Z") };
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * The time of the files of a release, in seconds. Web servers make validators of time and size,
 * which must change with the bytes (RFC 9110 §8.8.1): it follows from the digest, and is later than
 * that of the `earlier` releases of the same day. It is in the day before, because no time may be
 * later than SOURCE_DATE_EPOCH.
 */
export function fileSeconds({ seconds }: Timestamp, sha256: string, earlier: number): number {
  const within = earlier * HOUR + (Number.parseInt(sha256.slice(0, 8), 16) % HOUR);
  return Math.max(0, seconds - DAY + (within % DAY));
}
