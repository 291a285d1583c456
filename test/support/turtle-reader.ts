/**
 * Reads Turtle, and N-Triples within it, by code of the tests' own: what the importer made of a file is held against it.
 * Strict: a text that is not in the grammar below throws with its line.
 * Source: RDF 1.1 Turtle (W3C, 2014); RFC 3986 §5.2 for relative IRIs.
 */

export interface Node {
  readonly kind: "iri" | "blank";
  readonly value: string;
}

export interface Literal {
  readonly kind: "literal";
  readonly value: string;
  /** As written; empty where there is none. */
  readonly language: string;
  readonly datatype: string;
}

export interface Triple {
  readonly subject: Node;
  readonly predicate: string;
  readonly object: Node | Literal;
}

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const XSD = "http://www.w3.org/2001/XMLSchema#";

const ESCAPE = String.raw`\\[tbnrf"'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}`;
const LETTER =
  String.raw`A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F` +
  String.raw`\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}`;
const WORD = String.raw`${LETTER}_\-0-9\u00B7\u0300-\u036F\u203F\u2040`;
const PERCENT = String.raw`%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]`;

/** Each matches at a place or not at all; the longest quotes come first. */
const TOKENS = {
  space: /(?:[ \t\r\n]|#[^\r\n]*)+/y,
  iri: /<((?:[^\0-\x20<>"{}|^`\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*)>/y,
  directive: /@(?:prefix|base)(?![A-Za-z0-9-])|(?:PREFIX|BASE)(?=[ \t\r\n])/iy,
  long: new RegExp(`"""((?:"{0,2}(?:[^"\\\\]|${ESCAPE}))*)"""|'''((?:'{0,2}(?:[^'\\\\]|${ESCAPE}))*)'''`, "y"),
  short: new RegExp(`"((?:[^"\\\\\\r\\n]|${ESCAPE})*)"|'((?:[^'\\\\\\r\\n]|${ESCAPE})*)'`, "y"),
  tag: /@([A-Za-z]+(?:-[A-Za-z0-9]+)*)/y,
  blank: new RegExp(`_:([${LETTER}_0-9](?:[${WORD}.]*[${WORD}])?)`, "uy"),
  number: /[+-]?(?:[0-9]+\.?[0-9]*[eE][+-]?[0-9]+|\.[0-9]+[eE][+-]?[0-9]+|[0-9]*\.[0-9]+|[0-9]+)/y,
  word: new RegExp(`(?:a|true|false)(?![${WORD}:])`, "uy"),
  name: new RegExp(
    `((?:[${LETTER}](?:[${WORD}.]*[${WORD}])?)?):((?:(?:[${LETTER}_:0-9]|${PERCENT})(?:(?:[${WORD}.:]|${PERCENT})*(?:[${WORD}:]|${PERCENT}))?)?)`,
    "uy",
  ),
  mark: /\^\^|[.;,[\]()]/y,
} as const;

/** The triples in the order of the text; blank nodes have labels of their own. */
export function parseTurtle(text: string): Triple[] {
  return new Reader(text).document();
}

class Reader {
  readonly #text: string;
  readonly #triples: Triple[] = [];
  readonly #prefixes = new Map<string, string>();
  #base = "";
  #at = 0;
  #blanks = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, "");
  }

  document(): Triple[] {
    for (this.#skip(); this.#at < this.#text.length; this.#skip()) {
      const directive = this.#take("directive")?.[0];
      if (directive === undefined) this.#statement();
      else this.#directive(directive);
    }
    return this.#triples;
  }

  #directive(directive: string): void {
    this.#skip();
    if (/prefix/i.test(directive)) {
      const [, prefix, local] = this.#expect("name");
      if (local !== "") this.#fail("a prefix");
      this.#skip();
      this.#prefixes.set(prefix ?? "", this.#iri(this.#expect("iri")[1] ?? ""));
    } else this.#base = this.#iri(this.#expect("iri")[1] ?? "");
    if (!directive.startsWith("@")) return;
    this.#skip();
    this.#mark(".");
  }

  #statement(): void {
    const isList = this.#text[this.#at] === "[";
    const subject = this.#object();
    if (subject.kind === "literal") this.#fail("a subject");
    else {
      this.#skip();
      // A list of properties may stand alone.
      if (!isList || this.#text[this.#at] !== ".") this.#predicates(subject, ".");
      this.#mark(".");
    }
  }

  /** Verbs with their objects, up to `end`, which is left there. */
  #predicates(subject: Node, end: "." | "]"): void {
    for (;;) {
      this.#skip();
      const predicate = this.#verb();
      for (;;) {
        this.#skip();
        this.#triples.push({ subject, predicate, object: this.#object() });
        this.#skip();
        if (this.#text[this.#at] !== ",") break;
        this.#mark(",");
      }
      if (this.#text[this.#at] !== ";") return;
      while (this.#text[this.#at] === ";") {
        this.#mark(";");
        this.#skip();
      }
      if (this.#text[this.#at] === end) return;
    }
  }

  #verb(): string {
    const word = this.#take("word")?.[0];
    if (word === "a") return `${RDF}type`;
    const node = word === undefined ? this.#object() : undefined;
    return node?.kind === "iri" ? node.value : this.#fail("a verb");
  }

  #object(): Node | Literal {
    const iri = this.#take("iri");
    if (iri !== undefined) return { kind: "iri", value: this.#iri(iri[1] ?? "") };
    const quoted = this.#take("long") ?? this.#take("short");
    if (quoted !== undefined) return this.#literal(unescape(quoted[1] ?? quoted[2] ?? ""));
    const blank = this.#take("blank");
    if (blank !== undefined) return { kind: "blank", value: `b-${blank[1]}` };
    if (this.#text[this.#at] === "[") return this.#list();
    if (this.#text[this.#at] === "(") return this.#collection();
    const word = this.#take("word")?.[0];
    if (word === "true" || word === "false") return plain(word, "boolean");
    const number = word === undefined ? this.#take("number")?.[0] : undefined;
    if (number !== undefined)
      return plain(number, /[eE]/.test(number) ? "double" : number.includes(".") ? "decimal" : "integer");
    const [, prefix = "", local = ""] = this.#expect("name");
    const space = this.#prefixes.get(prefix) ?? this.#fail(`a known prefix instead of ${prefix}:`);
    return { kind: "iri", value: space + local.replaceAll(/\\(.)/g, "$1") };
  }

  #literal(value: string): Literal {
    const language = this.#take("tag")?.[1];
    if (language !== undefined) return { kind: "literal", value, language, datatype: `${RDF}langString` };
    if (!this.#text.startsWith("^^", this.#at)) return plain(value, "string");
    this.#mark("^^");
    const datatype = this.#object();
    if (datatype.kind !== "iri") return this.#fail("a datatype");
    return { kind: "literal", value, language: "", datatype: datatype.value };
  }

  #list(): Node {
    this.#mark("[");
    const node: Node = { kind: "blank", value: `l-${this.#blanks++}` };
    this.#skip();
    if (this.#text[this.#at] !== "]") this.#predicates(node, "]");
    this.#mark("]");
    return node;
  }

  #collection(): Node {
    this.#mark("(");
    const members: (Node | Literal)[] = [];
    for (this.#skip(); this.#text[this.#at] !== ")"; this.#skip()) members.push(this.#object());
    this.#mark(")");
    let rest: Node = { kind: "iri", value: `${RDF}nil` };
    for (const member of members.toReversed()) {
      const subject: Node = { kind: "blank", value: `l-${this.#blanks++}` };
      this.#triples.push({ subject, predicate: `${RDF}first`, object: member });
      this.#triples.push({ subject, predicate: `${RDF}rest`, object: rest });
      rest = subject;
    }
    return rest;
  }

  #iri(written: string): string {
    return resolveIri(unescape(written), this.#base);
  }

  #take(token: keyof typeof TOKENS): RegExpExecArray | undefined {
    const pattern = TOKENS[token];
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }

  #expect(token: keyof typeof TOKENS): RegExpExecArray {
    return this.#take(token) ?? this.#fail(`a ${token}`);
  }

  #mark(mark: string): void {
    if (this.#take("mark")?.[0] !== mark) this.#fail(mark);
  }

  #skip(): void {
    this.#take("space");
  }

  #fail(wanted: string): never {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    throw new Error(`Line ${line}: ${wanted} expected at ${JSON.stringify(this.#text.slice(this.#at, this.#at + 60))}`);
  }
}

function plain(value: string, type: string): Literal {
  return { kind: "literal", value, language: "", datatype: XSD + type };
}

const ESCAPED: Readonly<Record<string, string>> = { t: "\t", b: "\b", n: "\n", r: "\r", f: "\f" };

function unescape(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replaceAll(/\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)/gs, (escaped) => {
    const [, letter = "", ...digits] = escaped;
    if (digits.length > 0) return String.fromCodePoint(Number.parseInt(digits.join(""), 16));
    return ESCAPED[letter] ?? letter;
  });
}

