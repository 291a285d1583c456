/**
 * Integration: the five recipes, the six outcomes and fixtures of each, and the documents made from
 * them.
 * Source: contract §3, §4.4; rulings O-39, O-41.
 */
import * as Type from "../../runtime/contract/type.ts";
import { endSchema, headSchema, Sha256, Text, Texts, Url } from "../../runtime/contract/document.ts";
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import { closed, nullable, open } from "../../runtime/contract/schema.ts";

/** How a client classifies an exchange, in fixture order. Only the first assigns (contract §3). */
export const FIXTURE_OUTCOMES = [
  "resolved-valid",
  "unknown",
  "ambiguous",
  "malformed",
  "request-error",
  "service-error",
] as const;
export type FixtureOutcome = (typeof FIXTURE_OUTCOMES)[number];

/** The languages of the client handoffs; also the folders of a kit. */
export const HANDOFF_LANGUAGES = ["python", "node", "powershell", "curl"] as const;
export type HandoffLanguage = (typeof HANDOFF_LANGUAGES)[number];

/** The classifier as a separate module, which also runs in browsers. */
export const CLASSIFIER_FILE = "node/classify.mjs";

/** The verifier of the transparency log's proofs, in a kit; the compile step makes it. */
export const VERIFIER_FILE = "node/verifier.mjs";

/** All that these folders hold in a kit, in order. */
export const HANDOFF_FILES = [
  "curl/classify.awk",
  "curl/handoff.sh",
  CLASSIFIER_FILE,
  "node/handoff.mjs",
  "node/log-proof.mjs",
  VERIFIER_FILE,
  "powershell/handoff.ps1",
  "python/handoff.py",
  "python/log_proof.py",
] as const;

/** What a person can be asked about: a candidate without its score, which invites a threshold. */
const NamedCandidate = closed({ code: Type.String(), name: Type.String() });

/**
 * The result of classifying an exchange. Only `resolved-valid` has code and registryVersion, which
 * are the assignment; `unknown` and `ambiguous` have the reason and the candidates of the answer,
 * in its order, which assign nothing.
 */
export const Classification = Type.Union([
  closed({ outcome: Type.Literal("resolved-valid"), code: Text, registryVersion: Text }),
  closed({
    outcome: Type.Enum(["unknown", "ambiguous"]),
    reason: nullable(Type.String()),
    candidates: Type.Array(NamedCandidate),
  }),
  closed({ outcome: Type.Enum(["malformed", "request-error", "service-error"]) }),
]);
export type Classification = Type.Static<typeof Classification>;

const RequestSent = closed({ expression: Type.String(), language: Type.Optional(Type.String()) });

/** A fixed exchange with the service and the outcome to find: a fixture's file in a kit. */
export const Fixture = closed({
  recipeId: Type.Enum([...RECIPE_IDS]),
  id: Type.Enum([...FIXTURE_OUTCOMES]),
  title: Text,
  /** `illustration` if the registry has no such expression short enough to show: it is made up. */
  drawnFrom: Type.Enum(["registry", "illustration"]),
  /** The request; some are refused, so it need not be a ResolveRequest. */
  request: RequestSent,
  /** The response, its body exact to the byte as UTF-8; null if no complete answer comes. */
  response: nullable(
    closed({ status: Type.Integer({ minimum: 100, maximum: 999 }), contentType: nullable(Text), body: Type.String() }),
  ),
  expected: Classification,
  handling: Text,
  /** The record that the integrator keeps, in the recipe's own shape. */
  record: open({}),
});
export type Fixture = Type.Static<typeof Fixture>;

const five = { minItems: RECIPE_IDS.length, maxItems: RECIPE_IDS.length };
const six = { minItems: FIXTURE_OUTCOMES.length, maxItems: FIXTURE_OUTCOMES.length };

const RecipeFields = {
  id: Type.Enum([...RECIPE_IDS]),
  title: Text,
  purpose: Text,
  scenario: Text,
  placement: closed({ before: Text, at: Text, after: Text }),
  recorded: Type.Array(closed({ what: Text, where: Text }), { minItems: 1 }),
  handling: Type.Array(closed({ outcome: Type.Enum([...FIXTURE_OUTCOMES]), action: Text }), six),
  never: Texts,
};

/** A recipe with the addresses of its report and its kit. */
export const RecipeSummary = closed({ ...RecipeFields, report: Url, kit: Url });

const Call = closed({ request: RequestSent, classification: Classification });

/**
 * A question to a person and what came of it. The definition and the expression of a choice are
 * those of its concept; a choice without one of its own cannot be confirmed by a call.
 */
export const ClarifiedExchange = closed({
  drawnFrom: Type.Enum(["registry", "illustration"]),
  sent: Call,
  question: closed({
    text: Text,
    choices: Type.Array(closed({ name: Text, definition: Text, resolvesBy: nullable(RequestSent) }), { minItems: 1 }),
    none: Text,
  }),
  chosen: closed({ by: Text, name: Text }),
  sentAgain: Call,
  record: open({}),
});
export type ClarifiedExchange = Type.Static<typeof ClarifiedExchange>;

