/**
 * The changes of a registry release, as recorded with it and as published.
 * Source: ruling O-68.
 */
import { endSchema, Sha256, Text, Url } from "../../runtime/contract/document.ts";
import { closed, nullable } from "../../runtime/contract/schema.ts";
import * as Type from "../../runtime/contract/type.ts";
import { LogHead } from "./log-head.ts";

/** `lastIn` is the last version with this code, if the request abstained since. */
const Answer = Type.Union([closed({ code: Text }), closed({ reason: Text }), closed({ code: Text, lastIn: Text })]);

/**
 * The change of a resolution, worst first. The last kind changes only the reason of an abstention.
 */
export const RESOLUTION_KINDS = ["reassigned", "now_abstains", "now_resolves", "reason_changed"] as const;
export type ResolutionKind = (typeof RESOLUTION_KINDS)[number];

/** `changes/<version>.json` in a registry, written once, with the release. */
export const ChangeRecord = closed({
  registryVersion: Text,
  previous: Text,
  contentSha256: Sha256,
  /**
   * Requests that get a different answer, as `diff` lists them; `language` is null for a request
   * that names none.
   */
  resolutions: Type.Array(
    closed({
      kind: Type.Enum([...RESOLUTION_KINDS]),
      expression: Text,
      language: nullable(Text),
      before: Answer,
      after: Answer,
    }),
  ),
  /** In code order. */
  concepts: Type.Array(
    closed({
      code: Text,
      change: Type.Enum(["added", "retired", "changed"]),
      /** Its code if a retired one is listed without a name; null if it is not listed. */
      name: nullable(Text),
      /** The successor of a retired code, if the registry names one. */
      replacedBy: nullable(Text),
    }),
  ),
});
export type ChangeRecord = Type.Static<typeof ChangeRecord>;

/**
 * One request whose answer differs. Requests in other languages follow from these: see
 * promise/resolutions.ts.
 */
export type ResolutionChange = Readonly<ChangeRecord["resolutions"][number]>;
export type Answer = Type.Static<typeof Answer>;

/**
 * An expression that resolves to a different code than in the release before; `language` is null
 * for a request without one.
 */
export const Reassignment = closed({ expression: Text, language: nullable(Text), from: Text, to: Text });
export type Reassignment = Type.Static<typeof Reassignment>;

/**
 * A release holds its documents in memory, so changes by concept that would be longer are left out.
 */
export const CONCEPT_HISTORY_MAX_LENGTH = 8 * 2 ** 20;

/** Undefined if the request is answered as before. */
export function kindOf(before: Answer, after: Answer): ResolutionKind | undefined {
  if ("code" in before && "code" in after) return before.code === after.code ? undefined : "reassigned";
  if ("code" in before) return "now_abstains";
  if ("code" in after) return "now_resolves";
  return before.reason === after.reason ? undefined : "reason_changed";
}

/** How safe an update is, from worst to best. */
export const COMPATIBILITIES = ["breaking", "additive", "editorial", "none"] as const;
export type Compatibility = (typeof COMPATIBILITIES)[number];

/** What makes an update so. */
export const COMPATIBILITY_WORDS: Readonly<Record<Compatibility, string>> = {
  breaking: "something is reassigned, retired, or abstains now",
  additive: "something is new or abstains for another reason, and what resolved resolves as before",
  editorial: "only names, definitions, notes and the like differ",
  none: "nothing that is published of a concept differs",
};

const OF_KIND: Readonly<Record<ResolutionKind, Compatibility>> = {
  reassigned: "breaking",
  now_abstains: "breaking",
  now_resolves: "additive",
  reason_changed: "additive",
};
const OF_CONCEPT = { retired: "breaking", added: "additive", changed: "editorial" } as const;

/** The worst of the changes; each list is read once. */
export function compatibilityOf(
  resolutions: Iterable<{ readonly kind: ResolutionKind }>,
  concepts: Iterable<{ readonly change: keyof typeof OF_CONCEPT }>,
): Compatibility {
  const found = new Set<Compatibility>();
  for (const { kind } of resolutions) found.add(OF_KIND[kind]);
  for (const { change } of concepts) found.add(OF_CONCEPT[change]);
  return COMPATIBILITIES.find((one) => found.has(one)) ?? "none";
}

/** The key that resolutions are sorted by, in code-point order: the kind, then the request. */
export function orderOf({ kind, expression, language }: ChangeRecord["resolutions"][number]): string {
  return [RESOLUTION_KINDS.indexOf(kind), expression, language ?? ""].join("\0");
}

/** Requests that lead to a different code than before, as the history of a registry lists them. */
export function reassignmentsIn(
  resolutions: readonly Omit<ChangeRecord["resolutions"][number], "kind">[],
): Reassignment[] {
  return resolutions.flatMap(({ expression, language, before, after }) =>
    "code" in before && "code" in after ? [{ expression, language, from: before.code, to: after.code }] : [],
  );
}

/** Whether two lists have the same reassignments, in any order. */
export function areSame(one: readonly Reassignment[], other: readonly Reassignment[]): boolean {
  const [a, b] = [one, other].map((list) => list.map(identityOf).sort().join("\n"));
  return a === b;
}

export function identityOf({ expression, language, from, to }: Reassignment): string {
  return JSON.stringify([expression, language, from, to]);
}

export const REGISTRY_CHANGES = "service-semantics.registry-changes.v1";

export const RegistryChanges = closed({
  $schema: Url,
  schema: Type.Literal(REGISTRY_CHANGES),
  title: Text,
  description: Text,
  canonicalOrigin: Url,
  rule: Text,
  /** The day of the release, if it is recorded. */
  releasedOn: nullable(Text),
  /** Why expressions were reassigned. */
  acknowledgement: nullable(Text),
  /** The transparency log as it was before this release was in it. */
  log: nullable(LogHead),
  /** Computed from the changes: the worst of them. */
  compatibility: Type.Enum([...COMPATIBILITIES]),
  ...ChangeRecord.properties,
  ...endSchema,
});
export type RegistryChanges = Type.Static<typeof RegistryChanges>;
