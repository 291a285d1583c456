/**
 * Prints changed answers for people: the most important first, long lists cut. Texts of a release
 * are quoted, so that nothing in them can forge a line, hide one, or control a terminal.
 */
import { RESOLUTION_KINDS, type ResolutionChange, type ResolutionKind } from "../contract/changes.ts";
import { printableJson } from "../text/printable.ts";
import { type Some, someOfEach } from "./change-list.ts";

/** How many items of a kind are shown, and how many characters of a value. */
export const SHOWN = 20;
export const VALUE_MAX = 160;
const LISTS_ALL = "--json lists all";

/**
 * Returns the verdict on the answers of two releases that differ; `all` says what lists them all.
 */
export function* formatResolutions(
  resolutions: Iterable<ResolutionChange>,
  all = LISTS_ALL,
): Generator<string, string> {
  const resolved = someOfEach(resolutions, ({ kind }) => kind, SHOWN);
  for (const kind of RESOLUTION_KINDS)
    yield* section(RESOLUTION_WORDS[kind], { ...resolved(kind), all }, resolutionLines);
  const { count } = resolved("reassigned");
  if (count > 0)
    return `Different, and ${count} ${count === 1 ? "resolution was" : "resolutions were"} reassigned to another code.`;
  const answers = resolved("now_abstains").count + resolved("now_resolves").count;
  return `Different; ${answers === 0 ? "every expression resolves as before" : "nothing was reassigned to another code"}.`;
}

const RESOLUTION_WORDS: Record<ResolutionKind, string> = {
  reassigned: "REASSIGNED: these resolve to another code, which breaks the promise of stability",
  now_abstains: "Resolved before and abstain now",
  now_resolves: "Abstained before and resolve now",
  reason_changed: "Abstain for another reason",
};

/** A titled list; nothing if there is none. */
export function* section<T>(
  title: string,
  { count, first, all }: Some<T> & { readonly all?: string },
  lines: (item: T) => string[],
): Generator<string, void> {
  if (count === 0) return;
  yield `\n${title}: ${count}`;
  for (const item of first) yield* indented(lines(item));
  yield* indented(more(count, SHOWN, all));
}

function resolutionLines({ expression, language, before, after }: ResolutionChange): string[] {
  const [was, is] = [before, after].map((answer) => ("code" in answer ? plain(answer.code) : answer.reason));
  return [`${shown(expression)} (${language === null ? "no language" : plain(language)}): ${was} → ${is}`];
}

/** How many more there are than are shown. */
export function more(count: number, limit: number, all = LISTS_ALL): string[] {
  return count > limit ? [`… and ${count - limit} more (${all})`] : [];
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** A name, quoted unless it consists of harmless characters. */
export function plain(text: string): string {
  return /^[\w./:@!~^+=,{}[\]$-]+$/.test(text) ? text : shown(text);
}

/** A value as JSON; an ellipsis shows that it is cut. */
export function shown(value: unknown): string {
  const text = printableJson(value);
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
}
