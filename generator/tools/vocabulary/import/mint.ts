/**
 * Makes codes from a text only, so that the same text gives the same code, and never one that is or
 * was in use. An import uses a concept's identifier, `mint` the name of a concept to be written by
 * hand. `asCode` turns a text into a similar code.
 */
import { createHash } from "node:crypto";
import { CODE_MAX_LENGTH } from "../../../../runtime/contract/limits.ts";
import { groupBy } from "../../../../runtime/text/group-by.ts";
import type { RegistrySource } from "../../../registry/read.ts";
import { compareCodePoints, largestFirst } from "../../../text/order.ts";

/** No vowels, so that codes do not form words, and no characters that look alike. */
const ALPHABET = "23456789BCDFGHJKMNPQRSTVWXYZ";

/** The form of a registry's codes, such as `C-` and eight characters. */
export interface CodeForm {
  readonly prefix: string;
  readonly length: number;
}

const USUAL: CodeForm = { prefix: "C-", length: 8 };
/** Shorter codes would run out: six characters give 480 million codes. */
const FORM = new RegExp(`^([A-Z]+-)([${ALPHABET}]{6,12})$`);

/** Makes a code from a text only; if it is taken, the next one of a fixed sequence. */
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

/** Makes new codes in the form of the registry's codes, one for each name. */
export function mintForNames(known: ReadonlySet<string>, names: readonly string[]): string[] {
  const form = formOf(known);
  const taken = new Set([...known].map((code) => code.toLowerCase()));
  return names.map((name) => {
    const code = mintCode(`mint\n${name}`, (wish) => taken.has(wish), form);
    taken.add(code.toLowerCase());
    return code;
  });
}

/**
 * Makes new codes for concepts without a name yet, from all known codes, so that each new code
 * changes the next.
 */
export function mintUnnamed(known: ReadonlySet<string>, count: number): string[] {
  const text = [...known].sort(compareCodePoints).join("\n");
  const seed = createHash("sha256").update(text).digest("hex");
  const names = Array.from({ length: count }, (_, i) => `${seed} ${i}`);
  return mintForNames(known, names);
}

/** Every code that is or was in use, as far as the registry knows. */
export function takenCodes({ concepts, retired, codeMap, memory }: RegistrySource): Set<string> {
  return new Set([
    ...concepts.map(({ record }) => record.code),
    ...retired.map(({ code }) => code),
    ...codeMap.map(({ code }) => code),
    ...Array.from(memory?.codes ?? [], ({ code }) => code),
  ]);
}

/** The most common form of the codes. */
function formOf(known: ReadonlySet<string>): CodeForm {
  const forms = [...known].flatMap((code) => {
    const [, prefix, { length } = ""] = FORM.exec(code) ?? [];
    return prefix === undefined || code.length > CODE_MAX_LENGTH ? [] : JSON.stringify({ prefix, length });
  });
  const [most] = largestFirst(groupBy(forms, String));
  return most === undefined ? USUAL : (JSON.parse(most[0]) as CodeForm);
}

/**
 * Turns a text into the most similar ConceptCode: upper case, `-` for characters that a code cannot
 * hold, `C-` before a digit. Undefined if nothing remains.
 */
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
