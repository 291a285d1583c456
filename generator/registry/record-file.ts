/**
 * Reads files that people write, as records of a schema or as findings: a YAML file, Markdown after
 * YAML front matter, or lines of JSON. YAML is 1.2 core: `no` is text and dates stay text.
 */
import { load, YAMLException } from "js-yaml";
import { groupBy } from "../../runtime/text/group-by.ts";
import { parseJson } from "../../runtime/text/json.ts";
import { splitLines } from "../text/chunks.ts";
import { type Effects, isVisible } from "../effects/effects.ts";
import type { SchemaReader } from "../text/compile-schema.ts";
import { errorAt, type Fault, type Finding, formatLocation, type Location } from "../text/finding.ts";

/** A folder being read. */
export interface Folder {
  readonly effects: Effects;
  readonly directory: string;
  /** The document that explains the files. */
  readonly guide: string;
  readonly findings: Finding[];
  readonly lost: Lost[];
}

/** A part of a record that says nothing, because its shape is wrong. */
export interface Lost extends Location {
  readonly pointer: string;
}

/** A record, if necessary with placeholders at the places that are lost. */
export interface Shaped<T> {
  readonly record: T;
  /** If not, only rules may read it: findings say what is wrong. */
  readonly isWhole: boolean;
}

/**
 * Front matter with its prose; `markdown` begins on line `begins` of the file, counted from 1, and
 * ends with one line feed.
 */
export type Prose<T> = T & { readonly file: string; readonly begins: number; readonly markdown: string };

/** The record in a YAML file; undefined when a finding says why not. */
export function readRecord<T>(folder: Folder, file: string, parser: SchemaReader<T>): T | undefined {
  return wholeOf(readShaped(folder, file, parser));
}

/** The same, as far as it has its shape. */
export function readShaped<T>(folder: Folder, file: string, parser: SchemaReader<T>): Shaped<T> | undefined {
  const text = readText(folder, file);
  return text === undefined ? undefined : parseRecord({ folder, place: { file }, parser }, text);
}

export function wholeOf<T>(shaped: Shaped<T> | undefined): T | undefined {
  return shaped?.isWhole === true ? shaped.record : undefined;
}

/** The record in a JSON file that a program wrote. */
export function readJsonRecord<T>(folder: Folder, file: string, parser: SchemaReader<T>): T | undefined {
  const text = readText(folder, file);
  if (text === undefined) return undefined;
  const json = parseJson(new TextEncoder().encode(text));
  if (json.ok) return wholeOf(parseValue({ folder, place: { file }, parser }, json.value));
  report(folder, { file }, { rule: "json-syntax", text: "The file is not JSON", remedy: "Restore the file" });
  return undefined;
}

/**
 * The record between the first two `---` lines, as far as it has its shape, and the Markdown after
 * them.
 */
export function readProse<T>(folder: Folder, file: string, parser: SchemaReader<T>): Prose<T> | undefined {
  const text = readText(folder, file);
  if (text === undefined) return undefined;
  const [whole, matter] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text) ?? [];
  if (whole === undefined) {
    const [wrong, remedy] =
      text === ""
        ? [
            "The file is empty, which would leave out a file of the package, but the package has none of this name",
            "Delete it",
          ]
        : ["The file does not begin with front matter between two --- lines", `Write it; ${folder.guide} shows one`];
    report(folder, { file }, { rule: "front-matter-missing", text: wrong, remedy });
    return undefined;
  }
  // An empty line in place of the first --- lets a fault name the line of the file.
  const record = parseRecord({ folder, place: { file }, parser }, `\n${matter ?? ""}`);
  const body = text.slice(whole.length).trimStart();
  const begins = text.slice(0, text.length - body.length).split("\n").length;
  return record === undefined ? undefined : { ...record.record, file, begins, markdown: `${body.trimEnd()}\n` };
}

/** A record and its line, counted from 1. */
export interface Line<T> extends Shaped<T> {
  readonly line: number;
}

/** The records of a file with one JSON value on each line; any other line is a finding. */
export function* readLines<T>(folder: Folder, file: string, parser: SchemaReader<T>): Generator<Line<T>, void> {
  for (const line of readShapedLines(folder, file, parser)) if (line.isWhole) yield line;
}

