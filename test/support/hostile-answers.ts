/**
 * Answers that a client must not believe, and odd ones that it must: each with the published rule that decides it, from
 * which its outcome follows. What is JSON or not is as bytes, so that every program can judge it; broken HTTP only goes
 * over a socket.
 */
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { classifierRules } from "../../generator/integration/classifier.ts";
import { ANSWER_MAX_BYTES } from "../../generator/integration/handoffs/node/classify.mjs";
import type { Classification } from "../../generator/contract/integration.ts";

export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Uint8Array;
}

export interface Wire {
  readonly socket: Socket;
  /** The port of another server, which must never be asked. */
  readonly elsewhere: number;
}

export interface HostileAnswer {
  readonly name: string;
  readonly expression: string;
  readonly expected: Classification;
  /** The number of the rule that decides. */
  readonly rule: number;
  /** Absent where the answer is no whole one, or no HTTP. */
  readonly plain?: PlainAnswer;
  /** Sends it, once the request is there. */
  readonly send: (wire: Wire) => void;
  /** Comes before the request is there. */
  readonly atOnce?: true;
  /** Takes the time limit of the call, or a good part of it. */
  readonly slow?: true;
  /** More of a kind that another one stands for: judged in this process alone, where it costs nothing. */
  readonly more?: true;
}

/** What is sent, where the answer does not need another one. */
export const EXPRESSION = "refund";
const CODE = "C-1";
const REGISTRY_VERSION = "2026.11.1";

type Options = Partial<Pick<HostileAnswer, "expression" | "atOnce" | "slow" | "more">> & {
  readonly code?: string;
  readonly registryVersion?: string;
};

function expectedOf(rule: number, { code = CODE, registryVersion = REGISTRY_VERSION }: Options): Classification {
  const outcome = classifierRules.find((one) => one.rule === rule)?.outcome;
  if (outcome === undefined) throw new Error(`There is no rule ${rule}`);
  return outcome === "resolved-valid" ? { outcome, code, registryVersion } : { outcome };
}

/** An answer as it goes over a socket. */
function wired(name: string, rule: number, send: HostileAnswer["send"]): HostileAnswer {
  return { name, expression: EXPRESSION, expected: expectedOf(rule, {}), rule, send };
}

/** An answer that is whole, and clean HTTP. */
function plain(
  name: string,
  rule: number,
  { status = 200, contentType = "application/json", body }: Partial<Omit<PlainAnswer, "body">> & { body: Text },
): HostileAnswer {
  const bytes = bytesOf(body);
  const fields = { ...(contentType === null ? {} : { "Content-Type": contentType }), "Content-Length": bytes.length };
  const send = ({ socket }: Wire): void => void socket.end(message(head({ status, fields }), bytes));
  return { ...wired(name, rule, send), plain: { status, contentType, body: bytes } };
}

/** The same answer with something special about it. */
function marked({ code, registryVersion, ...more }: Options, answer: HostileAnswer): HostileAnswer {
  const assigned = { code: code ?? CODE, registryVersion: registryVersion ?? REGISTRY_VERSION };
  return { ...answer, ...more, expected: expectedOf(answer.rule, assigned) };
}

type Text = string | Uint8Array;

function bytesOf(text: Text): Uint8Array {
  return typeof text === "string" ? new TextEncoder().encode(text) : text;
}

function message(...parts: readonly Text[]): Buffer {
  return Buffer.concat(parts.map(bytesOf));
}

type Fields = Readonly<Record<string, string | number>>;

interface Head {
  readonly version?: string;
  readonly status?: number;
  readonly fields?: Fields;
}

function head({ version = "1.1", status = 200, fields = {} }: Head = {}): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/${version} ${status} X\r\n${lines.join("")}\r\n`;
}

function chunk(text: Text, extension = ""): Buffer {
  return message(bytesOf(text).length.toString(16), extension, "\r\n", text, "\r\n");
}

const LAST_CHUNK = "0\r\n\r\n";
const JSON_TYPE = { "Content-Type": "application/json" };
const CHUNKED = { ...JSON_TYPE, "Transfer-Encoding": "chunked" };

const concept = {
  code: CODE,
  name: "Refund",
  definition: "Money given back.",
  domain: "payment",
  registryVersion: REGISTRY_VERSION,
};
const profile = { name: "p", modelName: "m", modelVersion: "1", dimensions: 3 };
const candidate = { code: "C-2", name: "Other", score: 0.5 };

/** The data of a good answer, with whatever is said otherwise. */
function dataWith(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    input: { expression: EXPRESSION },
    status: "resolved",
    reason: null,
    embeddingProfile: null,
    concept,
    candidates: [],
    confidence: 1,
    margin: null,
    ...more,
  };
}

const abstained = { status: "abstained", reason: "no_reviewed_exact_match", concept: null, confidence: null };

function envelope(more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ data: dataWith(more), error: null });
}

const GOOD = envelope();

/** Stands for a value that JSON.stringify cannot write. */
const MARK = "@@";

/** A good answer with this text in the place of a value. */
function withText(text: Text, more: Readonly<Record<string, unknown>> = { confidence: MARK }): Buffer {
  const [before = "", after = ""] = envelope(more).split(`"${MARK}"`);
  return message(before, text, after);
}

/** A good answer with this inside of a string as its definition, where anything may stand. */
function withString(inside: Text): Buffer {
  return withText(message('"', inside, '"'), { concept: { ...concept, definition: MARK } });
}

/** Whole in length, by white space behind the value. */
function padded(bytes: number): string {
  return GOOD.padEnd(bytes, " ");
}

const octets = (...all: readonly number[]): Uint8Array => Uint8Array.from(all);

const NUMBERS_REFUSED = [
  "NaN",
  "Infinity",
  "-Infinity",
  "01",
  "-01",
  "+1",
  ".5",
  "-.5",
  "1.",
  "1.e5",
  "1e",
  "1e+",
  "-",
  "--1",
  "0x1",
  "1_000",
  "1,5",
  "1١",
  "١",
  "1 2",
  "1n",
  "1f",
  "Inf",
  "nan",
  "1e5.5",
  "00",
];
const NUMBERS_TAKEN = ["1e400", "-1e400", "1e-400", "-0", "1.0", "1E+2", "1e-2", "0.1", "-0.0e-0"];

const numbers: readonly HostileAnswer[] = [
  ...NUMBERS_REFUSED.map((text, i) => {
    const brief = i < 20 ? {} : { more: true as const };
    return marked(brief, plain(`the number ${ascii(text)}`, 4, { body: withText(text) }));
  }),
  ...NUMBERS_TAKEN.map((text) => plain(`the number ${text}`, 9, { body: withText(text) })),
  plain("a whole number of 5000 digits", 9, { body: withText("7".repeat(5000)) }),
  plain("a fraction of 5000 digits", 9, { body: withText(`0.${"7".repeat(5000)}`) }),
  plain("an exponent of 5000 digits", 9, { body: withText(`1e${"7".repeat(5000)}`) }),
  plain("a score of 1e400", 9, { body: withText("1e400", { candidates: [{ ...candidate, score: MARK }] }) }),
];

const DIMENSIONS: readonly (readonly [text: string, rule: number])[] = [
  ...["3", "3.0", "30e-1", "0.3e1", "1", "9007199254740991"].map((text) => [text, 9] as const),
  ...["0", "-0", "-3", "1.5", "1e400", "-1e400", "1e-400", "9007199254740992", "1e300", '"3"', "[3]", "null"].map(
    (text) => [text, 5] as const,
  ),
];

const dimensions = DIMENSIONS.map(([text, rule]) =>
  plain(`dimensions of ${text}`, rule, {
    body: withText(text, { embeddingProfile: { ...profile, dimensions: MARK } }),
  }),
);

const WORDS_REFUSED = ["True", "NULL", "nul", "nulll", "undefined", "none", "n", "tru", "'x'", "x", "`x`", ""];

const words = WORDS_REFUSED.map((text, i) =>
  marked(i < 8 ? {} : { more: true }, plain(`the word ${text || "that is none"}`, 4, { body: withText(text) })),
);

const ESCAPES_REFUSED = [
  String.raw`\x41`,
  String.raw`\'`,
  String.raw`\u12`,
  String.raw`\u12G4`,
  String.raw`\U0041`,
  String.raw`\u+041`,
  String.raw`\u 041`,
  String.raw`\0`,
  String.raw`\a`,
  "\\\n",
  "\\",
];
const CONTROLS = [0, 8, 9, 10, 13, 27, 31];

