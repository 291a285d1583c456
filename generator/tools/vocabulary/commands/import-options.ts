/** The options of `import`, and the settings that follow from them and the source. */
import path from "node:path";
import { formatLanguageTag } from "../../../../runtime/text/language.ts";
import { checkLanguageTag } from "../../../registry/check-language.ts";
import { checkPlainText } from "../../../registry/check-text.ts";
import { UsageError } from "../../../text/usage-error.ts";
import {
  CODE_SOURCES,
  IMPORT_FORMATS,
  type ImportSettings,
  MISSING_DEFINITION,
  REPAIRS,
  REVIEWS,
} from "../import/settings.ts";
import type { Source } from "../formats/source.ts";
import { onOneLine } from "../import/text.ts";
import type { Outside } from "../../../commands/command.ts";
import {
  choiceOr,
  DELIMITER,
  DRY_RUN,
  formatOf,
  formatOption,
  givenFor,
  goesWith,
  list,
  requireApart,
  text,
  textOr,
  texts,
  type Values,
  type CommandLine,
} from "../../../commands/options.ts";
import { REGISTRY_VERSION_PATTERN } from "../../../text/version.ts";

/** The version of a registry that has not been released yet. */
const UNRELEASED = "0000.01.0";

/** Endings such as .xml and .json have several formats. */
const NAMING = {
  endings: {
    ttl: "skos",
    turtle: "skos",
    nt: "skos",
    owl: "skos",
    rdf: "skos",
    jsonld: "skos",
    csv: "csv",
    tsv: "csv",
    tbx: "tbx",
  },
  filesOf: (written: CommandLine) => [...givenFor(written, "from"), ...written.args],
};

export const IMPORT = {
  format: formatOption(IMPORT_FORMATS, NAMING),
  from: texts("FILE", "a file to read; several may follow"),
  into: text("DIR", "the registry to import into, new or not"),
  name: text("TEXT", "the name of a new registry (the name of the source)"),
  domain: text("NAME", "the domain of concepts that have none (the name of the first file)"),
  codeFrom: choiceOr("HOW", "mint, notation or uri: where new codes come from (mint)", CODE_SOURCES),
  reviewAs: choiceOr("HOW", "in_review, or reviewed if you vouch for the file (in_review)", REVIEWS),
  license: text("SPDX", "the licence of the source (that of the file, else NOASSERTION)"),
  source: text("TEXT", "the name of the source (its title, else the name of the first file)"),
  languages: list("TAGS", "the languages to import, separated by commas (all)"),
  language: text("TAG", "the language of texts that have no tag"),
  delimiter: goesWith("--format csv", isCsv, DELIMITER),
  languageColumns: goesWith(
    "--format csv",
    isCsv,
    list("TAGS", "for a CSV with a column for each language: the names of the columns, separated by commas"),
  ),
  missingDefinition: choiceOr(
    "HOW",
    "label: the name is the definition; error: nothing is imported (label)",
    MISSING_DEFINITION,
  ),
  fix: list("KINDS", `repair ${REPAIRS.join(", ")}, and report each`),
  findings: text("FILE", "write every finding to this file, as lines of JSON"),
  dryRun: DRY_RUN,
  version: textOr(UNRELEASED, "V", "the registryVersion of a new registry, YYYY.MM.N"),
};

function isCsv(written: CommandLine): boolean {
  return formatOf(written, NAMING) === "csv";
}

export type ImportOptions = Values<typeof IMPORT>;

/** The files to read, and the registry to import into. Throws UsageError. */
export function placesOf(
  effects: Outside["effects"],
  { from, into, findings }: ImportOptions,
  args: readonly string[],
): { readonly from: readonly string[]; readonly into: string } {
  const files = [...from, ...args];
  if (into === undefined) throw new UsageError("--into DIR is needed: the registry to import into, new or not");
  if (files.length === 0) throw new UsageError("--from FILE is needed");
  const wrong = files.find((file) => effects.kind(file) !== "file");
  if (wrong !== undefined) throw new UsageError(`--from ${wrong} is not a file`);
  if (findings !== undefined) requireApart(effects, ["findings", findings], [...files, into]);
  return { from: files, into };
}

/** The person's decisions, which the source can add to. Throws UsageError. */
export function settingsOf(options: ImportOptions, [first = ""]: readonly string[]): ImportSettings {
  const { name, domain, source, license, codeFrom, reviewAs, missingDefinition } = options;
  const { languages, language, version } = options;
  // A table may have a column EN, which holds texts in en.
  const columns = options.languageColumns.map(formatLanguageTag);
  for (const tag of [...(language === undefined ? [] : [language]), ...languages, ...columns]) {
    const [fault] = checkLanguageTag(tag);
    if (fault !== undefined) throw new UsageError(`${fault.text}: ${fault.remedy}`);
  }
  const repairs = options.fix.map((given) => {
    const repair = REPAIRS.find((one) => one === given);
    if (repair === undefined) throw new UsageError(`--fix ${given} is none of ${REPAIRS.join(", ")}`);
    return repair;
  });
  for (const [option, given = ""] of Object.entries({ name, domain, source, license })) {
    const [fault] = checkPlainText(given, option);
    if (fault !== undefined) throw new UsageError(`--${option}: ${fault.text}. ${fault.remedy}`);
  }
  if (!new RegExp(REGISTRY_VERSION_PATTERN).test(version))
    throw new UsageError(`--version ${version} is not of the form YYYY.MM.N`);
  const said = { name, domain, source, license, codeFrom, reviewAs, missingDefinition, languages };
  return {
    ...said,
    repairs: new Set(repairs),
    untagged: language,
    fallbackName: onOneLine(path.basename(first).replace(/\.[^.]+$/, "")) || "vocabulary",
    registryVersion: version,
  };
}

/** Adds the name and the licence that the source gives itself if the person gave none. */
export function withSource(
  settings: ImportSettings,
  { title = "", license, isPublished = false }: Pick<Source, "title" | "license" | "isPublished">,
): ImportSettings {
  const name = onOneLine(title) || undefined;
  // An export of ours has the name of its registry, which does not say where its concepts come
  // from.
  const named = isPublished ? { fallbackName: name ?? settings.fallbackName } : { source: settings.source ?? name };
  return { ...settings, ...named, license: settings.license ?? license };
}
