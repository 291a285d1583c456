/**
 * The files below `concepts/`, as records in both formats: a YAML file for each concept, or lines
 * of JSON. A file that nothing reads is a finding.
 */
import { compileSchema } from "../text/compile-schema.ts";
import { isVisible } from "../effects/effects.ts";
import { noticeAt, type Location } from "../text/finding.ts";
import { compareCodePoints } from "../text/order.ts";
import { quote } from "../text/printable.ts";
import { UNKNOWN } from "../text/shaped.ts";
import { type Folder, readShaped, readShapedLines, report, reportMissing, type Shaped } from "./record-file.ts";
import { ConceptRecord } from "./record.ts";

export const CONCEPTS_FOLDER = "concepts";
/** Files that may be next to the records and are not read. */
export const NOTE = /\.md$|^(?:LICENSE|NOTICE)/;

const parse = compileSchema(ConceptRecord);

export type ReadConcept = Location & Shaped<ConceptRecord>;

/** Reads concepts in both formats: one YAML file each, or one JSON value on each line. */
export function* readConcepts(folder: Folder): Generator<ReadConcept, void> {
  for (const name of conceptFiles(folder)) {
    const file = `${CONCEPTS_FOLDER}/${name}`;
    if (name.endsWith(".yaml")) {
      const shaped = readShaped(folder, file, parse);
      if (shaped !== undefined) yield { file, ...shaped };
    } else if (name.endsWith(".ndjson")) yield* readConceptLines(folder, file);
    else if (!NOTE.test(name)) reportUnexpected(folder, file);
  }
}

function* readConceptLines(folder: Folder, file: string): Generator<ReadConcept, void> {
  let before = "";
  let first: { readonly line: number; readonly text: string } | undefined;
  let count = 0;
  for (const concept of readShapedLines(folder, file, parse)) {
    const { line, record } = concept;
    // A placeholder is not in any order.
    const code = record.code === UNKNOWN ? before : record.code;
    if (compareCodePoints(before, code) > 0) {
      first ??= { line, text: `${quote(code)} comes after ${quote(before)}` };
      count++;
    }
    before = code;
    yield { file, ...concept };
  }
  if (first === undefined) return;
  // One finding per file: in a large unsorted file, every other line would have one.
  const text = first.text + (count > 1 ? `, and ${count - 1} more lines after a later code` : "");
  const remedy = "Sort the lines by code, so that a diff shows only the changed lines";
  folder.findings.push(noticeAt({ file, line: first.line }, "/code", { rule: "file-unsorted", text, remedy }));
}

/** The files below `concepts/`. Reports a file in place of the folder. */
function conceptFiles(folder: Folder): string[] {
  const { effects, directory } = folder;
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

export function reportUnexpected(folder: Folder, file: string): void {
  const text = "Nothing reads a file with this name here, so it would be lost silently";
  const remedy = "Put records into concepts/ as .yaml or .ndjson, or move it away";
  report(folder, { file }, { rule: "file-unexpected", text, remedy });
}
