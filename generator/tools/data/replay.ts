/**
 * Judges an answer that was kept earlier, twice: whether it was right under the version that it
 * names, and what holds now. What requests led to then follows from the answers of the release and
 * the recorded changes, newest first; a version that they do not reach is not judged.
 *
 * A change document lists each request whose answer changed, for every tag of the expression. A
 * request in a narrower language was answered by the first level that had the expression (RFC 4647
 * §3.4), so the change of the first listed level is its change too, with one exception: a narrower
 * level may have had an entry of its own, unlisted because its answer stayed. Then both answers are
 * possible, and a code that only the exception explains is not judged.
 */
import { keyOf } from "../../../runtime/text/expression.ts";
import { lookupLevels } from "../../../runtime/text/language.ts";
import type { RegistryChanges } from "../../contract/changes.ts";
import type { Judge } from "./judge.ts";
import type { Evidence, Given, Judgement } from "./scheme.ts";
import type { Now, Then } from "./replay-verdicts.ts";

/** A code, or null for an abstention. */
type Code = string | null;

interface Change {
  readonly registryVersion: string;
  readonly previous: string;
  /** By expression, then by language in lower case; empty for a request without one. */
  readonly requests: ReadonlyMap<string, ReadonlyMap<string, { readonly before: Code; readonly after: Code }>>;
  readonly concepts: ReadonlyMap<string, RegistryChanges["concepts"][number]>;
}

export class Replay {
  readonly #judge: Judge;
  /** Newest first, without a gap. */
  readonly #changes: readonly Change[];
  readonly #judged: ReadonlySet<string>;

  constructor(judge: Judge) {
    const { current, changes } = judge.past;
    this.#judge = judge;
    this.#changes = changes.map(changeOf);
    this.#judged = new Set([current, ...changes.map(({ previous }) => previous)]);
  }

  /** Versions of the registry that cannot be judged, because changes after them are missing. */
  get unreached(): readonly string[] {
    return [...this.#judge.past.versions].filter((version) => !this.#judged.has(version));
  }

  judge(given: Given): Judgement {
    const [then, reason] = this.#then(given);
    const [now, evidence] = this.#now(given);
    return { verdict: `${then}/${now}`, evidence: { ...evidence, ...(reason !== undefined && { reason }) } };
  }

  #then({ code, expression, language, registryVersion }: Given): readonly [Then, string?] {
    if (registryVersion === "") return ["version_unknown", "The row names no version"];
    if (!this.#judge.past.versions.has(registryVersion))
      return ["version_unknown", "This registry never had the version"];
    if (!this.#judged.has(registryVersion)) return ["version_unknown", "Changes after the version are missing"];
    const since = this.#changes.slice(0, this.#changes.findIndex(({ previous }) => previous === registryVersion) + 1);
    if (expression === "") return [this.#wasPublished(code, since) ? "was_right" : "was_wrong"];
    const [answer, others] = this.#answerThen({ expression, language }, since);
    if (answer === (code || null)) return ["was_right"];
    return others.has(code || null)
      ? ["version_unknown", "The language may have had an entry of its own"]
      : ["was_wrong"];
  }

  #wasPublished(code: string, since: readonly Change[]): boolean {
    let is = this.#judge.isPublished(code);
    for (const { concepts } of since) {
      const change = concepts.get(code)?.change;
      if (change !== undefined) is = change !== "added";
    }
    return is;
  }

  /** What the request led to by the rule, and by the exception to it. */
  #answerThen(
    { expression, language }: Pick<Given, "expression" | "language">,
    since: readonly Change[],
  ): readonly [Code, ReadonlySet<Code>] {
    const answer = this.#judge.ask(expression, language);
    if (answer.status === "refused") return [null, new Set()];
    let code: Code = answer.status === "resolved" ? answer.concept.code : null;
    let others = new Set<Code>();
    const levels = language === "" ? [""] : lookupLevels(language);
    const own = new Set(this.#judge.tagsOf(expression));
    for (const [i, { requests }] of since.entries()) {
      const changed = requests.get(keyOf(expression));
      const at = levels.findIndex((level) => changed?.has(level));
      const change = at < 0 ? undefined : changed?.get(levels[at] ?? "");
      // A narrower level that the release itself has did not change.
      const isShadowed = i === 0 && levels.slice(0, at).some((level) => own.has(level));
      if (change === undefined || isShadowed) continue;
      if (at === 0) others = new Set();
      else if (change.after !== code) continue;
      else others.add(code);
      code = change.before;
    }
    return [code, others];
  }

  #now({ code, expression, language, name, registryVersion }: Given): readonly [Now, Evidence] {
    const retired = this.#judge.retirement(code);
    if (retired !== undefined) return ["retired", retired];
    if (expression !== "") {
      const answer = this.#judge.ask(expression, language);
      if (answer.status !== "resolved" && code === "") return ["still", {}];
      if (answer.status === "ambiguous")
        return ["now_abstains", { reason: "ambiguous_expression", codes: answer.codes }];
      if (answer.status !== "resolved") return ["now_abstains", { reason: answer.reason }];
      if (answer.concept.code !== code) return ["reassigned", { resolvesTo: answer.concept.code }];
    }
    const is = this.#judge.nameOf(code);
    if (is === undefined) return ["unknown_code", {}];
    const was = name === "" ? this.#nameThen(code, registryVersion) : name;
    return was === undefined || keyOf(was) === keyOf(is) ? ["still", {}] : ["renamed", { name: is }];
  }

  /** The name that the last change up to a version gave; undefined if none did. */
  #nameThen(code: string, version: string): string | undefined {
    const from = this.#changes.findIndex(({ registryVersion }) => registryVersion === version);
    if (from < 0) return undefined;
    for (const { concepts } of this.#changes.slice(from)) {
      const name = concepts.get(code)?.name;
      if (name !== undefined && name !== null) return name;
    }
    return undefined;
  }
}

function changeOf({ registryVersion, previous, resolutions, concepts }: RegistryChanges): Change {
  const requests = new Map<string, Map<string, { before: Code; after: Code }>>();
  for (const { expression, language, before, after } of resolutions) {
    const ofExpression = requests.get(expression) ?? new Map<string, { before: Code; after: Code }>();
    requests.set(expression, ofExpression);
    // A request that abstained since an earlier release had no code in the one before.
    const was = "code" in before && !("lastIn" in before) ? before.code : null;
    ofExpression.set(language?.toLowerCase() ?? "", { before: was, after: "code" in after ? after.code : null });
  }
  return { registryVersion, previous, requests, concepts: new Map(concepts.map((one) => [one.code, one])) };
}
