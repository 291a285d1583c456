/** Reads the imported vocabulary in the format that the person names. */
import type { Effects } from "../../../effects/effects.ts";
import type { TableForm } from "../formats/csv-rows.ts";
import { readCsv } from "../formats/csv-read.ts";
import { readJson } from "../formats/json-read.ts";
import type { ReadOptions } from "../formats/reader-state.ts";
import { readSkos } from "../formats/skos-read.ts";
import { readTbx } from "../formats/tbx-read.ts";
import { type Source, SourceError } from "../formats/source.ts";
import type { ImportFormat } from "./settings.ts";

export interface SourceFiles extends TableForm, Pick<ReadOptions, "languages" | "language"> {
  readonly format: ImportFormat;
  readonly from: readonly string[];
}

export type ReadSource =
  | { readonly ok: true; readonly source: Source }
  /** Why the files cannot be read in that format. */
  | { readonly ok: false; readonly message: string };

export async function readSource(
  effects: Effects,
  { format, from, languages, language, ...form }: SourceFiles,
  progress: (text: string) => void,
): Promise<ReadSource> {
  const report = (done: number): void => {
    if (done % 5000 === 0) progress(`Reading ${from.join(", ")}: ${done}`);
  };
  try {
    const options = { progress: report, languages, language };
    if (format === "skos") return { ok: true, source: await readSkos(effects, from, options) };
    if (format === "json") return { ok: true, source: readJson(effects, from, options) };
    if (format === "tbx") return { ok: true, source: readTbx(effects, from, options) };
    return { ok: true, source: await readCsv(effects, from, { ...options, ...form }) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { ok: false, message: error.message };
  }
}