const surrogates: readonly (readonly [name: string, inside: string])[] = [
  ["a high half", String.raw`\ud83d`],
  ["a low half", String.raw`\ude00`],
  ["halves the wrong way round", String.raw`\ude00\ud83d`],
  ["two high halves", String.raw`\ud83d\ud83d`],
  ["a high half before a letter", String.raw`\ud83dx`],
  ["a high half before another escape", String.raw`\ud83d\u0041`],
  ["a high half before a line feed", String.raw`\ud83d\n`],
  ["a high half in capitals", String.raw`\uDBFF`],
  ["a pair and a low half", String.raw`\ud83d\ude00\ude00`],
];

const strings: readonly HostileAnswer[] = [
  ...ESCAPES_REFUSED.map((inside) => plain(`the escape ${ascii(inside)}`, 4, { body: withString(inside) })),
  ...CONTROLS.map((code) => plain(`the control character ${code} as it is`, 4, { body: withString(octets(code)) })),
  ...surrogates.map(([name, inside]) => plain(`${name} of a surrogate pair`, 4, { body: withString(inside) })),
  plain("half a pair in a name", 4, { body: withText(String.raw`{"\ud83d":1}`) }),
  plain("half a pair as the expression that was sent", 4, {
    body: withText(String.raw`"\ud83d"`, { input: { expression: MARK } }),
  }),
  plain("half a pair where no name should be, and nothing else wrong", 4, {
    body: withText(String.raw`"\udfff"`, { concept: { ...concept, domain: MARK } }),
  }),
  plain("every escape there is", 9, { body: withString(String.raw`\"\\\/\b\f\n\r\t\u0000\u001f\u007F\uFFFF`) }),
  plain("a pair of escapes", 9, { body: withString(String.raw`\ud83d\ude00\uDBFF\uDFFF`) }),
  plain("a pair as it is", 9, { body: withString("\u{1f600}\u{10ffff}") }),
  plain("a delete character as it is", 9, { body: withString("\u007f") }),
  plain("line and paragraph separators as they are", 9, { body: withString("\u2028\u2029\u0085") }),
  plain("code points that are no characters", 9, { body: withString("\ufffe\uffff\ufeff\ufdd0") }),
  plain("100000 bytes of escaped quotation marks", 9, { body: withString(String.raw`\"`.repeat(50_000)) }),
  plain("100000 bytes of escaped letters", 9, { body: withString(String.raw`\u00e9`.repeat(16_666)) }),
  plain("200000 letters", 9, { body: withString("x".repeat(200_000)) }),
];

