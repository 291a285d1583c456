/**
 * Chooses the expressions of a review. Every key of `--where` must match; a key given several times
 * matches any of its values.
 */
import { EXPRESSION_TYPES } from "../../../../runtime/contract/concept.ts";
import { isWellFormedLanguageTag } from "../../../../runtime/text/language.ts";
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { compareCodePoints } from "../../../text/order.ts";
import type { Located } from "../../../registry/read.ts";
import { type ConceptRecord, type ExpressionRecord, REVIEW_STATUSES } from "../../../registry/record.ts";

export const ACTIONS = ["list", "accept", "reject", "sheet"] as const;
export type Action = (typeof ACTIONS)[number];

const KEYS = ["language", "type", "concept", "domain", "status"] as const;
type Key = (typeof KEYS)[number];

/** The admitted values by key; a key that was not given is absent. */
export type Where = ReadonlyMap<Key, ReadonlySet<string>>;

export interface Chosen {
  readonly concept: Located<ConceptRecord>;
  /** Positions among the concept's expressions; at least one. */
  readonly positions: readonly number[];
}

type Status = ExpressionRecord["reviewStatus"];

/** The statuses that an action chooses by default, and those that it admits. */
const STATUSES: Record<Action, { readonly usual: readonly Status[]; readonly admitted: readonly Status[] }> = {
  list: { usual: ["draft", "in_review"], admitted: REVIEW_STATUSES },
  accept: { usual: ["draft", "in_review"], admitted: ["draft", "in_review", "rejected"] },
  reject: { usual: ["draft", "in_review", "reviewed"], admitted: ["draft", "in_review", "reviewed"] },
  sheet: { usual: ["draft", "in_review"], admitted: ["draft", "in_review"] },
};

/**
 * Reads the values of `--where`; throws UsageError for an unknown key or a value that is not
 * admitted.
 */
export function parseWhere(given: readonly string[], action: Action): Where {
  const where = new Map<Key, Set<string>>();
  // A value, such as an IRI, may contain commas; the next condition begins with its key.
  for (const condition of given.flatMap((text) => text.split(/,(?=[a-z]+=)/))) {
    const name = condition.slice(0, Math.max(condition.indexOf("="), 0));
    const key = KEYS.find((one) => one === name);
    const value = condition.slice(name.length + 1);
    if (key === undefined || value === "")
      throw new UsageError(`--where ${quote(condition)} is not KEY=VALUE; the keys are ${KEYS.join(", ")}`);
    assertAdmitted(key, value, STATUSES[action].admitted);
    where.set(key, (where.get(key) ?? new Set()).add(key === "language" ? value.toLowerCase() : value));
  }
  return where.has("status") ? where : where.set("status", new Set(STATUSES[action].usual));
}

/**
 * Throws UsageError for a domain or concept that the registry does not have: it would silently
 * choose nothing.
 */
export function assertKnown(where: Where, concepts: readonly Located<ConceptRecord>[]): void {
  const domains = new Set(concepts.map(({ record }) => record.domain));
  for (const domain of where.get("domain") ?? []) {
    if (domains.has(domain)) continue;
    const known = [...domains].sort(compareCodePoints).map((name) => quote(name));
    throw new UsageError(`--where domain=${quote(domain)} is none of ${known.join(", ")}`);
  }
  for (const name of where.get("concept") ?? []) {
    if (concepts.some(({ record }) => isNamed(record, new Set([name])))) continue;
    throw new UsageError(`--where concept=${quote(name)} is neither a code nor a sourceId of this registry`);
  }
}

/** Yields the chosen expressions, concept by concept in reading order. */
export function* choose(where: Where, concepts: readonly Located<ConceptRecord>[]): Generator<Chosen, void> {
  for (const concept of concepts) {
    const { record } = concept;
    if (!holds(where, "domain", (domains) => domains.has(record.domain))) continue;
    if (!holds(where, "concept", (names) => isNamed(record, names))) continue;
    const positions = record.expressions.flatMap((expression, i) => (isChosen(where, expression) ? [i] : []));
    if (positions.length > 0) yield { concept, positions };
  }
}

function isChosen(where: Where, { language, locale, type, reviewStatus }: ExpressionRecord): boolean {
  const tag = (locale ?? language).toLowerCase();
  return (
    holds(where, "status", (statuses) => statuses.has(reviewStatus)) &&
    holds(where, "type", (types) => types.has(type)) &&
    holds(where, "language", (tags) => [...tags].some((one) => tag === one || tag.startsWith(`${one}-`)))
  );
}

function isNamed({ code, provenance }: ConceptRecord, names: ReadonlySet<string>): boolean {
  return names.has(code) || names.has(provenance?.sourceId ?? "");
}

function holds(where: Where, key: Key, test: (values: ReadonlySet<string>) => boolean): boolean {
  const values = where.get(key);
  return values === undefined || test(values);
}

function assertAdmitted(key: Key, value: string, statuses: readonly string[]): void {
  if (key === "language" && !isWellFormedLanguageTag(value))
    throw new UsageError(`--where language=${quote(value)} is not a language tag, such as en or pt-BR`);
  const admitted = { type: EXPRESSION_TYPES, status: statuses, language: [], concept: [], domain: [] }[key];
  if (admitted.length > 0 && !(admitted as readonly string[]).includes(value))
    throw new UsageError(`--where ${key}=${quote(value)} is none of ${admitted.join(", ")}`);
}
