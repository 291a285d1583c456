/**
 * Judges a row of a data set by a release: with the one resolver, and with the index's own lookup
 * of codes and expressions. Nothing is repaired; what may have been meant is only evidence.
 */
import { isConceptCode } from "../../../runtime/contract/code.ts";
import type { ResolvedConcept } from "../../../runtime/contract/concept.ts";
import { CANDIDATES_MAX } from "../../../runtime/contract/limits.ts";
import { checkRequest } from "../../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { resolve } from "../../../runtime/registry/resolver.ts";
import { keyOf } from "../../../runtime/text/expression.ts";
import type { Past, Retired } from "../../promise/past.ts";
import type { Given } from "./scheme.ts";
import type { Judgement } from "./verdicts.ts";

type Named = Pick<ResolvedConcept, "code" | "name">;

/** What an expression leads to now. */
export type Answer =
  | { readonly status: "resolved"; readonly concept: Named }
  | {
      readonly status: "ambiguous";
      readonly codes: readonly string[];
      readonly count: number;
      has(code: string): boolean;
    }
  | { readonly status: "abstained"; readonly reason: string }
  /** It is not a valid request. */
  | { readonly status: "refused"; readonly reason: string };

/** At most this many concepts are remembered: memory must not grow with the registry. */
const REMEMBERED = 1 << 16;
/** And this many judgements, of rows that are not longer: memory must not grow with the data. */
const [JUDGEMENTS_MAX, ROW_MAX_LENGTH] = [1 << 15, 256];

export class Judge {
  readonly past: Past;
  readonly #index: RegistryIndex;
  readonly #concepts = new Map<number, Named>();
  readonly #judgements = new Map<string, Judgement>();

  constructor(index: RegistryIndex, past: Past) {
    this.#index = index;
    this.past = past;
  }

  /** Rows of data say the same again and again, and get the same judgement. */
  judge(given: Given): Judgement {
    const key = keyOfRow(given);
    const known = this.#judgements.get(key);
    if (known !== undefined) return known;
    const judgement = this.#judged(given);
    if (key.length > ROW_MAX_LENGTH) return judgement;
    if (this.#judgements.size >= JUDGEMENTS_MAX) this.#judgements.clear();
    this.#judgements.set(key, judgement);
    return judgement;
  }

  #judged(given: Given): Judgement {
    const ofCode = given.code === "" ? undefined : this.#codeFault(given.code);
    if (ofCode !== undefined) return ofCode;
    const { registryVersion } = given;
    if (registryVersion !== "" && !this.past.versions.has(registryVersion))
      return { verdict: "other_version", evidence: { registryVersion } };
    const ofName = given.code === "" || given.name === "" ? undefined : this.#nameFault(given);
    if (ofName !== undefined) return ofName;
    if (given.expression === "") return given.code === "" ? BLANK : AGREES;
    return judgeAnswer(given.code, this.ask(given.expression, given.language));
  }

  /** Resolves an expression exactly as a request of its own; an empty language names none. */
  ask(expression: string, language: string): Answer {
    const request = checkRequest(language === "" ? { expression } : { expression, language });
    if ("status" in request) return { status: "refused", reason: request.code };
    const resolution = resolve(this.#index, expression, request.language);
    if (resolution.status === "resolved") return { status: "resolved", concept: this.#concept(resolution.conceptId) };
    const { reason, candidates } = resolution;
    if (reason !== "ambiguous_expression") return { status: "abstained", reason };
    return {
      status: "ambiguous",
      codes: candidates.slice(0, CANDIDATES_MAX).map(({ conceptId }) => this.#concept(conceptId).code),
      count: candidates.length,
      has: (code) => candidates.some(({ conceptId }) => conceptId === this.#index.conceptId(code)),
    };
  }

  /** The name of a published code. */
  nameOf(code: string): string | undefined {
    const id = this.#index.conceptId(code);
    return id === undefined ? undefined : this.#concept(id).name;
  }

  /** The tags under which an expression is published, in lower case. */
  tagsOf(expression: string): string[] {
    const { languages } = this.#index.meta;
    return this.#index.postings(keyOf(expression)).map(({ languageId }) => languages[languageId] ?? "");
  }

  isPublished(code: string): boolean {
    return this.#index.conceptId(code) !== undefined;
  }

  /** Undefined for a code that is published, or never was. */
  retirement(code: string): Omit<Retired, "name"> | undefined {
    const retired = this.isPublished(code) ? undefined : this.past.retired.get(code);
    return retired && { retiredIn: retired.retiredIn, replacedBy: retired.replacedBy, reason: retired.reason };
  }

  #codeFault(code: string): Judgement | undefined {
    if (!isConceptCode(code)) return { verdict: "not_a_code", evidence: { meant: this.#meant(code) } };
    if (this.isPublished(code)) return undefined;
    const evidence = this.retirement(code);
    return evidence === undefined ? UNKNOWN : { verdict: "retired", evidence };
  }

  /** A code of this registry that differs by spaces around it, by case, or by an address before. */
  #meant(cell: string): string | null {
    const trimmed = cell.trim();
    const last = trimmed.slice(Math.max(trimmed.lastIndexOf("/"), trimmed.lastIndexOf("#")) + 1);
    const forms = [trimmed, last, trimmed.toUpperCase(), last.toUpperCase()];
    const isKnown = (code: string): boolean =>
      isConceptCode(code) && (this.isPublished(code) || this.past.retired.has(code));
    return forms.find(isKnown) ?? null;
  }

  #nameFault({ code, name }: Given): Judgement | undefined {
    const id = this.#index.conceptId(code);
    if (id === undefined) return undefined;
    const concept = this.#concept(id);
    const key = keyOf(name);
    if (key === keyOf(concept.name)) return undefined;
    if (this.#index.postings(key).some(({ conceptId }) => conceptId === id)) return undefined;
    return { verdict: "name_differs", evidence: { name: concept.name } };
  }

  #concept(id: number): Named {
    const known = this.#concepts.get(id);
    if (known !== undefined) return known;
    const json = decoder.decode(this.#index.read(this.#index.concept(id).resolved));
    const { code, name } = JSON.parse(json) as ResolvedConcept;
    if (this.#concepts.size >= REMEMBERED) this.#concepts.clear();
    this.#concepts.set(id, { code, name });
    return { code, name };
  }
}

/** The lengths tell where each value ends, whatever characters it has. */
function keyOfRow({ code, registryVersion, name, expression, language }: Given): string {
  const lengths = `${code.length} ${registryVersion.length} ${name.length} ${expression.length} `;
  return lengths + code + registryVersion + name + expression + language;
}

function judgeAnswer(code: string, answer: Answer): Judgement {
  switch (answer.status) {
    case "resolved": {
      const resolvesTo = answer.concept.code;
      if (resolvesTo === code) return AGREES;
      return { verdict: code === "" ? "unused" : "disagrees", evidence: { resolvesTo } };
    }
    case "ambiguous": {
      const { codes, count } = answer;
      return { verdict: "ambiguous", evidence: { codes, count, ...(code !== "" && { hasThis: answer.has(code) }) } };
    }
    case "abstained":
    case "refused":
      return { verdict: "expression_unknown", evidence: { reason: answer.reason } };
  }
}

const AGREES: Judgement = { verdict: "agrees", evidence: {} };
const BLANK: Judgement = { verdict: "blank", evidence: {} };
const UNKNOWN: Judgement = { verdict: "unknown_code", evidence: {} };
const decoder = new TextDecoder();
