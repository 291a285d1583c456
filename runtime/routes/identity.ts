/**
 * The deployment identity: 200 with the tree digest as its entity tag, or 503 with recovery steps
 * and no claim about the deployment.
 * Source: contract §2, §4.6; rulings O-31, O-33, O-34; T-03.
 */
import type { DeploymentIdentityUnavailable, IdentityFailure } from "../contract/identity.ts";
import { paths } from "../contract/paths.ts";
import { product } from "../contract/product.ts";
import { formatFields, identityFields } from "../http/representation.ts";
import type { Identity } from "../release/identity.ts";
import { formatDocument } from "../text/json.ts";
import { answerRepresentation } from "./representation.ts";
import type { Route } from "./route.ts";

/** `check` returns the current state; `origin` is that of the release. */
export function identityRoute(check: () => Promise<Identity>, origin: string): Route {
  const contentLocation = origin + paths.deployment;
  return async (request) => {
    const identity = await check();
    if (identity.verified) {
      const { document, sha256, treeDigest } = identity;
      const validators = { contentLocation, sha256, tagged: treeDigest };
      return answerRepresentation(request, formatFields("json", validators, identityFields("verified")), document);
    }
    const { failureCategory } = identity;
    // Neither a wrong origin nor a name in the request can be trusted; only the port is known.
    const { localPort } = request.connection;
    const neutral = localPort === undefined ? "http://localhost" : `http://localhost:${localPort}`;
    const base = failureCategory === "canonical_origin_invalid" ? neutral : origin;
    return { status: 503, fields: unavailableFields, body: formatUnavailable(failureCategory, base + RECOVERY_PATH) };
  };
}

const unavailableFields = formatFields("answer", undefined, identityFields("unavailable")).ok;

/** The 503 body: what failed and what to do. `documentUrl` is the URL of the recovery guide. */
function formatUnavailable(failureCategory: IdentityFailure, documentUrl: string): string {
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
        "Verify the release again: in its dist, sha256sum --quiet -c SHA256SUMS must print nothing; npm run verify, in the project, must find no fault.",
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
const RECOVERY_PATH = `${paths.mcpGuide}#identity-recovery`;

const RESTORE = "Restore the clean release directory as a whole, not single files, and start the service from it";

const refusals: Readonly<Record<IdentityFailure, { readonly message: string; readonly restore: string }>> = {
  canonical_origin_invalid: {
    message:
      "The configured origin is not an absolute http or https origin, or not the one this release was built for.",
    restore:
      "Set SERVICE_ORIGIN to the origin the release was built for, or unset it, or restore a release directory that was built for this origin; start the service again.",
  },
  identity_document_missing_or_unsafe: {
    message: "The identity document of the release is missing, is not a regular file, or can be changed by every user.",
    restore: `${RESTORE}; dist must not be writable by every user, and no link may lead out of it.`,
  },
  identity_document_invalid_json: {
    message: "The identity document of the release is not valid JSON.",
    restore: `${RESTORE}.`,
  },
  identity_validation_failed: {
    message:
      "The identity document of the release violates its schema, or does not match its own digest, label or origin.",
    restore: `${RESTORE}; never edit the identity document.`,
  },
  runtime_source_drift: {
    message: "The files that the service runs from differ from those that its identity document lists.",
    restore: `${RESTORE}, so that no file in it is changed, added, removed or replaced by a link.`,
  },
};
