/**
 * Reading what people write: a YAML file, or Markdown behind YAML front matter, as a record of its schema or as findings.
 * YAML is 1.2 core: `no` is text and dates stay text.
 */
import { load, YAMLException } from "js-yaml";
import type { Reading } from "../runtime/validator.ts";
import type { Effects } from "./effects.ts";
import type { Fault, Finding } from "./finding.ts";

/** A folder being read. */
export interface Folder {
  readonly effects: Effects;
  readonly directory: string;
  /** Where its files are explained. */
  readonly guide: string;
  readonly findings: Finding[];
}

export type Parser<T> = (value: unknown) => Reading<T>;

/** Prose with its front matter; `markdown` ends with one line feed. */
export interface Prose<T> {
  readonly record: T;
  readonly markdown: string;
}

/** The record in a YAML file; undefined when a finding says why not. */
export function readRecord<T>(folder: Folder, file: string, parser: Parser<T>): T | undefined {
  const text = readText(folder, file);
  return text === undefined ? undefined : parseRecord({ folder, file, parser }, text);
}

/** The record between the first two `---` lines, and the Markdown after them. */
export function readProse<T>(folder: Folder, file: string, parser: Parser<T>): Prose<T> | undefined {
  const text = readText(folder, file);
  if (text === undefined) return undefined;
  const [whole, matter] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text) ?? [];
  if (whole === undefined) {
    const fault = {
      rule: "front-matter-missing",
      text: "The file does not begin with front matter between two --- lines",
    };
    found(folder, file, { ...fault, remedy: `Write it; ${folder.guide} shows one` });
    return undefined;
  }
  const record = parseRecord({ folder, file, parser }, matter ?? "");
  const markdown = `${text.slice(whole.length).trim()}\n`;
  return record === undefined ? undefined : { record, markdown };
}

interface Target<T> {
  readonly folder: Folder;
  readonly file: string;
  readonly parser: Parser<T>;
}

function parseRecord<T>({ folder, file, parser }: Target<T>, text: string): T | undefined {
  let value: unknown;
  try {
    value = load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    found(folder, file, syntaxFault(error));
    return undefined;
  }
  const reading = parser(value);
  if (reading.ok) return reading.value;
  for (const { pointer, faults } of reading.violations) {
    const wrong = faults.join("; ");
    const remedy = `See the fields in ${folder.guide}`;
    found(folder, file, {
      rule: "record-schema",
      text: `The record does not have its shape: ${wrong}`,
      remedy,
      pointer,
    });
  }
  return undefined;
}

/** The text of a file, with line feeds as line ends; undefined when a finding says why not. */
export function readText(folder: Folder, file: string): string | undefined {
  const { effects, directory, guide } = folder;
  const place = `${directory}/${file}`;
  if (effects.kind(place) !== "file") {
    const remedy = `Write it; ${guide} shows one`;
    found(folder, file, { rule: "file-missing", text: "There is no regular file at this place", remedy });
    return undefined;
  }
  try {
    return utf8.decode(effects.read(place)).replaceAll("\r\n", "\n");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    found(folder, file, { rule: "file-encoding", text: "The file is not UTF-8", remedy: "Save it as UTF-8" });
    return undefined;
  }
}

function syntaxFault({ mark, reason }: YAMLException): Fault {
  const where = mark === undefined ? "" : ` at line ${mark.line + 1}, column ${mark.column + 1}`;
  return {
    rule: "yaml-syntax",
    text: `Not readable as YAML${where}: ${reason}`,
    remedy: "Mend the YAML at that place",
  };
}

function found({ findings }: Folder, file: string, { pointer = "", ...fault }: Fault & { pointer?: string }): void {
  findings.push({ ...fault, severity: "error", file, pointer });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
