/**
 * Reads a registry folder into records, with a finding for every file that cannot be read. It does
 * not judge the content: check.ts does.
 */
import type { Provenance } from "../../runtime/contract/concept.ts";
import { ChangeRecord } from "../contract/changes.ts";
import { compileSchema } from "../text/compile-schema.ts";
import { type Effects, isVisible, type Room } from "../effects/effects.ts";
import { type Finding, noticeAt, type Place } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { compareCodePoints } from "../text/order.ts";
import type { Reader } from "../../runtime/contract/validator.ts";
import { type Folder, readJsonRecord, readLines, readRecord, report, reportMissing } from "./record-file.ts";
import { CodeMapLine, ConceptRecord, HistoryRecord, RegistryRecord, RetiredRecord } from "./record.ts";

/** A record and its place in the registry folder. */
export interface Located<T> extends Place {
  readonly record: T;
}

/** A registry whose concepts are read again each time they are iterated. */
export interface RegistryStream {
  /** Undefined only when a finding says why. */
  readonly registry: RegistryRecord | undefined;
  readonly concepts: Iterable<Located<ConceptRecord>>;
  readonly retired: RetiredRecord;
  readonly history: HistoryRecord;
  /** In the order of their file names; left out if there are none. */
  readonly changes?: readonly Located<ChangeRecord>[];
  readonly codeMap: Iterable<CodeMapLine>;
  /** Complete once all records were read. */
  readonly findings: readonly Finding[];
  /** For anything that is made from the records. */
  readonly room: Room;
}

/** A registry in memory. */
export interface RegistrySource extends RegistryStream {
  readonly concepts: readonly Located<ConceptRecord>[];
  readonly codeMap: readonly CodeMapLine[];
  /** Whether its files are still those that were read. Left out if nothing was read. */
  readonly isAsRead?: () => boolean;
}

export const REGISTRY_FILE = "registry.yaml";
export const RETIRED_FILE = "retired.yaml";
export const HISTORY_FILE = "history.yaml";
export const CODE_MAP_FILE = "code-map.ndjson";
/**
 * The expressions that resolved in the last release; release:registry writes it and compares with
 * it.
 */
export const RELEASED_FILE = "released.ndjson";
const CONCEPTS_FOLDER = "concepts";
const CHANGES_FOLDER = "changes";
/** Statements of sources about things that are not active concepts; vocabulary-file.ts reads it. */
export const VOCABULARIES_FOLDER = "vocabularies";
const KNOWN = [
  REGISTRY_FILE,
  RETIRED_FILE,
  HISTORY_FILE,
  CODE_MAP_FILE,
  RELEASED_FILE,
  CONCEPTS_FOLDER,
  CHANGES_FOLDER,
  VOCABULARIES_FOLDER,
];
/** Files that may be next to the records and are not read. */
const NOTE = /\.md$|^(?:LICENSE|NOTICE)/;

const parse = {
  concept: compileSchema(ConceptRecord),
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
  const folder: Folder = { effects, directory, guide: "registry/README.md", findings: [] };
  return {
    concepts: readAgain(folder, (own) => readConcepts(own, progress)),
    registry: readRecord(folder, REGISTRY_FILE, parse.registry),
    retired: readOptional(folder, RETIRED_FILE, parse.retired) ?? [],
    history: readOptional(folder, HISTORY_FILE, parse.history) ?? [],
    codeMap: isThere(folder, CODE_MAP_FILE)
      ? readAgain(folder, function* (own) {
          for (const { record } of readLines(own, CODE_MAP_FILE, parse.codeMap)) yield record;
        })
      : [],
    ...readChanges(folder),
    findings: folder.findings,
    room: effects,
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
      const own = isReported ? { ...folder, findings: [] } : folder;
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
    return record === undefined ? [] : [{ file, record }];
  });
  return { changes };
}

/** Reads concepts in both formats: one YAML file each, or one JSON value on each line. */
function* readConcepts(folder: Folder, progress: (done: number) => void): Generator<Located<ConceptRecord>, void> {
  let done = 0;
  for (const concept of readFiles(folder)) {
    progress(++done);
    yield concept;
  }
}

function* readFiles(folder: Folder): Generator<Located<ConceptRecord>, void> {
  for (const name of conceptFiles(folder)) {
    const file = `${CONCEPTS_FOLDER}/${name}`;
    if (name.endsWith(".yaml")) {
      const record = readRecord(folder, file, parse.concept);
      if (record !== undefined) yield { file, record };
    } else if (name.endsWith(".ndjson")) yield* readConceptLines(folder, file);
    else if (!NOTE.test(name)) reportUnexpected(folder, file);
  }
}

function* readConceptLines(folder: Folder, file: string): Generator<Located<ConceptRecord>, void> {
  let before = "";
  let first: { readonly line: number; readonly text: string } | undefined;
  let count = 0;
  for (const { line, record } of readLines(folder, file, parse.concept)) {
    const { code } = record;
    if (compareCodePoints(before, code) > 0) {
      first ??= { line, text: `${quote(code)} comes after ${quote(before)}` };
      count++;
    }
    before = code;
    yield { file, line, record };
  }
  if (first === undefined) return;
  // One finding per file: in a large unsorted file, every other line would have one.
  const text = first.text + (count > 1 ? `, and ${count - 1} more lines after a later code` : "");
  const remedy = "Sort the lines by code, so that a diff shows only the changed lines";
  folder.findings.push(noticeAt({ file, line: first.line }, "/code", { rule: "file-unsorted", text, remedy }));
}

/**
 * The files below `concepts/`. Reports a file in place of the folder, and files next to it that
 * nothing reads.
 */
function conceptFiles(folder: Folder): string[] {
  const { effects, directory } = folder;
  const names = effects.kind(directory) === "directory" ? effects.names(directory).filter(isVisible) : [];
  for (const name of names) if (!KNOWN.includes(name) && !NOTE.test(name)) reportUnexpected(folder, name);
  const place = `${directory}/${CONCEPTS_FOLDER}`;
  switch (effects.kind(place)) {
    case "directory":
      return effects.list(place).filter(isVisible);
    case "file":
      reportUnexpected(folder, CONCEPTS_FOLDER);
      return [];
    case "none":
      if (effects.isLink(place)) reportMissing(folder, CONCEPTS_FOLDER);
      return [];
  }
}

function readOptional<T>(folder: Folder, file: string, parser: Reader<T>): T | undefined {
  return isThere(folder, file) ? readRecord(folder, file, parser) : undefined;
}

/**
 * A link that leads nowhere counts as present: a missing target must not be taken for an absent
 * file.
 */
function isThere({ effects, directory }: Folder, file: string): boolean {
  const place = `${directory}/${file}`;
  return effects.kind(place) !== "none" || effects.isLink(place);
}

function reportUnexpected(folder: Folder, file: string): void {
  const text = "Nothing reads a file with this name here, so it would be lost silently";
  const remedy = "Put records into concepts/ as .yaml or .ndjson, or move it away";
  report(folder, { file }, { rule: "file-unexpected", text, remedy });
}
