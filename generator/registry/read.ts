/**
 * Reads a registry folder into records, with a finding for every file that cannot be read as one. Nothing here judges
 * the content: that is check.ts. YAML is 1.2 core: `no` is text and dates stay text.
 */
import { load, YAMLException } from "js-yaml";
import { compileSchema, type Reading } from "../../runtime/validator.ts";
import type { Effects } from "../effects.ts";
import type { Finding } from "../finding.ts";
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

const parse = {
  concept: compileSchema(ConceptRecord),
  registry: compileSchema(RegistryRecord),
  retired: compileSchema(RetiredRecord),
  history: compileSchema(HistoryRecord),
};

/** Reads every record below `directory`; `progress` hears the number of concept files read so far. */
export function readRegistry(effects: Effects, directory: string, progress: (done: number) => void): RegistrySource {
  const findings: Finding[] = [];
  const concepts: Located<ConceptRecord>[] = [];
  const folder = `${directory}/${CONCEPTS_FOLDER}`;
  const files = effects.kind(folder) === "directory" ? effects.list(folder) : [];
  files.forEach((name, position) => {
    const file = `${CONCEPTS_FOLDER}/${name}`;
    if (name.endsWith(".yaml")) {
      const record = readRecord(effects, directory, file, parse.concept, findings);
      if (record !== undefined) concepts.push({ file, record });
    } else if (!name.endsWith(".md")) findings.push(unexpectedFile(file));
    progress(position + 1);
  });
  return {
    registry: readRecord(effects, directory, REGISTRY_FILE, parse.registry, findings),
    concepts,
    retired: readOptional(effects, directory, RETIRED_FILE, parse.retired, findings) ?? [],
    history: readOptional(effects, directory, HISTORY_FILE, parse.history, findings) ?? [],
    findings,
  };
}

function readOptional<T>(
  effects: Effects,
  directory: string,
  file: string,
  parser: (value: unknown) => Reading<T>,
  findings: Finding[],
): T | undefined {
  if (effects.kind(`${directory}/${file}`) === "none") return undefined;
  return readRecord(effects, directory, file, parser, findings);
}

function readRecord<T>(
  effects: Effects,
  directory: string,
  file: string,
  parser: (value: unknown) => Reading<T>,
  findings: Finding[],
): T | undefined {
  const found = (rule: string, pointer: string, text: string, remedy: string): undefined => {
    findings.push({ rule, severity: "error", file, pointer, text, remedy });
  };
  if (effects.kind(`${directory}/${file}`) !== "file") {
    return found("file-missing", "", "There is no such file", "Write it; registry/README.md shows one");
  }
  let value: unknown;
  try {
    value = load(utf8.decode(effects.read(`${directory}/${file}`)));
  } catch (error) {
    if (error instanceof TypeError) return found("file-encoding", "", "The file is not UTF-8", "Save it as UTF-8");
    if (!(error instanceof YAMLException)) throw error;
    const where = error.mark === undefined ? "" : ` at line ${error.mark.line + 1}, column ${error.mark.column + 1}`;
    return found("yaml-syntax", "", `Not readable as YAML${where}: ${error.reason}`, "Mend the YAML at that place");
  }
  const reading = parser(value);
  if (reading.ok) return reading.value;
  for (const { pointer, text } of reading.violations) {
    found(
      "record-schema",
      pointer,
      `The record does not have its shape: ${text}`,
      "See the fields in registry/README.md",
    );
  }
  return undefined;
}

function unexpectedFile(file: string): Finding {
  const text = "Only .yaml records (and .md notes) belong here, so this file would be lost silently";
  return {
    rule: "file-unexpected",
    severity: "error",
    file,
    pointer: "",
    text,
    remedy: "Rename it to .yaml or move it away",
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
