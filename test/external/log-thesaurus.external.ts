/**
 * The log of four releases of the starter registry, which is a thesaurus of 13,000 bindings: after
 * each, 1,000 random proofs say what the published bundle says. It needs nothing but Node, but
 * minutes.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseVerifierKey, policyOfLog } from "../../generator/tools/log/c2sp.ts";
import { nodeCryptography } from "../../generator/tools/log/cryptography.ts";
import { proveExpression } from "../../generator/tools/log/prove.ts";
import { openSource, readSigned } from "../../generator/tools/log/source.ts";
import { verifyProof } from "../../generator/tools/log/verifier.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import type { ConceptDetail } from "../../runtime/contract/concept.ts";
import { runHere } from "../support/command.ts";
import { random } from "../support/random.ts";
import { appendAndSign, type Home, must, newHome } from "../tools/log/home.ts";

const PROOFS = 1000;

/** The codes of each pair in the published bundle, and all pairs. */
function publishedBy(home: Home): ReadonlyMap<string, ReadonlySet<string>> {
  const codes = new Map<string, Set<string>>();
  for (const line of readFileSync(home.at("dist/registry/bundle.ndjson"), "utf8").trimEnd().split("\n")) {
    const concept = JSON.parse(line) as ConceptDetail;
    for (const { expression, language, locale, equivalenceStrength } of concept.expressions) {
      if (equivalenceStrength < 1) continue;
      const pair = `${expression}\0${locale ?? language}`;
      codes.set(pair, (codes.get(pair) ?? new Set()).add(concept.code));
    }
  }
  return codes;
}

/** Removes a concept; returns its code. */
function removeConcept(home: Home): string {
  const folder = home.at("registry/concepts/identity");
  const file = readdirSync(folder).toSorted()[0] ?? "";
  rmSync(path.join(folder, file));
  return path.basename(file, ".yaml");
}

describe("four releases of a thesaurus", () => {
  it("prove in 1,000 random proofs each what they publish, and refuse another code", async () => {
    const home = await newHome();
    cpSync("registry", home.at("registry"), { recursive: true });
    const policy = policyOfLog(await parseVerifierKey(home.vkey));
    const chance = random(57);
    const versions = ["2026.11.1", "2026.12.1", "2026.12.2", "2026.12.3"];
    for (const [size, version] of versions.entries()) {
      if (size > 0) {
        const code = removeConcept(home);
        const retired = `- { code: ${code}, retiredIn: ${version}, replacedBy: null, reason: A test removes it }\n`;
        const file = home.at("registry/retired.yaml");
        writeFileSync(file, readFileSync(file, "utf8").replace(/^\[\]\n?$/m, "") + retired);
        const run = (...args: string[]) => runHere(args, { cwd: home.directory });
        const recorded = await run("release-registry", "--version", version, "--acknowledge", "A test removes it");
        expect([recorded.code, recorded.stderr.replaceAll(/^Notice.*\n/gm, "")]).toEqual([0, ""]);
      }
      await must(runHere(["build"], { cwd: home.directory }));
      await appendAndSign(home);
      const files = openSource(fileSystem, home.at("log"));
      const log = await readSigned(files, policy);
      const provable = { files, log, cryptography: nodeCryptography };
      const published = [...publishedBy(home)];
      let longest = 0;
      for (let i = 0; i < PROOFS; i++) {
        const [pair, codes] = published[chance(published.length)] ?? expect.fail("nothing is published");
        const [expression = "", language = ""] = pair.split("\0");
        const proof = await proveExpression(provable, { expression, language });
        longest = Math.max(longest, proof.length);
        const verified = await verifyProof(proof, { policy, asked: { expression, language }, cryptography: nodeCryptography }); // prettier-ignore
        const [own] = verified.bindings ?? [];
        expect([verified.index, verified.entry.registryVersion]).toEqual([size, version]);
        // A pair of several concepts resolves to none, and has no binding by itself.
        if (codes.size === 1) expect([pair, own?.codes.at(-1)?.[0]]).toEqual([pair, [...codes][0]]);
        const wrong = { policy, asked: { expression, language, code: "C-0" }, cryptography: nodeCryptography };
        await expect(verifyProof(proof, wrong)).rejects.toThrow("C-0");
      }
      console.warn(`log | ${version}: ${published.length} pairs, ${PROOFS} proofs, at most ${longest} bytes`);
    }
  });
});
