/**
 * `npm run export`: a registry in a format of others, on standard output or in a file that is there whole or not at all.
 * skos and csv are all of the source; json and tbx are what is published.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { isWellFormedLanguageTag } from "../../runtime/text/language.ts";
import { makeView } from "../view/view.ts";
import type { Console, Effects } from "../effects/effects.ts";
import { chooseLanguages } from "../vocabulary/formats/chosen-languages.ts";
import { writeCsv } from "../vocabulary/formats/csv-write.ts";
import { ExportError } from "../vocabulary/formats/export-error.ts";
import { writeJson } from "../vocabulary/formats/json-write.ts";
import { writeTbx } from "../vocabulary/formats/tbx-write.ts";
import { choiceOf, listOf, type Options, requireDirectory } from "./options.ts";
import { UsageError } from "../text/usage-error.ts";
import { tagOf } from "../registry/checked.ts";
import { readRegistry } from "../registry/read.ts";
import { loadRegistry, reportErrors } from "./load-registry.ts";

const FORMATS = ["skos", "csv", "json", "tbx"] as const;
type Format = (typeof FORMATS)[number];

/** What is to be written, and what it holds. */
interface Content {
  readonly pieces: Iterable<string>;
  readonly concepts: number;
  readonly expressions: number;
  /** Expressions and hidden labels that are in other languages than the chosen ones. */
  readonly leftOut: number;
}

/** Exit code 1 where the registry cannot be exported; throws UsageError for wrong options. */
export async function runExport(effects: Effects, console: Console, options: Options): Promise<number> {
  const format = choiceOf(options, "format", { admitted: FORMATS });
  const languages = readLanguages(options, format);
  const file = options.into === undefined ? undefined : fileOf(effects, options.into);
  requireDirectory(effects, "registry", options.registry);
  const wanted = { format, languages, options };
  const content =
    format === "skos" || format === "csv"
      ? await wholeContent(effects, console, wanted)
      : publishedContent(effects, console, wanted);
  if (content === undefined) return 1;
  try {
    const written =
      file === undefined
        ? await print(console, content.pieces)
        : write(effects, content.pieces, { file, progress: (text) => console.progress(text) });
    summarize(console, content, written);
    return 0;
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    console.progress("");
    console.error(file === undefined ? `${error.message}. What was printed is not whole` : error.message);
    return 1;
  }
}

function readLanguages(options: Options, format: Format): string[] {
  const languages = listOf(options, "language");
  if (format === "json" && languages.length > 0)
    throw new UsageError("--language does not go with json, which is the public bundle byte for byte");
  const wrong = languages.find((language) => !isWellFormedLanguageTag(language));
  if (wrong !== undefined)
    throw new UsageError(`--language ${JSON.stringify(wrong)} is not a well-formed language tag`);
  return languages;
}

/** The file behind the name: a link stays, and a folder or a device is nothing to write over. */
function fileOf(effects: Effects, into: string): string {
  const file = effects.realPath(into);
  const folder = path.dirname(file);
  const isThere = effects.kind(folder) === "directory" && effects.names(folder).includes(path.basename(file));
  const kind = effects.kind(file);
  if (kind === "directory" || (kind === "none" && isThere))
    throw new UsageError(`--into ${into} is not a regular file`);
  return file;
}

interface Wanted {
  readonly format: Format;
  readonly languages: readonly string[];
  readonly options: Options;
}

