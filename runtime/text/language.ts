/**
 * Language tags: well-formedness (RFC 5646 §2.1), conventional case (§2.1.1) and lookup levels (RFC
 * 4647 §3.4). Lookup truncates only the *requested* tag: `de-AT` finds `de`, `de` never finds
 * `de-AT` (ruling O-05). Whether subtags are registered is checked by the generator (O-06).
 */

/** The parts of a well-formed tag, in their original case. */
export interface LanguageTag {
  readonly language: string;
  readonly extlang: readonly string[];
  readonly script: string | undefined;
  readonly region: string | undefined;
  readonly variants: readonly string[];
  /** Extension sequences with their singleton, such as `u-co-phonebk`. */
  readonly extensions: readonly string[];
  /** The private use sequence with its `x`, or the whole tag if it is only private use. */
  readonly privateUse: string | undefined;
  /** The whole tag if it is one of the 26 grandfathered ones. */
  readonly grandfathered: string | undefined;
}

// RFC 5646 §2.1; a 4-letter language is reserved and takes no extlang.
const LANGTAG = new RegExp(
  "^(?<language>[a-z]{2,3}(?<extlang>(?:-[a-z]{3}){0,3})|[a-z]{4}|[a-z]{5,8})" +
    "(?:-(?<script>[a-z]{4}))?" +
    "(?:-(?<region>[a-z]{2}|[0-9]{3}))?" +
    "(?<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)" +
    "(?<extensions>(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*)" +
    "(?:-(?<privateuse>x(?:-[a-z0-9]{1,8})+))?$",
  "i",
);
const PRIVATE_USE = /^x(?:-[a-z0-9]{1,8})+$/i;
const GRANDFATHERED = new RegExp(
  "^(?:en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de)|" +
    "art-lojban|cel-gaulish|no-(?:bok|nyn)|zh-(?:guoyu|hakka|min|min-nan|xiang))$",
  "i",
);

/** Parses a language tag by the grammar of RFC 5646 §2.1; undefined when it is not well-formed. */
export function parseLanguageTag(text: string): LanguageTag | undefined {
  const empty = { language: "", extlang: [], script: undefined, region: undefined, variants: [], extensions: [] };
  if (GRANDFATHERED.test(text)) return { ...empty, privateUse: undefined, grandfathered: text };
  if (PRIVATE_USE.test(text)) return { ...empty, privateUse: text, grandfathered: undefined };
  const groups = LANGTAG.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const language = groups["language"] ?? "";
  return {
    language: language.split("-")[0] ?? "",
    extlang: subtags(groups["extlang"]),
    script: groups["script"],
    region: groups["region"],
    variants: subtags(groups["variants"]),
    extensions: (groups["extensions"] ?? "").split(/-(?=[0-9a-z]-)/i).filter((part) => part !== ""),
    privateUse: groups["privateuse"],
    grandfathered: undefined,
  };
}

export function isWellFormedLanguageTag(text: string): boolean {
  return [LANGUAGE_ALONE, LANGTAG, PRIVATE_USE].some((form) => form.test(text)) || GRANDFATHERED.test(text);
}

/** §2.1: most tags are only a language of two or three letters. */
const LANGUAGE_ALONE = /^[A-Za-z]{2,3}$/;

/** The conventional case of RFC 5646 §2.1.1: `zh-hant-tw` becomes `zh-Hant-TW`. */
export function formatLanguageTag(tag: string): string {
  let afterSingleton = false;
  return tag
    .toLowerCase()
    .split("-")
    .map((subtag, position) => {
      const plain = position === 0 || afterSingleton;
      if (subtag.length === 1) afterSingleton = true;
      if (plain || (subtag.length !== 2 && subtag.length !== 4)) return subtag;
      return subtag.length === 2 ? subtag.toUpperCase() : subtag.charAt(0).toUpperCase() + subtag.slice(1);
    })
    .join("-");
}

/**
 * The tags to try, in order, in lower case. RFC 4647 §3.4 truncates from the right; a
 * single-character subtag goes together with the subtag after it.
 */
export function lookupLevels(tag: string): string[] {
  if (!tag.includes("-")) return [tag.toLowerCase()];
  const levels: string[] = [];
  const rest = tag.toLowerCase().split("-");
  while (rest.length > 0) {
    levels.push(rest.join("-"));
    rest.pop();
    if (rest.at(-1)?.length === 1) rest.pop();
  }
  return levels;
}

function subtags(sequence: string | undefined): string[] {
  return sequence === undefined || sequence === "" ? [] : sequence.slice(1).split("-");
}
