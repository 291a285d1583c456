/**
 * Near forms: what people type instead of an expression. Two expressions are near if the rules
 * below, up to one of them, make them the same text. A near form is evidence and never an
 * assignment: it decides nothing, and keys are compared without it (text/expression.ts).
 * The rules stand in the order of their scores, and each includes those before it.
 * Source: UAX #15 (NFKC), UAX #44 (White_Space, Default_Ignorable_Code_Point), the Unicode
 * Standard §5.18 (case); ruling O-26.
 */
import { EXPRESSION_MAX_LENGTH } from "../contract/limits.ts";
import { countCodePoints, keyOf } from "../text/expression.ts";

/** A text that stands for an expression, and how near it is: 1 for the expression's own key. */
export interface NearForm {
  readonly text: string;
  readonly score: number;
}

/** Dashes, apostrophes and quotation marks that stand for one on a keyboard, or look like it. */
const DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/gu;
const APOSTROPHES = /[\u2018-\u201B\u2032\u2039\u203A\u02B9\u02BB\u02BC\u00B4\u0060\u05F3\uFF07]/gu;
const QUOTES = /[\u201C-\u201F\u2033\u00AB\u00BB\u05F4\u301D-\u301F\uFF02]/gu;

/** A letter of a script whose marks may be left out in writing, and the marks after it. */
const MARKED = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}])\p{Mn}+/gu;

export const NEAR_RULES = [
  {
    name: "invisible",
    score: 0.95,
    fold: (text: string) => text.replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, ""),
  },
  { name: "spaces", score: 0.9, fold: foldSpaces },
  { name: "punctuation", score: 0.85, fold: plainPunctuation },
  { name: "compatibility", score: 0.8, fold: (text: string) => text.normalize("NFKC") },
  { name: "case", score: 0.7, fold: foldCase },
  {
    name: "diacritics",
    score: 0.5,
    fold: (text: string) => text.normalize("NFD").replaceAll(MARKED, "$1"),
  },
] as const;
export type NearRule = (typeof NEAR_RULES)[number];

/** The text as people type it: word processors write other spaces, quotation marks and dashes. */
export function asTyped(text: string): string {
  return plainPunctuation(text.replaceAll(/\p{Zs}/gu, " "));
}

function foldSpaces(text: string): string {
  return text.replaceAll(/\p{White_Space}+/gu, " ").trim();
}

/** The quotation marks, apostrophes and dashes that a keyboard has. */
function plainPunctuation(text: string): string {
  return text.replaceAll(APOSTROPHES, "'").replaceAll(QUOTES, '"').replaceAll(DASHES, "-");
}

/** Lower case first: only so does the capital sharp s become two letters. Sigma has two forms. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("\u03C2", "\u03C3");
}

/**
 * The key of an expression and every other text that its rules make of it, nearest first. A text
 * that no expression could be, because it is empty or too long, is left out.
 */
export function nearForms(expression: string): NearForm[] {
  let text = keyOf(expression);
  const forms: NearForm[] = [{ text, score: 1 }];
  for (const [last, { score }] of NEAR_RULES.entries()) {
    const folded = foldTo(text, last);
    if (folded === text) continue;
    text = folded;
    if (text !== "" && countCodePoints(text) <= EXPRESSION_MAX_LENGTH) forms.push({ text, score });
  }
  return forms;
}

/**
 * Applies a rule to a text that those before it leave as it is; what it changed, they may change
 * again. After that no rule changes it: of all characters, alone and in random texts, none does.
 */
function foldTo(text: string, last: number): string {
  let folded = fold(text, last);
  if (folded !== text) for (let rule = 0; rule <= last; rule++) folded = fold(folded, rule);
  return folded;
}

function fold(key: string, rule: number): string {
  return (rulesFor(key) >> rule) % 2 === 1 ? keyOf(NEAR_RULES[rule]?.fold(key) ?? key) : key;
}

/**
 * The rules that may change a key, a bit for each: those that change one of its characters, and all
 * where there are spaces too many. No rule looks at more than a character, a mark after a letter,
 * or spaces in a row. Most change nothing, and trying each would take a while.
 */
function rulesFor(key: string): number {
  let rules = /^ |  | $/.test(key) ? ALL : 0;
  for (let i = 0; i < key.length; i++) {
    const point = key.codePointAt(i) ?? 0;
    rules |= known[point] || learn(point);
  }
  return rules;
}

const ALL = 0xff;
/** For each code point that was met, the rules that change it, and a higher bit. */
const known = new Uint8Array(0x110000);

/** Tries every rule between two letters, where a space stays and a mark goes. */
function learn(point: number): number {
  known[point] = ALL;
  const probe = keyOf(`a${String.fromCodePoint(point)}a`);
  let rules = 0x80;
  for (const rule of NEAR_RULES.keys()) if (fold(probe, rule) !== probe) rules |= 1 << rule;
  return (known[point] = rules);
}

/** Finds the rule that makes a text the same as this; undefined if none does, or by their keys. */
export function nearRuleTo(asked: string): (text: string) => NearRule | undefined {
  const scores = new Map(nearForms(asked).map(({ text, score }) => [text, score]));
  return (other) => {
    const common = nearForms(other).map(({ text, score }) => Math.min(score, scores.get(text) ?? 0));
    const nearest = Math.max(...common);
    return NEAR_RULES.find(({ score }) => score === nearest);
  };
}
