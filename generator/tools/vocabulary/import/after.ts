/**
 * Makes the registry after an import: the imported records replace the old ones, with the version
 * that the registry needs; counts new, changed and retired concepts.
 */
import { checkRegistry, type Verdict } from "../../../registry/check.ts";
import { checkLanguageTag, isAdmitted } from "../../../registry/check-language.ts";
import { tagOf } from "../../../registry/concept.ts";
import { linesFile, type Located, type RegistrySource, type EditableSource } from "../../../registry/read.ts";
import type { CodeMapLine, ConceptRecord, RegistryRecord, RetiredRecord } from "../../../registry/record.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { formatConceptLine } from "../edit/write.ts";
import type { Source } from "../formats/source.ts";
import { type ImportSettings, NO_LICENSE } from "./settings.ts";
import { nextVersion } from "../../../text/version.ts";

/** The content that an import brings. */
interface Imported {
  readonly source: Source;
  readonly settings: ImportSettings;
  readonly concepts: readonly Located<ConceptRecord>[];
  readonly retired: RetiredRecord;
  readonly codeMap: readonly CodeMapLine[];
  readonly version: string;
}

export function registryAfter(
  before: RegistrySource,
  { source, settings, concepts: imported, retired, codeMap, version }: Imported,
): EditableSource {
  const replaced = new Set([...imported.map(({ record }) => record.code), ...retired.map(({ code }) => code)]);
  const concepts = [...before.concepts.filter(({ record }) => !replaced.has(record.code)), ...imported];
  const given = before.registry ?? newRegistry(source, settings);
  return {
    registry: { ...given, registryVersion: version, languages: languagesAfter(given, concepts) },
    concepts: concepts.sort((a, b) => compareCodePoints(a.record.code, b.record.code)),
    retired: [...before.retired.filter(({ code }) => !replaced.has(code)), ...retired].sort((a, b) =>
      compareCodePoints(a.code, b.code),
    ),
    history: before.history,
    ...(before.changes !== undefined && { changes: before.changes }),
    memory: before.memory,
    codeMap,
    findings: [],
    budget: before.budget,
  };
}

/**
 * Adds what the expressions need: their languages, or only a locale if no expression is in its
 * language itself.
 */
function languagesAfter({ languages }: RegistryRecord, concepts: readonly Located<ConceptRecord>[]): string[] {
  const admitted = new Set(languages);
  for (const isLocale of [false, true])
    for (const { record } of concepts)
      for (const expression of record.expressions) {
        const tag = tagOf(expression);
        const isMissing = (tag !== expression.language) === isLocale && !isAdmitted(expression, admitted);
        if (isMissing && checkLanguageTag(tag).length === 0) admitted.add(tag);
      }
  return admitted.size === languages.length ? languages : [...admitted].sort(compareCodePoints);
}

function newRegistry({ registry }: Source, settings: ImportSettings): RegistryRecord {
  const { name, source, license, fallbackName, registryVersion } = settings;
  const made = { name: source ?? fallbackName, registryVersion, languages: [], license: license ?? NO_LICENSE };
  return { ...(registry ?? made), ...(name !== undefined && { name }) };
}

/** A record that did not change keeps its place. */
export function placed(record: ConceptRecord, existing: Located<ConceptRecord> | undefined): Located<ConceptRecord> {
  const isSame = existing !== undefined && formatConceptLine(existing.record) === formatConceptLine(record);
  return isSame ? existing : { file: linesFile(record.domain), line: 1, record };
}

/** The version for changes of published content: the next one if this one is released. */
export function workingVersion({ history }: RegistrySource, version: string): string {
  return history.some(({ registryVersion }) => registryVersion === version) ? nextVersion(version) : version;
}

/**
 * Returns `after` with the version that it needs, and the verdict of the checks. The version
 * changes only if it was released with other content.
 */
export function settleVersion(
  after: EditableSource,
  before: RegistrySource,
): { readonly after: EditableSource; readonly verdict: Verdict } {
  const of = (registryVersion: string): EditableSource => ({
    ...after,
    registry: { ...after.registry, registryVersion },
  });
  const original = before.registry?.registryVersion ?? after.registry.registryVersion;
  const verdict = checkRegistry(of(original));
  return { after: of(verdict.registry?.registryVersion ?? original), verdict };
}

/** Numbers of concepts by outcome. */
export interface ImportCounts {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly retired: number;
  /** Retired concepts that the source no longer has. */
  readonly gone: number;
  /** Earlier concepts of the domains that the source still has, including deprecated ones. */
  readonly found: number;
}

interface Covered {
  readonly domains: readonly string[];
  /** Concepts of these domains that the source no longer has. */
  readonly gone: readonly unknown[];
}

export function countImport(
  before: RegistrySource,
  { concepts, retired, gone, domains }: Pick<Imported, "concepts" | "retired"> & Covered,
): ImportCounts {
  const known = new Set(before.retired.map(({ code }) => code));
  const existing = new Map(before.concepts.map(({ record }) => [record.code, record.domain]));
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
      [...concepts.map(({ record }) => record), ...retired].filter(({ code }) =>
        domains.includes(existing.get(code) ?? ""),
      ).length - gone.length,
  };
}
