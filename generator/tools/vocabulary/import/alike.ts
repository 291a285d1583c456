/**
 * Finds names that a spreadsheet or a source has rewritten: their concepts would lose their codes.
 */
import { groupBy } from "../../../../runtime/text/group-by.ts";
import type { Located } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { quote } from "../../../text/printable.ts";
import type { SourceConcept } from "../formats/source.ts";
import type { ImportFault, ReportTo } from "./import-finding.ts";

interface Named {
  readonly concepts: readonly SourceConcept[];
  /** The registry's record of a concept. */
  readonly recordOf: (concept: SourceConcept) => ConceptRecord | undefined;
  readonly gone: readonly Located<ConceptRecord>[];
}

/**
 * Refuses a new concept whose name differs only in spelling from that of a concept that would be
 * gone, and a concept that has become one with it, because a spreadsheet made one number of both.
 */
export function refuseAlike({ concepts, recordOf, gone }: Named, reportTo: ReportTo): void {
  const names = new Names(gone);
  for (const concept of concepts) {
    if (concept.retired !== undefined) continue;
    const called = concept.sourceId ?? concept.code ?? "";
    const isNew = recordOf(concept) === undefined;
    const lost = isNew && ROUNDED.test(called) ? roundedFault(called) : undefined;
    const former = isNew
      ? names.alike(called)
      : names.sameNumber(called).find(({ record }) => sharesText(record, concept));
    if (former !== undefined) reportTo(concept)(rewrittenFault(called, former), "refused");
    else if (lost !== undefined) reportTo(concept)(lost, "refused");
  }
}

interface Former {
  readonly record: ConceptRecord;
  /** Its code, or its sourceId. */
  readonly name: string;
}

/** The names of concepts that would be gone. */
class Names {
  readonly #byKey = new Map<string, Former>();
  readonly #numbers: Former[] = [];
  /** By the number that is left with so many digits. */
  readonly #byNumber = new Map<number, ReadonlyMap<string, readonly Former[]>>();

  constructor(gone: Named["gone"]) {
    for (const { record } of gone) {
      for (const name of [record.code, record.provenance?.sourceId ?? record.code]) {
        this.#byKey.set(alikeKey(name), { record, name });
        if (NUMBER.test(name)) this.#numbers.push({ record, name });
      }
    }
  }

  alike(called: string): Former | undefined {
    return this.#byKey.get(alikeKey(called)) ?? this.sameNumber(called)[0];
  }

  /** Those that a spreadsheet shows as this number. */
  sameNumber(called: string): readonly Former[] {
    if (this.#numbers.length === 0 || !NUMBER.test(called)) return [];
    const digits = digitsOf(called);
    const known = this.#byNumber.get(digits) ?? groupBy(this.#numbers, ({ name }) => numberOf(name, digits));
    this.#byNumber.set(digits, known);
    return known.get(numberOf(called, digits)) ?? [];
  }
}

function sharesText({ expressions }: ConceptRecord, concept: SourceConcept): boolean {
  return concept.expressions.some(({ text }) => expressions.some(({ expression }) => expression === text));
}

function rewrittenFault(called: string, { record: { code }, name }: Former): ImportFault {
  const isNumber = alikeKey(called) !== alikeKey(name);
  const how = isNumber ? "a spreadsheet writes them as the same number" : "they differ only in how they are written";
  const text = `${quote(called)} is in the file, and ${quote(name)} of ${code} is gone: ${how}`;
  const repair = isNumber ? "make the column text in the spreadsheet, and write" : "write";
  const remedy = `If they are the same, ${repair} ${quote(name)} in the file, or give ${code} the new sourceId in the registry; if not, retire ${code} first`;
  return { rule: "source-id-rewritten", text, remedy };
}

/** As spreadsheets show a number of many digits; those of the name are lost. */
const ROUNDED = /^[0-9](?:[.,][0-9]+)?E[+][0-9]+$/;

function roundedFault(called: string): ImportFault {
  const text = `${quote(called)} is how a spreadsheet shows a long number: it is not the name that was there`;
  return {
    rule: "source-id-rewritten",
    text,
    remedy: "Make the column text in the spreadsheet, and write the name again",
  };
}

const NUMBER = /^[+-]?[0-9]+(?:[.,][0-9]+)?(?:E[+-]?[0-9]+)?$/i;

/** The digits in front of an exponent, of which a spreadsheet shows at most 15; else none. */
function digitsOf(number: string): number {
  const [, digits] = /^[+-]?([0-9.,]+)E/i.exec(number) ?? [];
  return digits === undefined ? 0 : Math.min(15, digits.replaceAll(/[.,]/g, "").length);
}

/**
 * The number as a spreadsheet shows it: rounded to so many digits in front of an exponent, else
 * with zeros after the 15th digit, and without zeros or a sign in front.
 */
function numberOf(name: string, digits: number): string {
  if (digits > 0) return Number(name.replace(",", ".")).toPrecision(digits);
  const [whole = ""] = /^[+-]?0*([0-9]{15})[0-9]+$/.exec(name)?.slice(1) ?? [];
  return whole === "" ? String(Number(name.replace(",", "."))) : `${whole}…${name.replace(/^[+-]?0*/, "").length}`;
}

/** The name without what rewriting changes: spaces, case, and http or https. */
function alikeKey(name: string): string {
  return name
    .replaceAll(/[\s\p{Zs}]+/gu, "")
    .toLowerCase()
    .replace(/^https:/, "http:");
}
