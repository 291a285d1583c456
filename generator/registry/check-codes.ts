/** Codes are unique, also when case is ignored (O-02), and none is retired: the rules that hold between records. */
import { SortedRecords } from "../effects/sorted-records.ts";
import type { Room } from "../effects/effects.ts";
import { errorAt, type Fault, type Finding, formatPlace, type Place, placeOf } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { checkCode } from "./check-concept.ts";
import { type Located, RETIRED_FILE } from "./read.ts";
import type { ConceptRecord, RetiredRecord } from "./record.ts";

interface Owner extends Place {
  readonly code: string;
}

/** Sees every concept once. */
export class CodeRules {
  readonly #retired: RetiredRecord;
  readonly #retiredCodes: ReadonlySet<string>;
  /** Codes that retired ones name as their replacement; those that are here. */
  readonly #named: ReadonlySet<string | null>;
  readonly #known = new Set<string>();
  /** By code in lower case. */
  readonly #owners: SortedRecords;
  readonly #findings: Finding[] = [];

  constructor(retired: RetiredRecord, room: Room) {
    this.#retired = retired;
    this.#retiredCodes = new Set(retired.map(({ code }) => code.toLowerCase()));
    this.#named = new Set(retired.map(({ replacedBy }) => replacedBy));
    this.#owners = new SortedRecords(room);
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
    const owner: Owner = { ...placeOf(concept), code };
    this.#owners.addText(key, JSON.stringify(owner));
  }

  /** To be asked once every concept was seen. */
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
      yield other.code === own.code
        ? errorAt(own, "/code", {
            rule: "code-duplicate",
            text: `${quote(own.code)} is also the code of ${formatPlace(other)}`,
            remedy,
          })
        : errorAt(own, "/code", {
            rule: "code-case-conflict",
            text: `${quote(own.code)} differs only by case from ${quote(other.code)} in ${formatPlace(other)}`,
            remedy,
          });
    }
  }
}

/** `active` has those codes of concepts that retired ones name. */
function checkRetired(retired: RetiredRecord, active: ReadonlySet<string>): Finding[] {
  const known = new Set([...active, ...retired.map(({ code }) => code)]);
  const successor = new Map(retired.map(({ code, replacedBy }) => [code, replacedBy]));
  const inCircles = leadingBack(successor);
  const seen = new Set<string>();
  return retired.flatMap(({ code, replacedBy }, i) => {
    const findings: Finding[] = [];
    const report = (name: string, fault: Fault): void => {
      findings.push(errorAt({ file: RETIRED_FILE }, `/${i}/${name}`, fault));
    };
    for (const fault of checkCode(code)) report("code", fault);
    if (seen.has(code.toLowerCase())) {
      report("code", { rule: "retired-duplicate", text: `${quote(code)} is listed twice`, remedy: "Remove one entry" });
    }
    seen.add(code.toLowerCase());
    if (replacedBy !== null && (!known.has(replacedBy) || replacedBy === code)) {
      const text = `${quote(code)} names ${quote(replacedBy)} as its replacement, which is no other code of this registry`;
      report("replacedBy", { rule: "replaced-by-dangling", text, remedy: "Name a code that exists, or null" });
    } else if (inCircles.has(code)) {
      const text = `The replacements of ${quote(code)} lead back to it`;
      report("replacedBy", {
        rule: "replaced-by-cycle",
        text,
        remedy: "Let the last one name an active code, or null",
      });
    }
    return findings;
  });
}

/** The codes that following their successors comes back to. */
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
    // What is passed again on the same way is in a circle.
    for (; at !== null && path.has(at) && !found.has(at); at = successor.get(at) ?? null) found.add(at);
  }
  return found;
}

const decoder = new TextDecoder();
