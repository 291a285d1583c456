/**
 * Reads a registry folder into records, with a finding for every file that cannot be read. It does
 * not judge the content: check.ts does.
 */
import type { Provenance } from "../../runtime/contract/concept.ts";
import { ChangeRecord } from "../contract/changes.ts";
import { compileSchema, type SchemaReader } from "../text/compile-schema.ts";
import { documentPath } from "../effects/closure.ts";
import { type Effects, isVisible, type MemoryBudget } from "../effects/effects.ts";
import { type Finding, type Location } from "../text/finding.ts";
import { type Folder, type Lost, readJsonRecord, readLines, readShaped, type Shaped, wholeOf } from "./record-file.ts";
import { CONCEPTS_FOLDER, NOTE, readConcepts, reportUnexpected } from "./concept-files.ts";
import { CodeMapLine, type ConceptRecord, HistoryRecord, RegistryRecord, RetiredRecord } from "./record.ts";
import type { Memory } from "./memory.ts";
import { MEMORY_FOLDER, readMemory } from "./read-memory.ts";

/** A record and its place in the registry folder. */
export interface Located<T> extends Location {
  readonly record: T;
}

/** A registry whose concepts are read again each time they are iterated. */
export interface RegistryStream {
  /** Undefined only when a finding says why. */
  readonly registry: RegistryRecord | undefined;
  readonly concepts: Iterable<Located<ConceptRecord>>;
  readonly retired: RetiredRecord;
  readonly history: HistoryRecord;
  /** In the order of their file names, each with the digest of its file. */
  readonly changes?: readonly (Located<ChangeRecord> & { readonly sha256: string })[];
  /** Left out if no release is recorded, or if a finding says why it cannot be used. */
  readonly memory?: Memory | undefined;
  readonly codeMap: Iterable<CodeMapLine>;
  /** Complete once all records were read. */
  readonly findings: readonly Finding[];
  /** What does not have its shape; left out if nothing was read. */
  readonly partial?: PartialRecords;
  /** For anything that is made from the records. */
  readonly budget: MemoryBudget;
}

/**
 * The records that have their shape only in part, so that the rules can name their other faults
 * too; complete once all records were read. Nothing else may use them.
 */
export interface PartialRecords {
  readonly registry: RegistryRecord | undefined;
  readonly concepts: readonly Located<ConceptRecord>[];
  readonly retired: RetiredRecord | undefined;
  readonly history: HistoryRecord | undefined;
  /** The parts that are placeholders. */
  readonly lost: readonly Lost[];
}

/** A registry in memory. */
export interface RegistrySource extends RegistryStream {
  readonly concepts: readonly Located<ConceptRecord>[];
  readonly codeMap: readonly CodeMapLine[];
  /** Whether its files are still those that were read. Left out if nothing was read. */
  readonly isAsRead?: () => boolean;
}

/** A registry whose registry.yaml could be read. */
export interface EditableSource extends RegistrySource {
  readonly registry: RegistryRecord;
}

export const REGISTRY_FILE = "registry.yaml";
export const RETIRED_FILE = "retired.yaml";
export const HISTORY_FILE = "history.yaml";
export const CODE_MAP_FILE = "code-map.ndjson";
const CHANGES_FOLDER = "changes";
/** Statements of sources about things that are not active concepts; vocabulary-file.ts reads it. */
export const VOCABULARIES_FOLDER = "vocabularies";
const KNOWN = [
  REGISTRY_FILE,
  RETIRED_FILE,
  HISTORY_FILE,
  CODE_MAP_FILE,
  MEMORY_FOLDER,
  CONCEPTS_FOLDER,
  CHANGES_FOLDER,
  VOCABULARIES_FOLDER,
];
const parse = {
  registry: compileSchema(RegistryRecord),
  retired: compileSchema(RetiredRecord),
  history: compileSchema(HistoryRecord),
  codeMap: compileSchema(CodeMapLine),
  change: compileSchema(ChangeRecord),
};

/** The file with the changes of a release. */
export function changesFile(registryVersion: string): string {
  return `${CHANGES_FOLDER}/${registryVersion}.json`;
}

/** The name of a domain's file of lines. A domain is any text, so it is percent-encoded. */
export function linesName(domain: string): string {
  return `${encodeURIComponent(domain).replace(/^\./, "%2E")}.ndjson`;
}

/** The file with the concepts of a domain, one on each line. */
export function linesFile(domain: string): string {
  return `${CONCEPTS_FOLDER}/${linesName(domain)}`;
}

/**
 * In bytes: the longest file name on most systems, less `.` and `.<process>.new`, which are added
 * while the file is written.
 */
const NAME_MAX = 255 - 13;

/**
 * Whether the domain makes the file name too long: percent-encoding triples the bytes of most
 * scripts.
 */
export function isTooLongDomain(domain: string): boolean {
  return linesName(domain).length > NAME_MAX;
}

/**
 * The path of a concept that has its own file. Names that begin with a dot are not read, so the dot
 * is encoded.
 */
export function recordFile(domain: string, code: string): string {
  return `${CONCEPTS_FOLDER}/${domain.replaceAll(/(^|\/)\./g, "$1%2E")}/${code}.yaml`;
}

