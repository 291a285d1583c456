/**
 * The order of registry versions, `YYYY.MM.N` (O-16), which is exact however many digits a number
 * has.
 */

/** `YYYY.MM.N`. It is part of the names of files, so N has at most 18 digits. */
export const REGISTRY_VERSION_PATTERN = "^[0-9]{4}\\.(?:0[1-9]|1[0-2])\\.(?:0|[1-9][0-9]{0,17})$";

/** Negative if `a` comes before `b`; NaN if one of them is not made of numbers. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((version) => version.split("."));
  if (x === undefined || y === undefined || ![...x, ...y].every((part) => /^[0-9]+$/.test(part))) return NaN;
  const differences = x.map((part, i) => BigInt(part) - BigInt(y[i] ?? 0));
  return Number(differences.find((difference) => difference !== 0n) ?? 0n);
}

/** The next version: in the same month, or in the one after it if that has no number left. */
export function nextVersion(version: string): string {
  const [year = "", month = "", number = ""] = version.split(".");
  if (!/^9{18}$/.test(number)) return `${year}.${month}.${BigInt(number) + 1n}`;
  const isLast = month === "12";
  const [nextYear, nextMonth] = [Number(year) + (isLast ? 1 : 0), isLast ? 1 : Number(month) + 1];
  return `${String(nextYear).padStart(4, "0")}.${String(nextMonth).padStart(2, "0")}.1`;
}
