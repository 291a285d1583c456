/** A review up to its writing: the files that it changes, or the errors that it would cause. */
import type { Effects } from "../../effects/effects.ts";
import type { Finding } from "../../text/finding.ts";
import type { EditableSource } from "../edit/edit.ts";
import type { RegistryFiles } from "../edit/write.ts";
import type { Decision } from "./decide.ts";
import { errorsOf, filesOf, type Plan, planReview } from "./plan.ts";
import type { Chosen } from "./where.ts";

export interface Review {
  readonly directory: string;
  readonly source: EditableSource;
  readonly decision: Decision;
  readonly chosen: readonly Chosen[];
}

export type Prepared =
  | { readonly status: "impossible"; readonly errors: readonly Finding[] }
  | { readonly status: "ready"; readonly plan: Plan; readonly files: RegistryFiles };

export function prepareReview(effects: Effects, { directory, source, decision, chosen }: Review): Prepared {
  const plan = planReview(source, chosen, decision);
  const errors = plan.changes.length === 0 ? [] : errorsOf(source, plan);
  if (errors.length > 0) return { status: "impossible", errors };
  return { status: "ready", plan, files: filesOf(effects, directory, plan) };
}
