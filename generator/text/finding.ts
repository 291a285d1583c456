/**
 * A fault in a registry or content, for the person who can fix it. Every fault is reported, not
 * only the first. An `error` stops the build; a `notice` is legal but worth knowing (usually an
 * ambiguity).
 */
import { compareCodePoints } from "./order.ts";
import { printable } from "./printable.ts";

export interface Finding extends Fault, Location {
  readonly severity: "error" | "notice";
  /** JSON Pointer (RFC 6901) into the file or line; empty for the whole of it. */
  readonly pointer: string;
}

/** Whether it stops a build. */
export function isError({ severity }: Pick<Finding, "severity">): boolean {
  return severity === "error";
}

/** The place of a record. */
export interface Location {
  /** Path under the registry or content folder, with `/`. */
  readonly file: string;
  /** In a file with one record on each line; counted from 1. */
  readonly line?: number | undefined;
}

export function locationOf({ file, line }: Location): Location {
  return line === undefined ? { file } : { file, line };
}

/** A fault that stops a build, at a place. */
export function errorAt(place: Location, pointer: string, fault: Fault): Finding {
  return { ...fault, severity: "error", ...locationOf(place), pointer };
}

/** A legal fact that is worth knowing, at a place. */
export function noticeAt(place: Location, pointer: string, fault: Fault): Finding {
  return { ...fault, severity: "notice", ...locationOf(place), pointer };
}

/** In the form of editors and compilers: `file` or `file:line`. A file name cannot forge a line. */
export function formatLocation({ file, line }: Location): string {
  return line === undefined ? printable(file) : `${printable(file)}:${line}`;
}

/** A fault of a value, without its place. */
export interface Fault {
  /** Stable id of the rule; registry/README.md lists them all. */
  readonly rule: string;
  /** The fault, with the offending value quoted. */
  readonly text: string;
  /** The remedy. */
  readonly remedy: string;
}

export function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      compareCodePoints(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      comparePointers(a.pointer, b.pointer) ||
      compareCodePoints(a.rule, b.rule),
  );
}

/** A pointer consists of names that a file chooses, so it is cut. */
const POINTER_MAX = 400;

/** Two lines for a terminal: place, severity and rule; then the fault and the remedy. */
export function formatFinding(finding: Finding): string {
  const { rule, severity, pointer, text, remedy } = finding;
  return `${formatLocation(finding)}${pointer === "" ? "" : `#${printable(pointer, POINTER_MAX)}`}: ${severity} ${rule}\n  ${text}. ${remedy}.`;
}

/** Compares the first part that differs: array positions as numbers, names as text. */
function comparePointers(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const start = same === 0 ? 0 : a.lastIndexOf("/", same - 1) + 1;
  const [x, y] = [partAt(a, start), partAt(b, start)];
  const difference = /^\d+$/.test(x) && /^\d+$/.test(y) ? Number(x) - Number(y) : compareCodePoints(x, y);
  return difference === 0 ? a.length - b.length : difference;
}

function partAt(pointer: string, start: number): string {
  const end = pointer.indexOf("/", start);
  return pointer.slice(start, end === -1 ? undefined : end);
}
