/**
 * Prepares a change that a person makes by a command: checks the registry as it would be, compares
 * its answers with those of the last release, and makes the files.
 */
import { keyOf } from "../../../../runtime/text/expression.ts";
import type { ResolutionChange } from "../../../contract/changes.ts";
import { type Effects, readTextIfFile } from "../../../effects/effects.ts";
import { changesSince } from "../../../promise/changes-since.ts";
import { checkRegistry } from "../../../registry/check.ts";
import { type EditableSource, type Located, RETIRED_FILE } from "../../../registry/read.ts";
import type { ConceptRecord, RetiredRecord } from "../../../registry/record.ts";
import { type Finding, isError } from "../../../text/finding.ts";
import { causedBy } from "../edit/caused.ts";
import { changedFiles } from "../edit/edit.ts";
import { withRetired } from "../edit/edit-yaml.ts";
import { editsBetween } from "../edit/value-edit.ts";
import type { RegistryFiles } from "../edit/write.ts";
import { formatProposal } from "../import/proposal.ts";
import type { Impossible } from "./entries.ts";

/** What becomes of a few records; the one that gains something comes first. */
export interface Amendment {
  readonly changed?: readonly Amended[];
  /** New concepts, and where their records go. */
  readonly added?: readonly Located<ConceptRecord>[];
  readonly retired?: Retired;
}

/** What a command would do, or why it cannot. */
export type Planned = Amendment | Impossible;

export interface Amended {
  readonly from: Located<ConceptRecord>;
  readonly record: ConceptRecord;
}

export interface Retired {
  readonly from: Located<ConceptRecord>;
  readonly entry: RetiredRecord[number];
}

export type Prepared =
  | { readonly status: "impossible"; readonly errors: readonly Finding[] }
  | {
      readonly status: "ready";
      readonly files: RegistryFiles;
      /** That the change causes. */
      readonly notices: readonly Finding[];
      readonly answers: Answers | undefined;
    };

/** How requests for the expressions are answered, compared with the last release. */
export interface Answers {
  readonly since: string;
  readonly changes: readonly ResolutionChange[];
}

/** `directory` is the folder of the registry. */
export function prepareAmendment(
  { effects, directory }: { readonly effects: Effects; readonly directory: string },
  source: EditableSource,
  amendment: Amendment,
): Prepared {
  const verdict = checkRegistry(amended(source, amendment));
  const caused = causedBy(source, verdict.findings);
  const errors = caused.filter(isError);
  if (errors.length > 0) return { status: "impossible", errors };
  const { memory } = source;
  const keys = keysOf(amendment);
  const answers =
    memory === undefined || verdict.registry === undefined || keys.size === 0
      ? undefined
      : {
          since: memory.release.registryVersion,
          changes: changesSince(memory, verdict.registry, () => undefined).filter((one) => keys.has(one.expression)),
        };
  return { status: "ready", files: filesOf(effects, { directory, source }, amendment), notices: caused, answers };
}

/** The registry with the amendment; every other record keeps its place. */
function amended(source: EditableSource, { changed = [], added = [], retired }: Amendment): EditableSource {
  const records = new Map(changed.map(({ from, record }) => [from, record]));
  const concepts = source.concepts
    .filter((concept) => concept !== retired?.from)
    .map((concept) => ({ ...concept, record: records.get(concept) ?? concept.record }));
  // Nothing of it is partial: the registry was read whole.
  const { partial: _partial, ...whole } = source;
  return {
    ...whole,
    concepts: [...concepts, ...added.map((one) => atEnd(source, one))],
    retired: retired === undefined ? source.retired : [...source.retired, retired.entry],
  };
}

/** At a place that no other record has, so that its findings are its own. */
function atEnd({ concepts }: EditableSource, added: Located<ConceptRecord>): Located<ConceptRecord> {
  if (added.line === undefined) return added;
  return { ...added, line: 1 + (concepts.findLast(({ file }) => file === added.file)?.line ?? 0) };
}

/** The expressions whose answers can change. */
function keysOf({ changed = [], added = [], retired }: Amendment): ReadonlySet<string> {
  const expressions = [
    ...changed.flatMap(({ from, record }) => record.expressions.filter((one, i) => from.record.expressions[i] !== one)),
    ...added.flatMap(({ record }) => record.expressions),
    ...(retired?.from.record.expressions ?? []),
  ];
  return new Set(expressions.map(({ expression }) => keyOf(expression)));
}

function filesOf(
  effects: Effects,
  { directory, source }: { readonly directory: string; readonly source: EditableSource },
  { changed = [], added = [], retired }: Amendment,
): RegistryFiles {
  const files = new Map(
    changedFiles(effects, directory, {
      changed: changed.map(({ from, record }) => ({ from, record, edits: () => editsBetween(from.record, record) })),
      added: added.filter(({ line }) => line !== undefined),
      removed: retired === undefined ? [] : [retired.from],
    }),
  );
  for (const { file, line, record } of added) if (line === undefined) files.set(file, formatProposal(record));
  if (retired !== undefined) {
    const text = readTextIfFile(effects, `${directory}/${RETIRED_FILE}`) ?? "";
    files.set(RETIRED_FILE, withRetired(text, [...source.retired, retired.entry]));
  }
  return files;
}
