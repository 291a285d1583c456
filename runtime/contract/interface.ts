/**
 * Checks that INTERFACE_FILE has everything that pages rendered at reply time need: for each
 * language a shell, and every text with only those placeholders for which the page has a value.
 */
import type { Interface } from "./inputs.ts";

/** A placeholder in a text. */
const VALUE = /\{[a-z]+\}/g;

/**
 * The keys of texts, by the part before the dot, each with its placeholders. A test compares them
 * with the texts of the content.
 */
const TEXTS = {
  concepts:
    "title title-page{page}{count} lede words names-in own-names all-domains filter is-code{concept} " +
    "is-expression{resolve} resolve-it none published-one{count} published-other{count} " +
    "published-by-name-one{count} published-by-name-other{count} unnamed-one{count} " +
    "unnamed-other{count} no-match matched-one{count} matched-other{count} matched-by-name-one{count} " +
    "matched-by-name-other{count} first{count} all data letters pages page previous next by-domain " +
    "by-collection matched-in-order-one{count} matched-in-order-other{count} by-hierarchy holders near-holders similar",
  concept:
    "domain version data expressions reviewed-one{count} reviewed-other{count} locale near " +
    "shared{provenance} strength{strength} no-provenance reviewed-by-line{name} renderings " +
    "renderings-about rendering{type}{confidence} provenance provenance-none source licence source-id " +
    "reviewed-by reviewed-on name notation relations relation-broader relation-narrower " +
    "relation-related more-one{count} more-other{count} match-exactMatch match-closeMatch " +
    "match-broadMatch match-narrowMatch match-relatedMatch notes note-title note-definition " +
    "note-scopeNote note-example note-note note-editorialNote note-historyNote note-changeNote " +
    "other-languages-one{count} other-languages-other{count} history history-added history-changed " +
    "history-retired history-kept gained-one{count} gained-other{count} lost-one{count} " +
    "lost-other{count} cite cite-about context{context} its-context skos no-permission preferred " +
    "leads filter all-languages collection collections path narrower-one{count} narrower-other{count} proof " +
    "proof-about{log} its-log proof-commands",
  missing:
    "title heading about onward retired{version} was{name} no-successor successor{code} " +
    "path-title path-heading path-about path-onward",
  resolve:
    "title title-resolved title-abstained title-refused expression expression-hint language optional " +
    "language-hint button resolved abstained refused refused-heading no-code no-code-heading domain " +
    "version record concept unclear valid{reason} no-reason filter candidates candidate{code}{score} " +
    "former{version}{code} propose share by-program",
  near: "invisible spaces punctuation compatibility case diacritics",
  reason: "no_reviewed_exact_match language_not_matched ambiguous_expression equivalence_not_exact registry_empty",
};

const KEYS: readonly (readonly [key: string, values: readonly string[]])[] = Object.entries(TEXTS).flatMap(
  ([part, names]) =>
    names.split(" ").map((name) => [`${part}.${name.replace(/\{.*/, "")}`, name.match(VALUE) ?? []] as const),
);

/**
 * The content of a page is inserted into its shell after these marks, which occur in this order.
 */
export const SHELL_MARKS = ["<title>", '<main id="main">'] as const;

export function isShell(text: string): boolean {
  const [title, main] = SHELL_MARKS;
  return text.includes(title) && text.includes(main, text.indexOf(title));
}

/**
 * Why pages cannot be rendered in English or in the language of a prefix; undefined if they can.
 */
export function interfaceFault({ languages }: Interface, prefixes: readonly string[]): string | undefined {
  for (const tag of ["en", ...prefixes.map((prefix) => prefix.slice(1))]) {
    const { shell, texts } = languages.find(({ language }) => language === tag) ?? {};
    if (texts === undefined) return `it has no texts in ${tag}`;
    if ((tag !== "en" || shell !== undefined) && !isShell(shell ?? ""))
      return `its shell in ${tag} has no place for a page`;
    const bad = KEYS.find(([key, values]) => {
      const found = Object.hasOwn(texts, key) ? (texts[key]?.match(VALUE) ?? []) : undefined;
      return found?.every((value) => values.includes(value)) !== true;
    });
    if (bad !== undefined) return `its text ${bad[0]} in ${tag} is missing or has values that no page has`;
  }
  return undefined;
}
