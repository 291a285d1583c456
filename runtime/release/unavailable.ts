/**
 * The body of the refusal to vouch for a deployment: what failed, and what to do. Source: contract
 * §2, §4.6; O-33.
 */
import type { DeploymentIdentityUnavailable, IdentityFailure } from "../contract/identity.ts";
import { paths } from "../contract/policy.ts";
import { product } from "../contract/product.ts";
import { formatDocument } from "../text/json.ts";

/** The body; `documentUrl` is the address of the recovery guide. */
export function formatUnavailable(failureCategory: IdentityFailure, documentUrl: string): string {
  const { productVersion, packageVersion, classification } = product;
  const { message, restore } = refusals[failureCategory];
  const body: DeploymentIdentityUnavailable = {
    data: null,
    error: {
      code: "deployment_identity_unavailable",
      message,
      failureCategory,
      documentUrl,
      expectedRelease: { productVersion, packageVersion, classification },
      requiredDeploymentMode: "clean_release_directory",
      nextAction:
        "Infer no digest, assignment or authorization from this service; stop its traffic and follow recoverySteps.",
      recoverySteps: [
        "Stop sending traffic to this deployment.",
        restore,
        "Verify the release again: in its dist, sha256sum --quiet -c SHA256SUMS must say nothing; npm run verify, where the project is, must find no fault.",
        "Read this document again; send traffic only when it answers 200 with X-Service-Semantics-Deployment-Identity: verified.",
      ],
      semanticAssignment: false,
      authorizationGranted: false,
      downstreamSideEffects: 0,
    },
  };
  return formatDocument(body);
}

/** The recovery guide, below the origin. */
export const RECOVERY_PATH = `${paths.mcpGuide}#identity-recovery`;

const RESTORE = "Restore the clean release directory as a whole, not single files, and start the service from it";

const refusals: Readonly<Record<IdentityFailure, { readonly message: string; readonly restore: string }>> = {
  canonical_origin_invalid: {
    message:
      "The configured origin is not an absolute http or https origin, or not the one this release was built for.",
    restore:
      "Set SERVICE_ORIGIN to the origin the release was built for, or unset it, or restore a release directory that was built for this origin; start the service again.",
  },
  identity_document_missing_or_unsafe: {
    message: "The identity document of the release is missing, or is not a plain file that only its owner can change.",
    restore: `${RESTORE}; nobody else may be able to write to dist, and no link may lead out of it.`,
  },
  identity_document_invalid_json: {
    message: "The identity document of the release is not valid JSON.",
    restore: `${RESTORE}.`,
  },
  identity_validation_failed: {
    message: "The identity document of the release breaks its schema, or does not fit its own digest, label or origin.",
    restore: `${RESTORE}; never edit the identity document.`,
  },
  runtime_source_drift: {
    message: "The files that the service runs from differ from those that its identity document lists.",
    restore: `${RESTORE}, so that no file in it was changed, added, removed or made a link.`,
  },
};
