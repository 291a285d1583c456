/**
 * A source and a registry to the registry after the import: a value, so that it can be checked and shown before anything
 * is written. Concepts are found again by what their source calls them; nothing that people decided here is lost.
 */
import type { Source, SourceConcept } from "../formats/source.ts";
import { checkLanguageTag } from "../../registry/check-language.ts";
import { compareCodePoints } from "../../text/order.ts";
import { linesFile, type Located, type RegistrySource } from "../../registry/read.ts";
import type { CodeMapLine, ConceptRecord, RegistryRecord } from "../../registry/record.ts";
import type { DomainLine } from "../../registry/vocabulary-file.ts";
import { compareVersions, nextVersion } from "../../registry/history.ts";
import { formatConceptLine } from "../edit/write.ts";
import type { RegistryBefore } from "./before.ts";
import { contradictions } from "./contradictions.ts";
import { assignCodes, identityOf, type KnownCodes, withSourceId } from "./codes.ts";
import { importConcept } from "./concept.ts";
import { coveredDomains, foreignFault, missingConcepts, usualDomain } from "./domains.ts";
import type { ReportText } from "./expressions.ts";
import type { ImportFinding, Outcome } from "./import-finding.ts";
import { type Retirement, retireDeprecated, retireMissing } from "./retire.ts";
import { type ImportSettings, NO_LICENSE } from "./settings.ts";
import type { TextFault } from "./text.ts";
import { linesToKeep, linksOf } from "./vocabulary.ts";

/** How many concepts met which fate. */
export interface ImportCounts {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly retired: number;
  /** Those among the retired that the source has no more. */
  readonly gone: number;
  /** Concepts of the registry that are in the source, deprecated ones included. */
  readonly found: number;
}

export interface Plan {
  readonly after: RegistrySource & { readonly registry: RegistryRecord };
  readonly counts: ImportCounts;
  readonly findings: readonly ImportFinding[];
  /** What the source says of everything else. Left out: what the registry has stays. */
  readonly vocabulary: readonly DomainLine[] | undefined;
  /** The domains that the source covers. */
  readonly domains: readonly string[];
}

/** `before` has no registry record where the import makes a new registry. */
export function planImport(given: Source, before: RegistryBefore, settings: ImportSettings): Plan {
  const findings: ImportFinding[] = [...given.faults];
  const reportTo = reporter(findings);
  const known = knownCodes(before);
  const source = { ...given, concepts: given.concepts.map((concept) => withSourceId(concept, known)) };
  const codes = assignCodes(source.concepts, { known, codeFrom: settings.codeFrom }, (concept, fault) =>
    reportTo(concept)(fault, "changed"),
  );
  const codeOf = (concept: SourceConcept): string => codes.get(identityOf(concept)) ?? "";
  const existing = new Map(before.concepts.map((concept) => [concept.record.code, concept]));
  const domain = settings.domain ?? usualDomain(source.concepts.map(codeOf), existing) ?? settings.fileName;
  const links = linksOf(source.concepts, codeOf);
  const records = source.concepts
    .filter(({ retired }) => retired === undefined)
    .map((concept) => {
      const [code, report] = [codeOf(concept), reportTo(concept)];
      const record = existing.get(code)?.record;
      const fault = record && foreignFault(concept, record, settings);
      if (fault !== undefined) report(fault, "refused");
      return importConcept(concept, { code, domain, settings, existing: record, links }, report);
    });
  const deprecated = source.concepts.filter(({ retired }) => retired !== undefined);
  const version = before.registry?.registryVersion ?? source.registry?.registryVersion;
  const working = workingVersion(before, version ?? settings.registryVersion);
  const domains = coveredDomains(source.concepts, (concept) => existing.get(codeOf(concept))?.record, domain);
  const gone = missingConcepts(before, { domains, codes: new Set(codes.values()) });
  const retired = [
    ...retireDeprecated(
      deprecated,
      {
        codes,
        sources: new Map([
          ...known.bySource,
          ...source.concepts.map((concept) => [concept.sourceId ?? "", codeOf(concept)] as const),
        ]),
        known: new Map(before.retired.map((entry) => [entry.code, entry])),
        version: working,
        // The faults of labels that are not taken need no telling.
        nameOf: (concept) =>
          importConcept(concept, { code: "", domain, settings, existing: undefined, links }, () => undefined).name,
      },
      (concept, fault, outcome) => reportTo(concept)(fault, outcome),
    ),
    ...gone.map(({ record }) => retireMissing(record, working)),
  ];
  // A record that did not change stays where it stands.
  const concepts = records.map((record) => placed(record, existing.get(record.code)));
  const after = registryAfter({ source, before, settings }, { concepts, retired, codes, working });
  const vocabulary = source.vocabulary?.map(
    ({ subject, source: lines, domain: own = domain, ...place }): DomainLine => {
      const report = reportTo({ ...place, sourceId: subject });
      return { subject, source: linesToKeep(lines, report), domain: own };
    },
  );
  const all = [...findings, ...gone.map(missingFinding), ...contradictions(concepts, after.concepts, before.room)];
  return { after, counts: countImport(before, { concepts, retired, gone }), findings: all, vocabulary, domains };
}

