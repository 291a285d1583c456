/**
 * Reads a registry folder into records, with a finding for every file that cannot be read as one. Nothing here judges
 * the content: that is check.ts.
 */
import { compileSchema } from "../../runtime/validator.ts";
import { type Effects, isVisible } from "../effects.ts";
import type { Finding } from "../finding.ts";
import { type Folder, type Parser, readRecord } from "../record-file.ts";
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
  const folder: Folder = { effects, directory, guide: "registry/README.md", findings: [] };
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

function readOptional<T>(folder: Folder, file: string, parser: Parser<T>): T | undefined {
  return folder.effects.kind(`${folder.directory}/${file}`) === "none" ? undefined : readRecord(folder, file, parser);
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
