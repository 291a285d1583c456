/** The few things that an auditor reads out of a page. Every expression here takes time that is linear in it. */

/** Those of the pages, and what an address can hide a scheme or a host behind. */
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

/** Text with its references resolved: those by name above, and all by number. */
export function decodeEntities(html: string): string {
  return html.replaceAll(/&(?:#(x[\da-f]+|\d+);?|([a-zA-Z]+);)/gi, (whole, number: string | undefined, name = "") => {
    if (number === undefined) return ENTITIES[name as string] ?? whole;
    const code = Number(number.replace(/^x/i, "0x"));
    return code > 0x10_ff_ff ? "\uFFFD" : String.fromCodePoint(code);
  });
}

export interface Tag {
  /** In small letters, as the names of its attributes. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A start tag behind its `<` that every reader takes apart in the same way: no value has a `<`, or a quote without quotes. */
const TAG = /^([a-z][^\s"'=/>]*)((?:\s+[^\s"'=/>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=`>][^\s"'`>]*))?)*)\s*\/?>/i;
const ATTRIBUTE = /([^\s"'=/>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'`>]+)))?/g;

/** The start tags of a page, and the beginnings of what is none but could be read as one. */
export function tagsOf(html: string): { readonly tags: readonly Tag[]; readonly unclear: readonly string[] } {
  const [tags, unclear]: [Tag[], string[]] = [[], []];
  // Who can write a script with a nonce needs no trick, and its text has what looks like tags.
  let isScript = false;
  for (const part of html.split("<").slice(1)) {
    if (/^\/script[\s/>]/i.test(part)) isScript = false;
    const [, name = "", list = ""] = TAG.exec(part) ?? [];
    if (name === "" && !isScript && /^[a-z]/i.test(part)) unclear.push(`<${part.slice(0, 100)}`);
    // The first of a name counts.
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

/** Values of the attributes of these names. */
export function attributesOf(html: string, names: readonly string[]): string[] {
  const found = html.matchAll(new RegExp(`\\s(?:${names.join("|")})=(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "gi"));
  return [...found].map(([, double, single, bare]) => decodeEntities(double ?? single ?? bare ?? ""));
}

/** Letters and digits alone: what marks up a text is not compared. */
export function wordsOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

export function wordsOfPage(html: string): string {
  const text = html
    // Inline marks do not split words; everything else does.
    .replaceAll(/<\/?(?:code|em|strong|a|span|s)\b[^<>]*>/g, "")
    .replaceAll(/<[^<>]*>/g, " ");
  return wordsOf(decodeEntities(text));
}
