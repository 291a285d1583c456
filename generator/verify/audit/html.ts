/**
 * Reads the few things in a page that are checked. Every regular expression here takes linear time.
 */

/**
 * The named references that pages use, and those that can hide the scheme or the host of an
 * address.
 */
const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  colon: ":",
  sol: "/",
  bsol: "\\",
  Tab: "\t",
  NewLine: "\n",
};

/** Resolves character references: the named ones above, and all numeric ones. */
export function decodeEntities(html: string): string {
  return html.replaceAll(/&(?:#(x[\da-f]+|\d+);?|([a-zA-Z]+);)/gi, (whole, number: string | undefined, name = "") => {
    if (number === undefined) return ENTITIES[name as string] ?? whole;
    const code = Number(number.replace(/^x/i, "0x"));
    return code > 0x10_ff_ff ? "\uFFFD" : String.fromCodePoint(code);
  });
}

export interface Tag {
  /** In lower case, like the names of its attributes. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * A start tag, after its `<`, that all parsers read alike: no value contains a `<`, and no unquoted
 * value contains a quote.
 */
const TAG = /^([a-z][^\s"'=/>]*)((?:\s+[^\s"'=/>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=`>][^\s"'`>]*))?)*)\s*\/?>/i;
const ATTRIBUTE = /([^\s"'=/>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'`>]+)))?/g;

/**
 * The start tags of a page, and the beginnings of texts that are not tags but could be read as one.
 */
export function tagsOf(html: string): { readonly tags: readonly Tag[]; readonly unclear: readonly string[] } {
  const [tags, unclear]: [Tag[], string[]] = [[], []];
  // Whoever can write a script with a nonce needs no trick, and its text can look like tags.
  let isScript = false;
  for (const part of html.split("<").slice(1)) {
    if (/^\/script[\s/>]/i.test(part)) isScript = false;
    const [, name = "", list = ""] = TAG.exec(part) ?? [];
    if (name === "" && !isScript && /^[a-z]/i.test(part)) unclear.push(`<${part.slice(0, 100)}`);
    // The first attribute of a name counts.
    const attributes = [...list.matchAll(ATTRIBUTE)].map(
      ([, attribute = "", ...values]) => [attribute.toLowerCase(), decodeEntities(values.join(""))] as const,
    );
    if (name === "") continue;
    const tag = { name: name.toLowerCase(), attributes: new Map(attributes.toReversed()) };
    tags.push(tag);
    isScript ||= tag.name === "script" && tag.attributes.has("nonce");
  }
  return { tags, unclear };
}

/** Values of the attributes with these names. */
export function attributesOf(html: string, names: readonly string[]): string[] {
  return tagsOf(html).tags.flatMap(({ attributes }) => names.flatMap((name) => attributes.get(name) ?? []));
}

/** Letters and digits only: markup is not compared. */
export function wordsOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

export function wordsOfPage(html: string): string {
  const text = html
    // Inline elements do not split words; everything else does.
    .replaceAll(/<\/?(?:code|em|strong|a|span|s)\b[^<>]*>/g, "")
    .replaceAll(/<[^<>]*>/g, " ");
  return wordsOf(decodeEntities(text));
}
