/**
 * Plans an import: from a source and a registry to the registry after it, as a value that can be
 * checked and shown before anything is written. Concepts are found again by the source's
 * identifiers for them; nothing that people decided here is lost.
 */
import type { Verdict } from "../../../registry/check.ts";
import { checkPlainText } from "../../../registry/check-text.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import type { DomainLine } from "../../../registry/vocabulary-file.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { chooseLanguages } from "../formats/chosen-languages.ts";
import type { Source, SourceConcept } from "../formats/source.ts";
import { countImport, type ImportCounts, placed, registryAfter, settleVersion, workingVersion } from "./after.ts";
import { refuseAlike } from "./alike.ts";
import type { RegistrySource, EditableSource } from "../../../registry/read.ts";
import { assignCodes } from "./codes.ts";
import { importConcept } from "./concept.ts";
import { contradictions } from "./contradictions.ts";
import {
  commonSource,
  coveredDomains,
  domainOf,
  foreignConcepts,
  isOfDomain,
  missingConcepts,
  refuseTaken,
  withForeign,
} from "./domains.ts";
import { type ImportFinding, reporter, type ReportTo } from "./import-finding.ts";
import { identityOf, knownCodes, mapCodes, withSourceId } from "./known-codes.ts";
import { recordByCode } from "./moving.ts";
import { backFault, missingFinding, retireDeprecated, retireMissing } from "./retire.ts";
import type { ImportSettings } from "./settings.ts";
import { refuseLosses } from "./unread.ts";
import { importSubjects, linksOf } from "./vocabulary.ts";

export interface Plan {
  /** With the version that it needs. */
  readonly after: EditableSource;
  /** The verdict of the checks. */
  readonly verdict: Verdict;
  readonly counts: ImportCounts;
  readonly findings: readonly ImportFinding[];
  /** The source's statements about everything else. Left out: those of the registry stay. */
  readonly vocabulary: readonly DomainLine[] | undefined;
  /** The domains that the source covers. */
  readonly domains: readonly string[];
  /** The languages that the source is asked about; empty: all. */
  readonly languages: readonly string[];
  readonly leftOut: Source["leftOut"];
}

/** A plan that is not checked yet. */
export type Draft = Omit<Plan, "verdict">;

/**
 * A separate step, so that the caller can release the draft's source first: the checks need the
 * memory.
 */
export function checkPlan(draft: Draft, before: RegistrySource): Plan {
  return { ...draft, ...settleVersion(draft.after, before) };
}

/**
 * Checks the sourceIds and domains that the source gives: the registry could not hold a faulty one,
 * and its own findings would name files that do not exist.
 */
function reportNames(concepts: readonly SourceConcept[], reportTo: ReportTo): void {
  for (const concept of concepts) {
    const { sourceId, domain = "" } = concept;
    const faults = [...checkPlainText(sourceId ?? "", "source-id"), ...checkPlainText(domain, "domain")];
    for (const fault of faults) reportTo(concept)(fault, "refused");
  }
}

/**
 * The languages that the source is asked about: the named ones, limited to those of our own partial
 * export, or all of the export's if none is named. An export that lacks a language of this registry
 * counts as partial. Throws UsageError if none remain.
 */
function askedLanguages(
  { languages }: ImportSettings,
  { registry: file, only = file?.only }: Source,
  there: RegistrySource["registry"],
): readonly string[] {
  if (there === undefined) return languages;
  const isAll = file === undefined || there.languages.every(chooseLanguages(file.languages));
  const said = only ?? (isAll ? [] : file.languages);
  if (said.length === 0) return languages;
  if (languages.length === 0) return said;
  const both = [...languages.filter(chooseLanguages(said)), ...said.filter(chooseLanguages(languages))];
  if (both.length > 0) return [...new Set(both)];
  const named = `--languages ${languages.join(",")}`;
  throw new UsageError(`${named}: the file has only ${said.join(", ")}. Name some of these, or leave --languages out`);
}

