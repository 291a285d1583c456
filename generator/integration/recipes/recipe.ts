/**
 * One definition per recipe: every document, kit and page that mentions a recipe prints it from
 * here.
 */
import type { Classification, FixtureOutcome } from "../../contract/integration.ts";
import type { RecipeId } from "../../../runtime/contract/recipe.ts";
import type { ResolveRequest } from "../../../runtime/contract/resolution.ts";

export interface Recipe {
  readonly id: RecipeId;
  readonly title: string;
  /** Its purpose, in one sentence. */
  readonly purpose: string;
  /** One example situation in which all six fixtures can occur. */
  readonly scenario: string;
  /**
   * The place of the call in a workflow: the steps before it, the boundary itself, the steps after
   * it.
   */
  readonly placement: { readonly before: string; readonly at: string; readonly after: string };
  readonly recorded: readonly { readonly what: string; readonly where: string }[];
  /** The integrator's action for each outcome. */
  readonly handling: Readonly<Record<FixtureOutcome, string>>;
  readonly never: readonly string[];
  /** The languages and domains that its fixtures prefer, best first. None of them is required. */
  readonly prefers: { readonly languages: readonly string[]; readonly domains: readonly string[] };
  /** The faults its fixtures show. */
  readonly faults: {
    readonly malformed: MalformedFault;
    readonly requestError: RequestFault;
    readonly serviceError: ServiceFault;
  };
  /**
   * The record of an exchange, in the recipe's own shape. It has a code only if `result` has one.
   */
  record(sent: ResolveRequest, result: Classification): Readonly<Record<string, unknown>>;
  /** How a person is asked about candidates, in a recipe that asks one. */
  readonly clarify?: {
    readonly question: Readonly<Record<"ambiguous" | "unknown", string>>;
    /** The choice that no candidate is meant. */
    readonly none: string;
    /** The record of the person's choice and of the call that followed it. */
    record(choice: ClarifiedChoice): Readonly<Record<string, unknown>>;
  };
}

export interface ClarifiedChoice {
  readonly sent: ResolveRequest;
  /** The name that the person chose. */
  readonly chosen: string;
  readonly sentAgain: ResolveRequest;
  readonly result: Classification;
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

/** Ways in which the service fails to answer. */
export type ServiceFault = "no-answer" | "registry-unavailable" | "internal-error" | "gateway-page" | "redirect";
