/**
 * Why a value is not a ResolveRequest, in the words and the order of its schema's validator. That one
 * is ten times as long, and this also runs in browsers; a test holds both to the same words.
 * Source: contract §4.1; rulings O-26, O-27.
 */
import {
  EXPRESSION_MAX_LENGTH,
  EXPRESSION_MIN_LENGTH,
  LANGUAGE_MAX_LENGTH,
  LANGUAGE_MIN_LENGTH,
} from "../contract/limits.ts";
import type { ResolveRequest } from "../contract/resolution.ts";
import { countCodePoints } from "../text/expression.ts";

/** The request, or what is wrong with it. */
export function readRequest(value: unknown): ResolveRequest | string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "The request must be an object";
  const { expression, language }: { expression?: unknown; language?: unknown } = value;
  if (expression === undefined) return 'The request lacks the property "expression"';
  const name = Object.keys(value).find((one) => one !== "expression" && one !== "language");
  if (name !== undefined)
    return `The request has the unknown property ${JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)}`;
  const wrong =
    wrongText("expression", expression, [EXPRESSION_MIN_LENGTH, EXPRESSION_MAX_LENGTH]) ??
    (language === undefined ? undefined : wrongText("language", language, [LANGUAGE_MIN_LENGTH, LANGUAGE_MAX_LENGTH]));
  return wrong ?? (value as ResolveRequest);
}

function wrongText(name: string, value: unknown, [least, most]: readonly [number, number]): string | undefined {
  if (typeof value !== "string") return `${name} must be a string`;
  const length = countCodePoints(value);
  if (length > most) return `${name} must have at most ${most} characters`;
  return length < least ? `${name} must have at least ${least} character` : undefined;
}
