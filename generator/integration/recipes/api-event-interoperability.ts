/**
 * API and event interoperability: an event always goes out, with a concept field only if a code was
 * assigned.
 */
import type { FixtureOutcome } from "../../contract/integration.ts";
import type { Recipe } from "./recipe.ts";

export const apiEventInteroperability: Recipe = {
  id: "api-event-interoperability",
  title: "API and event interoperability",
  purpose: "Systems exchange codes instead of agreeing on each other's words.",
  scenario:
    "Carriers, warehouses and a shop publish what happens to a shipment, up to its delivery appointment. Each names " +
    "the step with a label of its own system, in the language of its depot. The producer of an event asks for the " +
    "code of the label before it publishes. A label can be new, or be used for two steps. A depot may write its " +
    "locale as its operating system does, which is not a language tag. A proxy may add a member of its own to an " +
    "answer, or send a page of its own in place of one. The shipment moves in all these cases, so the event must go " +
    "out.",
  placement: {
    before: "The step has happened and the producer has filled in the event, its label included",
    at: "The producer sends the label, with a language tag if it has one, and then publishes, whatever came back",
    after: "Subscribers read the concept field if it is there and the label if it is not; none of them asks again",
  },
  recorded: [
    { what: "The producer's own label, unchanged", where: "data.label and data.labelLanguage of the event" },
    { what: "Code and registryVersion", where: "data.concept of the event; no such field without an assignment" },
    {
      what: "Whether a concept was assigned, was abstained from or was unavailable",
      where: "data.conceptStatus of the event",
    },
    { what: "Outcome, HTTP status and error.code of the call", where: "The producer's log, not the event" },
    { what: "Which subscriber may act on an event", where: "The contract between the two systems" },
  ],
  handling: {
    "resolved-valid":
      "Publish the event with code and registryVersion in data.concept and with data.conceptStatus assigned",
    unknown:
      "Publish the event without data.concept and with data.conceptStatus abstained; count the label among those to " +
      "be proposed for review",
    ambiguous:
      "Publish the event without data.concept and with data.conceptStatus abstained, since two possible meanings do " +
      "not decide on one; ask the label's owner to replace it by two labels",
    malformed:
      "Publish the event without data.concept and with data.conceptStatus unavailable; alert whoever runs the proxy " +
      "or the service; an extra member is reason enough",
    "request-error":
      "Publish the event with data.conceptStatus unavailable and no data.concept; fix the producer, such as its " +
      "table from locales to language tags; repeat the same request only after 408 or 429",
    "service-error":
      "Publish the event at once, with data.conceptStatus unavailable and no data.concept; ask again in the " +
      "background; a code that comes later goes out in a second event about the same subject",
  },
  never: [
    "Delay or drop an event because its concept is missing",
    "Send data.concept as null, as an empty string or with a placeholder for a code",
    "Overwrite data.label: subscribers need it to check what was asked",
    "Change an event that was published; publish what is learned later as a new event",
    "Let a subscriber fill in data.concept from its own reading of the label",
    "Open an interface to a caller because its event has a code",
  ],
  prefers: { languages: ["ar", "pl", "pt", "id", "fr", "en"], domains: ["logistics", "scheduling"] },
  faults: { malformed: "member-added", requestError: "language-with-underscore", serviceError: "gateway-page" },
  record: (sent, result) => ({
    type: "shipment.step.reported",
    subject: "shipment/example",
    data: {
      label: sent.expression,
      ...(sent.language !== undefined && { labelLanguage: sent.language }),
      ...(result.outcome === "resolved-valid" && {
        concept: { code: result.code, registryVersion: result.registryVersion },
      }),
      conceptStatus: CONCEPT_STATUS[result.outcome],
    },
  }),
};

const CONCEPT_STATUS: Readonly<Record<FixtureOutcome, "assigned" | "abstained" | "unavailable">> = {
  "resolved-valid": "assigned",
  unknown: "abstained",
  ambiguous: "abstained",
  malformed: "unavailable",
  "request-error": "unavailable",
  "service-error": "unavailable",
};
