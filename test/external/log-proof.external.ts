/**
 * Proofs of a transparency log by the programs of a kit, run by every interpreter at hand: Node
 * checks hashes and signature, Python the hashes, and says so.
 */
import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type Client, runHandoff } from "../support/handoffs.ts";
import type { Outcome } from "../support/npx.ts";
import { random } from "../support/random.ts";
import { appendAndSign, type Home, must, newHome, release } from "../tools/log/home.ts";
import { clients, offlineKits } from "./live-kits.ts";

const made = offlineKits();
const programs = clients.few.filter(({ language }) => language === "node" || language === "python");

let home: Home;
const proofs: Record<string, string> = {};

beforeAll(async () => {
  home = await newHome();
  for (const version of ["2026.12.1", "2026.12.2"]) {
    await release(home, version);
    await appendAndSign(home);
  }
  const prove = async (...args: string[]): Promise<string> => (await must(home.log("prove", ...args))).stdout;
  proofs["pair"] = await prove("--expression", "pair", "--language", "en");
  proofs["two"] = await prove("--expression", "two", "--language", "en");
  proofs["never"] = await prove("--expression", "never", "--language", "en");
  proofs["code"] = await prove("--code", "C-1");
  proofs["release"] = await prove("--release", "2026.12.1");
});

function check(client: Client, proof: string, ...asked: string[]): Promise<Outcome> {
  const file = home.at("checked.tlog-proof");
  writeFileSync(file, proof);
  const start = client.language === "node" ? ["node", "node/log-proof.mjs", file, home.vkey] : ["python3", "python/log_proof.py", file]; // prettier-ignore
  return runHandoff(client, { root: made.kit.root, argv: [...start, ...asked] });
}

describe.each(programs.map((client) => [client.name, client] as const))("a proof by %s", (_name, client) => {
  const isNode = client.language === "node";
  const last = isNode
    ? "Checked: every hash, and the signature of the log"
    : "Checked: every hash. Not checked: who signed the checkpoint; node/log-proof.mjs checks that too";

  it.each<[name: string, asked: string[], lines: string[]]>([
    ["pair", ["pair", "EN", "C-2"], ['"pair" in en has meant C-2 from 2026.12.1']],
    ["two", ["two", "en"], ['"two" in en has meant C-2 from 2026.12.1, then C-3 from 2026.12.2']],
    ["never", ["never", "en"], ['"never" in en was never bound to a code']],
    ["code", [], ['"um" in pt-BR has meant C-1 from 2026.12.1', '"one" in en has meant C-1 from 2026.12.1']],
    ["release", [], []],
  ])("says what is proven, and what was checked: %s", async (name, asked, lines) => {
    const { code, stdout, stderr } = await check(client, proofs[name] ?? "", ...asked);
    expect([code, stderr]).toEqual([0, ""]);
    const [head = "", ...rest] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^Test 2026\.12\.[12] is in registry\.example\/log, which has 2 releases$/);
    expect(rest.toSorted()).toEqual([...lines, last].toSorted());
  });

  it.each<[what: string, name: string, asked: string[], reason: string]>([
    ["another code", "pair", ["pair", "en", "C-3"], "not C-3 alone"],
    ["an earlier code", "two", ["two", "en", "C-3"], "not C-3 alone"],
    ["another expression", "pair", ["two", "en"], '"two" in en'],
    ["a code for what was never bound", "never", ["never", "en", "C-1"], "was never bound to C-1"],
  ])("is refused if %s is asked", async (_what, ...[name, asked, reason]) => {
    const { code, stdout, stderr } = await check(client, proofs[name] ?? "", ...asked);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(reason)]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("is refused if a character of its hashed part is another, in one line", async () => {
    const chance = random(7);
    const proof = proofs["pair"] ?? "";
    for (let i = 0; i < 40; i++) {
      const at = chance(proof.indexOf("\n\n"));
      const changed = proof.slice(0, at) + (proof[at] === "A" ? "B" : "A") + proof.slice(at + 1);
      const { code, stdout, stderr } = await check(client, changed, "pair", "en", "C-2");
      expect([at, code, stdout, stderr.trimEnd().split("\n").length]).toEqual([at, 1, "", 1]);
    }
  });

  it(`${isNode ? "is refused" : "says that it was not checked"} if the signature is another`, async () => {
    const proof = proofs["pair"] ?? "";
    const at = proof.length - 12;
    const changed = proof.slice(0, at) + (proof[at] === "A" ? "B" : "A") + proof.slice(at + 1);
    const { code, stdout, stderr } = await check(client, changed, "pair", "en", "C-2");
    if (isNode) expect([code, stderr]).toEqual([1, "The signature of registry.example/log does not verify\n"]);
    else expect([code, stdout]).toEqual([0, expect.stringContaining("Not checked: who signed")]);
  });
});
