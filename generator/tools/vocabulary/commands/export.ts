/** `export`: writes a registry or a release in another format, to standard output or a file. */
import { readTextIfFile } from "../../../effects/effects.ts";
import { countOf } from "../../../effects/print.ts";
import { checkLanguageTag, repairLanguageTag } from "../../../registry/check-language.ts";
import { loadRegistry, readWithProgress } from "../../../registry/load.ts";
import { readVocabularies } from "../../../registry/vocabulary-file.ts";
import { isError } from "../../../text/finding.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { originNotices } from "../../../text/public-origin.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { withRelease } from "../../../commands/with-release.ts";
import { type CodeList, readCodeList } from "../release-formats/code-list.ts";
import { RELEASE_FORMATS, type ReleaseFormat, type Writer } from "../release-formats/formats.ts";
import { formatIdentifiers, readIdentifiers, withNewIdentifiers } from "../release-formats/identifiers.ts";
import { type Exported, exportPublished, exportSource } from "../formats/exported.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { deliver, type Delivered, fileOf, regularFile } from "../../../commands/export-target.ts";
import {
  BUILT,
  type CommandLine,
  formatOf,
  formatOption,
  givenFor,
  goesWith,
  list,
  type Option,
  ORIGIN,
  REGISTRY,
  requireApart,
  requireDirectory,
  text,
  type Values,
} from "../../../commands/options.ts";
import { reportErrors } from "../../../commands/registry.ts";

const NAMING = {
  endings: {
    ttl: "skos",
    turtle: "skos",
    jsonld: "skos",
    csv: "csv",
    json: "json",
    tbx: "tbx",
    ts: "typescript",
    py: "python",
    sql: "sql",
    tsv: "sssom",
  },
  filesOf: (written: CommandLine) => givenFor(written, "into"),
};
const OF_REGISTRY = ["skos", "source", "csv", "json", "tbx"] as const;
const OF_RELEASE = Object.keys(RELEASE_FORMATS) as ReleaseFormat[];
const ALL = [...OF_REGISTRY, ...OF_RELEASE];
/** The formats with an identifier for each code. */
const NAMED = ["typescript", "python"] as const satisfies readonly ReleaseFormat[];

const OPTIONS = {
  format: formatOption(ALL, NAMING),
  registry: withRegistry(REGISTRY),
  out: goesWith(`--format ${OF_RELEASE.join("|")}`, isOfRelease, BUILT),
  into: text("FILE", "the file to write (standard output)"),
  identifiers: goesWith(
    `--format ${NAMED.join("|")}`,
    (written) => NAMED.some((name) => name === formatOf(written, NAMING)),
    text("FILE", "make identifiers from names, and keep them here (from codes, with no record)"),
  ),
  language: withRegistry(list("TAGS", "the languages to export, separated by commas (all)")),
  origin: withRegistry(ORIGIN),
};
type Written = Values<typeof OPTIONS>;
type ExportOptions = Written & { readonly format: (typeof OF_REGISTRY)[number] };

function isOfRelease(written: CommandLine): boolean {
  return OF_RELEASE.some((name) => name === formatOf(written, NAMING));
}

function withRegistry<T>(option: Option<T>): Option<T> {
  return goesWith(`--format ${OF_REGISTRY.join("|")}`, (written) => !isOfRelease(written), option);
}

export const command = defineCommand({
  usage: `--format ${ALL.join("|")} | --into FILE`,
  does:
    "Prints the registry in another format, or a release for programs that keep its codes. skos (Turtle, or JSON-LD if FILE ends in .jsonld) and csv hold all of it and " +
    "can be imported again; source (Turtle) is what the vocabularies say, under their own IRIs; json is the public bundle, tbx a term base of what is published.\n\n" +
    "The others are made from a built release (--out): json-schema, typescript and python have a constant for each code, " +
    "sql and codes (CSV) a row. They keep retired codes, marked as deprecated and with their successors. " +
    "sssom has the mappings of concepts to identifiers elsewhere, fhir both, as resources of R5.",
  options: OPTIONS,
  run: (outside, { format, ...options }) => {
    const ofRegistry = OF_REGISTRY.find((name) => name === format);
    if (ofRegistry !== undefined) return runExport(outside, { ...options, format: ofRegistry });
    return exportRelease(outside, { ...options, format: format as ReleaseFormat });
  },
});

/** Exit code 1 if the registry cannot be exported. */
async function runExport(outside: Outside, options: ExportOptions): Promise<number> {
  const { effects, console } = outside;
  checkFormat(options);
  const file = options.into === undefined ? undefined : fileOf(effects, options.into);
  requireDirectory(effects, "registry", options.registry);
  if (options.into !== undefined) requireApart(effects, ["into", options.into], [options.registry]);
  const exported = await exportRegistry(outside, { ...options, language: languagesOf(options) });
  if (exported === undefined) return 1;
  let hasOrigin = false;
  const pieces = watched(exported.pieces, (piece) => (hasOrigin ||= piece.includes(options.origin)));
  const delivered = await deliver(outside, pieces, file);
  if (delivered === undefined) return 1;
  if (hasOrigin) for (const line of originNotices("the export", options.origin)) console.error(line);
  summarize(console, exported, delivered);
  return 0;
}

