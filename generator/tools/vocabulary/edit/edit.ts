/**
 * Makes the text of files whose concepts change. A YAML file gets its new values and keeps
 * everything else. In a file of lines only the changed lines are rewritten, in pieces, whatever its
 * size.
 */
import { endLength, wholeLines } from "../../../text/chunks.ts";
import { type Effects, readTextIfFile } from "../../../effects/effects.ts";
import { withValues } from "./edit-yaml.ts";
import { type Edit, withEdits } from "./value-edit.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { formatConceptLine, type RegistryFiles } from "./write.ts";

/** A concept that gets a new record; `edits` makes the same change in its file. */
export interface ConceptChange {
  readonly from: Located<ConceptRecord>;
  readonly record: ConceptRecord;
  readonly edits: () => readonly Edit[];
}

/** What happens to the records of a registry. */
export interface RecordChanges {
  readonly changed: readonly ConceptChange[];
  /** New lines, each in front of the line that it names, or at the end. */
  readonly added?: readonly Located<ConceptRecord>[];
  readonly removed?: readonly Located<ConceptRecord>[];
}

interface LineEdits {
  readonly changed: Map<number, ConceptChange>;
  readonly added: Map<number, ConceptRecord>;
  readonly removed: Set<number>;
}

/**
 * The changed files, by path below the registry folder; a file whose only concept is removed goes.
 */
export function changedFiles(
  effects: Effects,
  directory: string,
  { changed, added = [], removed = [] }: RecordChanges,
): RegistryFiles {
  const files = new Map<string, string | Iterable<string | Uint8Array> | undefined>();
  const byFile = new Map<string, LineEdits>();
  const editsOf = (file: string): LineEdits => {
    const edits = byFile.get(file) ?? { changed: new Map(), added: new Map(), removed: new Set() };
    byFile.set(file, edits);
    return edits;
  };
  for (const { file, line = 0, record } of added) editsOf(file).added.set(line, record);
  for (const change of changed) {
    const { file, line } = change.from;
    if (line !== undefined) editsOf(file).changed.set(line, change);
    else files.set(file, withValues(readTextIfFile(effects, `${directory}/${file}`) ?? "", change.edits()));
  }
  for (const { file, line } of removed) {
    if (line === undefined) files.set(file, undefined);
    else editsOf(file).removed.add(line);
  }
  for (const [file, edits] of byFile) files.set(file, editedLines(effects, `${directory}/${file}`, edits));
  return files;
}

function* editedLines(
  effects: Effects,
  file: string,
  { changed, added, removed }: LineEdits,
): Generator<string | Uint8Array, void> {
  let line = 0;
  let last: Uint8Array | undefined;
  for (const bytes of wholeLines(effects.chunks(file))) {
    const before = added.get(++line);
    if (before !== undefined) yield formatConceptLine(before);
    added.delete(line);
    last = bytes;
    if (removed.has(line)) continue;
    const change = changed.get(line);
    yield change === undefined ? bytes : editedLine(bytes, change.edits());
  }
  if (added.size > 0 && last !== undefined && endLength(last) === 0) yield "\n";
  for (const record of added.values()) yield formatConceptLine(record);
}

/** Its members stay in their order. */
function editedLine(bytes: Uint8Array, edits: readonly Edit[]): string {
  const at = bytes.length - endLength(bytes);
  const value = withEdits(JSON.parse(decoder.decode(bytes.subarray(0, at))), edits);
  return JSON.stringify(value) + decoder.decode(bytes.subarray(at));
}

const decoder = new TextDecoder();