const NOT_UTF8: readonly (readonly [name: string, inside: readonly number[]])[] = [
  ["an overlong solidus of two bytes", [0xc0, 0xaf]],
  ["an overlong solidus of three bytes", [0xe0, 0x80, 0xaf]],
  ["an overlong solidus of four bytes", [0xf0, 0x80, 0x80, 0xaf]],
  ["an overlong null", [0xc0, 0x80]],
  ["a high half in UTF-8", [0xed, 0xa0, 0xbd]],
  ["a pair of halves in UTF-8 (CESU-8)", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ["a code point behind the last", [0xf4, 0x90, 0x80, 0x80]],
  ["two bytes of three", [0xe2, 0x82]],
  ["a byte that only continues", [0x80]],
  ["a byte of Latin-1", [0xe9]],
  ["the byte FF", [0xff]],
  ["five bytes for one character", [0xf8, 0x88, 0x80, 0x80, 0x80]],
];

const utf16 = Buffer.from(GOOD, "utf16le");

const encodings: readonly HostileAnswer[] = [
  ...NOT_UTF8.map(([name, inside]) => plain(name, 4, { body: withString(octets(...inside)) })),
  plain("bytes that are not UTF-8 in a name", 4, { body: withText(message('{"', octets(0xff), '":1}')) }),
  plain("a character that is cut off by the end", 4, { body: message(GOOD, octets(0xe2, 0x82)) }),
  plain("a byte order mark", 4, { body: `\ufeff${GOOD}` }),
  plain("a byte order mark at the end", 4, { body: `${GOOD}\ufeff` }),
  plain("UTF-16", 4, { body: utf16 }),
  plain("UTF-16 with a byte order mark", 4, { body: message(octets(0xff, 0xfe), utf16) }),
  plain("UTF-16 of the other order", 4, { body: Buffer.from(utf16).swap16() }),
  plain("a null behind the value", 4, { body: `${GOOD}\0` }),
  plain("a null before the value", 4, { body: `\0${GOOD}` }),
  plain("a null between two members", 4, { body: GOOD.replace(",", ",\0") }),
];

const SPACES_REFUSED = ["\u00a0", "\f", "\v", "\u0085", "\u2028", "\u3000", "\u200b", "\u180e"];

const structure: readonly HostileAnswer[] = [
  ...SPACES_REFUSED.map((space) =>
    plain(`${ascii(space)} for white space`, 4, { body: GOOD.replace(":", `:${space}`) }),
  ),
  plain("a form feed at the end", 4, { body: `${GOOD}\f` }),
  plain("white space of all four kinds everywhere", 9, { body: ` \t\r\n${spread(GOOD)}\r\n\t ` }),
  plain("nothing", 4, { body: "" }),
  plain("white space alone", 4, { body: " \n" }),
  ...[1, GOOD.indexOf("concept"), GOOD.length - 1].map((length) =>
    plain(`its first ${length} bytes`, 4, { body: GOOD.slice(0, length) }),
  ),
  plain("a comma behind the last member", 4, { body: GOOD.replace(/\}$/, ",}") }),
  plain("a comma behind the last member of the concept", 4, { body: GOOD.replace('"},"cand', '",},"cand') }),
  plain("a comma before the first member", 4, { body: GOOD.replace("{", "{,") }),
  plain("a comma behind the last item", 4, { body: withText("[1,]", { candidates: MARK }) }),
  plain("a comma alone in an array", 4, { body: withText("[,]", { candidates: MARK }) }),
  plain("two commas", 4, { body: GOOD.replace(",", ",,") }),
  plain("no comma between two members", 4, { body: GOOD.replace(",", " ") }),
  plain("no colon", 4, { body: GOOD.replace(":", " ") }),
  plain("an equals sign for a colon", 4, { body: GOOD.replace(":", "=") }),
  plain("a bracket for a brace", 4, { body: GOOD.replace(/\}$/, "]") }),
  plain("one brace too many", 4, { body: `${GOOD}}` }),
  plain("a comma at the end", 4, { body: `${GOOD},` }),
  plain("a letter at the end", 4, { body: `${GOOD}x` }),
  plain("the answer twice", 4, { body: `${GOOD}\n${GOOD}` }),
  plain("a comment", 4, { body: `/* good */${GOOD}` }),
  plain("a comment to the end of the line", 4, { body: `${GOOD} // good` }),
  plain("single quotation marks", 4, { body: GOOD.replaceAll('"', "'") }),
  plain("a name without quotation marks", 4, { body: GOOD.replace('"data"', "data") }),
  plain("a number for a name", 4, { body: withText("{1:1}") }),
  plain("a function call around it", 4, { body: `callback(${GOOD})` }),
  plain("a prefix against scripts", 4, { body: `)]}'\n${GOOD}` }),
  plain("100000 open brackets", 4, { body: "[".repeat(100_000) }),
  plain("100000 open objects", 4, { body: '{"a":'.repeat(50_000) }),
  plain("open brackets to the limit", 4, { body: "[".repeat(ANSWER_MAX_BYTES) }),
  plain("100000 arrays within each other as a candidate", 5, {
    body: withText(`[${"[".repeat(100_000)}${"]".repeat(100_000)}]`, { candidates: MARK }),
  }),
  plain("100 arrays within each other as the confidence", 5, { body: withText("[".repeat(100) + "]".repeat(100)) }),
];

/** White space of all kinds around each sign of an answer whose strings have none of them inside. */
function spread(json: string): string {
  return json.replaceAll(/[{}[\]:,]/g, (sign) => ` \n${sign}\t\r`);
}

const duplicates: readonly HostileAnswer[] = [
  plain("data twice", 4, { body: GOOD.replace("{", `{"data":${JSON.stringify(dataWith())},`) }),
  plain("error twice", 4, { body: GOOD.replace(/\}$/, ',"error":null}') }),
  plain("the code twice", 4, { body: GOOD.replace(`"code":"${CODE}"`, `"code":"C-9","code":"${CODE}"`) }),
  plain("the code twice, the same", 4, { body: GOOD.replace(`"code":"${CODE}"`, `"code":"${CODE}","code":"${CODE}"`) }),
  plain("the code twice, once escaped", 4, {
    body: GOOD.replace(`"code":"${CODE}"`, String.raw`"code":"${CODE}","\u0063ode":"C-9"`),
  }),
  plain("the status twice, once all escaped", 4, {
    body: GOOD.replace('"status":', String.raw`"\u0073\u0074\u0061\u0074\u0075\u0073":"abstained","status":`),
  }),
  plain("a name twice deep in what should not be there", 4, { body: withText('[{"x":{"a":1,"\\u0061":2}}]') }),
  plain("the empty name twice", 4, { body: withText('{"":1,"":2}') }),
  plain("a name of a pair twice, once escaped", 4, { body: withText('{"\\ud83d\\ude00":1,"\u{1f600}":2}') }),
  plain("a name twice in a candidate", 4, {
    body: withText('[{"code":"a","name":"n","score":1,"score":2}]', { candidates: MARK }),
  }),
  plain("one name in two objects", 9, { body: envelope({ candidates: [candidate, candidate] }) }),
  plain("names as values", 9, { body: envelope({ concept: { ...concept, name: "code", definition: 'code":1' } }) }),
];

type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";

const VALUES: Readonly<Record<Kind, unknown>> = {
  null: null,
  boolean: true,
  number: 1,
  string: "x",
  array: [],
  object: {},
};

