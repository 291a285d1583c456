/** Well-formed answers with a wrong meaning: another expression, state or code. */
import {
  type HostileAnswer,
  EXPRESSION,
  plain,
  marked,
  concept,
  abstaining,
  candidate,
  abstained,
  envelope,
  MARK,
  withText,
  ascii,
  hex,
} from "./answer.ts";

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

export const judged: readonly HostileAnswer[] = [
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
  abstaining("ambiguous", { reason: "ambiguous_expression", candidates: [candidate] }),
  {
    ...plain("ambiguous by an escaped reason", 7, {
      body: envelope({ ...abstained, reason: MARK }).replace(MARK, String.raw`\u0061mbiguous_expression`),
    }),
    expected: { outcome: "ambiguous", reason: "ambiguous_expression", candidates: [] },
  },
  abstaining("abstained", { reason: "no_reviewed_exact_match" }),
  abstaining("abstained for a reason nobody knows", { reason: "x" }),
  abstaining("abstained for no reason", { reason: null }),
  abstaining("abstained for an empty reason", { reason: "" }),
  abstaining("abstained as ambiguous in another case", { reason: "Ambiguous_expression" }),
  abstaining("abstained with a candidate of strength 1", {
    reason: "no_reviewed_exact_match",
    candidates: [{ ...candidate, score: 1 }],
  }),
  abstaining("abstained with candidates near and nearer, in the order of the answer", {
    reason: "no_reviewed_exact_match",
    candidates: [
      { code: "C-9", name: "Nearer", score: 0.5 },
      { code: "C-2", name: "Near", score: 0.95 },
    ],
  }),
  abstaining("abstained with an odd reason and a candidate of odd names", {
    reason: '"]}\\\n\u{1f600}%s',
    candidates: [{ code: "", name: '\u202e"$(id)`\\\0\u2028', score: -1 }],
  }),
  abstaining("ambiguous with a thousand candidates", {
    reason: "ambiguous_expression",
    candidates: Array.from({ length: 1000 }, (_, i) => ({ code: `C-${i}`, name: "\u00e9".repeat(i % 90), score: 1 })),
  }),
  plain("abstained with a candidate that has a concept's members", 5, {
    body: envelope({ ...abstained, candidates: [{ ...candidate, registryVersion: "1" }] }),
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
