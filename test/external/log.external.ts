/** The checkpoint of a log, verified by openssl. Skipped aloud where openssl is not here. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { appendAndSign, newHome, release } from "../tools/log/home.ts";

const here = spawnSync("openssl", ["version"]).status === 0;
if (!here) console.warn("Skipped, openssl is not here: apt-get install openssl");

describe.skipIf(!here)("openssl", () => {
  it("verifies the signature of a checkpoint, and refuses another text", async () => {
    const home = await newHome();
    await release(home, "2026.12.1");
    await appendAndSign(home);
    const [text = "", lines = ""] = readFileSync(home.at("log/checkpoint"), "utf8").split("\n\n");
    writeFileSync(home.at("text"), `${text}\n`);
    writeFileSync(home.at("other"), `${text}.\n`);
    const signature = Buffer.from(lines.split("\n")[0]?.split(" ")[2] ?? "", "base64").subarray(4);
    writeFileSync(home.at("signature"), signature);
    const publicKey = Buffer.from(home.vkey.split("+").slice(2).join("+"), "base64").subarray(1);
    // RFC 8410 §4: the SubjectPublicKeyInfo of an Ed25519 key is this, then the key.
    const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), publicKey]);
    writeFileSync(home.at("public.der"), der);
    const verify = (file: string): number | null => {
      const args = "pkeyutl -verify -rawin -pubin -keyform DER -inkey public.der -sigfile signature -in".split(" ");
      return spawnSync("openssl", [...args, file], { cwd: home.directory }).status;
    };
    expect([verify("text"), verify("other")]).toEqual([0, 1]);
  });
});
