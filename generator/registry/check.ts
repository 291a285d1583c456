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
import { checkChanges, checkHistory, digestContent, recordedChanges, versionOf } from "./history.ts";
import { MemoryRules } from "./check-memory.ts";
import { publish } from "./publish.ts";
import { HISTORY_FILE, type Located, REGISTRY_FILE, type RegistryStream } from "./read.ts";
import { type Lost, RECORD_SCHEMA, withoutLost } from "./record-file.ts";
import { RelationCheck } from "./check-relations.ts";

export interface Verdict {
  readonly registry: CheckedRegistry | undefined;
  /** Sorted by file, place and rule. */
  readonly findings: readonly Finding[];
}

export function checkRegistry(source: RegistryStream): Verdict {
  const concepts = new Concepts(source.budget);
  const found = checkRecords(source, (record) => {
    const published = publish(record);
    if (published !== undefined) concepts.add(published);
  });
  if (source.registry === undefined || found.some(isError))
    return { registry: undefined, findings: sortFindings(found) };
  const { name, license, description, nearForms = true } = source.registry;
  const retired = source.retired.toSorted((a, b) => compareCodePoints(a.code, b.code));
  const contentSha256 = digestContent(concepts, retired);
  const registryVersion = versionOf(source.history, source.registry.registryVersion, contentSha256);
  const content = { concepts, contentSha256, retired, history: source.history, changes: recordedChanges(source) };
  return {
    registry: { name, license, description, nearForms, registryVersion, ...content },
    findings: sortFindings(found),
  };
}

/** Only the findings, which takes less time. */
export function findingsOf(source: RegistryStream): readonly Finding[] {
  return sortFindings(checkRecords(source, () => undefined));
}

/** `take` gets the record of each concept. */
function checkRecords(source: RegistryStream, take: (record: ConceptRecord) => void): Finding[] {
  const { partial } = source;
  const { registry = partial?.registry } = source;
  const retired = partial?.retired ?? source.retired;
  const admitted = admittedBy(registry, partial?.lost);
  const codes = new CodeRules(retired, source.budget);
  const codeMap = new CodeMapRules(source.codeMap, retired, source.budget);
  const relations = new RelationCheck(source.budget);
  const memory = new MemoryRules(source.memory, retired, source.budget);
  const findings: Finding[] = [];
  const judge = (concept: Located<ConceptRecord>): void => {
    for (const finding of checkConcept(concept, admitted)) findings.push(finding);
    relations.take(concept);
    codes.add(concept);
    codeMap.add(concept);
    memory.add(concept);
  };
  for (const concept of source.concepts) {
    judge(concept);
    take(concept.record);
  }
  // Complete only now that every record was read, as are the findings.
  for (const concept of partial?.concepts ?? []) judge(concept);
  const found = [
    ...findings,
    ...source.findings,
    ...checkTexts(registry),
    ...checkAdmitted(registry?.languages ?? []),
    ...codes.findings(),
    ...codeMap.findings(),
    ...checkHistory(partial?.history ?? source.history, registry?.registryVersion),
    ...checkChanges(source),
    ...memory.findings(),
    ...relations.findings(),
  ];
  const silent = silentRules(source);
  return withoutLost(found, partial?.lost ?? []).filter(({ rule }) => !silent.has(rule));
}

/** Undefined if not all of the languages can be read. */
function admittedBy(registry: RegistryRecord | undefined, lost: readonly Lost[] = []): Set<string> | undefined {
  const isLost = lost.some(({ file, pointer }) => file === REGISTRY_FILE && pointer.startsWith("/languages"));
  return registry === undefined || isLost ? undefined : new Set(registry.languages);
}

/** The rules that cannot judge, because what they miss may be in a part that cannot be read. */
function silentRules({ findings, partial }: RegistryStream): ReadonlySet<string> {
  const hasCodes = partial?.lost.every(({ pointer }) => !/^(?:\/\d+)?(?:\/code)?$/.test(pointer)) !== false;
  const errors = findings.filter(isError);
  if (!hasCodes || errors.some(({ rule }) => rule !== RECORD_SCHEMA)) return OF_ABSENCE;
  return errors.some(({ file }) => file === HISTORY_FILE) ? OF_HISTORY : new Set();
}

const OF_HISTORY: ReadonlySet<string> = new Set(["changes-missing", "changes-unrecorded", "retired-gone"]);
/**
 * Rules about something missing. After a merge, for example, it may be in a file that cannot be
 * read.
 */
const OF_ABSENCE: ReadonlySet<string> = new Set([
  ...OF_HISTORY,
  "code-map-dangling",
  "concept-gone",
  "relation-dangling",
  "replaced-by-dangling",
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
