/**
 * `vocabularies/<domain>.ndjson`: a source's statements about things that are not active concepts.
 * Import writes it and export reads it; a build takes only collections from it.
 */
import { compileSchema } from "../text/compile-schema.ts";
import { documentPath } from "../effects/closure.ts";
import { type Effects, isVisible } from "../effects/effects.ts";
import type { Finding } from "../text/finding.ts";
import { type Folder, readLines, report } from "./record-file.ts";
import { linesName, VOCABULARIES_FOLDER } from "./read.ts";
import { SubjectLine } from "./record.ts";
import { isSourceLine, isSubject, sourceLineFault } from "./source-line.ts";

/** The statements about one subject, and the domain whose source makes them. */
export interface DomainLine extends SubjectLine {
  readonly domain: string;
}

export function vocabularyFile(domain: string): string {
  return `${VOCABULARIES_FOLDER}/${linesName(domain)}`;
}

export interface Vocabularies {
  readonly lines: readonly DomainLine[];
  readonly findings: readonly Finding[];
}

/** Every line of every domain, in order of domain; the lines of a file keep their order. */
export function readVocabularies(effects: Effects, directory: string): Vocabularies {
  const folder: Folder = { effects, directory, guide: documentPath("registry/README.md"), findings: [], lost: [] };
  const place = `${directory}/${VOCABULARIES_FOLDER}`;
  const names = effects.kind(place) === "directory" ? effects.list(place).filter(isVisible) : [];
  const lines = names.flatMap((name) => {
    const domain = domainOf(name);
    return domain === undefined ? unexpected(folder, name) : read(folder, `${VOCABULARIES_FOLDER}/${name}`, domain);
  });
  return { lines, findings: folder.findings };
}

function domainOf(name: string): string | undefined {
  try {
    return /^[^/]+\.ndjson$/.test(name) ? decodeURIComponent(name.slice(0, -".ndjson".length)) : undefined;
  } catch {
    return undefined;
  }
}

function unexpected(folder: Folder, name: string): [] {
  if (name.endsWith(".md")) return [];
  const [file, text] = [`${VOCABULARIES_FOLDER}/${name}`, "Nothing reads a file with this name here"];
  const remedy = `Name it ${VOCABULARIES_FOLDER}/<domain>.ndjson, or move it away`;
  report(folder, { file }, { rule: "file-unexpected", text, remedy });
  return [];
}

const parse = compileSchema(SubjectLine);

function read(folder: Folder, file: string, domain: string): DomainLine[] {
  return Array.from(readLines(folder, file, parse), ({ line, record }): DomainLine => {
    const { subject, source } = record;
    const wrong = isSubject(subject) ? source.find((one) => !isSourceLine(one)) : subject;
    if (wrong !== undefined) report(folder, { file, line }, sourceLineFault(wrong));
    return { domain, subject, source };
  });
}
