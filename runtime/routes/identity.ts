/**
 * The deployment identity: 200 with the tree digest as its entity tag, or 503 that says what to do
 * and vouches for nothing.
 * Source: contract §4.6; rulings O-31, O-34; T-03.
 */
import type { Identity } from "../release/identity.ts";
import { formatUnavailable, RECOVERY_PATH } from "../release/unavailable.ts";
import { paths } from "../contract/policy.ts";
import { answerIdentityUnavailable, answerRepresentation } from "./answer.ts";
import { formatFields, identityFields } from "../http/representation.ts";
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
    // A wrong origin cannot be trusted, nor can a name in the request: only the port is known.
    const { localPort } = request.connection;
    const neutral = localPort === undefined ? "http://localhost" : `http://localhost:${localPort}`;
    const base = failureCategory === "canonical_origin_invalid" ? neutral : origin;
    return answerIdentityUnavailable(formatUnavailable(failureCategory, base + RECOVERY_PATH));
  };
}