/** Every member there is, with the kinds of value it may have. */
const MEMBERS: Readonly<Record<string, readonly Kind[]>> = {
  data: ["object"],
  error: ["null"],
  "data.input": ["object"],
  "data.input.expression": ["string"],
  "data.status": ["string"],
  "data.reason": ["string", "null"],
  "data.embeddingProfile": ["object", "null"],
  "data.embeddingProfile.name": ["string"],
  "data.embeddingProfile.modelName": ["string"],
  "data.embeddingProfile.modelVersion": ["string"],
  "data.embeddingProfile.dimensions": ["number"],
  "data.concept": ["object", "null"],
  "data.concept.code": ["string"],
  "data.concept.name": ["string"],
  "data.concept.definition": ["string"],
  "data.concept.domain": ["string"],
  "data.concept.registryVersion": ["string"],
  "data.candidates": ["array"],
  "data.candidates.0.code": ["string"],
  "data.candidates.0.name": ["string"],
  "data.candidates.0.score": ["number"],
  "data.confidence": ["number", "null"],
  "data.margin": ["number", "null"],
};

type Tree = Record<string, unknown>;

/** The full answer: with a profile and a candidate, so that every member is there to be broken. */
function full(): Tree {
  const data = dataWith({ embeddingProfile: { ...profile }, candidates: [{ ...candidate }], concept: { ...concept } });
  return { data, error: null };
}

/** A full answer whose object at this place is changed. */
function changedAt(place: string, change: (object: Tree) => void): string {
  const answer = full();
  const names = place === "" ? [] : place.split(".");
  change(names.reduce<Tree>((object, name) => object[name] as Tree, answer));
  return JSON.stringify(answer);
}

const members: readonly HostileAnswer[] = Object.entries(MEMBERS).flatMap(([member, kinds], turn) => {
  const at = member.lastIndexOf(".");
  const [place, name] = [member.slice(0, Math.max(at, 0)), member.slice(at + 1)];
  const wrong = (Object.keys(VALUES) as Kind[]).filter((kind) => !kinds.includes(kind));
  return [
    plain(`no ${member}`, 5, { body: changedAt(place, (object) => delete object[name]) }),
    marked(
      turn % 4 === 0 ? {} : { more: true },
      plain(`${member} with another case`, 5, {
        body: changedAt(place, (object) => renameMember(object, name, capitalized(name))),
      }),
    ),
    ...wrong.map((kind, i) =>
      // Over the wire one of each, in turn, so that all kinds come.
      marked(
        turn % wrong.length === i ? {} : { more: true },
        plain(`${member} as ${kind}`, 5, { body: changedAt(place, (object) => (object[name] = VALUES[kind])) }),
      ),
    ),
  ];
});

