/**
 * Checks whether a given key has signed a release. The libraries of Sigstore check the bundle next
 * to SHA256SUMS offline. They are optional peers: nothing else needs them. Cosign checks keyless
 * identities (docs/releases.md).
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import path from "node:path";
import { SUMS_FILE } from "../../runtime/release/manifest.ts";
import { type Effects, readText } from "../effects/effects.ts";
import { UsageError } from "../text/usage-error.ts";

const BUNDLE_FILE = `${SUMS_FILE}.sigstore.json`;

/**
 * Why the signature of the release around `dist` is not by the key in a file; undefined if it is.
 */
export async function signatureFault(effects: Effects, dist: string, keyFile: string): Promise<string | undefined> {
  const { Verifier, toSignedEntity, bundleFromJSON } = await loadLibraries();
  const publicKey = readKey(effects, keyFile);
  const target = effects.realPath(dist);
  const folder = path.dirname(target);
  const [sums, bundle] = [path.join(folder, SUMS_FILE), path.join(folder, BUNDLE_FILE)];
  for (const file of [sums, bundle])
    if (effects.kind(file) !== "file") return `${file} does not exist: is ${dist} part of a signed release?`;
  const listed = `${effects.digest(path.join(target, SUMS_FILE)).sha256}  ${path.basename(target)}/${SUMS_FILE}`;
  const signed = Buffer.from(effects.read(sums));
  if (!signed.toString().split("\n").includes(listed)) return `${sums} does not list ${dist} with its current digest`;
  const nobody = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
  const trust = { ...nobody, publicKey: () => ({ publicKey, validFor: () => true }) };
  try {
    const entity = toSignedEntity(bundleFromJSON(JSON.parse(readText(effects, bundle))), signed);
    // Only the key is trusted, so entries of logs and timestamps decide nothing.
    const none = { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 };
    const bare = { ...entity, tlogEntries: [], timestamps: [] };
    if (bare.key.$case !== "public-key")
      return `${bundle} is signed by a certificate, not by a key: check it with cosign`;
    new Verifier(trust, none).verify(bare);
    return undefined;
  } catch (error) {
    return `${bundle} is not a signature of ${sums} by the key in ${keyFile} (${(error as Error).message.split("\n")[0]})`;
  }
}

async function loadLibraries() {
  try {
    return { ...(await import("@sigstore/verify")), ...(await import("@sigstore/bundle")) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(
      "--signer needs two packages that are not installed here: npm install @sigstore/verify@3 @sigstore/bundle@4",
    );
  }
}

function readKey(effects: Effects, file: string): KeyObject {
  if (effects.kind(file) !== "file") throw new UsageError(`--signer ${file} is not a file`);
  const bytes = Buffer.from(effects.read(file));
  try {
    return createPublicKey(bytes);
  } catch {
    throw new UsageError(`--signer ${file} is not a public key in PEM, such as cosign.pub`);
  }
}
