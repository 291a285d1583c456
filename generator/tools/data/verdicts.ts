/**
 * What a row of a data set can be found to be, and what a person does about it. The order of the
 * table is that of the rules: the first that holds is the verdict (judge.ts).
 */
import { quote } from "../../text/printable.ts";
import type { Given, Judgement as Judged, Meaning, Scheme } from "./scheme.ts";

export const VERDICTS = {
  not_a_code: {
    level: "error",
    title: "The cell is not a ConceptCode",
    remedy: "Write the code exactly as the registry has it: codes are compared byte for byte, never repaired.",
  },
  unknown_code: {
    level: "error",
    title: "No release of this registry ever had the code",
    remedy: "Check where the code comes from: another registry, a typing error, or a newer release than this one.",
  },
  retired: {
    level: "error",
    title: "The code was published and is not any more",
    remedy: "Decide whether the successor means what the row means; --migrate FILE lists the codes with successors.",
  },
  other_version: {
    level: "error",
    title: "This registry never had the version that the row names",
    remedy: "Check whether the row was made with another registry, or with a newer release than this one.",
  },
  name_differs: {
    level: "error",
    title: "The name is neither the concept's name nor one of its expressions",
    remedy: "Compare name and code by hand: one of them may be another concept's.",
  },
  disagrees: {
    level: "error",
    title: "The expression resolves to another code",
    remedy: "Compare both concepts with what the row means, and correct the code or the expression.",
  },
  ambiguous: {
    level: "warning",
    title: "Several concepts have the expression",
    remedy: "Keep the code if a person chose it, or name a language or an expression that only one concept has.",
  },
  expression_unknown: {
    level: "warning",
    title: "The expression does not resolve",
    remedy:
      "Ask what the row means: explain says which rule stopped the expression, and it can be proposed for review.",
  },
  unused: {
    level: "note",
    title: "The row has no code, and its expression resolves",
    remedy: "Record the code with the registryVersion of this release, if the row is meant to have one.",
  },
  agrees: { level: "none", title: "Everything that the row gives agrees", remedy: "Nothing." },
  blank: {
    level: "note",
    title: "The row has neither a code nor an expression",
    remedy: "Remove the row, or name the columns that have its code and expression.",
  },
} as const satisfies Record<string, Meaning>;

export type Verdict = keyof typeof VERDICTS;
const NAMES = Object.keys(VERDICTS) as readonly Verdict[];

export interface Judgement extends Judged {
  readonly verdict: Verdict;
}

/** The rows of a data set as they are now. */
export const CHECKED: Scheme = {
  verdicts: NAMES,
  allowable: NAMES,
  isFine: (verdict, allowed) => verdict === "agrees" || allowed.has(verdict),
  meaningOf: (verdict) => VERDICTS[verdict as Verdict],
  sentenceOf: (judgement, given) => sentenceOf(judgement as Judgement, given),
};

function sentenceOf({ verdict, evidence }: Judgement, given: Given): string {
  const code = quote(given.code);
  const tag = given.language === "" ? "" : ` (${quote(given.language)})`;
  const expression = quote(given.expression) + tag;
  switch (verdict) {
    case "not_a_code":
      return `${code} is not a ConceptCode${evidence.meant ? `; ${evidence.meant} may be meant` : ""}`;
    case "unknown_code":
      return `No release of this registry ever had ${code}`;
    case "retired": {
      const successor = evidence.replacedBy ? `its successor is ${quote(evidence.replacedBy)}` : "it has no successor";
      return `${code} was retired in ${evidence.retiredIn}; ${successor}${evidence.reason ? ` (${quote(evidence.reason)})` : ""}`;
    }
    case "other_version":
      return `This registry never had a version ${quote(given.registryVersion)}`;
    case "name_differs":
      return `${code} is ${quote(evidence.name ?? "")}, and ${quote(given.name)} is neither its name nor one of its expressions`;
    case "disagrees":
      return `${expression} resolves to ${evidence.resolvesTo}, and the row has ${code}`;
    case "ambiguous": {
      const among =
        given.code === "" ? "" : evidence.hasThis ? `; ${code} is one of them` : `; ${code} is not one of them`;
      return `${expression} has ${evidence.count} codes, ${evidence.codes?.join(", ")}${(evidence.count ?? 0) > (evidence.codes?.length ?? 0) ? ", …" : ""}${among}`;
    }
    case "expression_unknown":
      return `${expression} does not resolve: ${evidence.reason}`;
    case "unused":
      return `${expression} resolves to ${evidence.resolvesTo}, and the row has no code`;
    case "agrees":
    case "blank":
      return VERDICTS[verdict].title;
  }
}
