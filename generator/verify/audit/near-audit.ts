/** Checks the near forms of an index against the expressions of its concepts. */
import type { ConceptDetail } from "../../../runtime/contract/concept.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { NEAR_RULES, nearForms } from "../../../runtime/registry/near-form.ts";
import type { MemoryBudget } from "../../effects/effects.ts";
import type { KeySpace } from "./index-layout.ts";
import { KeyAudit } from "./key-audit.ts";

export class NearAudit {
  readonly #isOn: boolean;
  readonly #keys: KeyAudit;

  constructor(index: RegistryIndex, space: KeySpace, budget: MemoryBudget) {
    this.#isOn = index.hasNearForms;
    this.#keys = new KeyAudit(index, space, budget);
  }

  /** Expressions of a concept and a language that differ only in form have a near form once. */
  add(conceptId: number, expressions: ConceptDetail["expressions"]): void {
    if (!this.#isOn) return;
    const found = new Map<string, { text: string; tag: string; strength: number }>();
    for (const { language, locale, expression, equivalenceStrength } of expressions) {
      const tag = (locale ?? language).toLowerCase();
      for (const { text, score } of nearForms(expression).slice(1)) {
        const strength = Math.min(score, equivalenceStrength);
        found.set(JSON.stringify([text, tag, strength]), { text, tag, strength });
      }
    }
    for (const { text, ...kind } of found.values()) this.#keys.addExpression(conceptId, text, kind);
  }

  /**
   * The strengths of all postings, ascending: those of expressions, and the lower of each of them
   * and each score.
   */
  strengthsWith(own: ReadonlySet<number>): number[] {
    const scores = this.#isOn ? NEAR_RULES.map(({ score }) => score) : [];
    const all = new Set([...own].flatMap((one) => [one, ...scores.map((score) => Math.min(one, score))]));
    return [...all].sort((a, b) => a - b);
  }

  get canLookUp(): boolean {
    return this.#keys.canLookUp;
  }

  faults(codes: readonly string[]): Generator<string, number> {
    return this.#keys.faults(codes);
  }
}
