/** The status document. Source: contract §2; rulings O-01, O-20, O-23 to O-25. */
import * as Type from "../../runtime/contract/type.ts";
import { closed, open } from "../../runtime/contract/schema.ts";

/** Version of the bundle's format: one ConceptDetail per line, in code order. */
export const BUNDLE_VERSION = "1.0.0";

/**
 * The published registry as one file: one ConceptDetail per line, in code order (O-25). The
 * contract shows no inner fields, so readers must accept any object; this service sends all four.
 */
const PublicBundle = Type.Unsafe<{ version: string; registryVersion: string; sha256: string; url: string }>(
  open({
    version: Type.Optional(Type.String()),
    registryVersion: Type.Optional(Type.String()),
    sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
    url: Type.Optional(Type.String({ format: "uri" })),
  }),
);

export const Status = closed({
  publishedConcepts: Type.Integer({ minimum: 0 }),
  reviewedExactExpressions: Type.Integer({ minimum: 0 }),
  languages: Type.Array(Type.String()),
  domains: Type.Array(Type.String()),
  activeEmbeddingProfiles: Type.Integer({ minimum: 0 }),
  semanticRuntimeConfigured: Type.Boolean(),
  productionResolver: Type.Literal("reviewed_exact_registry_first"),
  /** Always `disabled` while there is no embedding runtime (O-24). */
  arbitraryQuerySemanticResolution: Type.String(),
  publicBundle: PublicBundle,
});

export const StatusEnvelope = closed({ data: Status, error: Type.Null() });
export type StatusEnvelope = Type.Static<typeof StatusEnvelope>;
