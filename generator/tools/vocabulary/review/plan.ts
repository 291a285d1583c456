/**
 * Plans a review before it happens: the concepts as they would be, refused expressions, the version
 * that the registry needs, and the errors that the change would cause. Published content that the
 * history records never changes under its version (O-16).
 */
import { REVIEWED } from "../../../../runtime/contract/concept.ts";
import { type Effects, readTextIfFile } from "../../../effects/effects.ts";
import { type Finding, formatLocation } from "../../../text/finding.ts";
import { findingsOf } from "../../../registry/check.ts";
import { changedFiles, type ConceptChange } from "../edit/edit.ts";
import { withRegistryVersion } from "../edit/edit-yaml.ts";
import { REGISTRY_FILE, type RegistrySource, type EditableSource } from "../../../registry/read.ts";
import type { ExpressionRecord } from "../../../registry/record.ts";
import type { RegistryFiles } from "../edit/write.ts";
import { decide, type Decision, type Refusal } from "./decide.ts";
import type { Chosen } from "./where.ts";
import { nextVersion } from "../../../text/version.ts";

export interface Plan {
  readonly changes: readonly ConceptChange[];
  /** The expressions whose status changes, counted by language, type and current status. */
  readonly counts: ReadonlyMap<string, number>;
  readonly samples: readonly Sample[];
  readonly refused: readonly Refusal[];
  /** The new registryVersion, if it must change. */
  readonly raisedVersion: string | undefined;
}

export interface Sample {
  readonly code: string;
  readonly name: string;
  readonly expression: ExpressionRecord;
}

const SAMPLES = 10;

export interface Review {
  readonly directory: string;
  readonly source: EditableSource;
  readonly decision: Decision;
  readonly chosen: readonly Chosen[];
}

export type Prepared =
  | { readonly status: "impossible"; readonly errors: readonly Finding[] }
  | { readonly status: "ready"; readonly plan: Plan; readonly files: RegistryFiles };

/** Returns the files that the review changes, or the errors that it would cause. */
export function prepareReview(effects: Effects, { directory, source, decision, chosen }: Review): Prepared {
  const plan = planReview(source, chosen, decision);
  const errors = plan.changes.length === 0 ? [] : errorsOf(source, plan);
  if (errors.length > 0) return { status: "impossible", errors };
  return { status: "ready", plan, files: filesOf(effects, directory, plan) };
}

function planReview(source: EditableSource, chosen: Iterable<Chosen>, decision: Decision): Plan {
  const { registry, history } = source;
  const deciding = { decision, registry, admitted: new Set(registry.languages) };
  const changes: ConceptChange[] = [];
  const counts = new Map<string, number>();
  const samples: Sample[] = [];
  const refused: Refusal[] = [];
  let publishes = false;
  for (const one of chosen) {
    const decided = decide(deciding, one);
    for (const refusal of decided.refused) refused.push(refusal);
    if (decided.change !== undefined) changes.push(decided.change);
    const { code, name, expressions } = one.concept.record;
    for (const expression of decided.changed.flatMap((i) => expressions[i] ?? [])) {
      const { language, type, reviewStatus } = expression;
      const key = `${language} ${type} ${reviewStatus}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (samples.length < SAMPLES) samples.push({ code, name, expression });
      publishes ||= decision.action === "accept" || reviewStatus === REVIEWED;
    }
  }
  const isRecorded = history.some(({ registryVersion }) => registryVersion === registry.registryVersion);
  const last = history.at(-1)?.registryVersion;
  const raisedVersion = publishes && isRecorded && last !== undefined ? nextVersion(last) : undefined;
  return { changes, counts, samples, refused, raisedVersion };
}

/** Errors that the registry would have and does not have already. */
function errorsOf(source: EditableSource, { changes, raisedVersion }: Plan): Finding[] {
  const records = new Map(changes.map(({ from, record }) => [from, record]));
  const concepts = source.concepts.map((concept) => ({ ...concept, record: records.get(concept) ?? concept.record }));
  const registry = { ...source.registry, registryVersion: raisedVersion ?? source.registry.registryVersion };
  const errors = errorsIn({ ...source, concepts, registry });
  if (errors.length === 0) return [];
  const known = new Set(errorsIn(source).map(placeAndRule));
  return errors.filter((finding) => !known.has(placeAndRule(finding)));
}

function filesOf(effects: Effects, directory: string, { changes, raisedVersion }: Plan): RegistryFiles {
  const files = new Map(changedFiles(effects, directory, changes));
  if (raisedVersion === undefined) return files;
  const text = readTextIfFile(effects, `${directory}/${REGISTRY_FILE}`) ?? "";
  return files.set(REGISTRY_FILE, withRegistryVersion(text, raisedVersion));
}

function errorsIn(source: RegistrySource): Finding[] {
  return findingsOf(source).filter(({ severity }) => severity === "error");
}

function placeAndRule(finding: Finding): string {
  return `${formatLocation(finding)}#${finding.pointer} ${finding.rule}`;
}
