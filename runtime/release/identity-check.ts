/**
 * The state of the deployment identity, which is evaluated again and again, never latched. Waiting
 * requests share one pass over the files, which is used for at most a second (O-35, O-58). A change
 * of state is reported to the operator.
 */
import { closureObserver, type Running } from "./closure.ts";
import { type Identity, judgeIdentity } from "./identity.ts";
import { parseOrigin, quoteOrigin } from "../http/origin.ts";
import type { Release } from "./release.ts";

export interface IdentityOptions extends Running {
  /** The origin that the service is configured for; undefined if none is configured. */
  readonly configured?: string | undefined;
  /** Seconds of a monotonic clock. */
  readonly now: () => number;
  /** Called at the first pass if the identity is unavailable, and then at each change of state. */
  readonly onChange?: (identity: Identity) => void;
}

/** How long a pass is used, in seconds. */
const REUSE_SECONDS = 1;

/**
 * Creates the check of an open release. No call uses a pass that began a second or more before it.
 */
export function identityCheck(release: Release, options: IdentityOptions): () => Promise<Identity> {
  const { configured, now, onChange = () => undefined } = options;
  const observe = closureObserver(release, options);
  const { origin } = release.manifest;
  const claim = { origin, originMismatch: findOriginMismatch(configured, origin) };
  let reported = "verified";
  const pass = async (): Promise<Identity> => {
    const identity = judgeIdentity(claim, await observe());
    const state = identity.verified ? "verified" : `${identity.failureCategory} ${identity.detail}`;
    if (state !== reported) onChange(identity);
    reported = state;
    return identity;
  };
  let latest: Pass | undefined;
  let next: Promise<Identity> | undefined;
  const begin = (): Promise<Identity> => {
    const current: Pass = { at: now(), identity: pass(), isOver: false };
    [latest, next] = [current, undefined];
    current.identity
      .catch(() => {
        if (latest === current) latest = undefined;
      })
      .finally(() => (current.isOver = true));
    return current.identity;
  };
  return () => {
    if (next !== undefined) return next;
    if (latest !== undefined && now() - latest.at < REUSE_SECONDS) return latest.identity;
    if (latest === undefined || latest.isOver) return begin();
    // Under load a pass is slow, and concurrent passes would slow each other down ever more.
    next = latest.identity.then(begin, begin);
    return next;
  };
}

interface Pass {
  /** When it began. */
  readonly at: number;
  readonly identity: Promise<Identity>;
  isOver: boolean;
}

/** A wrong origin does not stop the service; the deployment identity reports it. */
function findOriginMismatch(configured: string | undefined, built: string): string | undefined {
  if (configured === undefined || parseOrigin(configured) === built) return undefined;
  return (
    `the configured origin ${quoteOrigin(configured)} is not the one this release was built for (${built}): ` +
    "its documents name that one, and POST /mcp answers for no other; build again"
  );
}