/** The same, with the records that have their shape in part. Reads the file in pieces. */
export function* readShapedLines<T>(folder: Folder, file: string, parser: SchemaReader<T>): Generator<Line<T>, void> {
  if (folder.effects.kind(`${folder.directory}/${file}`) !== "file") return reportMissing(folder, file);
  let line = 0;
  for (const bytes of splitLines(folder.effects.chunks(`${folder.directory}/${file}`))) {
    const json = parseJson(bytes);
    const place = { file, line: ++line };
    if (json.ok) {
      const shaped = parseValue({ folder, place, parser }, json.value);
      if (shaped !== undefined) yield { line, ...shaped };
    } else {
      const text = "The line is not a JSON value, or names a member twice";
      const remedy = `Write one JSON value on each line, in UTF-8 without a byte order mark; ${folder.guide} shows one`;
      report(folder, place, { rule: "line-syntax", text, remedy });
    }
  }
}

interface Target<T> {
  readonly folder: Folder;
  readonly place: Location;
  readonly parser: SchemaReader<T>;
}

function parseRecord<T>(target: Target<T>, text: string): Shaped<T> | undefined {
  let value: unknown;
  try {
    value = load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    report(target.folder, target.place, syntaxFault(error));
    return undefined;
  }
  return parseValue(target, value);
}

function parseValue<T>({ folder, place, parser }: Target<T>, value: unknown): Shaped<T> | undefined {
  const reading = parser(value);
  if (reading.ok) return { record: reading.value, isWhole: true };
  for (const { pointer, reasons } of reading.violations) {
    const text = `The record does not have its shape: ${reasons.join("; ")}`;
    report(folder, place, { rule: RECORD_SCHEMA, text, remedy: `See the fields in ${folder.guide}`, pointer });
  }
  const shaped = parser.shapeOf(value);
  for (const pointer of shaped?.lost ?? [""]) folder.lost.push({ ...place, pointer });
  return shaped && { record: shaped.value, isWhole: false };
}

export const RECORD_SCHEMA = "record-schema";

/** The findings without those that are only about placeholders. */
export function withoutLost(findings: readonly Finding[], lost: readonly Lost[]): Finding[] {
  if (lost.length === 0) return [...findings];
  const places = groupBy(lost, formatLocation);
  return findings.filter((finding) => {
    const isLost = ({ pointer }: Lost): boolean => `${finding.pointer}/`.startsWith(`${pointer}/`);
    return finding.rule === RECORD_SCHEMA || places.get(formatLocation(finding))?.some(isLost) !== true;
  });
}

/** The names of the visible files with a suffix, directly in a subfolder. */
export function filesIn({ effects, directory }: Folder, name: string, suffix: string): string[] {
  const place = `${directory}/${name}`;
  if (effects.kind(place) !== "directory") return [];
  return effects.names(place).filter((file) => isVisible(file) && file.endsWith(suffix));
}

/** The text of a file, with line feeds as line ends; undefined if a finding says why not. */
export function readText(folder: Folder, file: string): string | undefined {
  const { effects, directory } = folder;
  const place = `${directory}/${file}`;
  if (effects.kind(place) !== "file") {
    reportMissing(folder, file);
    return undefined;
  }
  try {
    return utf8.decode(effects.read(place)).replaceAll("\r\n", "\n");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    report(folder, { file }, { rule: "file-encoding", text: "The file is not UTF-8", remedy: "Save it as UTF-8" });
    return undefined;
  }
}

/** There may be nothing, or something that is not a file; a link may lead to either. */
export function reportMissing(folder: Folder, file: string): void {
  const { effects, directory, guide } = folder;
  const isLink = effects.isLink(`${directory}/${file}`);
  const text = isLink
    ? "The link at this place does not lead to a regular file"
    : "There is no regular file at this place";
  const remedy = isLink ? "Restore what it leads to, or remove the link" : `Write it; ${guide} shows one`;
  report(folder, { file }, { rule: "file-missing", text, remedy });
}

function syntaxFault({ mark, reason }: YAMLException): Fault {
  const where = mark === undefined ? "" : ` at line ${mark.line + 1}, column ${mark.column + 1}`;
  const text = `Not readable as YAML${where}: ${reason}`;
  const remedy = mark === undefined ? "Write one YAML document" : "Fix the YAML at that place";
  return { rule: "yaml-syntax", text, remedy };
}

export function report(
  { findings }: Folder,
  place: Location,
  { pointer = "", ...fault }: Fault & { pointer?: string },
): void {
  findings.push(errorAt(place, pointer, fault));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
