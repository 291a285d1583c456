/**
 * The rules of use: when to call, what to send, what an answer allows. Every document for agents
 * states them in the few sentences of `inShort`; only the agent contract has them in full, and the
 * others link to it.
 * Source: contract §1, §7; requirements A10, A27 to A29; rulings O-03, O-05, O-07.
 */
import type { Outcome } from "../../runtime/contract/document.ts";
import { EXPRESSION_MAX_LENGTH, EXPRESSION_MIN_LENGTH } from "../../runtime/contract/limits.ts";

export const ACCEPTANCE_RULE =
  'Use a ConceptCode only when data.status is "resolved" and data.concept.code is present. HTTP 200 alone is not success.';

/** The same rule for an answer inside a tool result. */
export const MCP_ACCEPTANCE =
  "Over MCP the envelope is result.structuredContent, so data is result.structuredContent.data. A result with isError " +
  "true has no envelope and assigns nothing.";

export const IDENTITY_IS_NO_PERMISSION =
  "A ConceptCode identifies a meaning; it grants no permission and authorizes no action";

/** The least that a document must say to a reader who reads no other. */
export const inShort = {
  intendedUse:
    "Ask where a meaning becomes durable: memory, API or event records, workflow routing inputs, cross-language handoffs, " +
    "audit evidence. Do not ask for every utterance or for a search; a code is no permission.",
  minimumData:
    `Send only the exact expression that needs stable identity, ${EXPRESSION_MIN_LENGTH} to ${EXPRESSION_MAX_LENGTH} ` +
    "characters, and its BCP 47 language tag where it is known: no conversation, no secrets.",
  comparison:
    "Expressions are compared by their Unicode NFC forms and by nothing else: no case folding, trimming or translation. " +
    "With a language, RFC 4647 lookup: de-AT finds de, de never finds de-AT. Without one, exactly one concept must remain.",
  otherwise:
    "Everything else assigns nothing. An abstention is a valid answer: no code is assigned; go on without one and record data.reason. A " +
    "candidate is evidence for people, never the code. After HTTP 429, wait as many seconds as Retry-After says.",
} as const;

export const callAt = [
  "Durable memory: before a meaning is stored that must be found again later",
  "API or event records: before a record names what it is about",
  "Workflow routing inputs: before a durable input decides a route",
  "Cross-language handoffs: before a meaning passes to somebody who works in another language",
  "Audit evidence: when a record must show which reviewed meaning was used",
] as const;

export const doNotCallFor = [
  "Every utterance, message or token of a conversation",
  "Search, ranking, translation or a guess at what somebody means",
  "Permission: a code identifies a meaning and authorizes nothing",
  "Personal names, free text, documents or anything secret",
] as const;

export const minimumData = [
  `Send only the exact expression that needs stable identity, ${EXPRESSION_MIN_LENGTH} to ${EXPRESSION_MAX_LENGTH} characters, as it was written`,
  "Send the BCP 47 language tag of the expression when it is known; leave it out when it is not",
  "Send no conversation around the expression, no prompt, no history",
  "Send no secrets, no credentials, no personal data",
] as const;

export const authority = [
  "The reviewed registry is the only authority: a code comes from a reviewed exact expression or there is none",
  "Resolution is exact and registry-first; nothing is inferred, embedded, translated or repaired",
  "A candidate is evidence for people; it is never an assignment",
  IDENTITY_IS_NO_PERMISSION,
  "The direct API and MCP share one resolver and one registry",
] as const;

export const EXACTNESS =
  "Two expressions are the same when their Unicode NFC forms are equal. Nothing else is done: no case folding, " +
  "trimming, space collapsing, NFKC or diacritic folding. The echo keeps the expression as it was sent.";

export const LANGUAGE_MATCHING =
  "With a language, RFC 4647 lookup shortens the tag that was sent: de-AT finds de, de never finds de-AT, and the " +
  "first level that has the expression decides. Without one, all languages are searched, and exactly one concept must remain.";

/** The possible outcomes and what to do: the first that applies. Only `resolved` gives a code. */
export const outcomes: readonly Outcome[] = [
  {
    outcome: "resolved",
    when: 'HTTP 200, data.status is "resolved" and data.concept.code is present',
    action: "Use data.concept.code and record it together with data.concept.registryVersion",
    conceptCode: true,
  },
  {
    outcome: "abstained",
    when: 'HTTP 200 and data.status is "abstained"',
    action:
      "Go on without a code, keep the expression as it is, and record data.reason; never take a candidate as the code",
    conceptCode: false,
  },
  {
    outcome: "malformed",
    when: "Any other answer with HTTP 200, such as one that says resolved without data.concept.code",
    action: "Treat it as no assignment and report it",
    conceptCode: false,
  },
  {
    outcome: "request-error",
    when: "HTTP 4xx",
    action:
      "Go on without a code; correct the request as error.message says. Send the same one again only after 408, or after " +
      "429 when as many seconds have passed as Retry-After says",
    conceptCode: false,
  },
  {
    outcome: "service-error",
    when: "Everything else: HTTP 5xx, another status, a timeout, no connection",
    action: "Go on without a code; try again later with growing pauses, never in a tight loop",
    conceptCode: false,
  },
];

export const record = [
  "data.concept.code and data.concept.registryVersion, always together",
  "The expression and the language tag that were sent, where your own rules allow it",
  "For an abstention: data.reason, and that no code was assigned",
  "Authorization separately: who allowed the action, and on what ground",
] as const;

/** The checks before there is an envelope. */
const beforehand = [
  { check: "The boundary is durable: memory, record, routing input, handoff or evidence", otherwise: "Do not call" },
  { check: "The text is the exact expression alone, without secrets or conversation", otherwise: "Do not call" },
  { check: "The answer is HTTP 200 and a JSON envelope whose error is null", otherwise: "No code is assigned" },
];

/** The checks of an envelope before its code is used. */
export const acceptance = [
  { check: 'data.status is "resolved"', otherwise: "No code is assigned; record data.reason" },
  { check: "data.concept.code is a non-empty string", otherwise: "No code is assigned; report the answer" },
  {
    check: "The code is recorded with its registryVersion, and the action is authorized elsewhere",
    otherwise: "Do not act",
  },
];

/** The fail-closed procedure: the first check that fails ends it without a code. */
export const decisionProcedure = [...beforehand, ...acceptance].map((step, i) => ({
  step: i + 1,
  ...step,
}));
