/** The deployment identity, and the envelope of its refusal. Source: contract §2, §4.6; O-33. */
import * as Type from "./type.ts";
import { FileDigest, ReleaseLabel, schemaConstant, Sha256, Text, Url } from "./document.ts";
import { closed } from "./schema.ts";

const { productVersion, packageVersion, classification } = ReleaseLabel.properties;

export const DeploymentIdentity = closed({
  schema: Type.Literal(schemaConstant("deployment")),
  productVersion,
  packageVersion,
  classification,
  canonicalOrigin: Url,
  closure: closed({
    algorithm: Type.Literal("sha256"),
    treeDigest: Sha256,
    files: Type.Array(FileDigest),
  }),
  semanticAssignment: Type.Literal(false),
  authorizationGranted: Type.Literal(false),
});
export type DeploymentIdentity = Type.Static<typeof DeploymentIdentity>;

export const IDENTITY_FAILURES = [
  "identity_document_invalid_json",
  "identity_document_missing_or_unsafe",
  "canonical_origin_invalid",
  "runtime_source_drift",
  "identity_validation_failed",
] as const;
export type IdentityFailure = (typeof IDENTITY_FAILURES)[number];

export const RECOVERY_STEPS = 4;

export const DeploymentIdentityUnavailable = closed({
  data: Type.Null(),
  error: closed({
    code: Type.Literal("deployment_identity_unavailable"),
    message: Text,
    failureCategory: Type.Enum([...IDENTITY_FAILURES]),
    documentUrl: Url,
    expectedRelease: closed({ productVersion, packageVersion, classification }),
    requiredDeploymentMode: Type.Literal("clean_release_directory"),
    nextAction: Text,
    recoverySteps: Type.Array(Text, { minItems: RECOVERY_STEPS, maxItems: RECOVERY_STEPS }),
    semanticAssignment: Type.Literal(false),
    authorizationGranted: Type.Literal(false),
    downstreamSideEffects: Type.Literal(0),
  }),
});
export type DeploymentIdentityUnavailable = Type.Static<typeof DeploymentIdentityUnavailable>;
