/**
 * The state of the deployment identity, evaluated anew and never latched: a pass over the files is shared by the requests
 * that wait for it and used for at most a second (O-35, O-58). A change of state is told to the operator.
 */
import { closureObserver } from "./closure.ts";
import { type Identity, judgeIdentity } from "./identity.ts";
import { parseOrigin, quoteOrigin } from "../http/origin.ts";
import type { Release } from "./release.ts";

export interface IdentityOptions {
  /** The origin that the service is configured for; undefined where nobody said one. */
  readonly configured?: string | undefined;
  /** Seconds of a steady clock. */
  readonly now: () => number;
  /** Hears the state once at the first pass where it is unavailable, and then every change of it. */
  readonly onChange?: (identity: Identity) => void;
  /** Where the sources are, if not where they run from. */
  readonly project?: string;
}

/** Seconds for which a pass is used. */
const REUSE_SECONDS = 1;

/** Makes the check of an open release: each call gives the state of now, or of a second ago at most. */
export function identityCheck(release: Release, options: IdentityOptions): () => Promise<Identity> {
  const { configured, now, onChange = () => undefined, project } = options;
  const observe = closureObserver(release, project);
  const { origin } = release.manifest;
  const claim = { origin, originFault: findOriginFault(configured, origin) };
  let told = "verified";
  const pass = async (): Promise<Identity> => {
    const identity = judgeIdentity(claim, await observe());
    const state = identity.verified ? "verified" : `${identity.failureCategory} ${identity.detail}`;
    if (state !== told) onChange(identity);
    told = state;
    return identity;
  };
  let latest: { readonly at: number; readonly identity: Promise<Identity> } | undefined;
  return () => {
    if (latest !== undefined && now() - latest.at < REUSE_SECONDS) return latest.identity;
    const current = { at: now(), identity: pass() };
    latest = current;
    current.identity.catch(() => {
      if (latest === current) latest = undefined;
    });
    return current.identity;
  };
}

/** A wrong origin does not stop the service: its identity answers for it. */
function findOriginFault(configured: string | undefined, built: string): string | undefined {
  if (configured === undefined || parseOrigin(configured) === built) return undefined;
  return (
    `the configured origin ${quoteOrigin(configured)} is not the one this release was built for (${built}): ` +
    "its documents name that one, and POST /mcp answers for no other; build again"
  );
}
