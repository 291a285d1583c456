/**
 * Placeholders in prose that become values at build time, so that a site never quotes another
 * registry's words. Any other `$NAME` in capitals is a fault in a sentence; in code it stays,
 * because a shell has its own variables.
 */
import type { WithMarkdown } from "./content.ts";
import { sentencesOf } from "./markdown.ts";

export const PLACEHOLDERS = [
  "ORIGIN", "SERVER_NAME", "EXPRESSION", "LANGUAGE", "CODE", "REGISTRY_VERSION", "ANSWER",
] as const; // prettier-ignore

export type PlaceholderValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const KNOWN = new RegExp(`\\$(${PLACEHOLDERS.join("|")})\\b`, "g");

/**
 * Fills front matter and Markdown. A value is inserted unchanged, even if it contains the name of
 * another placeholder.
 */
export function fillPlaceholders<P extends WithMarkdown>(prose: P, values: PlaceholderValues): P {
  return changeTexts(prose, (text) => text.replaceAll(KNOWN, (_whole, name: keyof PlaceholderValues) => values[name]));
}

export function unknownPlaceholders(prose: WithMarkdown): string[] {
  const found = new Set<string>();
  changeTexts(prose, (text) => {
    const sentences = sentencesOf(text).map((sentence) => sentence.replaceAll(KNOWN, ""));
    for (const name of sentences.join("\n").match(/\$[A-Z][A-Z_]+\b/g) ?? []) found.add(name);
    return text;
  });
  return [...found];
}

/**
 * Changes every text of a file that people read, except the body of a template, which prints its
 * own values.
 */
function changeTexts<P extends WithMarkdown>({ file, markdown, ...matter }: P, change: (text: string) => string): P {
  const changed = JSON.stringify(matter, (_key, value: unknown) => (typeof value === "string" ? change(value) : value));
  return { ...(JSON.parse(changed) as P), file, markdown: file.endsWith(".md") ? change(markdown) : markdown };
}
