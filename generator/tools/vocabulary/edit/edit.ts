/**
 * Makes the text of files whose concepts change. A YAML file gets its new values and keeps
 * everything else. In a file of lines only the changed lines are rewritten, in pieces, whatever its
 * size.
 */
import { splitLines } from "../../../text/chunks.ts";
import { type Effects, readTextIfFile } from "../../../effects/effects.ts";
import { type Edit, withValues } from "./edit-yaml.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { formatConceptLine, type RegistryFiles } from "./write.ts";

/**
 * A concept that gets a new record. `edits` makes the same change in its YAML file, if it has one.
 */
export interface ConceptChange {
  readonly from: Located<ConceptRecord>;
  readonly record: ConceptRecord;
  readonly edits: () => readonly Edit[];
}

/** The changed files, by path below the registry folder. */
export function changedFiles(effects: Effects, directory: string, changes: readonly ConceptChange[]): RegistryFiles {
  const files = new Map<string, string | Iterable<string>>();
  const lines = new Map<string, Map<number, ConceptRecord>>();
  for (const { from, record, edits } of changes) {
    const { file, line } = from;
    if (line === undefined) files.set(file, withValues(readTextIfFile(effects, `${directory}/${file}`) ?? "", edits()));
    else lines.set(file, (lines.get(file) ?? new Map<number, ConceptRecord>()).set(line, record));
  }
  for (const [file, records] of lines) files.set(file, changedLines(effects, `${directory}/${file}`, records));
  return files;
}

function* changedLines(effects: Effects, file: string, records: ReadonlyMap<number, ConceptRecord>): Iterable<string> {
  let line = 0;
  for (const bytes of splitLines(effects.chunks(file))) {
    const record = records.get(++line);
    yield record === undefined ? `${decoder.decode(bytes)}\n` : formatConceptLine(record);
  }
}

const decoder = new TextDecoder();
