/**
 * The verifier that other programs import, `semantic-resolution-service/log`: for Node, browsers,
 * and whatever else has WebCrypto with Ed25519. Types are declared here, so that the published
 * declarations refer to no other file.
 */
import { ProofError } from "./c2sp.ts";
import { parsePolicy } from "./policy.ts";
import { verifyProof as verify } from "./verifier.ts";

/** What the proof must be about; a proof of anything else is refused. */
export interface Asked {
  readonly expression?: string;
  /** Null for requests without a language. */
  readonly language?: string | null;
  /** The only code that the expression may ever have had. */
  readonly code?: string;
  readonly registryVersion?: string;
}

export interface Binding {
  /** Each code with the version in which it came, oldest first. */
  readonly codes: readonly (readonly [code: string, version: string])[];
  readonly expression: string;
  /** Null for requests without a language. */
  readonly language: string | null;
}

export interface Proven {
  /** The name of the log, its number of releases, and its root in base64. */
  readonly log: { readonly origin: string; readonly size: number; readonly root: string };
  /** Witnesses of the policy; time in seconds since 1970, as each states it. */
  readonly witnesses: readonly { readonly name: string; readonly time: number }[];
  readonly registry: string;
  readonly registryVersion: string;
  readonly contentSha256: string;
  /** Of SHA256SUMS of the release. */
  readonly sumsSha256: string;
  /** Empty for a proof of the release alone; null if it shows that nothing was ever bound. */
  readonly bindings: readonly Binding[] | null;
}

/**
 * Verifies the text of a `.tlog-proof` by a policy (c2sp.org/tlog-policy), which names the log and
 * its key. Rejects with an Error that says in one line what contradicts what.
 */
export async function verifyProof(text: string, policy: string, asked: Asked = {}): Promise<Proven> {
  const trust = await parsePolicy(policy);
  if (trust.logs.length === 0) throw new ProofError("The policy names no log");
  const { checkpoint, entry, bindings } = await verify(text, { policy: trust, asked });
  const { origin, size, root, witnesses } = checkpoint;
  const { registry, registryVersion, contentSha256, sumsSha256 } = entry;
  const log = { origin, size, root: btoa(String.fromCharCode(...root)) };
  return { log, witnesses, registry, registryVersion, contentSha256, sumsSha256, bindings };
}
