/**
 * Plans a review before it happens: the concepts as they would be, refused expressions, the version
 * that the registry needs, and the errors that the change would cause. Several decisions are
 * planned one after the other and written together. Published content that the history records
 * never changes under its version (O-16).
 */
import { REVIEWED } from "../../../../runtime/contract/concept.ts";
import { type Effects, readTextIfFile } from "../../../effects/effects.ts";
import { type Finding, isError } from "../../../text/finding.ts";
import { findingsOf } from "../../../registry/check.ts";
import { causedBy } from "../edit/caused.ts";
import { changedFiles, type ConceptChange } from "../edit/edit.ts";
import { withRegistryVersion } from "../edit/edit-yaml.ts";
import { REGISTRY_FILE, type EditableSource } from "../../../registry/read.ts";
import type { ExpressionRecord } from "../../../registry/record.ts";
import type { RegistryFiles } from "../edit/write.ts";
import { decide, type Decision, type Refusal } from "./decide.ts";
import type { Chosen } from "./where.ts";
import { nextVersion } from "../../../text/version.ts";

/** What one decision changes. */
export interface Plan {
  readonly decision: Decision;
  /** How many concepts change. */
  readonly concepts: number;
  /** The expressions whose status changes, counted by language, type and current status. */
  readonly counts: ReadonlyMap<string, number>;
  readonly samples: readonly Sample[];
  readonly refused: readonly Refusal[];
}

export interface Sample {
  readonly code: string;
  readonly name: string;
  readonly expression: ExpressionRecord;
}

const SAMPLES = 10;

/** A decision about expressions. */
export interface Step {
  readonly decision: Decision;
  readonly chosen: readonly Chosen[];
}

export interface Review {
  readonly directory: string;
  readonly source: EditableSource;
  /** No expression is in two of them. */
  readonly steps: readonly Step[];
}

export type Prepared =
  | { readonly status: "impossible"; readonly errors: readonly Finding[] }
  | {
      readonly status: "ready";
      /** One for each step. */
      readonly plans: readonly Plan[];
      /** The new registryVersion, if it must change. */
      readonly raisedVersion: string | undefined;
      readonly files: RegistryFiles;
    };

/** Returns the files that the review changes, or the errors that it would cause. */
export function prepareReview(effects: Effects, { directory, source, steps }: Review): Prepared {
  const draft = new Draft(source);
  const plans = steps.map((step) => draft.take(step));
  const change = { changes: [...draft.changes.values()], raisedVersion: draft.raisedVersion };
  const errors = change.changes.length === 0 ? [] : errorsOf(source, change);
  if (errors.length > 0) return { status: "impossible", errors };
  const files = filesOf(effects, directory, change);
  return { status: "ready", plans, raisedVersion: change.raisedVersion, files };
}

/** The concepts as the steps so far leave them. */
class Draft {
  /** By the concept as it was read. */
  readonly changes = new Map<Chosen["concept"], ConceptChange>();
  readonly #source: EditableSource;
  readonly #admitted: ReadonlySet<string>;
  #publishes = false;

  constructor(source: EditableSource) {
    this.#source = source;
    this.#admitted = new Set(source.registry.languages);
  }

  /** Undefined if the version need not change. */
  get raisedVersion(): string | undefined {
    const { registry, history } = this.#source;
    const isRecorded = history.some(({ registryVersion }) => registryVersion === registry.registryVersion);
    const last = history.at(-1)?.registryVersion;
    return this.#publishes && isRecorded && last !== undefined ? nextVersion(last) : undefined;
  }

  take({ decision, chosen }: Step): Plan {
    const deciding = { decision, registry: this.#source.registry, admitted: this.#admitted };
    const counts = new Map<string, number>();
    const samples: Sample[] = [];
    const refused: Refusal[] = [];
    let concepts = 0;
    for (const { concept, positions } of chosen) {
      const before = this.changes.get(concept);
      const record = before?.record ?? concept.record;
      const decided = decide(deciding, { concept: { ...concept, record }, positions });
      for (const refusal of decided.refused) refused.push(refusal);
      if (decided.change === undefined) continue;
      concepts++;
      this.#keep(concept, before, decided.change);
      for (const expression of decided.changed.flatMap((i) => record.expressions[i] ?? [])) {
        const { language, type, reviewStatus } = expression;
        const key = `${language} ${type} ${reviewStatus}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        if (samples.length < SAMPLES) samples.push({ code: record.code, name: record.name, expression });
        this.#publishes ||= decision.action === "accept" || reviewStatus === REVIEWED;
      }
    }
    return { decision, concepts, counts, samples, refused };
  }

  #keep(from: Chosen["concept"], before: ConceptChange | undefined, { record, edits }: ConceptChange): void {
    this.changes.set(from, { from, record, edits: before ? () => [...before.edits(), ...edits()] : edits });
  }
}

interface Change {
  readonly changes: readonly ConceptChange[];
  readonly raisedVersion: string | undefined;
}

/** Errors that the registry would have and does not have already. */
function errorsOf(source: EditableSource, { changes, raisedVersion }: Change): readonly Finding[] {
  const records = new Map(changes.map(({ from, record }) => [from, record]));
  const concepts = source.concepts.map((concept) => ({ ...concept, record: records.get(concept) ?? concept.record }));
  const registry = { ...source.registry, registryVersion: raisedVersion ?? source.registry.registryVersion };
  return causedBy(source, findingsOf({ ...source, concepts, registry }).filter(isError));
}

function filesOf(effects: Effects, directory: string, { changes, raisedVersion }: Change): RegistryFiles {
  const files = new Map(changedFiles(effects, directory, { changed: changes }));
  if (raisedVersion === undefined) return files;
  const text = readTextIfFile(effects, `${directory}/${REGISTRY_FILE}`) ?? "";
  return files.set(REGISTRY_FILE, withRegistryVersion(text, raisedVersion));
}
