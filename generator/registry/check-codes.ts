/**
 * The rules of codes that hold between records. Codes are unique, also when case is ignored (O-02),
 * and no code in use is retired. `code-map.ndjson` records once whom each code was given to, and
 * the concepts must agree with it.
 */
import { type SortedRecord, SortedRecords, textsByKey } from "../scratch/sorted-records.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { errorAt, type Fault, type Finding, formatLocation, type Location, locationOf } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { checkCode, checkLabel } from "./check-concept.ts";
import { checkParagraphs, checkPlainText } from "./check-text.ts";
import { CODE_MAP_FILE, type Located, RETIRED_FILE } from "./read.ts";
import type { CodeMapLine, ConceptRecord, RetiredRecord } from "./record.ts";

interface Owner extends Location {
  readonly code: string;
}

/** Must see every concept once. */
export class CodeRules {
  readonly #retired: RetiredRecord;
  readonly #retiredCodes: ReadonlySet<string>;
  /**
   * The codes that retired codes name as their replacement; `#known` has those that a concept has.
   */
  readonly #named: ReadonlySet<string | null>;
  readonly #known = new Set<string>();
  /** By code in lower case. */
  readonly #owners: SortedRecords;
  readonly #findings: Finding[] = [];

  constructor(retired: RetiredRecord, budget: MemoryBudget) {
    this.#retired = retired;
    this.#retiredCodes = new Set(retired.map(({ code }) => code.toLowerCase()));
    this.#named = new Set(retired.map(({ replacedBy }) => replacedBy));
    this.#owners = new SortedRecords(budget);
  }

  add(concept: Located<ConceptRecord>): void {
    const { code } = concept.record;
    const key = code.toLowerCase();
    if (this.#named.has(code)) this.#known.add(code);
    if (this.#retiredCodes.has(key)) {
      const text = `${quote(code)} is retired and must never be used again`;
      const remedy = "Give the concept a new code";
      this.#findings.push(errorAt(concept, "/code", { rule: "code-retired", text, remedy }));
    }
    const owner: Owner = { ...locationOf(concept), code };
    this.#owners.addText(key, JSON.stringify(owner));
  }

  /** Call it after every concept was added. */
  *findings(): Generator<Finding, void> {
    yield* this.#findings;
    yield* this.#shared();
    yield* checkRetired(this.#retired, this.#known);
  }

  *#shared(): Generator<Finding, void> {
    const remedy = "Give one of them another code";
    let before = "";
    let first: Uint8Array | undefined;
    for (const { key, head } of this.#owners) {
      if (first === undefined || key !== before) {
        [before, first] = [key, head];
        continue;
      }
      const [other, own] = [first, head].map((json) => JSON.parse(decoder.decode(json)) as Owner) as [Owner, Owner];
      const fault =
        other.code === own.code
          ? { rule: "code-duplicate", text: `${quote(own.code)} is also the code of ${formatLocation(other)}` }
          : {
              rule: "code-case-conflict",
              text: `${quote(own.code)} differs only by case from ${quote(other.code)} in ${formatLocation(other)}`,
            };
      yield errorAt(own, "/code", { ...fault, remedy });
    }
  }
}

/** `active` has the codes of concepts that retired codes name as their replacement. */
function checkRetired(retired: RetiredRecord, active: ReadonlySet<string>): Finding[] {
  const known = new Set([...active, ...retired.map(({ code }) => code)]);
  const successor = new Map(retired.map(({ code, replacedBy }) => [code, replacedBy]));
  const inCircles = leadingBack(successor);
  const seen = new Set<string>();
  return retired.flatMap(({ code, replacedBy, name = "", sourceId = "", reason = "" }, i) => {
    const findings: Finding[] = [];
    const report = (field: string, fault: Fault): void => {
      findings.push(errorAt({ file: RETIRED_FILE }, `/${i}/${field}`, fault));
    };
    for (const fault of checkCode(code)) report("code", fault);
    for (const fault of checkLabel(name, "name")) report("name", fault);
    for (const fault of checkPlainText(sourceId, "provenance")) report("sourceId", fault);
    for (const fault of checkParagraphs(reason, "reason")) report("reason", fault);
    if (seen.has(code.toLowerCase())) {
      report("code", { rule: "retired-duplicate", text: `${quote(code)} is listed twice`, remedy: "Remove one entry" });
    }
    seen.add(code.toLowerCase());
    if (replacedBy !== null && (!known.has(replacedBy) || replacedBy === code)) {
      const text = `${quote(code)} names ${quote(replacedBy)} as its replacement, which is not another code of this registry`;
      report("replacedBy", { rule: "replaced-by-dangling", text, remedy: "Name a code that exists, or null" });
    } else if (inCircles.has(code)) {
      const text = `The replacements of ${quote(code)} lead back to it`;
      const remedy = "Let the last one name an active code, or null";
      report("replacedBy", { rule: "replaced-by-cycle", text, remedy });
    }
    return findings;
  });
}

/** The codes from which following the successors leads back to the code itself. */
export function leadingBack(successor: ReadonlyMap<string, string | null>): ReadonlySet<string> {
  const found = new Set<string>();
  const passed = new Set<string>();
  for (const start of successor.keys()) {
    const path = new Set<string>();
    let at: string | null = start;
    for (; at !== null && !passed.has(at); at = successor.get(at) ?? null) {
      passed.add(at);
      path.add(at);
    }
    // A code that the same walk reaches again is in a cycle.
    for (; at !== null && path.has(at) && !found.has(at); at = successor.get(at) ?? null) found.add(at);
  }
  return found;
}

/** A line of the map, or a concept; a code that is merely known has neither. */
interface Mention {
  readonly line?: CodeMapLine & { readonly number: number };
  readonly concept?: Owner;
}

/** Reads every line of the map when it is constructed; must then see every concept once. */
export class CodeMapRules {
  readonly #bySource: SortedRecords;
  readonly #byCode: SortedRecords;
  readonly #isEmpty: boolean;

