/**
 * Identifiers that are made from names, and the record that keeps them: a name may change, and an
 * identifier that programs use must not. The record is CSV (RFC 4180) that needs no quotes, sorted
 * by code; people may write other identifiers into it before programs use them.
 */
import { compareCodePoints } from "../../../text/order.ts";
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import type { CodeList } from "./code-list.ts";
import { identifierOf } from "./identifier.ts";

const HEAD = "code,identifier";
/** No keyword in TypeScript or Python, because those have small letters. */
const LINE = /^([^,"]+),([A-Z][A-Z0-9_]*)$/;
const LENGTH_MAX = 60;

/** The identifiers of a record, by code; `place` is its name. Throws UsageError if it is none. */
export function readIdentifiers(text: string, place: string): Map<string, string> {
  const [head, ...lines] = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (head !== HEAD) throw new UsageError(`${place} does not begin with the line ${HEAD}`);
  const known = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    const [, code, identifier] = LINE.exec(line) ?? [];
    const fault = (what: string): UsageError => new UsageError(`${place}, line ${i + 2}: ${what}`);
    if (code === undefined || identifier === undefined)
      throw fault(`${quote(line)} is not a code, a comma and an identifier of the letters A to Z, digits and _`);
    if (known.has(code)) throw fault(`${code} is there twice`);
    const owner = owners.get(identifier);
    if (owner !== undefined) throw fault(`${identifier} is the identifier of ${owner} too`);
    known.set(code, identifier);
    owners.set(identifier, code);
  }
  return known;
}

/** The identifiers of the record, which stay, and those of the codes that it lacks. */
export function withNewIdentifiers(known: ReadonlyMap<string, string>, list: CodeList): Map<string, string> {
  const all = new Map(known);
  const taken = new Set(known.values());
  for (const { code, name } of list) {
    if (all.has(code)) continue;
    const identifier = firstFree(nameIdentifier(name), identifierOf(code), taken);
    taken.add(identifier);
    all.set(code, identifier);
  }
  return all;
}

export function formatIdentifiers(identifiers: ReadonlyMap<string, string>): string {
  const lines = [...identifiers].sort(([a], [b]) => compareCodePoints(a, b)).map((pair) => pair.join(","));
  return `${[HEAD, ...lines].join("\n")}\n`;
}

/** Letters and digits of ASCII, in capitals and without accents; empty without any letter. */
function nameIdentifier(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^_/, "");
  if (!/[A-Z]/.test(words)) return "";
  // An identifier does not begin with a digit.
  return `${/^[0-9]/.test(words) ? "N" : ""}${words}`.slice(0, LENGTH_MAX).replace(/_$/, "");
}

/** The code tells apart what names do not. */
function firstFree(wanted: string, ofCode: string, taken: ReadonlySet<string>): string {
  const candidates = wanted === "" ? [ofCode] : [wanted, `${wanted}_${ofCode}`];
  const free = candidates.find((candidate) => !taken.has(candidate));
  if (free !== undefined) return free;
  let count = 2;
  while (taken.has(`${candidates.at(-1) ?? ""}_${count}`)) count++;
  return `${candidates.at(-1) ?? ""}_${count}`;
}
