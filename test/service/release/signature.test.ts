/**
 * `verify --signer`: a bundle signed with the test's key, checked offline by Sigstore's libraries.
 */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundleToJSON, toMessageSignatureBundle } from "@sigstore/bundle";
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
const at = (name: string): string => path.join(home, name);

/** Signs SHA256SUMS of the release, as cosign does with a key. */
function signSums(): void {
  const artifact = readFileSync(at("SHA256SUMS"));
  const bundle = toMessageSignatureBundle({
    digest: Buffer.from(sha256(artifact), "hex"),
    signature: sign("sha256", artifact, privateKey),
    keyHint: "own",
  });
  writeFileSync(at("SHA256SUMS.sigstore.json"), JSON.stringify(bundleToJSON(bundle)));
}

beforeAll(async () => {
  home = folder({ "key.pub": pem(publicKey), "other.pub": pem(other.publicKey), "no.pub": "hello" });
  mkdirSync(at("dist"));
  copyRelease(await buildRelease(checkedRegistry(empty)), at("dist"));
  writeFileSync(at("SHA256SUMS"), `${sha256(readFileSync(at("dist/SHA256SUMS")))}  dist/SHA256SUMS\n`);
  signSums();
});

const verify = (key: string): ReturnType<typeof runHere> => runHere(["verify", at("dist"), "--signer", at(key)]);

describe("verify --signer", () => {
  it("says whose signature it is", async () => {
    const { code, stdout, stderr } = await verify("key.pub");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Signed by the key in ${at("key.pub")}\n`);
  });

  it("is a fault for another key, other sums, a bundle that is none, and a dist that is not listed", async () => {
    const faults: string[] = [];
    const note = async (key = "key.pub"): Promise<void> => {
      const { code, stderr } = await verify(key);
      faults.push(`${code} ${stderr.split("\n")[0]?.replaceAll(`${home}/`, "").replace(/ \(.*/, "")}`);
    };
    const [sums, bundle] = ["SHA256SUMS", "SHA256SUMS.sigstore.json"].map((name) => readFileSync(at(name)));
    await note("other.pub");
    writeFileSync(at("SHA256SUMS"), `${sums?.toString()}\n`);
    await note();
    writeFileSync(at("SHA256SUMS"), "");
    await note();
    writeFileSync(at("SHA256SUMS"), sums ?? "");
    writeFileSync(at("SHA256SUMS.sigstore.json"), "{}");
    await note();
    writeFileSync(at("SHA256SUMS.sigstore.json"), bundle ?? "");
    const forged = "1 SHA256SUMS.sigstore.json is not a signature of SHA256SUMS by the key in";
    expect(faults).toEqual([`${forged} other.pub`, `${forged} key.pub`, `1 SHA256SUMS does not list ${at("dist")} with its current digest`, `${forged} key.pub`].map((text) => text.replaceAll(`${home}/`, ""))); // prettier-ignore
  });

  it("is one line for a key that is none", async () => {
    expect(await verify("no.pub")).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--signer .* is not a public key in PEM[^\n]*\n$/) as string }); // prettier-ignore
    expect(await verify("none.pub")).toMatchObject({ code: 2, stderr: `--signer ${at("none.pub")} is not a file\n` });
  });
});