/** What hears of the faults of a concept; a fault of one text is where that text is. */
function reporter(findings: ImportFinding[]) {
  return ({ file, line, sourceId, code }: Pick<SourceConcept, "file" | "line" | "sourceId" | "code">) =>
    (
      fault: TextFault,
      outcome: Outcome,
      { tag = "", place = { file, line } }: Parameters<ReportText>[2] = {},
    ): void => {
      const about = { concept: sourceId ?? code ?? null, language: tag === "" ? null : tag };
      findings.push({ ...fault, outcome, file: place.file, line: place.line, ...about });
    };
}

function knownCodes(before: RegistryBefore): KnownCodes {
  const released = new Set(before.history.map(({ registryVersion }) => registryVersion));
  const bySource = new Map<string, string>();
  const active = new Map<string, string | null>();
  for (const { code, sourceId } of before.retired) if (sourceId !== undefined) bySource.set(sourceId, code);
  for (const { sourceId, code } of before.codeMap) bySource.set(sourceId, code);
  const owners = before.concepts.map(({ record }) => [record.provenance?.sourceId ?? null, record.code] as const);
  for (const [sourceId, code] of owners) active.set(code, sourceId);
  for (const [sourceId, code] of ownersAlone(owners)) bySource.set(sourceId, code);
  const entriesOf = (isGone: boolean): [code: string, sourceId: string | undefined][] =>
    before.retired
      .filter(({ retiredIn }) => released.has(retiredIn) === isGone)
      .map(({ code, sourceId }) => [code, sourceId]);
  return {
    bySource,
    active,
    retired: new Set(entriesOf(true).map(([code]) => code)),
    retiring: new Map(entriesOf(false)),
    given: [...(before.released ?? []), ...before.codeMap.map(({ code }) => code)],
  };
}

/** The code of each sourceId that one concept alone has: to people it may be no more than the name of a book. */
function ownersAlone(owners: readonly (readonly [string | null, string])[]): [sourceId: string, code: string][] {
  const codes = new Map<string, Set<string>>();
  for (const [sourceId, code] of owners) {
    if (sourceId !== null) codes.set(sourceId, (codes.get(sourceId) ?? new Set()).add(code));
  }
  return [...codes].flatMap(([sourceId, [code = "", ...others]]) => (others.length === 0 ? [[sourceId, code]] : []));
}

/** The version that changes of published content lead to: the next one, where this one is released. */
function workingVersion({ history }: RegistrySource, version: string): string {
  return history.some(({ registryVersion }) => registryVersion === version) ? nextVersion(version) : version;
}

function missingFinding({ file, line, record }: Located<ConceptRecord>): ImportFinding {
  const { code, provenance } = record;
  const text = `${code} is in the registry and no more in its source, so it is retired`;
  const remedy = "Check that the files are all of the vocabulary; a code that was released as retired never comes back";
  const concept = provenance?.sourceId ?? code;
  return { rule: "concept-gone", file, line, concept, language: null, text, remedy, outcome: "changed" };
}

interface Inputs {
  readonly source: Source;
  readonly before: RegistrySource;
  readonly settings: ImportSettings;
}

interface Results {
  readonly concepts: readonly Located<ConceptRecord>[];
  readonly retired: readonly Retirement[];
  readonly codes: ReadonlyMap<string, string>;
  readonly working: string;
}

