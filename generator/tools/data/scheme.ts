/** What a way of judging rows brings: its verdicts, their meanings, and the judgement of a row. */

/** The texts of a row; one that it does not give is empty. */
export interface Given {
  readonly code: string;
  readonly expression: string;
  readonly language: string;
  readonly name: string;
  readonly registryVersion: string;
}

/** Evidence by verdict; a member is there only if the verdict has it. */
export interface Evidence {
  /** A code of the registry that the cell may have meant; null if none is near. */
  readonly meant?: string | null;
  readonly retiredIn?: string;
  readonly replacedBy?: string | null;
  /** Why the code was retired, the expression abstains or the version cannot be judged. */
  readonly reason?: string | null;
  /** The version that the row names. */
  readonly registryVersion?: string;
  /** The name of the concept. */
  readonly name?: string;
  /** The code that the expression resolves to. */
  readonly resolvesTo?: string;
  /** The first codes of an ambiguous expression, how many there are, and if one is the row's. */
  readonly codes?: readonly string[];
  readonly count?: number;
  readonly hasThis?: boolean;
}

export interface Judgement {
  readonly verdict: string;
  readonly evidence: Evidence;
}

export interface Meaning {
  /** How much it matters to whoever reads a report: the levels of SARIF. */
  readonly level: "error" | "warning" | "note" | "none";
  /** What such a row is. */
  readonly title: string;
  /** What to do. */
  readonly remedy: string;
}

export interface Scheme {
  /** In the order of reports. */
  readonly verdicts: readonly string[];
  /** What a data set may be allowed to have. */
  readonly allowable: readonly string[];
  /** Whether a row needs nobody's attention. */
  isFine(verdict: string, allowed: ReadonlySet<string>): boolean;
  meaningOf(verdict: string): Meaning;
  /** One sentence on one line, which quotes what the row gives. */
  sentenceOf(judgement: Judgement, given: Given): string;
}
