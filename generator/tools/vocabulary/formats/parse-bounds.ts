/**
 * Keeps a hostile or broken file from filling the memory. It limits how far a parser may read, and
 * how deep it may nest, before a statement comes out; it checks the encoding and entities of an XML
 * file, and where a JSON text begins and ends. The limits bound single texts in a file, not the
 * file itself.
 */
import type { Piece } from "./text-pieces.ts";

/**
 * Characters that may be read without a statement coming out: a longer literal, comment or unclosed
 * quote does not belong in a vocabulary. A literal of up to half this length is always read. If the
 * context of a JSON-LD file is not at its beginning, text is held until the context comes, so this
 * limit bounds that as well.
 */
const LENGTH = 16 * 2 ** 20;
const DEPTH = 500;
/**
 * Entities usually are namespaces. The limit keeps many uses of a long one from adding up between
 * two checks.
 */
const ENTITY_LENGTH = 1000;

/** How far a parser has read without a statement, and how deep it is. */
export class ParseLimits {
  #length = 0;
  #depth = 0;

  /** Counts text that was read, or that was expanded from it. */
  feed(length: number): void {
    this.#length += length;
    if (this.#length > LENGTH) {
      throw new Error(
        "16 million characters hold no statement: a text is too long, its quote is not closed, or a JSON-LD context is not at the beginning",
      );
    }
  }

  arrive(): void {
    this.#length = 0;
  }

  nest(change: 1 | 0 | -1): void {
    this.#depth += change;
    if (this.#depth > DEPTH) throw new Error(`more than ${DEPTH} levels are nested in each other`);
  }
}

/** XML 1.0 §4.6. */
const PREDEFINED: Readonly<Record<string, string>> = { amp: "&", gt: ">", lt: "<", quot: '"', apos: "'" };

/** Without a prototype, whose members would otherwise count as entities. */
export function xmlEntities(): Record<string, string> {
  return Object.assign(Object.create(null) as Record<string, string>, PREDEFINED);
}

/** Gives a parser the entities of a DOCTYPE; each use counts as text that was read. */
export function addEntities(entities: Record<string, string>, doctype: string, limits: ParseLimits): void {
  for (const [name, value] of readEntities(doctype)) {
    Object.defineProperty(entities, name, {
      get() {
        limits.feed(value.length);
        return value;
      },
    });
  }
}

/** Throws if the beginning of a file declares another encoding than UTF-8. */
export function checkEncoding({ text, line }: Piece): void {
  const encoding = line === 1 ? /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1] : undefined;
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii|ascii)$/i.test(encoding))
    throw new Error(`the file says that its encoding is ${encoding}, and only UTF-8 is read`);
}

/**
 * Returns the entities that a DOCTYPE declares; throws for anything that could fetch or multiply.
 */
