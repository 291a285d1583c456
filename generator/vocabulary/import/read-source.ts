/** The vocabulary that is imported, read in the format that the person names. */
import type { Effects } from "../../effects/effects.ts";
import { readCsv } from "../formats/csv-read.ts";
import { readSkos } from "../formats/skos-read.ts";
import { type Source, SourceError } from "../formats/source.ts";
import type { ImportFormat } from "./settings.ts";

export interface SourceFiles {
  readonly format: ImportFormat;
  readonly from: readonly string[];
  /** Only these; empty: all. */
  readonly languages: readonly string[];
}

export type ReadSource =
  | { readonly ok: true; readonly source: Source }
  /** Why the files cannot be read as what they should be. */
  | { readonly ok: false; readonly message: string };

export async function readSource(
  effects: Effects,
  { format, from, languages }: SourceFiles,
  progress: (text: string) => void,
): Promise<ReadSource> {
  const read = format === "skos" ? readSkos : readCsv;
  const report = (done: number): void => {
    if (done % 5000 === 0) progress(`Reading ${from.join(", ")}: ${done}`);
  };
  try {
    return { ok: true, source: await read(effects, from, { progress: report, languages }) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { ok: false, message: error.message };
  }
}
