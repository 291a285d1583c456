/**
 * `verify --signer`: a bundle signed with the test's key, checked offline by Sigstore's libraries.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundleToJSON, type SerializedBundle, toDSSEBundle, toMessageSignatureBundle } from "@sigstore/bundle";
import { beforeAll, describe, expect, it } from "vitest";
import { folder, runHere } from "../../support/command.ts";
import { empty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease, copyRelease } from "../../support/release.ts";
import { sha256 } from "../../support/sha256.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();

let home: string;
let sums: Buffer;
const at = (name: string): string => path.join(home, name);

/** The bundle of a message signature by the test's key, as cosign writes it. */
function messageBundle(artifact: Buffer): SerializedBundle {
  const digest = Buffer.from(sha256(artifact), "hex");
  return bundleToJSON(toMessageSignatureBundle({ digest, signature: sign("sha256", artifact, privateKey), keyHint: "own" })); // prettier-ignore
}

/** The bundle of an attestation by the same key, which signs its statement (DSSE, protocol). */
function attestation(statement: Buffer): SerializedBundle {
  const type = "application/vnd.in-toto+json";
  const encoded = Buffer.from(`DSSEv1 ${type.length} ${type} ${statement.length} ${statement.toString()}`);
  return bundleToJSON(toDSSEBundle({ artifact: statement, artifactType: type, signature: sign("sha256", encoded, privateKey), keyHint: "own" })); // prettier-ignore
}

interface Message {
  messageDigest: Record<string, unknown>;
  signature: string;
}

/** A true signature of the same bytes in every respect but the algorithm. */
function useSha512(message: Message): void {
  const digest = createHash("sha512").update(sums).digest("base64");
  message.messageDigest = { algorithm: "SHA2_512", digest };
  message.signature = sign("sha512", sums, privateKey).toString("base64");
}

/** The bundle of SHA256SUMS with other members in its message signature. */
function altered(change: (message: Message) => void): unknown {
  const bundle = JSON.parse(JSON.stringify(messageBundle(sums))) as { messageSignature: Message };
  change(bundle.messageSignature);
  return bundle;
}

beforeAll(async () => {
  home = folder({ "key.pub": pem(publicKey), "other.pub": pem(other.publicKey), "no.pub": "hello" });
  mkdirSync(at("dist"));
  copyRelease(await buildRelease(checkedRegistry(empty)), at("dist"));
  writeFileSync(at("SHA256SUMS"), `${sha256(readFileSync(at("dist/SHA256SUMS")))}  dist/SHA256SUMS\n`);
  sums = readFileSync(at("SHA256SUMS"));
  writeFileSync(at("SHA256SUMS.sigstore.json"), JSON.stringify(messageBundle(sums)));
});

const verify = (key: string): ReturnType<typeof runHere> => runHere(["verify", at("dist"), "--signer", at(key)]);

describe("verify --signer", () => {
  it("says whose signature it is", async () => {
    const { code, stdout, stderr } = await verify("key.pub");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Signed by the key in ${at("key.pub")}\n`);
  });

  const statement = Buffer.from('{"_type":"https://in-toto.io/Statement/v1"}');
  const only = (held: string): string => `it holds ${held}, not only a messageSignature`;
  it.each([
    ["an attestation by the key", () => attestation(statement), only("dsseEnvelope")],
    ["an attestation of these bytes by the key", () => attestation(sums), only("dsseEnvelope")],
    [
      "a signature and an attestation",
      () => ({ ...attestation(statement), ...messageBundle(sums) }),
      only("messageSignature and dsseEnvelope"),
    ],
    [
      "an attestation in the other spelling",
      () => ({ ...messageBundle(sums), dsse_envelope: {} }),
      only("messageSignature and dsse_envelope"),
    ],
    ["neither", () => ({ ...messageBundle(sums), messageSignature: undefined }), only("nothing")],
    ["a signature of nothing", () => ({ ...messageBundle(sums), messageSignature: null }), "invalid bundle"],
    ["the signature of another file", () => messageBundle(statement), "its digest is that of other bytes"],
    [
      "the signature of another file under this digest",
      () => altered((message) => (message.signature = sign("sha256", statement, privateKey).toString("base64"))),
      "signature verification failed",
    ],
    [
      "this signature under another digest",
      () => altered(({ messageDigest }) => (messageDigest["digest"] = Buffer.alloc(32).toString("base64"))),
      "its digest is that of other bytes",
    ],
    [
      "this signature without a digest",
      () => altered(({ messageDigest }) => delete messageDigest["digest"]),
      "invalid bundle",
    ],
    [
      "no digest algorithm",
      () => altered(({ messageDigest }) => delete messageDigest["algorithm"]),
      "its digest is not SHA2_256",
    ],
    ["another digest algorithm", () => altered(useSha512), "its digest is not SHA2_256"],
    ["a list", () => [messageBundle(sums)], "it is not a JSON object"],
  ])("refuses in one line %s", async (_, bundle, reason) => {
    const signed = readFileSync(at("SHA256SUMS.sigstore.json"));
    writeFileSync(at("SHA256SUMS.sigstore.json"), JSON.stringify(bundle()));
    const { code, stdout, stderr } = await verify("key.pub");
    writeFileSync(at("SHA256SUMS.sigstore.json"), signed);
    expect([code, stdout, stderr.replaceAll(`${home}/`, "")]).toEqual([
      1,
      "",
      `SHA256SUMS.sigstore.json is not a signature of SHA256SUMS by the key in key.pub (${reason})\n1 fault in dist\n`,
    ]);
  });

  it("is a fault for another key, other sums, a bundle that is none, and a dist that is not listed", async () => {
    const faults: string[] = [];
    const note = async (key = "key.pub"): Promise<void> => {
      const { code, stderr } = await verify(key);
      faults.push(`${code} ${stderr.split("\n")[0]?.replaceAll(`${home}/`, "").replace(/ \(.*/, "")}`);
    };
    const bundle = readFileSync(at("SHA256SUMS.sigstore.json"));
    await note("other.pub");
    writeFileSync(at("SHA256SUMS"), `${sums.toString()}\n`);
    await note();
    writeFileSync(at("SHA256SUMS"), "");
    await note();
    writeFileSync(at("SHA256SUMS"), sums);
    writeFileSync(at("SHA256SUMS.sigstore.json"), "{}");
    await note();
    writeFileSync(at("SHA256SUMS.sigstore.json"), bundle);
    const forged = "1 SHA256SUMS.sigstore.json is not a signature of SHA256SUMS by the key in";
    expect(faults).toEqual([`${forged} other.pub`, `${forged} key.pub`, `1 SHA256SUMS does not list ${at("dist")} with its current digest`, `${forged} key.pub`].map((text) => text.replaceAll(`${home}/`, ""))); // prettier-ignore
  });

  it("is one line for a key that is none", async () => {
    expect(await verify("no.pub")).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--signer .* is not a public key in PEM[^\n]*\n$/) as string }); // prettier-ignore
    expect(await verify("none.pub")).toMatchObject({ code: 2, stderr: `--signer ${at("none.pub")} is not a file\n` });
  });
});
