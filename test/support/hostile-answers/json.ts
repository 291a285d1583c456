/** Texts that are JSON or almost: numbers, words, strings, encodings, white space, duplicates. */
import { ANSWER_MAX_BYTES } from "../../../generator/integration/handoffs/node/classify.mjs";
import {
  type HostileAnswer,
  CODE,
  plain,
  marked,
  message,
  concept,
  profile,
  candidate,
  dataWith,
  envelope,
  GOOD,
  MARK,
  withText,
  withString,
  octets,
  ascii,
} from "./answer.ts";

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

export const numbers: readonly HostileAnswer[] = [
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

export const dimensions = DIMENSIONS.map(([text, rule]) =>
  plain(`dimensions of ${text}`, rule, {
    body: withText(text, { embeddingProfile: { ...profile, dimensions: MARK } }),
  }),
);

const WORDS_REFUSED = ["True", "NULL", "nul", "nulll", "undefined", "none", "n", "tru", "'x'", "x", "`x`", ""];

export const words = WORDS_REFUSED.map((text, i) =>
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

export const strings: readonly HostileAnswer[] = [
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

export const encodings: readonly HostileAnswer[] = [
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

export const structure: readonly HostileAnswer[] = [
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

/** White space of all kinds around each token of an answer whose strings contain no token. */
function spread(json: string): string {
  return json.replaceAll(/[{}[\]:,]/g, (sign) => ` \n${sign}\t\r`);
}

export const duplicates: readonly HostileAnswer[] = [
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