function capitalized(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function renameMember(object: Tree, from: string, to: string): void {
  object[to] = object[from];
  delete object[from];
}

const LEVELS = ["", "data", "data.input", "data.embeddingProfile", "data.concept", "data.candidates.0"];
const NAMES = [
  "authorized",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "Count",
  "Keys",
  "Values",
  "Item",
  "length",
  "",
  "a/b",
  "a~b",
  "a.b",
  "~1",
  "Code",
  " code",
  "code ",
  "codе",
  "c‍ode",
  "\0",
  "0",
  "@",
];

/** JSON.stringify would take `__proto__` for the prototype. */
function withExtra(level: string, name: string): string {
  return changedAt(level, (object) => (object[MARK] = 1)).replace(`"${MARK}"`, JSON.stringify(name));
}

const extras: readonly HostileAnswer[] = [
  ...LEVELS.map((level) => plain(`one member more in ${level || "the top"}`, 5, { body: withExtra(level, "another") })),
  ...NAMES.map((name, i) =>
    plain(`a member more named ${ascii(name) || "with nothing"}`, 5, {
      body: withExtra(LEVELS[i % LEVELS.length] ?? "", name),
    }),
  ),
  ...["__proto__", "Count", "a/b", ""].map((name) =>
    plain(`${ascii(name) || "the empty name"} in the place of the code`, 5, {
      body: changedAt("data.concept", (object) => renameMember(object, "code", MARK)).replace(
        `"${MARK}"`,
        JSON.stringify(name),
      ),
    }),
  ),
  plain("the members of the concept as one name, by paths", 5, {
    body: changedAt("data", (object) => {
      delete object["concept"];
      for (const [name, value] of Object.entries(concept)) object[`concept/${name}`] = value;
    }),
  }),
  plain("the code inherited by __proto__", 5, {
    body: withText(`{"__proto__":${JSON.stringify(concept)}}`, { concept: MARK }),
  }),
  plain("candidates as an object with length", 5, { body: withText('{"length":0}', { candidates: MARK }) }),
  plain("a candidate that is null", 5, { body: envelope({ candidates: [null] }) }),
  plain("a candidate within an array", 5, { body: envelope({ candidates: [[candidate]] }) }),
  plain("a bad candidate behind a good one", 5, {
    body: envelope({ candidates: [candidate, { ...candidate, score: "1" }] }),
  }),
  plain("ten good candidates and a profile", 9, {
    body: envelope({ candidates: Array.from({ length: 10 }, () => candidate), embeddingProfile: profile, margin: 0.1 }),
  }),
  plain("members in another order", 9, {
    body: JSON.stringify({ error: null, data: Object.fromEntries(Object.entries(dataWith()).toReversed()) }),
  }),
  plain("names that are escaped", 9, { body: GOOD.replace('"code"', String.raw`"\u0063\u006f\u0064\u0065"`) }),
  plain("an error envelope", 5, { body: JSON.stringify({ data: null, error: { code: "x", message: "y" } }) }),
  plain("an answer with an error too", 5, {
    body: JSON.stringify({ data: dataWith(), error: { code: "x", message: "y" } }),
  }),
  plain("the data alone", 5, { body: JSON.stringify(dataWith()) }),
  plain("the concept alone", 5, { body: JSON.stringify(concept) }),
  plain("the answer in an array", 5, { body: `[${GOOD}]` }),
  plain("the answer as a string", 5, { body: JSON.stringify(GOOD) }),
  ...["null", "true", "200", '"resolved"', "[]", "{}", '""'].map((body) => plain(`${body} alone`, 5, { body })),
];

const echoes: readonly (readonly [name: string, sent: string, echoed: string])[] = [
  ["in another case", "refund", "Refund"],
  ["with a space behind", "refund", "refund "],
  ["with a space before", "refund", " refund"],
  ["without the space that was sent", "refund ", "refund"],
  ["composed", "cafe\u0301", "caf\u00e9"],
  ["decomposed", "caf\u00e9", "cafe\u0301"],
  ["without a zero-width joiner", "a\u200db", "ab"],
  ["with a soft hyphen", "refund", "re\u00adfund"],
  ["with a null behind", "refund", "refund\0"],
  ["with another letter of the same look", "refund", "r\u0435fund"],
  ["with a ligature", "fi", "\ufb01"],
  ["with sharp s for two", "strasse", "stra\u00dfe"],
  ["empty", "refund", ""],
  ["of another expression", "refund", "payment"],
  ["with a backslash for a line feed", "a\nb", String.raw`a\nb`],
];

const judged: readonly HostileAnswer[] = [
  ...echoes.map(([name, expression, echoed]) =>
    marked({ expression }, plain(`an echo ${name}`, 6, { body: envelope({ input: { expression: echoed } }) })),
  ),
  ...["caf\u00e9", "cafe\u0301", 'say "hi" \\', "a\nb\tc", "\u{1f600}", "\u202eabc", "\ufeffx", "a/b", "~\u007f"].map(
    (expression) =>
      marked(
        { expression },
        plain(`the right echo of ${ascii(expression)}`, 9, { body: envelope({ input: { expression } }) }),
      ),
  ),
  plain("an echo that is all escaped", 9, {
    body: withText(`"${Array.from(EXPRESSION, (sign) => `\\u${hex(sign.charCodeAt(0))}`).join("")}"`, {
      input: { expression: MARK },
    }),
  }),
  plain("ambiguous", 7, { body: envelope({ ...abstained, reason: "ambiguous_expression", candidates: [candidate] }) }),
  plain("ambiguous by an escaped reason", 7, {
    body: envelope({ ...abstained, reason: MARK }).replace(MARK, String.raw`\u0061mbiguous_expression`),
  }),
  plain("abstained", 8, { body: envelope(abstained) }),
  plain("abstained for a reason nobody knows", 8, { body: envelope({ ...abstained, reason: "x" }) }),
  plain("abstained for no reason", 8, { body: envelope({ ...abstained, reason: null }) }),
  plain("abstained for an empty reason", 8, { body: envelope({ ...abstained, reason: "" }) }),
  plain("abstained as ambiguous in another case", 8, {
    body: envelope({ ...abstained, reason: "Ambiguous_expression" }),
  }),
  plain("abstained with a candidate of strength 1", 8, {
    body: envelope({ ...abstained, candidates: [{ ...candidate, score: 1 }], confidence: 1 }),
  }),
  plain("abstained with a concept", 10, { body: envelope({ status: "abstained", reason: "ambiguous_expression" }) }),
  plain("abstained with a concept and no reason", 10, { body: envelope({ status: "abstained" }) }),
  plain("resolved with a reason", 10, { body: envelope({ reason: "no_reviewed_exact_match" }) }),
  plain("resolved with an empty reason", 10, { body: envelope({ reason: "" }) }),
  plain("resolved without a concept", 10, { body: envelope({ concept: null }) }),
  plain("an empty code", 10, { body: envelope({ concept: { ...concept, code: "" } }) }),
  plain("an empty registryVersion", 10, { body: envelope({ concept: { ...concept, registryVersion: "" } }) }),
  ...["RESOLVED", "Resolved", "resolved ", "", "ok", "re\u200dsolved", "resolved\0", "r\u0435solved"].map((status) =>
    plain(`the status ${ascii(status) || "that is empty"}`, 10, { body: envelope({ status }) }),
  ),
  plain("the status ABSTAINED", 10, { body: envelope({ ...abstained, status: "ABSTAINED" }) }),
  plain("resolved with no confidence", 9, { body: envelope({ confidence: null }) }),
  ...codes().map((code) =>
    marked({ code }, plain(`the code ${ascii(code)}`, 9, { body: envelope({ concept: { ...concept, code } }) })),
  ),
  marked(
    { registryVersion: ' "\\\u{1f600}%s' },
    plain("an odd registryVersion", 9, {
      body: envelope({ concept: { ...concept, registryVersion: ' "\\\u{1f600}%s' } }),
    }),
  ),
  marked(
    { code: "\u00e9".repeat(20_000) },
    plain("a code of 20000 characters", 9, {
      body: envelope({ concept: { ...concept, code: "\u00e9".repeat(20_000) } }),
    }),
  ),
];

/** Codes that no registry of this service has, and that a client prints all the same: as ASCII. */
function codes(): string[] {
  return [
    'a"b',
    String.raw`a\b`,
    "a\nb\r	c\b\f",
    "😀􏿿",
    "a​‍﻿b",
    "‮abc",
    "",
    "$(id)",
    "`id`",
    "%s%n%d",
    "a/b",
    "\0",
    "\u2028",
    " ",
    "&",
    "'",
    "\\u0041",
    "￿",
  ];
}

const TYPES_TAKEN = [
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/json;",
  "application/json ;x",
  "Application/Json;a=b",
  'application/json; x="text/html"',
  "application/json	; x",
  "application/json; charset=utf-16",
];
const TYPES_REFUSED = [
  "text/plain",
  "text/html; charset=utf-8",
  "application/problem+json",
  "application/jsonx",
  "application/json-seq",
  "xapplication/json",
  "application/json, text/html",
  "text/html, application/json",
  "application/ json",
  '"application/json"',
  "application/json charset=utf-8",
  "application",
  "json",
  "text/json",
  ";application/json",
  "application/json/x",
];

const types: readonly HostileAnswer[] = [
  ...TYPES_TAKEN.map((contentType) => plain(`the type ${ascii(contentType)}`, 9, { contentType, body: GOOD })),
  ...TYPES_REFUSED.map((contentType) => plain(`the type ${ascii(contentType)}`, 4, { contentType, body: GOOD })),
  plain("no type", 4, { contentType: null, body: GOOD }),
  plain("an empty type", 4, { contentType: "", body: GOOD }),
  plain("a page", 4, { contentType: "text/html", body: "<!doctype html><title>200</title>" }),
  plain("a page that says it is JSON", 4, { body: "<!doctype html><title>200</title>" }),
  wired("a type with white space around", 9, ({ socket }) =>
    socket.end(
      message(head({ fields: { "Content-Type": " \t application/json \t ", "Content-Length": GOOD.length } }), GOOD),
    ),
  ),
  wired("a type without a space behind the colon, in small letters", 9, ({ socket }) =>
    socket.end(`HTTP/1.1 200 X\r\ncontent-type:application/json\r\ncontent-length:${GOOD.length}\r\n\r\n${GOOD}`),
  ),
];

const CLIENT_ERRORS = [400, 401, 404, 407, 408, 413, 421, 425, 429, 431, 451, 499];
const NOT_200 = [201, 202, 203, 205, 206, 207, 226, 299, 300, 399, 500, 502, 503, 504, 511, 599];
const REDIRECTS = [301, 302, 303, 307, 308];

const statuses: readonly HostileAnswer[] = [
  ...CLIENT_ERRORS.map((status, i) =>
    marked(i % 3 === 0 ? {} : { more: true }, plain(`${status} with a good body`, 2, { status, body: GOOD })),
  ),
  ...NOT_200.map((status, i) =>
    marked(i % 3 === 0 ? {} : { more: true }, plain(`${status} with a good body`, 3, { status, body: GOOD })),
  ),
  plain("400 with a page", 2, { status: 400, contentType: "text/html", body: "<!doctype html>" }),
  plain("429 with nothing", 2, { status: 429, contentType: null, body: "" }),
  ...[204, 304].map((status) =>
    wired(`${status} without a body`, 3, ({ socket }) => socket.end(head({ status, fields: { ETag: '"x"' } }))),
  ),
  ...[600, 999].map((status) => wired(`the status ${status}`, 3, ({ socket }) => sendGood(socket, { status }))),
  ...REDIRECTS.map((status) =>
    wired(`a redirect by ${status}`, 3, ({ socket, elsewhere }) =>
      sendGood(socket, { status, fields: { Location: `http://127.0.0.1:${elsewhere}/api/v1/resolve` } }),
    ),
  ),
  wired("200 with a Location, a Refresh and an Alt-Svc", 9, ({ socket, elsewhere }) =>
    sendGood(socket, {
      fields: {
        Location: `http://127.0.0.1:${elsewhere}/`,
        "Content-Location": `http://127.0.0.1:${elsewhere}/`,
        Refresh: `0; url=http://127.0.0.1:${elsewhere}/`,
        "Alt-Svc": `h2="127.0.0.1:${elsewhere}"`,
      },
    }),
  ),
  wired("401 that asks for credentials", 2, ({ socket }) =>
    sendGood(socket, { status: 401, fields: { "WWW-Authenticate": 'Basic realm="x"' } }),
  ),
  wired("407 that asks for credentials", 2, ({ socket }) =>
    sendGood(socket, { status: 407, fields: { "Proxy-Authenticate": 'Basic realm="x"' } }),
  ),
  wired("503 that asks to come again", 3, ({ socket }) =>
    sendGood(socket, { status: 503, fields: { "Retry-After": "0" } }),
  ),
  wired("429 that asks to come again", 2, ({ socket }) =>
    sendGood(socket, { status: 429, fields: { "Retry-After": "0" } }),
  ),
];

/** Sends a good body with other words around it. */
function sendGood(socket: Socket, { fields = {}, ...line }: Head = {}): void {
  socket.end(message(head({ ...line, fields: { ...JSON_TYPE, "Content-Length": GOOD.length, ...fields } }), GOOD));
}

const interim = (status: number): string => `HTTP/1.1 ${status} X\r\nLink: </x>\r\n\r\n`;

const goodHttp: readonly HostileAnswer[] = [
  ...[[100], [102], [103], [100, 103, 103]].map((all) =>
    wired(`${all.join(", ")} before 200`, 9, ({ socket }) => {
      socket.write(all.map(interim).join(""));
      sendGood(socket);
    }),
  ),
  wired("103 before 400", 2, ({ socket }) => {
    socket.write(interim(103));
    sendGood(socket, { status: 400 });
  }),
  wired("101, which nobody asked for", 3, ({ socket }) =>
    socket.end(`HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n${GOOD}`),
  ),
  wired("HTTP/1.0 without a length", 9, ({ socket }) => socket.end(head({ version: "1.0", fields: JSON_TYPE }) + GOOD)),
  wired("HTTP/1.0 with a length", 9, ({ socket }) => sendGood(socket, { version: "1.0" })),
  wired("HTTP/1.1 without a length", 9, ({ socket }) => socket.end(head({ fields: JSON_TYPE }) + GOOD)),
  wired("a connection that is kept open behind the answer", 9, ({ socket }) =>
    socket.write(head({ fields: { ...JSON_TYPE, "Content-Length": GOOD.length, Connection: "keep-alive" } }) + GOOD),
  ),
  wired("200 without a reason", 9, ({ socket }) =>
    socket.end(`HTTP/1.1 200 \r\nContent-Type: application/json\r\nContent-Length: ${GOOD.length}\r\n\r\n${GOOD}`),
  ),
  wired("chunks of one byte", 9, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), ...Array.from(GOOD, (sign) => chunk(sign)), LAST_CHUNK)),
  ),
  wired("chunks with extensions and a trailer", 9, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), chunk(GOOD, ";a=b"), "0;c\r\nX-Trailer: x\r\n\r\n")),
  ),
  wired("another type in the trailer", 9, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), chunk(GOOD), "0\r\nContent-Type: text/html\r\n\r\n")),
  ),
  wired("the right type in the trailer alone", 4, ({ socket }) => {
    const fields = { ...CHUNKED, "Content-Type": "text/html" };
    socket.end(message(head({ fields }), chunk(GOOD), "0\r\nContent-Type: application/json\r\n\r\n"));
  }),
  wired("the right type in a 103 alone", 4, ({ socket }) => {
    socket.write("HTTP/1.1 103 X\r\nContent-Type: application/json\r\n\r\n");
    sendGood(socket, { fields: { "Content-Type": "text/html" } });
  }),
  wired("80 fields", 9, ({ socket }) => sendGood(socket, { fields: manyFields(80) })),
  wired("a field of 8000 bytes", 9, ({ socket }) => sendGood(socket, { fields: { "X-Long": "x".repeat(8000) } })),
  wired("a type of 8000 bytes", 9, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Type": `application/json; x=${"x".repeat(8000)}` } }),
  ),
  wired("a cookie", 9, ({ socket }) => sendGood(socket, { fields: { "Set-Cookie": "a=b; Max-Age=1000" } })),
  wired("gzip", 4, ({ socket }) => {
    const packed = gzipSync(GOOD);
    const fields = { ...JSON_TYPE, "Content-Encoding": "gzip", "Content-Length": packed.length };
    socket.end(message(head({ fields }), packed));
  }),
  wired("gzip as chunks", 4, ({ socket }) =>
    socket.end(
      message(head({ fields: { ...CHUNKED, "Content-Encoding": "gzip" } }), chunk(gzipSync(GOOD)), LAST_CHUNK),
    ),
  ),
];

