/**
 * Audit and provenance: one flat line for each decision, with the outcome, the evidence and no
 * permission.
 */
import type { FixtureOutcome } from "../../contract/integration.ts";
import type { Recipe } from "./recipe.ts";

export const auditProvenance: Recipe = {
  id: "audit-provenance",
  title: "Audit and provenance",
  purpose: "A record shows which reviewed meaning was used, from which registry release.",
  scenario:
    "A privacy office decides on requests that reach it in many languages. For each decision it writes down, in the " +
    "requester's language, the kind of request it found. Years later an auditor asks which reviewed meaning that " +
    "was. The office asks for the code when the line is written. The kind may have no reviewed expression, or share " +
    "its word with another kind. An answer may have a number where the contract has text. A slow connection can " +
    "hold the request up until the service gives up on it, and a moved address can answer with a redirect. The line " +
    "is written each time, and says which of these it was.",
  placement: {
    before: "An officer has decided and named the kind of request; the decision does not depend on the call",
    at: "The audit writer sends the name of the kind, and keeps what came back as evidence before it judges it",
    after: "The line is appended and closed; an auditor looks the code up in the registry release that the line names",
  },
  recorded: [
    { what: "The name of the kind as the officer wrote it", where: "expression and language of the line" },
    { what: "The outcome, one of six", where: "outcome of the line" },
    {
      what: "Code and registryVersion of an assignment",
      where: "conceptCode and registryVersion of the line, or neither",
    },
    {
      what: "The bytes that came back",
      where: "The evidence store, under their digest; evidence of the line says what is there",
    },
    {
      what: "The registry release itself",
      where: "The archive of releases, so that the code can be looked up without the service",
    },
    {
      what: "Who allowed the decision and on what grounds",
      where: "The authorization log; the line only refers to it",
    },
  ],
  handling: {
    "resolved-valid":
      "Append the line with conceptCode and registryVersion, and archive that registry release if it is new",
    unknown: "Append the line without a code; the answer in the evidence store has the reason of the abstention",
    ambiguous:
      "Append the line without a code; the candidates stay in the evidence store, and no officer marks one of them " +
      "afterwards",
    malformed:
      "Append the line without a code, keep the bytes as they came for the inquiry, and use nothing from them, not " +
      "even the registryVersion",
    "request-error":
      "Append the line without a code and keep the refusal; a later call, after 408 or 429 or with a corrected " +
      "request, has a line of its own",
    "service-error":
      "Append the line without a code and keep the status if there was one; follow no redirect, since the answer " +
      "must come from the origin that the office has examined, and try again with growing pauses",
  },
  never: [
    "Edit or remove a line after it was appended, whatever a later call says",
    "Fill in a code from a newer registry release for an older decision",
    "Leave out lines whose outcome assigns nothing: a gap looks like a hidden guess",
    "Write the grounds of the decision, or a requester's name, into the line",
    "Show the code to an auditor as proof that the decision was allowed",
  ],
  prefers: { languages: ["he", "es", "zh-Hans", "tr", "sv", "en"], domains: ["privacy", "support"] },
  faults: { malformed: "type-wrong", requestError: "sent-too-slowly", serviceError: "redirect" },
  record: (sent, result) => ({
    line: "meaning-of-decision",
    expression: sent.expression,
    ...(sent.language !== undefined && { language: sent.language }),
    outcome: result.outcome,
    ...(result.outcome === "resolved-valid" && { conceptCode: result.code, registryVersion: result.registryVersion }),
    evidence: EVIDENCE[result.outcome],
    authorizationRecord: "recorded separately, see authorization-log/example",
  }),
};

const EVIDENCE: Readonly<Record<FixtureOutcome, string>> = {
  "resolved-valid": "answer kept; code to be checked in the registry release named here",
  unknown: "answer kept; it gives the reason of the abstention",
  ambiguous: "answer kept; it lists the candidates",
  malformed: "bytes kept as received; nothing taken from them",
  "request-error": "status and body of the refusal kept",
  "service-error": "status kept if there was one; nothing followed",
};
