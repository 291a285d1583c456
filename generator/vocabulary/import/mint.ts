/**
 * Codes that are made: from a text alone, so that the same text gives the same code, and never one that somebody has or
 * had. An import makes them of a concept's identifier, `mint` of the name of a concept that is to be written by hand. And
 * codes that a text is like.
 */
import { createHash } from "node:crypto";
import { CODE_MAX_LENGTH } from "../../../runtime/contract/limits.ts";
import { groupBy } from "../../../runtime/text/group-by.ts";
import type { RegistrySource } from "../../registry/read.ts";
import { compareCodePoints, largestFirst } from "../../text/order.ts";

/** No vowels, so that no words come about, and no characters that look alike. */
const ALPHABET = "23456789BCDFGHJKMNPQRSTVWXYZ";

/** What the codes of a registry look like: `C-` and eight characters. */
export interface CodeForm {
  readonly prefix: string;
  readonly length: number;
}

const USUAL: CodeForm = { prefix: "C-", length: 8 };
/** A shorter one would run out: six characters give 480 million codes. */
const FORM = new RegExp(`^([A-Z]+-)([${ALPHABET}]{6,12})$`);

/** A code from a text alone; where somebody has it, the next one of a fixed row. */
export function mintCode(identity: string, isTaken: (code: string) => boolean, form: CodeForm = USUAL): string {
  for (let round = 0; ; round++) {
    const text = round === 0 ? identity : `${identity}\n${round}`;
    let number = createHash("sha256").update(text).digest().readBigUInt64BE();
    let code = form.prefix;
    for (let i = 0; i < form.length; i++) {
      code += ALPHABET.charAt(Number(number % BigInt(ALPHABET.length)));
      number /= BigInt(ALPHABET.length);
    }
    if (!isTaken(code.toLowerCase())) return code;
  }
}

/** New codes in the form of those that the registry has, one for each name. */
export function mintForNames(known: ReadonlySet<string>, names: readonly string[]): string[] {
  const form = formOf(known);
  const taken = new Set([...known].map((code) => code.toLowerCase()));
  return names.map((name) => {
    const code = mintCode(`mint\n${name}`, (wish) => taken.has(wish), form);
    taken.add(code.toLowerCase());
    return code;
  });
}

/** New codes for concepts that have no name yet: from all codes that are known, so that each of them changes the next. */
export function mintUnnamed(known: ReadonlySet<string>, count: number): string[] {
  const text = [...known].sort(compareCodePoints).join("\n");
  const seed = createHash("sha256").update(text).digest("hex");
  const names = Array.from({ length: count }, (_, i) => `${seed} ${i}`);
  return mintForNames(known, names);
}

/** Every code that is or was somebody's, as far as the registry knows. */
export function knownCodes({ concepts, retired, codeMap }: RegistrySource, released: readonly string[]): Set<string> {
  return new Set([
    ...concepts.map(({ record }) => record.code),
    ...retired.map(({ code }) => code),
    ...codeMap.map(({ code }) => code),
    ...released,
  ]);
}

/** The form that most of the codes have. */
function formOf(known: ReadonlySet<string>): CodeForm {
  const forms = [...known].flatMap((code) => {
    const [, prefix, { length } = ""] = FORM.exec(code) ?? [];
    return prefix === undefined || code.length > CODE_MAX_LENGTH ? [] : JSON.stringify({ prefix, length });
  });
  const [most] = largestFirst(groupBy(forms, String));
  return most === undefined ? USUAL : (JSON.parse(most[0]) as CodeForm);
}

/** A text as a ConceptCode, as near as can be: upper case, `-` for what a code cannot hold, `C-` before a digit. */
export function asCode(text: string): string | undefined {
  const parts = text
    .replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
    .replaceAll(/[^A-Z0-9._]+/g, "-")
    .replaceAll(/[-._]*-[-._]*/g, "-")
    .replaceAll(/([._])[._]+/g, "$1")
    .replaceAll(/^[-._]+|[-._]+$/g, "");
  if (parts === "") return undefined;
  return (/^[A-Z]/.test(parts) ? parts : `C-${parts}`).slice(0, CODE_MAX_LENGTH).replace(/[-._]+$/, "");
}
