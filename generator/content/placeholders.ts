/**
 * Names in prose that become values at build, so that no site speaks of another registry's words. Any other `$NAME` in
 * capitals is a fault in a sentence; in code it stays, because a shell has variables of its own.
 */
import { sentencesOf } from "./markdown.ts";

export const PLACEHOLDERS = [
  "ORIGIN", "SERVER_NAME", "EXPRESSION", "LANGUAGE", "CODE", "REGISTRY_VERSION", "ANSWER",
] as const; // prettier-ignore

export type PlaceholderValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const KNOWN = new RegExp(`\\$(${PLACEHOLDERS.join("|")})\\b`, "g");

/** A value is put in as it is, also where it has the name of another one in it. */
export function fillPlaceholders(markdown: string, values: PlaceholderValues): string {
  return markdown.replaceAll(KNOWN, (_whole, name: keyof PlaceholderValues) => values[name]);
}

export function unknownPlaceholders(markdown: string): string[] {
  const found = sentencesOf(markdown).flatMap((text) => text.replaceAll(KNOWN, "").match(/\$[A-Z][A-Z_]+\b/g) ?? []);
  return [...new Set<string>(found)];
}
