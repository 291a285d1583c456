/**
 * Plans the proposals for groups of gaps: an expression of the one concept that is near, or a new
 * concept. All of them wait for review. What only a person can decide is left, with the reason.
 */
import { keyOf } from "../../../../runtime/text/expression.ts";
import { checkConcept, isCurrent } from "../../../registry/check-concept.ts";
import { tagOf } from "../../../registry/concept.ts";
import { type EditableSource, type Located, recordFile } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { type Finding, isError } from "../../../text/finding.ts";
import type { GatheredGap } from "../../../scratch/gathered-gaps.ts";
import { expressionOf } from "../amend/add.ts";
import type { Amendment } from "../amend/amendment.ts";
import { withExpressions } from "../amend/entries.ts";
import { mintForNames, takenCodes } from "../import/mint.ts";
import { onOneLine } from "../import/text.ts";
import type { GapGroup } from "./group.ts";
import { type NearConcept, nearIn } from "./near.ts";

export interface Proposing {
  /** The domain of new concepts; undefined: none is made. */
  readonly domain: string | undefined;
  /** The language of expressions that were asked for without one. */
  readonly language: string | undefined;
}

export interface Proposals {
  readonly amendment: Amendment;
  readonly left: readonly { readonly expression: string; readonly why: string }[];
}

/** What a new concept says until its reviewer writes the definition. */
export const TO_BE_WRITTEN = "To be written: people asked for this expression, and no concept has it.";

export function planProposals(
  source: EditableSource,
  groups: readonly GapGroup[],
  { domain, language }: Proposing,
): Proposals {
  const find = nearIn(source);
  const taken = takenCodes(source);
  const changed = new Map<Located<ConceptRecord>, ConceptRecord>();
  const added: Located<ConceptRecord>[] = [];
  const left: { expression: string; why: string }[] = [];
  for (const {
    gaps: [gap],
  } of groups) {
    if (gap === undefined) continue;
    const why = propose(gap);
    if (why !== undefined) left.push({ expression: gap.expression, why });
  }
  return { amendment: { changed: [...changed].map(([from, record]) => ({ from, record })), added }, left };

  /** Returns why it is left, if it is. */
  function propose(gap: GatheredGap): string | undefined {
    if (gap.gaps.some(({ reason }) => REVIEWED_ALREADY.has(reason)))
      return "it is reviewed already, and what it means there is for a person to decide";
    const near = find(gap.expression);
    const [only, other] = near;
    if (other !== undefined) return `${near.length} concepts are near: name one with add --to CODE`;
    return only === undefined ? proposeConcept(gap) : proposeExpression(gap, only);
  }

  function proposeExpression({ expression, language: asked }: GatheredGap, near: NearConcept): string | undefined {
    const { concept } = near;
    const record = changed.get(concept) ?? concept.record;
    const tag = asked ?? language ?? tagOf(near.expression);
    const same = record.expressions.find(
      (one) => isCurrent(one) && tagOf(one) === tag && keyOf(one.expression) === keyOf(expression),
    );
    if (same !== undefined) return `${record.code} has it already, as ${same.reviewStatus}`;
    const outcome = withExpressions(source, { ...concept, record }, [expressionOf(expression, saidIn(tag), false)]);
    if ("errors" in outcome) return faultOf(outcome.errors);
    changed.set(concept, outcome.record);
    return undefined;
  }

  function proposeConcept({ expression, language: asked }: GatheredGap): string | undefined {
    const tag = asked ?? language;
    if (domain === undefined) return "no concept is near: name a domain for new concepts with --domain NAME";
    if (tag === undefined) return "it was asked for without a language: name one with --language TAG";
    const name = onOneLine(expression);
    const [code = ""] = mintForNames(taken, [name]);
    const expressions = [expressionOf(expression, saidIn(tag), true)];
    const record = { code, name, definition: TO_BE_WRITTEN, domain, provenance: null, expressions };
    const located = { file: recordFile(domain, code), record };
    const asReviewed = { ...located, record: { ...record, expressions: expressions.map((one) => ({ ...one, reviewStatus: "reviewed" as const })) } }; // prettier-ignore
    const errors = checkConcept(asReviewed, new Set(source.registry.languages)).filter(isError);
    if (errors.length > 0) return faultOf(errors);
    taken.add(code);
    added.push(located);
    return undefined;
  }
}

const REVIEWED_ALREADY: ReadonlySet<string> = new Set(["ambiguous_expression", "equivalence_not_exact"]);

function saidIn(language: string) {
  return { language, type: undefined, equivalenceStrength: 1 };
}

function faultOf([first]: readonly Finding[]): string {
  return first === undefined ? "" : `${first.text}; ${first.remedy}`;
}