function readEntities(doctype: string): ReadonlyMap<string, string> {
  const parts = /^\s*[^\s[]+\s*(?:\[([\s\S]*)\]\s*)?$/.exec(doctype);
  if (parts === null) throw new Error("its DOCTYPE names another file, and nothing is fetched: remove the DOCTYPE");
  const [, subset = ""] = parts;
  const entities = new Map<string, string>();
  for (let at = 0; at < subset.length;) {
    DECLARATION.lastIndex = at;
    const match = DECLARATION.exec(subset);
    if (match === null) {
      throw new Error(
        'its DOCTYPE declares more than plain entities (<!ENTITY name "text">): write where they are used what the others stand for, and remove them',
      );
    }
    const { 1: name, 2: double, 3: single } = match;
    const value = double ?? single ?? "";
    if (value.length > ENTITY_LENGTH)
      throw new Error(`entity ${name ?? ""} is longer than ${ENTITY_LENGTH} characters`);
    if (name !== undefined && !entities.has(name)) entities.set(name, replacementOf(name, value));
    at = DECLARATION.lastIndex;
  }
  return entities;
}

/**
 * White space, a comment, or an entity without markup in it, and with no other references than to
 * characters and to the entities that XML itself has.
 */
const REFERENCE = "&(?:#[0-9]+|#x[0-9A-Fa-f]+|amp|lt|gt|quot|apos);";
const DECLARATION = new RegExp(
  String.raw`\s+|<!--(?:(?!--)[\s\S])*-->|` +
    String.raw`<!ENTITY\s+([^\s%"'&<>]+)\s+(?:"([^"&%<]*(?:${REFERENCE}[^"&%<]*)*)"|'([^'&%<]*(?:${REFERENCE}[^'&%<]*)*)')\s*>`,
  "y",
);

/**
 * XML 1.0 §4.5: references to characters are expanded in a declaration, and all others where the
 * entity is used. A use is not parsed again, so both are done here, once each: `&#38;#60;` is `<`,
 * as in §4.6, and `&#60;` by itself begins markup.
 */
function replacementOf(name: string, value: string): string {
  const declared = value.replaceAll(/&#[^;]+;/g, characterOf);
  const references = new RegExp(REFERENCE, "g");
  if (/[<&]/.test(declared.replaceAll(references, "")))
    throw new Error(`entity ${name} stands for markup: write what it stands for where it is used, and remove it`);
  return declared.replaceAll(references, (one) => PREDEFINED[one.slice(1, -1)] ?? characterOf(one));
}

/** XML 1.0 §4.1 and §2.2 (Char). */
function characterOf(reference: string): string {
  const code = Number(reference.slice(2, -1).replace(/^x/, "0x"));
  const character = code <= 0x10_ffff ? String.fromCodePoint(code) : "";
  if (/^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]$/u.test(character)) return character;
  throw new Error(`${reference} is not a character that XML admits: remove it`);
}

const HALF = "a text has half of a surrogate pair: write both halves, or the character itself";

/**
 * Follows only the brackets and strings of a JSON text: the parser reports neither a truncated text
 * nor a second one after the first.
 */
export class JsonShape {
  readonly #limits: ParseLimits;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The digits of `\u` read so far, while they are read. */
  #digits: string | undefined;
  #isHalf = false;
  #hasBegun = false;

  constructor(limits: ParseLimits) {
    this.#limits = limits;
  }

  get isClosed(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  read(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (this.#isInString) {
        if (this.#digits !== undefined) this.#digit(text.charAt(i));
        else if (this.#isEscaped) this.#escape(unit);
        else if (unit === 0x5c) this.#isEscaped = true;
        else if (this.#isHalf) throw new Error(HALF);
        else if (unit === 0x22) this.#isInString = false;
      } else if (unit > 0x20) this.#token(unit);
    }
  }

  end(): void {
    if (!this.#hasBegun) throw new Error("the file is empty");
    if (this.#depth > 0 || this.#isInString) throw new Error("the file ends before its last bracket");
  }

  #escape(unit: number): void {
    this.#isEscaped = false;
    if (unit === 0x75) this.#digits = "";
    else if (this.#isHalf) throw new Error(HALF);
  }

  /** The parser would lose half of a surrogate pair, or move it to the next text. */
  #digit(digit: string): void {
    this.#digits += digit;
    if (this.#digits?.length !== 4) return;
    const unit = Number.parseInt(this.#digits, 16);
    this.#digits = undefined;
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (isLow !== this.#isHalf) throw new Error(HALF);
    this.#isHalf = unit >= 0xd800 && unit <= 0xdbff;
  }

  #token(unit: number): void {
    if (this.isClosed) throw new Error("something follows the last bracket");
    const isOpening = unit === 0x7b || unit === 0x5b;
    if (!this.#hasBegun && !isOpening) throw new Error("the file does not begin with a bracket");
    this.#hasBegun = true;
    if (unit === 0x22) this.#isInString = true;
    else if (isOpening) this.#nest(1);
    else if (unit === 0x7d || unit === 0x5d) this.#nest(-1);
  }

  #nest(change: 1 | -1): void {
    this.#depth += change;
    this.#limits.nest(change);
  }
}
