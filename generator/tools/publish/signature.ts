/**
 * Checks whether a given key has signed a release: only a message signature over exactly the bytes
 * of SHA256SUMS counts. An attestation by the same key signs its own statement, not this file. The
 * libraries of Sigstore check the bundle next to SHA256SUMS offline. They are optional peers:
 * nothing else needs them. Cosign checks keyless identities (docs/releases.md).
 * Source: sigstore_bundle.proto and sigstore_common.proto of sigstore/protobuf-specs.
 */
import { createPublicKey, hash, type KeyObject } from "node:crypto";
import path from "node:path";
import type { Bundle } from "@sigstore/bundle";
import { SUMS_FILE } from "../../../runtime/contract/files.ts";
import { isObject, parseJson } from "../../../runtime/text/json.ts";
import type { Effects } from "../../effects/effects.ts";
import { installation } from "../../effects/invocation.ts";
import { UsageError } from "../../text/usage-error.ts";

const BUNDLE_FILE = `${SUMS_FILE}.sigstore.json`;

/**
 * The members of which a bundle holds one, its content (sigstore_bundle.proto), in both spellings
 * that ProtoJSON accepts. The library takes the first of several; another reader may take another.
 */
const CONTENT = ["messageSignature", "message_signature", "dsseEnvelope", "dsse_envelope"];

/** HashAlgorithm.SHA2_256. */
const SHA2_256 = 1;

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
    const parsed = bundleFromJSON(readBundle(effects.read(bundle)));
    checkMessage(parsed, signed);
    const entity = toSignedEntity(parsed, signed);
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

/** The JSON of a bundle whose only content is a message signature; throws otherwise. */
function readBundle(bytes: Uint8Array): unknown {
  const reading = parseJson(bytes);
  if (!reading.ok) throw new Error(reading.refusal === "not_json" ? "it is not JSON" : "it repeats a member");
  const { value } = reading;
  if (!isObject(value)) throw new Error("it is not a JSON object");
  const held = CONTENT.filter((name) => Object.hasOwn(value, name)).join(" and ");
  if (held !== "messageSignature") throw new Error(`it holds ${held || "nothing"}, not only a messageSignature`);
  return value;
}

/** Throws unless the content of a bundle is a message signature that names these bytes. */
function checkMessage({ content }: Bundle, signed: Uint8Array): void {
  if (content.$case !== "messageSignature") throw new Error("it holds no message signature");
  const { algorithm, digest } = content.messageSignature.messageDigest;
  // The library verifies with the algorithm that the bundle names, and takes none for SHA2_256.
  const named: number = algorithm;
  if (named !== SHA2_256) throw new Error("its digest is not SHA2_256");
  if (digest.toString("hex") !== hash("sha256", signed)) throw new Error("its digest is that of other bytes");
}

async function loadLibraries() {
  try {
    return { ...(await import("@sigstore/verify")), ...(await import("@sigstore/bundle")) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const line = installation("@sigstore/verify@3", "@sigstore/bundle@4");
    throw new UsageError(`--signer needs two packages that are not installed here: ${line}`);
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
