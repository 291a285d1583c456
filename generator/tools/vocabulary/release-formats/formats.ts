/** The formats that a release is exported in, with their printers. */
import type { CodeList } from "./code-list.ts";
import { writeCodesCsv } from "./codes-csv.ts";
import { writeFhir } from "./fhir.ts";
import { writeJsonSchema } from "./json-schema.ts";
import { writePython } from "./python.ts";
import { writeSql } from "./sql.ts";
import { writeSssom } from "./sssom.ts";
import { writeTypeScript } from "./typescript.ts";

export const RELEASE_FORMATS = {
  "json-schema": writeJsonSchema,
  typescript: writeTypeScript,
  python: writePython,
  sql: writeSql,
  codes: writeCodesCsv,
  sssom: writeSssom,
  fhir: writeFhir,
} as const satisfies Readonly<Record<string, Writer>>;

/** `identifier` gives the identifier of a code in a program, where a format has some. */
export type Writer = (list: CodeList, identifier?: (code: string) => string) => Iterable<string>;

export type ReleaseFormat = keyof typeof RELEASE_FORMATS;