/** RFC 3986 §5.2, for the letters that are there: nothing is encoded or decoded. */
function resolveIri(reference: string, base: string): string {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference)) return reference;
  const [, scheme = "", authority = "", path = "", query = ""] = PARTS.exec(base) ?? [];
  if (scheme === "") throw new Error(`<${reference}> is relative, and there is no base`);
  const [, , ownAuthority, ownPath = "", ownQuery, fragment = ""] = PARTS.exec(reference) ?? [];
  if (ownAuthority !== undefined) return scheme + ownAuthority + withoutDots(ownPath) + (ownQuery ?? "") + fragment;
  if (ownPath === "") return scheme + authority + path + (ownQuery ?? query) + fragment;
  const merged = ownPath.startsWith("/")
    ? ownPath
    : (path === "" ? "/" : path.slice(0, path.lastIndexOf("/") + 1)) + ownPath;
  return scheme + authority + withoutDots(merged) + (ownQuery ?? "") + fragment;
}

const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*:)?(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/s;

function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/");
  for (const [i, segment] of segments.entries()) {
    const isLast = i === segments.length - 1;
    if (segment === "..") {
      if (kept.length > 1) kept.pop();
    } else if (segment !== ".") kept.push(segment);
    if (isLast && (segment === "." || segment === "..")) kept.push("");
  }
  return kept.join("/");
}

/** Lines of N-Triples, with every character but ASCII as it is. */
export function formatNTriples(triples: Iterable<Triple>): string {
  let text = "";
  for (const { subject, predicate, object } of triples)
    text += `${formatTerm(subject)} <${predicate}> ${formatTerm(object)} .\n`;
  return text;
}

/** A term as N-Triples writes it: two terms are the same where this is. */
export function formatTerm(term: Node | Literal): string {
  switch (term.kind) {
    case "iri":
      return `<${term.value}>`;
    case "blank":
      return `_:${term.value}`;
    case "literal": {
      const quoted = `"${term.value.replaceAll(/["\\\n\r\t\b\f]/g, escape)}"`;
      if (term.language !== "") return `${quoted}@${term.language}`;
      return term.datatype === `${XSD}string` ? quoted : `${quoted}^^<${term.datatype}>`;
    }
  }
}

function escape(character: string): string {
  const [letter] = Object.entries(ESCAPED).find(([, meant]) => meant === character) ?? [character];
  return `\\${letter}`;
}
