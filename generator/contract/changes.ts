/** What a release of a registry changed: as it is recorded with the release, and as it is published. Source: ruling O-68. */
import { endSchema, Sha256, Text, Url } from "../../runtime/contract/document.ts";
import { closed, nullable } from "../../runtime/contract/schema.ts";
import * as Type from "../../runtime/contract/type.ts";

const Answer = Type.Union([closed({ code: Text }), closed({ reason: Text })]);

/** What became of a request, worst first. The last is no change of what is resolved: an abstention gives another reason. */
export const RESOLUTION_KINDS = ["reassigned", "now_abstains", "now_resolves", "reason_changed"] as const;
export type ResolutionKind = (typeof RESOLUTION_KINDS)[number];

/** `changes/<version>.json` in a registry, written with the release and never again. */
export const ChangeRecord = closed({
  registryVersion: Text,
  previous: Text,
  contentSha256: Sha256,
  /** By what concepts were compared: all that is published of them, or only their expressions, if no more was recorded. */
  compared: Type.Enum(["content", "expressions"]),
  /** Requests that are answered otherwise, as `diff` lists them; `language` is null for a request that names none. */
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
      /** Null where a retired concept's name is not known. */
      name: nullable(Text),
      /** The successor of a retired code, where the registry names one. */
      replacedBy: nullable(Text),
    }),
  ),
});
export type ChangeRecord = Type.Static<typeof ChangeRecord>;

type Answer = Type.Static<typeof Answer>;

/** A release holds its documents in memory, so changes by concept that would be longer are left out. */
export const CONCEPT_HISTORY_MAX_LENGTH = 8 * 2 ** 20;

/** Undefined where the request is answered as before. */
export function kindOf(before: Answer, after: Answer): ResolutionKind | undefined {
  if ("code" in before && "code" in after) return before.code === after.code ? undefined : "reassigned";
  if ("code" in before) return "now_abstains";
  if ("code" in after) return "now_resolves";
  return before.reason === after.reason ? undefined : "reason_changed";
}

export const REGISTRY_CHANGES = "service-semantics.registry-changes.v1";

export const RegistryChanges = closed({
  $schema: Url,
  schema: Type.Literal(REGISTRY_CHANGES),
  title: Text,
  description: Text,
  canonicalOrigin: Url,
  rule: Text,
  /** The day of the release, where it is recorded. */
  releasedOn: nullable(Text),
  /** Why expressions were reassigned. */
  acknowledgement: nullable(Text),
  ...ChangeRecord.properties,
  ...endSchema,
});
export type RegistryChanges = Type.Static<typeof RegistryChanges>;