function registryAfter(
  { source, before, settings }: Inputs,
  { concepts: imported, retired, codes, working }: Results,
): Plan["after"] {
  const replaced = new Set([...imported.map(({ record }) => record.code), ...retired.map(({ code }) => code)]);
  const concepts = [...before.concepts.filter(({ record }) => !replaced.has(record.code)), ...imported];
  const isNew = before.registry === undefined;
  const given = before.registry ?? newRegistry(source, settings);
  const used = concepts.flatMap(({ record }) =>
    record.expressions.filter(isAdmissible).map(({ language }) => language),
  );
  const missing = [...new Set(used)].filter((language) => !given.languages.includes(language));
  const languages = missing.length === 0 ? given.languages : [...given.languages, ...missing].sort(compareCodePoints);
  return {
    registry: { ...given, registryVersion: working, languages },
    concepts: concepts.sort((a, b) => compareCodePoints(a.record.code, b.record.code)),
    retired: [...before.retired.filter(({ code }) => !replaced.has(code)), ...retired].sort((a, b) =>
      compareCodePoints(a.code, b.code),
    ),
    history: isNew ? (source.history ?? []) : before.history,
    codeMap: mapCodes(before, source.concepts, codes),
    findings: [],
    room: before.room,
  };
}

function newRegistry({ registry }: Source, settings: ImportSettings): RegistryRecord {
  const { name, source, license, fileName, registryVersion } = settings;
  const made = { name: source ?? fileName, registryVersion, languages: [], license: license ?? NO_LICENSE };
  return { ...(registry ?? made), ...(name !== undefined && { name }) };
}

function placed(record: ConceptRecord, existing: Located<ConceptRecord> | undefined): Located<ConceptRecord> {
  const isSame = existing !== undefined && formatConceptLine(existing.record) === formatConceptLine(record);
  return isSame ? existing : { file: linesFile(record.domain), line: 1, record };
}

function mapCodes(
  before: RegistrySource,
  concepts: readonly SourceConcept[],
  codes: ReadonlyMap<string, string>,
): CodeMapLine[] {
  const map = new Map(before.codeMap.map(({ sourceId, code }) => [sourceId, code]));
  // A concept that came back after a release without it has the sourceId of its retired code: the last one counts.
  const last = new Map<string | null, string>();
  for (const concept of concepts) {
    const end = endOf(concept);
    if (compareVersions(last.get(concept.sourceId) ?? "0", end) <= 0) last.set(concept.sourceId, end);
  }
  const owners = concepts
    .filter((concept) => endOf(concept) === last.get(concept.sourceId))
    .map((concept) => [concept.sourceId, codes.get(identityOf(concept)) ?? ""] as const);
  for (const [sourceId, code] of ownersAlone(owners)) map.set(sourceId, code);
  return [...map]
    .map(([sourceId, code]) => ({ sourceId, code }))
    .sort((a, b) => compareCodePoints(a.sourceId, b.sourceId));
}

/** The version that a concept is in no more; above all others for one that is active. */
function endOf({ retired }: SourceConcept): string {
  return retired === undefined ? "9999" : (retired.retiredIn ?? "0");
}

function countImport(
  before: RegistrySource,
  {
    concepts,
    retired,
    gone,
  }: { concepts: Results["concepts"]; retired: readonly Retirement[]; gone: readonly unknown[] },
): ImportCounts {
  const known = new Set(before.retired.map(({ code }) => code));
  const existing = new Set(before.concepts.map(({ record }) => record.code));
  const same = new Set(before.concepts);
  const added = concepts.filter(({ record }) => !existing.has(record.code)).length;
  const unchanged = concepts.filter((concept) => same.has(concept)).length;
  return {
    added,
    unchanged,
    changed: concepts.length - added - unchanged,
    retired: retired.filter(({ code }) => !known.has(code)).length,
    gone: gone.length,
    found:
      [...concepts.map(({ record }) => record), ...retired].filter(({ code }) => existing.has(code)).length -
      gone.length,
  };
}

/** Whether the registry's list of languages is to have the expression's. */
function isAdmissible({ language }: { readonly language: string }): boolean {
  return checkLanguageTag(language).length === 0;
}
