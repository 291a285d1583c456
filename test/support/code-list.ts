/** A list of codes whose texts try to end the literal, the comment or the line that they are in. */
import type { CodeList, ListedCode } from "../../generator/tools/vocabulary/release-formats/code-list.ts";

const TEXTS = [
  "*/ export const broken = 1; /*",
  '"""\nraise SystemExit(1)\n"""',
  "'); DROP TABLE concept_code; --",
  "two\nlines\r\nand \u2028 and \u2029 and \u0085",
  "\\",
  "\\'",
  "`${process.exit(1)}`",
  "\n@deprecated a live code",
  "{@link x} */",
  "\u202Egnp.exe\u202C \u2066x",
  "مرحبا بالعالم",
  "class",
  "__proto__",
  "# -*- coding: utf-7 -*-",
  "=1+1",
  "\u{E0001}tag 😀",
  '"',
  "'",
  "/*! 1 */",
  "\t\u007F",
];

/** Codes whose identifiers are nearly the same, or words of languages. */
const CODES = ["A-B", "A.B", "A_B", "CLASS", "MRO", "NONE", "NULL", "TRUE"];

const published = (code: string, text: string): ListedCode => ({
  code,
  name: text,
  concept: {
    code,
    name: text,
    definition: `Definition: ${text}`,
    domain: text,
    provenance: null,
    expressions: [],
    renderings: [],
  },
});

const retired = (code: string, name: string, replacedBy: string | null): ListedCode => ({
  code,
  name,
  retired: { retiredIn: "2026.10.1", replacedBy, reason: name, name },
});

const CODE_LIST = [
  ...CODES.map((code) => published(code, `Text of ${code}`)),
  ...TEXTS.map((text, at) => published(`T-${String(at + 100)}`, text)),
  ...TEXTS.map((text, at) => retired(`X-${String(at + 100)}`, text, at % 2 === 0 ? null : `T-${String(at + 100)}`)),
];

export function listOf(codes: readonly ListedCode[]): CodeList {
  const retiredCount = codes.filter((one) => one.retired !== undefined).length;
  return {
    origin: "https://registry.example",
    registryVersion: "2026.11.1",
    contentSha256: "0".repeat(64),
    publishedCount: codes.length - retiredCount,
    retiredCount,
    [Symbol.iterator]: () => codes[Symbol.iterator](),
  };
}

export const HOSTILE = listOf(CODE_LIST);
