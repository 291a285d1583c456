/** Schemas that many documents share: release label, readiness, links, texts. */
import * as Type from "./type.ts";
import type { SchemaName } from "./policy.ts";
import { closed } from "./schema.ts";

export const Url = Type.String({ format: "uri" });
export const Text = Type.String({ minLength: 1 });
export const Texts = Type.Array(Text, { minItems: 1 });
export const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });

/** Plain names only: a listed path cannot leave its folder, and sha256sum need not escape it. */
const FILE_PATH = "^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$";

/** A file of a release: path separated by `/`, size in bytes. */
export const FileDigest = closed({
  path: Type.String({ pattern: FILE_PATH }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
});
export type FileDigest = Type.Static<typeof FileDigest>;

/** The value of a document's `schema` member (O-39). */
export function schemaConstant<N extends SchemaName>(name: N): `service-semantics.${N}.v1` {
  return `service-semantics.${name}.v1`;
}

/** The release label (contract §9). */
export const ReleaseLabel = closed({
  productVersion: Type.String({ pattern: "^v[1-9][0-9]*$" }),
  packageVersion: Type.String({ pattern: "^v[1-9][0-9]*(?:-wip)?$" }),
  classification: Type.Enum(["wip", "final"]),
  updated: Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }),
  apiVersion: Text,
});
export type ReleaseLabel = Type.Static<typeof ReleaseLabel>;

/** Depends only on the loaded registry release: no clock, no probes (O-40, T-06). */
export const Readiness = closed({
  status: Type.Enum(["ready", "not_ready_empty_registry"]),
  exactResolutionReady: Type.Boolean(),
  registryVersion: Text,
  publishedConcepts: Type.Integer({ minimum: 0 }),
  reviewedExactExpressions: Type.Integer({ minimum: 0 }),
});
export type Readiness = Type.Static<typeof Readiness>;

/** The first members of every discovery document. */
export function headSchema<N extends SchemaName>(name: N) {
  return {
    $schema: Url,
    schema: Type.Literal(schemaConstant(name)),
    title: Text,
    description: Text,
    canonicalOrigin: Url,
    release: ReleaseLabel,
    readiness: Readiness,
  };
}

/** The last members of all discovery documents: they grant and do nothing (contract §1 rule 6). */
export const endSchema = {
  sideEffects: Type.Literal("none"),
  authorizationGranted: Type.Literal("none"),
};

/** One outcome of a resolve request and what to do about it. */
export const Outcome = closed({ outcome: Text, when: Text, action: Text, conceptCode: Type.Boolean() });
export type Outcome = Type.Static<typeof Outcome>;
