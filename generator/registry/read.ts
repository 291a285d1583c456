/**
 * Reads a registry folder into records, with a finding for every file that cannot be read as one. Nothing here judges
 * the content: that is check.ts. YAML is 1.2 core: `no` is text and dates stay text.
 */
import { load, YAMLException } from "js-yaml";
import { compileSchema, type Reading } from "../../runtime/validator.ts";
import { type Effects, isVisible } from "../effects.ts";
import type { Fault, Finding } from "../finding.ts";
import { ConceptRecord, HistoryRecord, RegistryRecord, RetiredRecord } from "./record.ts";

/** A record and the file it stands in, relative to the registry folder. */
export interface Located<T> {
  readonly file: string;
  readonly record: T;
}

export interface RegistrySource {
  /** Undefined only when a finding says why. */
  readonly registry: RegistryRecord | undefined;
  readonly concepts: readonly Located<ConceptRecord>[];
  readonly retired: RetiredRecord;
  readonly history: HistoryRecord;
  readonly findings: readonly Finding[];
}

export const REGISTRY_FILE = "registry.yaml";
export const RETIRED_FILE = "retired.yaml";
export const HISTORY_FILE = "history.yaml";
const CONCEPTS_FOLDER = "concepts";
const KNOWN = [REGISTRY_FILE, RETIRED_FILE, HISTORY_FILE, CONCEPTS_FOLDER];
/** What may lie beside the records without being read. */
const NOTE = /\.md$|^(?:LICENSE|NOTICE)/;

const parse = {
  concept: compileSchema(ConceptRecord),
  registry: compileSchema(RegistryRecord),
  retired: compileSchema(RetiredRecord),
  history: compileSchema(HistoryRecord),
};

/** Reads every record below `directory`; `progress` hears the number of concept files read so far. */
export function readRegistry(effects: Effects, directory: string, progress: (done: number) => void): RegistrySource {
  const folder: Folder = { effects, directory, findings: [] };
  const concepts: Located<ConceptRecord>[] = [];
  conceptFiles(folder).forEach((name, position) => {
    const file = `${CONCEPTS_FOLDER}/${name}`;
    if (name.endsWith(".yaml")) {
      const record = readRecord(folder, file, parse.concept);
      if (record !== undefined) concepts.push({ file, record });
    } else if (!NOTE.test(name)) folder.findings.push(unexpectedFile(file));
    progress(position + 1);
  });
  return {
    registry: readRecord(folder, REGISTRY_FILE, parse.registry),
    concepts,
    retired: readOptional(folder, RETIRED_FILE, parse.retired) ?? [],
    history: readOptional(folder, HISTORY_FILE, parse.history) ?? [],
    findings: folder.findings,
  };
}

/** Files below `concepts/`; reports what stands in its place, or beside it where nobody would read it. */
function conceptFiles({ effects, directory, findings }: Folder): string[] {
  const names = effects.kind(directory) === "directory" ? effects.names(directory).filter(isVisible) : [];
  findings.push(...names.filter((name) => !KNOWN.includes(name) && !NOTE.test(name)).map(unexpectedFile));
  const folder = `${directory}/${CONCEPTS_FOLDER}`;
  switch (effects.kind(folder)) {
    case "directory":
      return effects.list(folder).filter(isVisible);
    case "file":
      findings.push(unexpectedFile(CONCEPTS_FOLDER));
      return [];
    case "none":
      return [];
  }
}

/** A registry folder being read. */
interface Folder {
  readonly effects: Effects;
  readonly directory: string;
  readonly findings: Finding[];
}

type Parser<T> = (value: unknown) => Reading<T>;

function readOptional<T>(folder: Folder, file: string, parser: Parser<T>): T | undefined {
  return folder.effects.kind(`${folder.directory}/${file}`) === "none" ? undefined : readRecord(folder, file, parser);
}

function readRecord<T>({ effects, directory, findings }: Folder, file: string, parser: Parser<T>): T | undefined {
  const found = (fault: Fault, pointer = ""): undefined => {
    findings.push({ ...fault, severity: "error", file, pointer });
  };
  if (effects.kind(`${directory}/${file}`) !== "file") {
    const remedy = "Write it; registry/README.md shows one";
    return found({ rule: "file-missing", text: "There is no regular file at this place", remedy });
  }
  let value: unknown;
  try {
    value = load(utf8.decode(effects.read(`${directory}/${file}`)));
  } catch (error) {
    return found(unreadable(error));
  }
  const reading = parser(value);
  if (reading.ok) return reading.value;
  for (const { pointer, text } of reading.violations) {
    const remedy = "See the fields in registry/README.md";
    found({ rule: "record-schema", text: `The record does not have its shape: ${text}`, remedy }, pointer);
  }
  return undefined;
}

/** What the decoder or the YAML parser threw, as a fault; anything else is a bug and goes on. */
function unreadable(error: unknown): Fault {
  if (error instanceof TypeError) {
    return { rule: "file-encoding", text: "The file is not UTF-8", remedy: "Save it as UTF-8" };
  }
  if (!(error instanceof YAMLException)) throw error;
  const { mark, reason } = error;
  const where = mark === undefined ? "" : ` at line ${mark.line + 1}, column ${mark.column + 1}`;
  return {
    rule: "yaml-syntax",
    text: `Not readable as YAML${where}: ${reason}`,
    remedy: "Mend the YAML at that place",
  };
}

function unexpectedFile(file: string): Finding {
  const text = "Nothing reads a file of this name at this place, so it would be lost silently";
  return {
    rule: "file-unexpected",
    severity: "error",
    file,
    pointer: "",
    text,
    remedy: "Put records into concepts/ as .yaml, or move it away",
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