/** How an exchange is judged: the first rule that applies decides. */
export const ClassifierRule = closed({
  rule: Type.Integer({ minimum: 1 }),
  when: Text,
  outcome: Type.Enum([...FIXTURE_OUTCOMES]),
});
export type ClassifierRule = Type.Static<typeof ClassifierRule>;

export const IntegrationReadiness = closed({
  ...headSchema("integration-readiness"),
  checklist: Type.Array(
    closed({ step: Type.Integer({ minimum: 1 }), id: Text, title: Text, do: Text, doneWhen: Text }),
  ),
  selection: closed({ exactly: Type.Literal(1), of: Type.Array(RecipeSummary, five) }),
  fixtures: Type.Array(closed({ id: Type.Enum([...FIXTURE_OUTCOMES]), assigns: Type.Boolean() }), six),
  classifier: Type.Array(ClassifierRule),
  assignmentRule: Text,
  noAssignment: Texts,
  authorizationRecord: closed({ separate: Type.Literal(true), rule: Text }),
  isDeploymentProof: Type.Literal(false),
  next: Type.Record(Type.String(), Url),
  ...endSchema,
});
export type IntegrationReadiness = Type.Static<typeof IntegrationReadiness>;

/** A fixture and the classifier's result when the release was built. */
export const ProvenFixture = closed({ ...Fixture.properties, result: Classification, asDeclared: Type.Literal(true) });
export type ProvenFixture = Type.Static<typeof ProvenFixture>;

export const IntegrationReport = closed({
  ...headSchema("integration-report"),
  recipe: closed(RecipeFields),
  passed: Type.Literal(true),
  fixtures: Type.Array(ProvenFixture, six),
  /** Of a recipe that asks a person; otherwise none. */
  exchanges: Type.Array(ClarifiedExchange),
  classifier: closed({ rules: Type.Array(ClassifierRule), file: Text, sha256: Sha256 }),
  isDeploymentProof: Type.Literal(false),
  isAuthorization: Type.Literal(false),
  statements: Texts,
  ...endSchema,
});
export type IntegrationReport = Type.Static<typeof IntegrationReport>;

/** How to run a handoff: the arguments of a process, from the kit's root. */
export const Handoff = closed({
  language: Type.Enum([...HANDOFF_LANGUAGES]),
  requires: Text,
  /** Judges the six fixtures, without a network. */
  prove: Texts,
  /** Makes one live call; append an expression, then a language tag if it is known. */
  resolve: Texts,
});
export type Handoff = Type.Static<typeof Handoff>;

const FileEntry = closed({ path: Text, bytes: Type.Integer({ minimum: 0 }), sha256: Sha256 });

const ExitCodes = closed({
  prove: Type.Array(closed({ code: Type.Integer(), means: Text })),
  resolve: Type.Array(closed({ code: Type.Integer(), means: Text })),
});

const handoffs = Type.Array(Handoff, { minItems: HANDOFF_LANGUAGES.length, maxItems: HANDOFF_LANGUAGES.length });

/** `manifest.json` of a kit. */
export const IntegrationKit = closed({
  ...headSchema("integration-kit"),
  recipeId: Type.Enum([...RECIPE_IDS]),
  handoffs,
  exitCodes: ExitCodes,
  liveResolution: closed({
    default: Type.Literal("off"),
    flag: Text,
    url: Url,
    timeoutSeconds: Type.Integer({ minimum: 1 }),
  }),
  dependencies: Type.Array(Text, { maxItems: 0 }),
  /** Every file except this one and SHA256SUMS. */
  files: Type.Array(FileEntry),
  ...endSchema,
});
export type IntegrationKit = Type.Static<typeof IntegrationKit>;

/** The steps of the journey, in order (contract §4.4). */
export const JOURNEY = ["understand", "select", "prove", "generate", "inspect", "download"] as const;

export const IntegrationStudio = closed({
  ...headSchema("integration-studio"),
  page: Url,
  journey: Type.Array(
    closed({ step: Type.Integer({ minimum: 1 }), id: Type.Enum([...JOURNEY]), title: Text, do: Text, doneWhen: Text }),
    { minItems: JOURNEY.length, maxItems: JOURNEY.length },
  ),
  localProof: closed({
    fixtures: Type.Array(Type.Enum([...FIXTURE_OUTCOMES]), six),
    network: Type.Literal("none"),
    rules: Type.Array(ClassifierRule),
  }),
  handoffs,
  exitCodes: ExitCodes,
  adapters: closed({ dependencies: Type.Array(Text, { maxItems: 0 }), statement: Text }),
  liveResolution: closed({ default: Type.Literal("off"), turnOn: Text }),
  recipes: Type.Array(
    closed({
      ...RecipeSummary.properties,
      archive: closed({ ...FileEntry.properties, mediaType: Text }),
      files: Type.Array(FileEntry),
    }),
    five,
  ),
  ...endSchema,
});
export type IntegrationStudio = Type.Static<typeof IntegrationStudio>;
