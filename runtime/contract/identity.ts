/** The deployment identity and the envelope that refuses it. Source: contract §2, §4.6; ruling O-33. */
import { Type } from "typebox";
import { Sha256 } from "./document.ts";
import { closed } from "./schema.ts";

const label = {
  productVersion: Type.String({ pattern: "^v[1-9][0-9]*$" }),
  packageVersion: Type.String({ pattern: "^v[1-9][0-9]*(?:-wip)?$" }),
  classification: Type.Enum(["wip", "final"]),
};

export const DeploymentIdentity = closed({
  schema: Type.Literal("service-semantics.deployment.v1"),
  ...label,
  canonicalOrigin: Type.String({ format: "uri" }),
  closure: closed({
    algorithm: Type.Literal("sha256"),
    treeDigest: Sha256,
    files: Type.Array(closed({ path: Type.String(), bytes: Type.Integer({ minimum: 0 }), sha256: Sha256 })),
  }),
  semanticAssignment: Type.Literal(false),
  authorizationGranted: Type.Literal(false),
});

export const IDENTITY_FAILURES = [
  "identity_document_invalid_json",
  "identity_document_missing_or_unsafe",
  "canonical_origin_invalid",
  "runtime_source_drift",
  "identity_validation_failed",
] as const;

export const DeploymentIdentityUnavailable = closed({
  data: Type.Null(),
  error: closed({
    code: Type.Literal("deployment_identity_unavailable"),
    message: Type.String({ minLength: 1 }),
    failureCategory: Type.Enum([...IDENTITY_FAILURES]),
    documentUrl: Type.String({ format: "uri" }),
    expectedRelease: closed(label),
    requiredDeploymentMode: Type.Literal("clean_release_directory"),
    nextAction: Type.String({ minLength: 1 }),
    recoverySteps: Type.Array(Type.String({ minLength: 1 }), { minItems: 4, maxItems: 4 }),
    semanticAssignment: Type.Literal(false),
    authorizationGranted: Type.Literal(false),
    downstreamSideEffects: Type.Literal(0),
  }),
});