/** `before` has no registry record if the import makes a new registry. */
export function draftImport(given: Source, before: RegistrySource, settings: ImportSettings): Draft {
  const languages = askedLanguages(settings, given, before.registry);
  return { ...draftIn(given, before, { ...settings, languages }), languages, leftOut: given.leftOut };
}

type Drafted = Omit<Draft, "languages" | "leftOut">;

function draftIn(given: Source, before: RegistrySource, settings: ImportSettings): Drafted {
  const findings: ImportFinding[] = [];
  const reportTo = reporter(findings);
  reportNames(given.concepts, reportTo);
  const known = knownCodes(before);
  const existing = recordByCode(before.concepts);
  const named = given.concepts.map((concept) =>
    withSourceId(concept, known, (code) => isOfDomain(existing.get(code)?.record, concept.domain ?? settings.domain)),
  );
  const source = { ...given, concepts: named };
  const codes = assignCodes(source.concepts, { known, codeFrom: settings.codeFrom }, reportTo);
  const codeOf = (concept: SourceConcept): string => codes.get(identityOf(concept)) ?? "";
  const recordOf = (concept: SourceConcept): ConceptRecord | undefined => existing.get(codeOf(concept))?.record;
  const { domain, isApart } = domainOf(source.concepts, { recordOf, all: before.concepts }, settings);
  const own = { domain, isApart, source: settings.source ?? settings.fallbackName };
  const foreign = foreignConcepts(source.concepts, recordOf, own);
  const ours = source.concepts.filter((concept) => !foreign.has(concept));
  const links = linksOf(source.concepts, codeOf);
  const { registry, only, isPublished = false } = source;
  const shared = { domain, settings, links, isWhole: registry !== undefined, isPublished };
  const retiredBefore = new Map(before.retired.map((entry) => [entry.code, entry]));
  const concepts = ours
    .filter(({ retired }) => retired === undefined)
    .map((concept) => {
      const [code, report] = [codeOf(concept), reportTo(concept)];
      const there = existing.get(code);
      const back = backFault(retiredBefore.get(code));
      if (back !== undefined) report(back, "changed");
      return placed(importConcept(concept, { ...shared, code, existing: there?.record }, report), there);
    });
  const domains = coveredDomains(ours, recordOf, domain);
  const from = commonSource(ours, settings);
  const gone = missingConcepts(before, { ...shared, domains, codes: new Set(codes.values()), from, only });
  refuseAlike({ concepts: ours, recordOf, gone }, reportTo);
  refuseTaken(source, { recordOf, domain }, reportTo);
  const version = workingVersion(before, (before.registry ?? registry ?? settings).registryVersion);
  const retiring = {
    codes,
    codeOf: (name: string) => links.codeOf(name) ?? known.bySource.get(name),
    before: before.retired,
    version,
    nameOf: (concept: SourceConcept): string => {
      const nameBefore = (retiredBefore.get(codeOf(concept)) ?? recordOf(concept))?.name ?? "";
      // Faults of labels that are not taken need not be reported.
      const said = importConcept(concept, { ...shared, code: "", existing: undefined }, () => undefined).name;
      // A source may have no name, and one of some languages only may have a worse one.
      return settings.languages.length > 0 ? nameBefore || said : said || nameBefore;
    },
  };
  const missing = gone.map(({ record }) => retireMissing(record, version));
  const retired = [...retireDeprecated(ours, retiring, reportTo), ...missing];
  const codeMap = mapCodes(before, source, codes);
  const after = registryAfter(before, { source, settings, concepts, retired, codeMap, version });
  const said = withForeign(source, foreign, reportTo);
  const vocabulary = said && importSubjects(said, domain, reportTo);
  const counts = countImport(before, { concepts, retired, gone, domains });
  findings.push(...gone.map(missingFinding), ...contradictions(concepts, after.concepts, before.budget));
  const all = [...refuseLosses(given, findings, { existing, concepts }), ...findings];
  return { after, counts, findings: all, vocabulary, domains };
}