/** All of the source; undefined when its findings were printed. */
async function wholeContent(effects: Effects, console: Console, wanted: Wanted): Promise<Content | undefined> {
  const { format, languages, options } = wanted;
  const registry = readRegistry(effects, options.registry, (done) => {
    if (done % 500 === 0) console.progress(`Reading ${options.registry}: ${done} concepts`);
  });
  console.progress("");
  if (registry.findings.some(({ severity }) => severity === "error")) {
    reportErrors(console, options.registry, registry.findings);
    return undefined;
  }
  const isChosen = chooseLanguages(languages);
  let [expressions, leftOut] = [0, 0];
  for (const { record } of registry.concepts) {
    const chosen = record.expressions.filter(({ language, locale = null }) => isChosen(tagOf({ language, locale })));
    const labels = record.hiddenLabels?.filter(({ language }) => !isChosen(language)) ?? [];
    expressions += chosen.length;
    leftOut += record.expressions.length - chosen.length + labels.length;
  }
  const counts = { concepts: registry.concepts.length, expressions, leftOut };
  if (format === "csv") return { pieces: writeCsv(registry, { languages }), ...counts };
  const { writeSkos } = await import("../vocabulary/formats/skos-write.ts");
  const syntax = options.into?.endsWith(".jsonld") === true ? "jsonld" : "turtle";
  return { pieces: writeSkos(registry, { format: syntax, origin: options.origin, languages }), ...counts };
}

/** What is published; undefined when the findings were printed. */
function publishedContent(effects: Effects, console: Console, wanted: Wanted): Content | undefined {
  const { format, languages, options } = wanted;
  const { registry, findings } = loadRegistry(effects, console, options.registry);
  if (registry === undefined) {
    reportErrors(console, options.registry, findings);
    return undefined;
  }
  const { origin } = options;
  const isChosen = chooseLanguages(languages);
  const chosen = registry.concepts.map(({ expressions }) => expressions.filter((one) => isChosen(tagOf(one))).length);
  const expressions = chosen.reduce((sum, count) => sum + count, 0);
  const all = registry.concepts.reduce((sum, concept) => sum + concept.expressions.length, 0);
  return {
    pieces: format === "tbx" ? writeTbx(registry, { origin, languages }) : writeJson(makeView(registry, origin)),
    concepts: chosen.filter((count) => count > 0).length,
    expressions,
    leftOut: all - expressions,
  };
}

interface Written {
  readonly bytes: number;
  /** The file, and the SHA-256 of it. */
  readonly file?: readonly [name: string, sha256: string];
}

const PRINT_AT_ONCE = 1 << 16;
const SHOW_AT_ONCE = 1 << 23;

async function print(console: Console, pieces: Iterable<string>): Promise<Written> {
  let held = "";
  let bytes = 0;
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    held += piece;
    const end = held.length < PRINT_AT_ONCE ? -1 : held.lastIndexOf("\n");
    if (end < 0) continue;
    console.print(held.slice(0, end));
    held = held.slice(end + 1);
    // Lets it be heard that nobody reads any more.
    await setImmediate();
  }
  if (held !== "") console.print(held.endsWith("\n") ? held.slice(0, -1) : held);
  return { bytes };
}

interface Target {
  readonly file: string;
  readonly progress: (text: string) => void;
}

function write(effects: Effects, pieces: Iterable<string>, { file, progress }: Target): Written {
  const part = `${file}.part-${effects.processId}`;
  const hash = createHash("sha256");
  let [total, shown] = [0, 0];
  const encoded = function* (): Generator<Uint8Array, void> {
    for (const piece of pieces) {
      const bytes = encoder.encode(piece);
      hash.update(bytes);
      total += bytes.length;
      if (total - shown >= SHOW_AT_ONCE) progress(`Writing ${file}: ${Math.floor((shown = total) / (1 << 20))} MiB`);
      yield bytes;
    }
  };
  try {
    const bytes = effects.write(part, encoded());
    effects.rename(part, file);
    return { bytes, file: [file, hash.digest("hex")] };
  } finally {
    effects.remove(part);
    progress("");
  }
}

function summarize(console: Console, { concepts, expressions, leftOut }: Content, { bytes, file }: Written): void {
  const counts = `${concepts} concepts, ${expressions} expressions, ${bytes} bytes`;
  console.error(file === undefined ? `Exported ${counts}` : `Wrote ${file[0]}: ${counts}, SHA-256 ${file[1]}`);
  if (leftOut > 0) console.error(`${leftOut} labels in other languages are left out: this is not all of the registry`);
}

const encoder = new TextEncoder();