function manyFields(count: number): Fields {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-Field-${i}`, i]));
}

const sizes: readonly HostileAnswer[] = [
  plain("a body of the greatest length", 9, { body: padded(ANSWER_MAX_BYTES) }),
  plain("a body one byte longer", 4, { body: padded(ANSWER_MAX_BYTES + 1) }),
  plain("a body of 2 MiB", 4, { body: padded(1 << 21) }),
  wired("chunks of the greatest length", 9, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), chunk(padded(ANSWER_MAX_BYTES)), LAST_CHUNK)),
  ),
  wired("chunks one byte longer", 4, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), chunk(padded(ANSWER_MAX_BYTES)), chunk(" "), LAST_CHUNK)),
  ),
  wired("the greatest length without a length", 9, ({ socket }) =>
    socket.end(head({ version: "1.0", fields: JSON_TYPE }) + padded(ANSWER_MAX_BYTES)),
  ),
  wired("one byte longer without a length", 4, ({ socket }) =>
    socket.end(head({ version: "1.0", fields: JSON_TYPE }) + padded(ANSWER_MAX_BYTES + 1)),
  ),
  wired("the greatest length and a type of 8000 bytes", 9, ({ socket }) => {
    const fields = { "Content-Type": `application/json; x=${"x".repeat(8000)}`, "Content-Length": ANSWER_MAX_BYTES };
    socket.end(message(head({ fields }), padded(ANSWER_MAX_BYTES)));
  }),
  wired("chunks that are too long and a type of 8000 bytes", 4, ({ socket }) => {
    const fields = { ...CHUNKED, "Content-Type": `application/json; x=${"x".repeat(8000)}` };
    socket.end(message(head({ fields }), chunk(padded(ANSWER_MAX_BYTES * 2)), LAST_CHUNK));
  }),
  marked(
    { slow: true },
    wired("a length of 1 GB, of which 1 MB comes", 4, ({ socket }) =>
      socket.write(message(head({ fields: { ...JSON_TYPE, "Content-Length": 1e9 } }), " ".repeat(1e6))),
    ),
  ),
  marked(
    {
      slow: true,
    },
    wired("chunks without end", 4, ({ socket }) => pour(socket, head({ fields: CHUNKED }), chunk(" ".repeat(65_536)))),
  ),
  marked(
    {
      slow: true,
    },
    wired("bytes without end", 4, ({ socket }) =>
      pour(socket, head({ fields: JSON_TYPE }), Buffer.from("[".repeat(65_536))),
    ),
  ),
];

/** Sends again and again, as fast as the client reads. */
function pour(socket: Socket, first: string, again: Buffer): void {
  socket.write(first);
  const go = (): void => {
    while (!socket.destroyed && socket.write(again));
    if (!socket.destroyed) socket.once("drain", go);
  };
  go();
}

const cutShort: readonly HostileAnswer[] = [
  marked(
    {
      atOnce: true,
    },
    wired("a connection that is closed before the request is there", 1, ({ socket }) => socket.destroy()),
  ),
  wired("a connection that is closed for an answer", 1, ({ socket }) => socket.end()),
  wired("a connection that is reset for an answer", 1, ({ socket }) => socket.resetAndDestroy()),
  wired("half a status line", 1, ({ socket }) => socket.end("HTTP/1.1 20")),
  wired("a status line alone", 1, ({ socket }) => socket.end("HTTP/1.1 200 OK\r\n")),
  wired("fields without end", 1, ({ socket }) => socket.end("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")),
  wired("100 alone", 1, ({ socket }) => socket.end(interim(100))),
  wired("one byte less than its length", 1, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Length": GOOD.length + 1 } }),
  ),
  wired("half of its length", 1, ({ socket }) => sendGood(socket, { fields: { "Content-Length": GOOD.length * 2 } })),
  wired("a length above the limit, of which little comes", 1, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Length": ANSWER_MAX_BYTES + 1000 } }),
  ),
  wired("nothing of its length", 1, ({ socket }) =>
    socket.end(head({ fields: { ...JSON_TYPE, "Content-Length": 5 } })),
  ),
  wired("a reset within the body", 1, ({ socket }) =>
    socket.write(message(head({ fields: { ...JSON_TYPE, "Content-Length": GOOD.length + 1 } }), GOOD), () =>
      setTimeout(() => socket.resetAndDestroy(), 300),
    ),
  ),
  wired("a reset behind a body without a length", 1, ({ socket }) =>
    socket.write(head({ fields: JSON_TYPE }) + GOOD, () => setTimeout(() => socket.resetAndDestroy(), 300)),
  ),
  wired("no last chunk", 1, ({ socket }) => socket.end(message(head({ fields: CHUNKED }), chunk(GOOD)))),
  wired("half a chunk", 1, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), `${(5000).toString(16)}\r\n`, GOOD)),
  ),
  wired("half a last chunk", 1, ({ socket }) => socket.end(message(head({ fields: CHUNKED }), chunk(GOOD), "0"))),
  wired("a chunk whose length is no number", 1, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), "xyz\r\n", GOOD, "\r\n", LAST_CHUNK)),
  ),
  wired("a chunk longer than it says", 1, ({ socket }) =>
    socket.end(message(head({ fields: CHUNKED }), "5\r\n", GOOD, "\r\n", LAST_CHUNK)),
  ),
  wired("no HTTP", 1, ({ socket }) => socket.end("SSH-2.0-x\r\n")),
  wired("a body without a head (HTTP/0.9)", 1, ({ socket }) => socket.end(GOOD)),
  wired("a length that is no number", 1, ({ socket }) => sendGood(socket, { fields: { "Content-Length": "abc" } })),
  wired("a length below zero", 1, ({ socket }) => sendGood(socket, { fields: { "Content-Length": -1 } })),
  wired("a length with letters behind", 1, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Length": `${GOOD.length}x` } }),
  ),
  wired("two lengths", 1, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Length": GOOD.length, "content-length": GOOD.length - 1 } }),
  ),
  wired("both a length and chunks", 1, ({ socket }) =>
    socket.end(message(head({ fields: { ...CHUNKED, "Content-Length": GOOD.length } }), chunk(GOOD), LAST_CHUNK)),
  ),
  wired("two types, the wrong one first", 4, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Type": "text/html", "content-type": "application/json" } }),
  ),
  wired("two types, the right one first", 4, ({ socket }) =>
    sendGood(socket, { fields: { "Content-Type": "application/json", "content-type": "text/html" } }),
  ),
  wired("a status of four digits", 1, ({ socket }) =>
    socket.end(`HTTP/1.1 2000 X\r\nContent-Type: application/json\r\nContent-Length: ${GOOD.length}\r\n\r\n${GOOD}`),
  ),
];

/** One byte a second for ever. */
function drip(socket: Socket, first: string, again: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(again), 1000);
  socket.on("close", () => clearInterval(timer)).on("error", () => clearInterval(timer));
}

const SLOW = { slow: true } as const;

const slow: readonly HostileAnswer[] = [
  marked(
    SLOW,
    wired("no answer", 1, () => undefined),
  ),
  marked(
    { slow: true, atOnce: true },
    wired("no answer, and the request is not read", 1, ({ socket }) => void socket.pause()),
  ),
  marked(
    SLOW,
    wired("a status line a byte a second", 1, ({ socket }) => drip(socket, "HTTP/1.1 200 ", "O")),
  ),
  marked(
    SLOW,
    wired("fields a byte a second", 1, ({ socket }) => drip(socket, "HTTP/1.1 200 OK\r\nX-Slow: ", "x")),
  ),
  marked(
    SLOW,
    wired("a field a second", 1, ({ socket }) => drip(socket, "HTTP/1.1 200 OK\r\n", "X: x\r\n")),
  ),
  marked(
    SLOW,
    wired("100 each second", 1, ({ socket }) => drip(socket, "", interim(100))),
  ),
  marked(
    SLOW,
    wired("103 each second", 1, ({ socket }) => drip(socket, "", interim(103))),
  ),
  marked(
    SLOW,
    wired("a good body, and then the rest of its length a byte a second", 1, ({ socket }) =>
      drip(socket, head({ fields: { ...JSON_TYPE, "Content-Length": GOOD.length + 100 } }) + GOOD, " "),
    ),
  ),
  marked(
    SLOW,
    wired("a good body without a length, and then a byte a second", 1, ({ socket }) =>
      drip(socket, head({ fields: JSON_TYPE }) + GOOD, " "),
    ),
  ),
  marked(
    SLOW,
    wired("a good chunk, and then one a second", 1, ({ socket }) =>
      drip(socket, message(head({ fields: CHUNKED }), chunk(GOOD)).toString(), chunk(" ").toString()),
    ),
  ),
  marked(
    SLOW,
    wired("a good chunk, and then nothing", 1, ({ socket }) =>
      socket.write(message(head({ fields: CHUNKED }), chunk(GOOD))),
    ),
  ),
  marked(
    SLOW,
    wired("a good body without a length, and then nothing", 1, ({ socket }) =>
      socket.write(head({ fields: JSON_TYPE }) + GOOD),
    ),
  ),
  marked(
    SLOW,
    wired("a good answer in pieces, in three seconds", 9, ({ socket }) => {
      const whole = head({ fields: { ...JSON_TYPE, "Content-Length": GOOD.length } }) + GOOD;
      const pieces = [0, 1, 2, 3].map((i) => whole.slice((i * whole.length) / 4, ((i + 1) * whole.length) / 4));
      pieces.forEach((piece, i) => setTimeout(() => socket.write(piece), i * 1000));
    }),
  ),
  // What is refused is known by the head: nobody waits for the rest of it.
  marked(
    SLOW,
    wired("404, of whose body nothing comes", 2, ({ socket }) =>
      socket.write(head({ status: 404, fields: { ...JSON_TYPE, "Content-Length": 5 } })),
    ),
  ),
  marked(
    SLOW,
    wired("500, of whose body nothing comes", 3, ({ socket }) =>
      socket.write(head({ status: 500, fields: { ...JSON_TYPE, "Content-Length": 5 } })),
    ),
  ),
  wired("404 with half of its body", 2, ({ socket }) =>
    sendGood(socket, { status: 404, fields: { "Content-Length": GOOD.length * 2 } }),
  ),
];

export const hostileAnswers: readonly HostileAnswer[] = [
  ...numbers,
  ...dimensions,
  ...words,
  ...strings,
  ...encodings,
  ...structure,
  ...duplicates,
  ...members,
  ...extras,
  ...judged,
  ...types,
  ...statuses,
  ...goodHttp,
  ...sizes,
  ...cutShort,
  ...slow,
];

/** The line that `resolve` prints for an outcome, as the README of a kit says: one line of JSON, in ASCII. */
export function lineOf(expected: Classification): string {
  return `${ascii(JSON.stringify(expected))}\n`;
}

/** Every UTF-16 unit that is no visible ASCII, escaped as in JSON. */
function ascii(text: string): string {
  return text.replaceAll(/[^ -~]/g, (unit) => `\\u${hex(unit.charCodeAt(0))}`);
}

function hex(number: number): string {
  return number.toString(16).padStart(4, "0");
}