  constructor(codeMap: Iterable<CodeMapLine>, retired: RetiredRecord, budget: MemoryBudget) {
    this.#bySource = new SortedRecords(budget);
    this.#byCode = new SortedRecords(budget);
    let number = 0;
    for (const { sourceId, code } of codeMap) {
      const mention = JSON.stringify({ line: { sourceId, code, number: ++number } } satisfies Mention);
      this.#bySource.addText(sourceId, mention);
      this.#byCode.addText(code, mention);
    }
    this.#isEmpty = number === 0;
    for (const { code } of this.#isEmpty ? [] : retired) this.#byCode.addText(code, "{}");
  }

  add(concept: Located<ConceptRecord>): void {
    if (this.#isEmpty) return;
    const { code, provenance } = concept.record;
    this.#byCode.addText(code, "{}");
    const sourceId = provenance?.sourceId ?? null;
    if (sourceId === null) return;
    const mention: Mention = { concept: { ...locationOf(concept), code } };
    this.#bySource.addText(sourceId, JSON.stringify(mention));
  }

  /** Call it after every concept was added. */
  *findings(): Generator<Finding, void> {
    const told = new Set<number>();
    for (const [sourceId, mentions] of groups(this.#bySource)) {
      const lines = linesOf(mentions);
      for (const [i, line] of lines.entries()) {
        const before = lines[i - 1];
        if (before === undefined) continue;
        told.add(line.number);
        yield sharedFinding(line, before.code);
      }
      const mapped = lines.at(-1)?.code;
      for (const { concept } of mentions) {
        if (concept === undefined || mapped === undefined || mapped === concept.code) continue;
        const text = `The concept has the sourceId ${quote(sourceId)}, which ${CODE_MAP_FILE} gives ${mapped}`;
        const remedy = "Restore the concept's code: it is never given to another one";
        yield errorAt(concept, "/code", { rule: "code-map-disagrees", text, remedy });
      }
    }
    for (const [code, mentions] of groups(this.#byCode)) {
      const lines = linesOf(mentions);
      for (const [i, line] of lines.entries()) {
        const before = lines[i - 1];
        if (before !== undefined && !told.has(line.number)) yield sharedFinding(line, before.sourceId);
        if (mentions.length > lines.length) continue;
        const text = `${code} is neither the code of a concept nor a retired code`;
        const remedy = "Restore the concept, or list its code in retired.yaml";
        yield lineFinding(line.number, { rule: "code-map-dangling", text, remedy });
      }
    }
  }
}

function linesOf(mentions: readonly Mention[]): Required<Mention>["line"][] {
  return mentions.flatMap(({ line }) => line ?? []);
}

function sharedFinding({ number, sourceId, code }: Required<Mention>["line"], other: string): Finding {
  const text = `${quote(sourceId)} and ${code} are not paired one to one: another line has ${quote(other)}`;
  const remedy = "Restore the line that was there first";
  return lineFinding(number, { rule: "code-map-duplicate", text, remedy });
}

function lineFinding(line: number, fault: Fault): Finding {
  return errorAt({ file: CODE_MAP_FILE, line }, "", fault);
}

/** Mentions by key, in the order in which they were added. */
function* groups(records: Iterable<SortedRecord>): Generator<[string, Mention[]], void> {
  for (const { key, texts } of textsByKey(records)) yield [key, texts.map((text) => JSON.parse(text) as Mention)];
}

const decoder = new TextDecoder();