/** Reads every record below `directory`; `progress` gets the number of concepts read so far. */
export function readRegistry(effects: Effects, directory: string, progress: (done: number) => void): RegistrySource {
  const stamps = stampsOf(effects, directory);
  const stream = streamRegistry(effects, directory, progress);
  const concepts = Array.from(stream.concepts, withSharedProvenance);
  return { ...stream, concepts, codeMap: [...stream.codeMap], isAsRead: () => stampsOf(effects, directory) === stamps };
}

/** A text that changes when a file is changed, added or removed. A link may lead nowhere. */
export function stampsOf(effects: Effects, directory: string): string {
  if (effects.kind(directory) === "none") return "";
  const files = effects.list(directory).filter(isVisible);
  const places = files.map((file) => `${directory}/${file}`);
  return places
    .map((place) => (effects.kind(place) === "file" ? `${place} ${effects.stamp(place)}` : place))
    .join("\n");
}

/**
 * Expressions of a concept mostly have the same provenance: sharing it saves a third of the memory
 * of a large registry.
 */
function withSharedProvenance(concept: Located<ConceptRecord>): Located<ConceptRecord> {
  const known = new Map<string, Provenance>();
  for (const expression of concept.record.expressions) {
    const { provenance } = expression;
    if (provenance === null || provenance === undefined) continue;
    const json = JSON.stringify(provenance);
    known.set(json, (expression.provenance = known.get(json) ?? provenance));
  }
  return concept;
}

export function streamRegistry(effects: Effects, directory: string, progress: (done: number) => void): RegistryStream {
  const folder: Folder = { effects, directory, guide: documentPath("registry/README.md"), findings: [], lost: [] };
  const registry = readShaped(folder, REGISTRY_FILE, parse.registry);
  const retired = readOptional(folder, RETIRED_FILE, parse.retired);
  const history = readOptional(folder, HISTORY_FILE, parse.history);
  const concepts: Located<ConceptRecord>[] = [];
  const wholeHistory = wholeOf(history);
  const isHistoryKnown = wholeHistory !== undefined || !isThere(folder, HISTORY_FILE);
  return {
    concepts: readAgain(folder, function* (own) {
      let done = 0;
      reportStrangers(own);
      for (const { isWhole, ...concept } of readConcepts(own)) {
        progress(++done);
        if (isWhole) yield concept;
        else if (own === folder) concepts.push(concept);
      }
    }),
    registry: wholeOf(registry),
    retired: wholeOf(retired) ?? [],
    history: wholeHistory ?? [],
    partial: {
      registry: registry?.record,
      concepts,
      retired: retired?.record,
      history: history?.record,
      lost: folder.lost,
    },
    codeMap: isThere(folder, CODE_MAP_FILE)
      ? readAgain(folder, function* (own) {
          for (const { record } of readLines(own, CODE_MAP_FILE, parse.codeMap)) yield record;
        })
      : [],
    ...readChanges(folder),
    memory: isHistoryKnown ? readMemory(folder, wholeHistory ?? []) : undefined,
    findings: folder.findings,
    budget: effects,
  };
}

/** Up to this many records are kept instead of being read again. */
const KEPT = 10_000;

/** Only the first reading reports findings. */
function readAgain<T>(folder: Folder, read: (folder: Folder) => Generator<T, void>): Iterable<T> {
  let kept: readonly T[] | undefined;
  let isReported = false;
  return {
    *[Symbol.iterator]() {
      if (kept !== undefined) return yield* kept;
      const own = isReported ? { ...folder, findings: [], lost: [] } : folder;
      isReported = true;
      let few: T[] | undefined = [];
      for (const record of read(own)) {
        if (few?.length === KEPT) few = undefined;
        few?.push(record);
        yield record;
      }
      kept = few;
    },
  };
}

function readChanges(folder: Folder): Pick<RegistryStream, "changes"> {
  const { effects, directory } = folder;
  const place = `${directory}/${CHANGES_FOLDER}`;
  if (effects.kind(place) !== "directory") return {};
  const names = effects.list(place).filter((name) => isVisible(name) && !NOTE.test(name));
  const changes = names.flatMap((name) => {
    const file = `${CHANGES_FOLDER}/${name}`;
    const record = readJsonRecord(folder, file, parse.change);
    if (record !== undefined && changesFile(record.registryVersion) !== file) reportUnexpected(folder, file);
    return record === undefined ? [] : [{ file, record, sha256: effects.digest(`${directory}/${file}`).sha256 }];
  });
  return { changes };
}

function readOptional<T>(folder: Folder, file: string, parser: SchemaReader<T>): Shaped<T> | undefined {
  return isThere(folder, file) ? readShaped(folder, file, parser) : undefined;
}

/**
 * A link that leads nowhere counts as present: a missing target must not be taken for an absent
 * file.
 */
function isThere({ effects, directory }: Folder, file: string): boolean {
  const place = `${directory}/${file}`;
  return effects.kind(place) !== "none" || effects.isLink(place);
}

/** Reports files next to the records that nothing reads. */
function reportStrangers(folder: Folder): void {
  const { effects, directory } = folder;
  const names = effects.kind(directory) === "directory" ? effects.names(directory).filter(isVisible) : [];
  for (const name of names) if (!KNOWN.includes(name) && !NOTE.test(name)) reportUnexpected(folder, name);
}
