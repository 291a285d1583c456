/** One definition per recipe: every document, kit and page that speaks of a recipe prints it from here. */
import type { Classification, FixtureOutcome } from "../../contract/integration.ts";
import type { RecipeId } from "../../../runtime/contract/recipe.ts";

/** What a client sent. */
export interface Sent {
  readonly expression: string;
  readonly language?: string;
}

export interface Recipe {
  readonly id: RecipeId;
  readonly title: string;
  /** What it is for, in one sentence. */
  readonly purpose: string;
  /** One worked situation, in which all six fixtures can happen. */
  readonly scenario: string;
  /** Where the call stands in a workflow: what was done, the boundary itself, what follows. */
  readonly placement: { readonly before: string; readonly at: string; readonly after: string };
  readonly recorded: readonly { readonly what: string; readonly where: string }[];
  /** What the integrator does on each outcome. */
  readonly handling: Readonly<Record<FixtureOutcome, string>>;
  readonly never: readonly string[];
  /** What its fixtures are drawn from, the first that the registry has: they never need any of them. */
  readonly prefers: { readonly languages: readonly string[]; readonly domains: readonly string[] };
  /** The faults its fixtures show. */
  readonly faults: {
    readonly malformed: MalformedFault;
    readonly requestError: RequestFault;
    readonly serviceError: ServiceFault;
  };
  /** What is written down after an exchange, in the recipe's own shape. It has a code only where `result` has one. */
  record(sent: Sent, result: Classification): Readonly<Record<string, unknown>>;
}

/** Ways in which an answer with HTTP 200 breaks the contract. */
export type MalformedFault = "code-missing" | "member-added" | "type-wrong" | "candidate-promoted" | "other-expression";

/** Refusals of a request. */
export type RequestFault =
  | "language-with-underscore"
  | "expression-empty"
  | "rate-limited"
  | "sent-too-slowly"
  | "language-empty";

/** Ways in which the service does not answer. */
export type ServiceFault = "no-answer" | "registry-unavailable" | "internal-error" | "gateway-page" | "redirect";