/** Exit code 1 if the format cannot hold what the release has. */
async function exportRelease(
  outside: Outside,
  {
    format,
    out,
    into,
    identifiers,
  }: Pick<Written, "out" | "into" | "identifiers"> & { readonly format: ReleaseFormat },
): Promise<number> {
  const { effects, console } = outside;
  const file = into === undefined ? undefined : fileOf(effects, into);
  const record = identifiers === undefined ? undefined : regularFile(effects, "identifiers", identifiers);
  if (into !== undefined) requireApart(effects, ["into", into], [out, ...(record === undefined ? [] : [record])]);
  if (record !== undefined) requireApart(effects, ["identifiers", record], [out]);
  return withRelease(out, async (release) => {
    const codes = readCodeList(release);
    const given = record === undefined ? undefined : identifiersIn(outside, record, codes);
    const write: Writer = RELEASE_FORMATS[format];
    const pieces = write(codes, given && ((code) => given.get(code) ?? code));
    const delivered = await deliver(outside, pieces, file);
    if (delivered === undefined) return 1;
    if (given !== undefined) await deliver(outside, [formatIdentifiers(given)], record);
    const counts = `${countOf(codes.publishedCount, "code")}, ${codes.retiredCount} retired`;
    reportDelivered(console, delivered, `${counts}, registry ${codes.registryVersion}`);
    return 0;
  });
}

/** Those of the record, and new ones for codes that it lacks. */
function identifiersIn({ effects }: Outside, record: string, codes: CodeList): Map<string, string> {
  const written = readTextIfFile(effects, record);
  return withNewIdentifiers(
    written === undefined ? new Map<string, string>() : readIdentifiers(written, record),
    codes,
  );
}

function* watched(pieces: Iterable<string>, see: (piece: string) => void): Generator<string, void> {
  for (const piece of pieces) {
    see(piece);
    yield piece;
  }
}

function checkFormat({ format, language: languages, into }: ExportOptions): void {
  if (format === "json" && languages.length > 0)
    throw new UsageError("--language cannot be used with json, which is the public bundle byte for byte");
  if (format === "source" && languages.length > 0)
    throw new UsageError("--language cannot be used with source, which is all that the vocabularies say");
  if (format === "source" || format === "skos") checkName(format, into);
}

/**
 * The languages in canonical form. Throws UsageError for a tag that no registry accepts: the file
 * could not be imported as one.
 */
function languagesOf({ language: languages }: ExportOptions): string[] {
  const [fault] = languages.flatMap(checkLanguageTag).filter(({ rule }) => rule !== "language-not-canonical");
  if (fault !== undefined) throw new UsageError(`--language: ${fault.text}. ${fault.remedy}`);
  return [...new Set(languages.map(repairLanguageTag))].sort(compareCodePoints);
}

/** A reader of an RDF file, such as an import, finds out the syntax from its name. */
function checkName(format: "skos" | "source", into = ""): void {
  const [, other] = /\.(nt|rdf|xml|owl|json|jsonld)$/i.exec(into) ?? [];
  if (other === undefined || (format === "skos" && isJsonLd(into))) return;
  const written = `Turtle${format === "skos" ? ", or JSON-LD into a file whose name ends in .jsonld" : ""}`;
  throw new UsageError(`--format ${format} writes ${written}: name --into ${into.slice(0, -other.length)}ttl`);
}

function isJsonLd(into = ""): boolean {
  return into.toLowerCase().endsWith(".jsonld");
}

/** Undefined if the registry has errors, which are reported. */
async function exportRegistry(outside: Outside, options: ExportOptions): Promise<Exported | undefined> {
  const { effects, console } = outside;
  const { format, registry: directory, into, language: languages, origin } = options;
  if (format === "json" || format === "tbx") {
    const { registry, findings } = loadRegistry(effects, directory, console.progress);
    if (registry !== undefined) return exportPublished(registry, { format, origin, languages });
    reportErrors(console, directory, findings);
    return undefined;
  }
  const source = readWithProgress(effects, directory, console.progress);
  const { lines: vocabularies, findings: more } = readVocabularies(effects, directory);
  const findings = [...source.findings, ...more];
  if (findings.some(isError)) {
    reportErrors(console, directory, findings);
    return undefined;
  }
  const syntax = isJsonLd(into) ? "jsonld" : "turtle";
  const wanted = format === "skos" ? syntax : format;
  return exportSource({ ...source, vocabularies }, { format: wanted, origin, languages });
}

function summarize(
  console: Outside["console"],
  { concepts, expressions, leftOut }: Exported,
  delivered: Delivered,
): void {
  reportDelivered(console, delivered, `${countOf(concepts, "concept")}, ${countOf(expressions, "expression")}`);
  if (leftOut > 0)
    console.error(`Left out: ${countOf(leftOut, "label")} in other languages. This is not all of the registry`);
}

function reportDelivered(console: Outside["console"], { bytes, file }: Delivered, counts: string): void {
  const all = `${counts}, ${countOf(bytes, "byte")}`;
  console.error(file === undefined ? `Exported ${all}` : `Wrote ${file[0]}: ${all}, SHA-256 ${file[1]}`);
}
