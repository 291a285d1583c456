/** Multilingual memory: entries written in many languages, kept under one code if there is one. */
import type { FixtureOutcome } from "../../contract/integration.ts";
import type { Recipe } from "./recipe.ts";

export const multilingualMemory: Recipe = {
  id: "multilingual-memory",
  title: "Multilingual memory",
  purpose: "Entries written in several languages are found under one code.",
  scenario:
    "A support team in several countries keeps one memory of closed cases. Whoever closes a case labels it in their " +
    "own language, and a colleague looks for cases of the same kind months later. The labels of a shift are stored " +
    "in one run. Most are reviewed expressions; some are in-house words, and some mean two things. The run can " +
    "be faster than the service allows, the answers to two labels can be mixed up on the way, and the registry can " +
    "be unavailable. Every entry is stored nevertheless.",
  placement: {
    before: "The case is closed and its label is written; nothing is stored yet",
    at: "The memory writer sends the label of an entry that is new or due again, and waits no longer than its limit",
    after: "The entry is stored with its concept or with none; a search by code finds it, or a search by text does",
  },
  recorded: [
    {
      what: "The label as it was written, and its language tag if it is known",
      where: "text and language of the entry",
    },
    { what: "Code and registryVersion as one pair", where: "concept of the entry; null until a call resolves" },
    { what: "The outcome of the call", where: "resolution of the entry" },
    { what: "What the entry waits for before it is sent again", where: "revisit of the entry" },
    { what: "Who may read or change the entry", where: "The access rules of the memory, never the entry's concept" },
  ],
  handling: {
    "resolved-valid":
      "Store the entry with the code and registryVersion as its concept; entries in other languages with the same " +
      "code are now found with it",
    unknown:
      "Store the entry without a concept, so that only its text finds it; send it again when the registry has a new " +
      "release, propose frequent labels to the registry's owners, and store no code of a candidate that is near in form",
    ambiguous:
      "Store the entry without a concept and put it on its author's list; the author may write a longer label, " +
      "which is sent as a new expression",
    malformed:
      "Store the entry without a concept, report the answer to whoever runs the service, and send the label again " +
      "when the report is settled; nothing from the answer enters the memory",
    "request-error":
      "Store the entry without a concept; wait as Retry-After says if the run was too fast, fix the request in " +
      "other cases, and send the label in a later run",
    "service-error":
      "Store the entry without a concept and end the calls of this run; the next run sends the label again, and " +
      "each run that fails doubles the pause",
  },
  never: [
    "Hold an entry back, or lose it, because there is no code",
    "Replace the label by the concept's name or by a translation",
    "Give an entry the code of another entry because their texts look alike",
    "Store a candidate so that a search can find it as if it were the concept",
    "Keep a code without the registryVersion it came with",
    "Send the case itself, its conversation or a customer's name",
  ],
  prefers: { languages: ["hi", "fr", "sv", "vi", "nl", "en"], domains: ["support", "billing"] },
  faults: { malformed: "other-expression", requestError: "rate-limited", serviceError: "registry-unavailable" },
  record: (sent, result) => ({
    kind: "memory-entry",
    text: sent.expression,
    ...(sent.language !== undefined && { language: sent.language }),
    concept:
      result.outcome === "resolved-valid" ? { code: result.code, registryVersion: result.registryVersion } : null,
    resolution: result.outcome,
    revisit: REVISIT[result.outcome],
  }),
};

/** What an entry waits for; null if it waits for nothing. */
const REVISIT: Readonly<Record<FixtureOutcome, string | null>> = {
  "resolved-valid": null,
  unknown: "next-registry-release",
  ambiguous: "longer-label-from-author",
  malformed: "report-settled",
  "request-error": "pause-over-or-request-mended",
  "service-error": "next-run",
};
