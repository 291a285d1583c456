/**
 * The rules that one concept record can break by itself. Each rule has its own id;
 * registry/README.md lists them.
 */
import { isConceptCode } from "../../runtime/contract/code.ts";
import { type Provenance, REVIEWED } from "../../runtime/contract/concept.ts";
import { CODE_MAX_LENGTH } from "../../runtime/contract/limits.ts";
import { isDay } from "../text/day.ts";
import { errorAt, type Fault, type Finding, noticeAt, type Location, locationOf } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { UNKNOWN } from "../text/shaped.ts";
import { checkLanguage, checkLocale, checkTagForm, checkTagLength, isAdmitted } from "./check-language.ts";
import { checkExpressionText, checkPlainText, checkParagraphs } from "./check-text.ts";
import { checkNotes } from "./publish.ts";
import { linesFile, type Located, recordFile } from "./read.ts";
import { isSourceLine, sourceLineFault } from "./source-line.ts";
import type { ConceptRecord, ExpressionRecord } from "./record.ts";

/**
 * Findings of one record, given the languages its registry admits (undefined: registry.yaml could
 * not be read).
 */
export function checkConcept(concept: Located<ConceptRecord>, admitted: ReadonlySet<string> | undefined): Finding[] {
  const { record } = concept;
  const place = locationOf(concept);
  const findings: Finding[] = [];
  const report = (pointer: string, faults: readonly Fault[], severity: Finding["severity"] = "error"): void => {
    for (const fault of faults) findings.push({ ...fault, severity, ...place, pointer });
  };
  report("/code", checkCode(record.code));
  report("/name", checkLabel(record.name, "name"));
  report("/domain", checkLabel(record.domain, "domain"));
  report("/definition", checkDefinition(record.definition ?? ""));
  report("/provenance", checkProvenance(record.provenance));
  record.expressions.forEach((expression, i) => {
    const at = `/expressions/${i}`;
    const { language, locale = null } = expression;
    // Unpublished expressions may keep their faults; review accepts them only once they are fixed.
    const severity = expression.reviewStatus === REVIEWED ? "error" : "notice";
    report(
      `${at}/language`,
      checkLanguage(language, admitted === undefined || isAdmitted(expression, admitted)),
      severity,
    );
    if (locale !== null) report(`${at}/locale`, checkLocale(locale, language), severity);
    report(`${at}/locale`, checkTagLength(locale ?? ""), "notice");
    report(`${at}/expression`, checkExpressionText(expression.expression), severity);
    report(`${at}/provenance`, checkProvenance(expression.provenance ?? null), severity);
  });
  record.renderings?.forEach((rendering, i) => {
    report(`/renderings/${i}/descriptor`, checkPlainText(rendering.descriptor, "descriptor"));
    report(`/renderings/${i}/unicodeSequence`, checkSequence(rendering.unicodeSequence ?? ""));
  });
  record.hiddenLabels?.forEach(({ language }, i) => {
    report(`/hiddenLabels/${i}/language`, checkTagForm(language), "notice");
  });
  for (const { pointer, fault } of checkNotes(record)) report(pointer, [fault], "notice");
  for (const name of ["source", "unsaid"] as const) {
    record[name]?.forEach((line, i) => {
      if (!isSourceLine(line)) report(`/${name}/${i}`, [sourceLineFault(line)]);
    });
  }
  return [...findings, ...checkRepetition(place, record), ...checkPlace(place, record)];
}

export function checkCode(code: string): Fault[] {
  if (isConceptCode(code)) return [];
  const remedy = `Use A-Z, 0-9 and single - . _ between parts, beginning with a letter, at most ${CODE_MAX_LENGTH} characters`;
  return [{ rule: "code-syntax", text: `${quote(code)} is not a ConceptCode`, remedy }];
}

/** A short text that people read: one line, without spaces around it. */
export function checkLabel(text: string, subject: string): Fault[] {
  if (text.trim() === text) return checkPlainText(text, subject);
  return [{ rule: `${subject}-spaces`, text: `${quote(text)} has spaces around it`, remedy: "Remove them" }];
}

function checkDefinition(definition: string): Fault[] {
  if (definition.trim() !== "") return checkParagraphs(definition, "definition");
  const remedy = "Say in a sentence what the concept means and how it differs from its neighbours";
  return [{ rule: "definition-missing", text: "The concept has no definition", remedy }];
}

function checkProvenance(provenance: Provenance | null): Fault[] {
  const faults: Fault[] = [];
  for (const value of Object.values(provenance ?? {})) {
    for (const text of typeof value === "string" ? [value] : (value ?? []))
      faults.push(...checkPlainText(text, "provenance"));
  }
  const { reviewedAt = null } = provenance ?? {};
  if (reviewedAt !== null && !isDay(reviewedAt)) {
    const text = `reviewedAt ${quote(reviewedAt)} is not a calendar day`;
    faults.push({ rule: "reviewed-at", text, remedy: "Write the day of the review as YYYY-MM-DD" });
  }
  return faults;
}

function checkSequence(sequence: string): Fault[] {
  if (sequence.isWellFormed()) return [];
  const remedy = "Write the character itself instead of half of its escape";
  return [{ rule: "rendering-lone-surrogate", text: `${quote(sequence)} has half of a surrogate pair`, remedy }];
}

/**
 * Finds a text that a language has twice, and a second preferred expression in a language. Rejected
 * and retired entries are history and do not count.
 */
function checkRepetition(place: Location, record: ConceptRecord): Finding[] {
  const findings: Finding[] = [];
  const texts = new Map<string, number>();
  const preferredAt = new Map<string, number>();
  record.expressions.forEach((expression, i) => {
    if (!isCurrent(expression)) return;
    const tag = expression.locale ?? expression.language;
    const text = `${tag} ${expression.expression.normalize("NFC")}`;
    const first = firstAt(texts, text, i);
    if (first !== i) {
      const twice = `${quote(expression.expression)} occurs twice in ${tag}, first at /expressions/${first}`;
      const fault = { rule: "expression-duplicate", text: twice, remedy: "Remove one of them" };
      findings.push(errorAt(place, `/expressions/${i}/expression`, fault));
    }
    if (expression.type !== "preferred") return;
    const other = firstAt(preferredAt, tag, i);
    if (other === i) return;
    const second = `${tag} has a second preferred expression, ${quote(expression.expression)}; the first is at /expressions/${other}`;
    const fault = { rule: "preferred-not-unique", text: second, remedy: "Make one of them alternate" };
    findings.push(errorAt(place, `/expressions/${i}/type`, fault));
  });
  return findings;
}

/** The place where a text came first: `at` if it is new. */
function firstAt(seen: Map<string, number>, text: string, at: number): number {
  const first = seen.get(text) ?? at;
  seen.set(text, first);
  return first;
}

/** Whether the expression is published or still could be. */
export function isCurrent({ reviewStatus }: Pick<ExpressionRecord, "reviewStatus">): boolean {
  return reviewStatus === REVIEWED || reviewStatus === "draft" || reviewStatus === "in_review";
}

/** People look for a record by its domain and code; the build does not depend on it. */
function checkPlace(place: Location, { code, domain }: ConceptRecord): Finding[] {
  const expected = place.line === undefined ? recordFile(domain, code) : linesFile(domain);
  if (place.file === expected || code === UNKNOWN || domain === UNKNOWN) return [];
  const text = `${code} of domain ${quote(domain)} is not where a reader looks for it`;
  return [noticeAt(place, "", { rule: "file-misplaced", text, remedy: `Move it to ${expected}` })];
}
