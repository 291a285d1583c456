/**
 * Writes a planned registry as the files that change. The same registry gives the same bytes,
 * whatever led to it.
 */
import { type Effects, readTextIfFile } from "../../../effects/effects.ts";
import { withLanguages, withRegistryVersion, withRetired } from "../edit/edit-yaml.ts";
import { CODE_MAP_FILE, REGISTRY_FILE, type RegistrySource, RETIRED_FILE } from "../../../registry/read.ts";
import type { ConceptRecord, RegistryRecord, RetiredRecord } from "../../../registry/record.ts";
import { formatConceptLine, type RegistryFiles, writeRegistryFiles } from "../edit/write.ts";
import { vocabularyFile } from "../../../registry/vocabulary-file.ts";
import { groupBy } from "../../../../runtime/text/group-by.ts";
import type { Plan } from "./plan.ts";

interface Change extends Pick<Plan, "after" | "vocabulary" | "domains"> {
  readonly before: RegistrySource;
}

/** Writes all changed files or none. */
export function writeImport(effects: Effects, directory: string, change: Change): void {
  writeRegistryFiles(effects, { ...change.before, directory }, changedFiles(effects, directory, change));
}

/**
 * The files to write below `directory`, and those to remove: files of concepts that are now in a
 * file of lines, or gone.
 */
function changedFiles(
  effects: Effects,
  directory: string,
  { before, after, vocabulary, domains }: Change,
): RegistryFiles {
  const textOf = (file: string): string | undefined => readTextIfFile(effects, `${directory}/${file}`);
  const files = new Map<string, string | Iterable<string> | undefined>();
  const put = (file: string, text: string | undefined): void => {
    if (text !== textOf(file)) files.set(file, text);
  };
  const [linesBefore, linesAfter] = [linesOf(before), linesOf(after)];
  const changed = [...linesAfter].filter(([file, records]) => !isSame(records, linesBefore.get(file) ?? []));
  // A file that gains concepts comes before one that loses them.
  const drift = ([file, records]: [string, readonly ConceptRecord[]]): number => {
    const known = linesBefore.get(file) ?? [];
    return Number(lacks(records, known)) - Number(lacks(known, records));
  };
  for (const [file, records] of changed.toSorted((a, b) => drift(a) - drift(b))) files.set(file, lines(records));
  const standing = new Set(after.concepts.map(({ file }) => file));
  for (const { file } of before.concepts) if (!standing.has(file)) files.set(file, undefined);
  put(REGISTRY_FILE, registryText(textOf(REGISTRY_FILE), before, after.registry));
  if (!isSame(after.retired, before.retired))
    put(RETIRED_FILE, retiredText(textOf(RETIRED_FILE), { before: before.retired, after: after.retired }));
  if (after.codeMap.length > 0) put(CODE_MAP_FILE, after.codeMap.map((line) => `${JSON.stringify(line)}\n`).join(""));
  for (const [file, text] of vocabularyTexts(effects, directory, { vocabulary, domains })) put(file, text);
  return files;
}

/**
 * The file of each domain that the source has statements about, or used to; undefined if there are
 * none any more.
 */
function vocabularyTexts(
  effects: Effects,
  directory: string,
  { vocabulary, domains }: Pick<Plan, "vocabulary" | "domains">,
): Map<string, string | undefined> {
  if (vocabulary === undefined) return new Map();
  const texts = new Map<string, string | undefined>();
  const files = domains.map(vocabularyFile).filter((file) => effects.kind(`${directory}/${file}`) === "file");
  for (const file of files) texts.set(file, undefined);
  for (const [domain, subjects] of groupBy(vocabulary, (line) => line.domain)) {
    const text = subjects.map(({ subject, source }) => `${JSON.stringify({ subject, source })}\n`).join("");
    texts.set(vocabularyFile(domain), text);
  }
  return texts;
}

/** The records of each file that has one per line. */
function linesOf({ concepts }: RegistrySource): Map<string, ConceptRecord[]> {
  const inLines = concepts.filter(({ line }) => line !== undefined);
  const byFile = groupBy(inLines, ({ file }) => file);
  return new Map([...byFile].map(([file, all]) => [file, all.map(({ record }) => record)]));
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

/** Whether some of these concepts are not among those. */
function lacks(those: readonly ConceptRecord[], these: readonly ConceptRecord[]): boolean {
  const known = new Set(those.map(({ code }) => code));
  return these.some(({ code }) => !known.has(code));
}

function* lines(records: readonly ConceptRecord[]): Generator<string, void> {
  for (const record of records) yield formatConceptLine(record);
}

function registryText(text: string | undefined, before: RegistrySource, registry: RegistryRecord): string {
  if (text !== undefined && before.registry !== undefined) {
    return withRegistryVersion(withLanguages(text, registry.languages), registry.registryVersion);
  }
  const { name, registryVersion, languages, license, description } = registry;
  const value = JSON.stringify;
  const list = languages.map((tag) => value(tag)).join(", ");
  return [
    `name: ${value(name)}`,
    `registryVersion: ${registryVersion}`,
    `license: ${value(license)}`,
    ...(description === undefined ? [] : [`description: ${value(description)}`]),
    `languages: [${list}]`,
    "",
  ].join("\n");
}

/** One entry per line in code order, below the comments above the first one. */
function retiredText(
  text: string | undefined,
  { before, after }: { before: RetiredRecord; after: RetiredRecord },
): string {
  const [above = ""] = /^(?:#.*\n|\n)*/.exec(text ?? "") ?? [];
  // A text that was not printed here belongs to somebody, so it keeps as many bytes as possible.
  if (text !== undefined && text !== above + entryLines(before)) return withRetired(text, after);
  return above + entryLines(after);
}

function entryLines(entries: readonly object[]): string {
  return entries.length === 0 ? "[]\n" : entries.map(flowLine).join("");
}

/** JSON is valid YAML. */
function flowLine(entry: object): string {
  const members = Object.entries(entry).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `- { ${members.join(", ")} }\n`;
}
