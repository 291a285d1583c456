/**
 * Turns records into a checked registry and the findings about it. The registry is undefined as
 * soon as one finding is an error: a registry that breaks a rule is not published.
 */
import { errorAt, type Finding, isError, sortFindings } from "../text/finding.ts";
import { compareCodePoints } from "../text/order.ts";
import { CodeMapRules, CodeRules } from "./check-codes.ts";
import { checkConcept, checkLabel } from "./check-concept.ts";
import { checkLine, checkPlainText } from "./check-text.ts";
import type { ConceptRecord, RegistryRecord } from "./record.ts";
import { checkLanguageTag } from "./check-language.ts";
import type { CheckedRegistry } from "./checked.ts";
import { Concepts } from "./concepts.ts";
import { checkChanges, checkContent, checkHistory, digestContent, recordedChanges, withdrawnCodes } from "./history.ts";
import { publish } from "./publish.ts";
import { REGISTRY_FILE, type RegistryStream } from "./read.ts";
import { RelationCheck } from "./check-relations.ts";

export interface Verdict {
  readonly registry: CheckedRegistry | undefined;
  /** Sorted by file, place and rule. */
  readonly findings: readonly Finding[];
}

export function checkRegistry(source: RegistryStream): Verdict {
  const concepts = new Concepts(source.room);
  const found = checkRecords(source, (record) => {
    const published = publish(record);
    if (published !== undefined) concepts.add(published);
  });
  if (source.registry === undefined || found.some(isError))
    return { registry: undefined, findings: sortFindings(found) };
  const { name, license, description, registryVersion } = source.registry;
  const retired = source.retired.toSorted((a, b) => compareCodePoints(a.code, b.code));
  const contentSha256 = digestContent(concepts, retired);
  const changed = checkContent(source.history, registryVersion, contentSha256);
  const content = { concepts, contentSha256, retired, history: source.history, changes: recordedChanges(source) };
  const registry = { name, license, description, registryVersion, ...content };
  return {
    registry: changed.length === 0 ? registry : undefined,
    findings: sortFindings([...found, ...changed]),
  };
}

/**
 * Only the findings, which takes less time. Concepts are kept only if the history records the
 * version, because their content must then be compared with what it records.
 */
export function findingsOf(source: RegistryStream): readonly Finding[] {
  const { registry, history } = source;
  const isRecorded = history.some(({ registryVersion }) => registryVersion === registry?.registryVersion);
  return isRecorded ? checkRegistry(source).findings : sortFindings(checkRecords(source, () => undefined));
}

/** `take` gets the record of each concept. */
function checkRecords(source: RegistryStream, take: (record: ConceptRecord) => void): Finding[] {
  const admitted = source.registry === undefined ? undefined : new Set(source.registry.languages);
  const codes = new CodeRules(source.retired, source.room);
  const codeMap = new CodeMapRules(source.codeMap, source.retired, source.room);
  const relations = new RelationCheck(source.room);
  const withdrawn = withdrawnCodes(source);
  const findings: Finding[] = [];
  for (const concept of source.concepts) {
    for (const finding of checkConcept(concept, admitted)) findings.push(finding);
    relations.take(concept);
    codes.add(concept);
    codeMap.add(concept);
    withdrawn.delete(concept.record.code);
    take(concept.record);
  }
  const found = [
    ...findings,
    // Complete only now that every record was read.
    ...source.findings,
    ...checkTexts(source.registry),
    ...checkAdmitted(source.registry?.languages ?? []),
    ...codes.findings(),
    ...codeMap.findings(),
    ...checkHistory(source.history, source.registry?.registryVersion),
    ...checkChanges(source, withdrawn),
    ...relations.findings(),
  ];
  const isRead = !source.findings.some(isError);
  return found.filter(({ rule }) => isRead || !OF_ABSENCE.has(rule));
}

/**
 * Rules about something missing. After a merge, for example, it may be in a file that cannot be
 * read.
 */
const OF_ABSENCE: ReadonlySet<string> = new Set([
  "changes-unrecorded",
  "code-map-dangling",
  "relation-dangling",
  "replaced-by-dangling",
  "retired-gone",
]);

/** Every page and the server's start line show the name; machine documents show the description. */
function checkTexts({ name = "-", license = "-", description = "-" }: Partial<RegistryRecord> = {}): Finding[] {
  const faults = {
    name: checkLabel(name, "name"),
    license: checkPlainText(license, "license"),
    description: checkLine(description, "description"),
  };
  return Object.entries(faults).flatMap(([field, found]) =>
    found.map((fault) => errorAt({ file: REGISTRY_FILE }, `/${field}`, fault)),
  );
}

function checkAdmitted(languages: readonly string[]): Finding[] {
  return languages.flatMap((language, i) =>
    checkLanguageTag(language).map((fault) => errorAt({ file: REGISTRY_FILE }, `/languages/${i}`, fault)),
  );
}
