/**
 * Refuses a source of which nothing is taken: it would make an empty registry, or retire every
 * concept of a registry, and look like a success. Our export of an empty registry is one that means
 * it.
 */
import { groupBy } from "../../../../runtime/text/group-by.ts";
import type { Source } from "../formats/source.ts";

/** Why nothing is taken; undefined if something is. `isNew`: there is no registry yet. */
export function whyNothing(source: Source, { isNew }: { readonly isNew: boolean }): string | undefined {
  const { concepts, registry, faults, leftOut } = source;
  if (registry !== undefined) return undefined;
  const lost = Object.entries(leftOut).map(([what, count]) => `${count} ${what}`);
  // A file of one language may wait for its first text, but not begin a registry.
  const current = concepts.filter(({ retired }) => retired === undefined);
  const isBare = isNew && lost.length > 0 && current.length > 0 && !current.some(hasText);
  if (concepts.length > 0 && !isBare) return undefined;
  const found = [...groupBy(faults, ({ rule }) => rule)].map(([rule, { length }]) => `${rule} ${length}`);
  const what = concepts.length === 0 ? "holds no concept that can be taken" : "holds no text that is taken";
  const why = [
    ...(lost.length === 0 ? [] : [`not taken: ${lost.join(", ")}`]),
    ...(found.length === 0 ? [] : [`findings: ${found.join(", ")}`]),
  ];
  return `${what}${why.length === 0 ? "" : ` (${why.join("; ")})`}: check that it is the file and the languages that you mean`;
}

function hasText({ expressions, hiddenLabels }: Source["concepts"][number]): boolean {
  return expressions.length + hiddenLabels.length > 0;
}
