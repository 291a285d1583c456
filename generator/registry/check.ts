/**
 * Records in, checked registry out, with every fault named. The registry is undefined as soon as one finding is an
 * error: nothing is published from a registry that breaks a rule.
 */
import { type Fault, type Finding, formatPlace, placeOf, sortFindings } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { compareCodePoints } from "../text/order.ts";
import { findAmbiguous } from "./ambiguity.ts";
import { checkCodeMap } from "./check-code-map.ts";
import { checkCode, checkConcept, checkLabel } from "./check-concept.ts";
import { checkLanguageTag } from "./check-language.ts";
import type { CheckedRegistry, Concept } from "./checked.ts";
import { checkContent, checkHistory, digestContent } from "./history.ts";
import { publish } from "./publish.ts";
import { type Located, REGISTRY_FILE, type RegistrySource, RETIRED_FILE } from "./read.ts";
import type { ConceptRecord, RetiredRecord } from "./record.ts";
import { relationFindings } from "./check-relations.ts";
import { leadsBack } from "./successors.ts";

export interface Verdict {
  readonly registry: CheckedRegistry | undefined;
  /** Sorted by file, place and rule. */
  readonly findings: readonly Finding[];
}

export function checkRegistry(source: RegistrySource): Verdict {
  const admitted = source.registry === undefined ? undefined : new Set(source.registry.languages);
  const findings = [
    ...source.findings,
    ...checkRegistryName(source.registry?.name ?? "-"),
    ...checkAdmitted(source.registry?.languages ?? []),
    ...checkCodes(source.concepts, source.retired),
    ...checkRetired(source.concepts, source.retired),
    ...checkCodeMap(source),
    ...checkHistory(source.history, source.registry?.registryVersion),
  ];
  for (const concept of source.concepts) findings.push(...checkConcept(concept, admitted));
  findings.push(...relationFindings(source.concepts));
  if (source.registry === undefined || findings.some(({ severity }) => severity === "error")) {
    return { registry: undefined, findings: sortFindings(findings) };
  }
  const { name, registryVersion } = source.registry;
  const concepts = source.concepts.flatMap(({ record }) => publish(record) ?? []).sort(byCode);
  const retired = source.retired.toSorted(byCode);
  const contentSha256 = digestContent(concepts, retired);
  const changed = checkContent(source.history, registryVersion, contentSha256);
  const registry = { name, registryVersion, concepts, contentSha256, retired, history: source.history };
  return {
    registry: changed.length === 0 ? registry : undefined,
    findings: sortFindings([...findings, ...changed, ...checkAmbiguity(concepts)]),
  };
}

function byCode(a: { code: string }, b: { code: string }): number {
  return compareCodePoints(a.code, b.code);
}

/** The name stands on every page and in the line the server starts with. */
function checkRegistryName(name: string): Finding[] {
  return checkLabel(name, "name").map((fault) => ({
    ...fault,
    severity: "error",
    file: REGISTRY_FILE,
    pointer: "/name",
  }));
}

function checkAdmitted(languages: readonly string[]): Finding[] {
  return languages.flatMap((language, i) =>
    checkLanguageTag(language).map((fault): Finding => ({
      ...fault,
      severity: "error",
      file: REGISTRY_FILE,
      pointer: `/languages/${i}`,
    })),
  );
}

/** Codes are unique, also when case is ignored (O-02), and none is retired. */
function checkCodes(concepts: readonly Located<ConceptRecord>[], retired: RetiredRecord): Finding[] {
  const findings: Finding[] = [];
  const first = new Map<string, Located<ConceptRecord>>();
  const retiredCodes = new Set(retired.map(({ code }) => code.toLowerCase()));
  for (const concept of concepts) {
    const { code } = concept.record;
    const report = (rule: string, text: string, remedy: string): void => {
      findings.push({ rule, severity: "error", ...placeOf(concept), pointer: "/code", text, remedy });
    };
    if (retiredCodes.has(code.toLowerCase())) {
      report("code-retired", `${quote(code)} is retired and must never be used again`, "Give the concept a new code");
    }
    const other = first.get(code.toLowerCase());
    if (other === undefined) first.set(code.toLowerCase(), concept);
    else if (other.record.code === code) {
      report(
        "code-duplicate",
        `${quote(code)} is also the code of ${formatPlace(other)}`,
        "Give one of them another code",
      );
    } else {
      const text = `${quote(code)} differs only by case from ${quote(other.record.code)} in ${formatPlace(other)}`;
      report("code-case-conflict", text, "Give one of them another code");
    }
  }
  return findings;
}

function checkRetired(concepts: readonly Located<ConceptRecord>[], retired: RetiredRecord): Finding[] {
  const known = new Set([...concepts.map(({ record }) => record.code), ...retired.map(({ code }) => code)]);
  const successor = new Map(retired.map(({ code, replacedBy }) => [code, replacedBy]));
  const seen = new Set<string>();
  return retired.flatMap(({ code, replacedBy }, i) => {
    const found: Finding[] = [];
    const report = (name: string, fault: Fault): void => {
      found.push({ ...fault, severity: "error", file: RETIRED_FILE, pointer: `/${i}/${name}` });
    };
    for (const fault of checkCode(code)) report("code", fault);
    if (seen.has(code.toLowerCase())) {
      report("code", { rule: "retired-duplicate", text: `${quote(code)} is listed twice`, remedy: "Remove one entry" });
    }
    seen.add(code.toLowerCase());
    if (replacedBy !== null && (!known.has(replacedBy) || replacedBy === code)) {
      const text = `${quote(code)} names ${quote(replacedBy)} as its replacement, which is no other code of this registry`;
      report("replacedBy", { rule: "replaced-by-dangling", text, remedy: "Name a code that exists, or null" });
    } else if (leadsBack(successor, code)) {
      const text = `The replacements of ${quote(code)} lead back to it`;
      report("replacedBy", {
        rule: "replaced-by-cycle",
        text,
        remedy: "Let the last one name an active code, or null",
      });
    }
    return found;
  });
}

/** Told at one place each. */
function checkAmbiguity(concepts: readonly Concept[]): Finding[] {
  return findAmbiguous(concepts)
    .map(({ key, meanings }): Finding => {
      const listed = meanings.map(({ code, tags }) => `${code} (${tags.join(", ")})`).join(", ");
      return {
        rule: "ambiguous-expression",
        severity: "notice",
        file: "concepts",
        pointer: "",
        text: `${quote(key)} means ${listed}`,
        remedy: "Nothing needs to be done: where several remain, the resolver abstains",
      };
    })
    .sort((a, b) => compareCodePoints(a.text, b.text));
}
