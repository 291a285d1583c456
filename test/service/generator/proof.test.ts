/**
 * A release is built only with fixtures that are as declared: the proof of a fixture, and builds by
 * copies of this project whose classifier is broken in one place.
 */
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProofError, prove } from "../../../generator/integration/classifier.ts";
import type { Fixture } from "../../../generator/contract/integration.ts";
import { folder, run } from "../../support/command.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry, registryFiles } from "../../support/registry.ts";
import { buildRelease, copyRelease } from "../../support/release.ts";
import { textsIn } from "../../support/files.ts";
import { project } from "../../support/project.ts";

const envelope = {
  data: {
    input: { expression: "taxi" },
    status: "resolved",
    reason: null,
    embeddingProfile: null,
    concept: { code: "N-TAXI", name: "Taxi", definition: "A taxi.", domain: "test", registryVersion: "2026.11.1" },
    candidates: [],
    confidence: null,
    margin: null,
  },
  error: null,
};

const resolved: Fixture = {
  recipeId: "clarification",
  id: "resolved-valid",
  title: "A fixture",
  drawnFrom: "registry",
  request: { expression: "taxi", language: "en" },
  response: { status: 200, contentType: "application/json", body: JSON.stringify(envelope) },
  expected: { outcome: "resolved-valid", code: "N-TAXI", registryVersion: "2026.11.1" },
  handling: "Do something",
  record: {},
};
const lost: Fixture = { ...resolved, id: "service-error", response: null, expected: { outcome: "service-error" } };

/** What `prove` throws. */
function faultOf(fixtures: readonly Fixture[]): unknown {
  try {
    prove(fixtures);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("a proof", () => {
  it("gives each fixture, in its order and whole, with what the classifier made of it", () => {
    const verdict = (fixture: Fixture) => ({ ...fixture, result: fixture.expected, asDeclared: true });
    expect(prove([resolved, lost])).toEqual([verdict(resolved), verdict(lost)]);
    expect(prove([])).toEqual([]);
  });

  it.each<[string, Partial<Fixture>, [found: string, declared: string]]>([
    ["another outcome", { expected: { outcome: "malformed" } }, ['"resolved-valid"', '{"outcome":"malformed"}']],
    [
      "another code",
      { expected: { outcome: "resolved-valid", code: "N-BANK", registryVersion: "2026.11.1" } },
      ['"code":"N-TAXI"', '"code":"N-BANK"'],
    ],
    [
      "another registryVersion",
      { expected: { outcome: "resolved-valid", code: "N-TAXI", registryVersion: "2026.11.2" } },
      ['"registryVersion":"2026.11.1"', '"registryVersion":"2026.11.2"'],
    ],
    [
      "the answer to something else",
      { request: { expression: "Taxi" } },
      ['{"outcome":"malformed"}', '"code":"N-TAXI"'],
    ],
    ["no answer", { response: null }, ['{"outcome":"service-error"}', '"code":"N-TAXI"']],
  ])(
    "fails where a fixture has %s, and names recipe, fixture and both verdicts",
    (_what, change, [found, declared]) => {
      const fault = faultOf([lost, { ...resolved, ...change }]);
      expect(fault).toBeInstanceOf(ProofError);
      const { name, message } = fault as ProofError;
      expect(name).toBe("ProofError");
      const [, gives, declares] =
        /^recipe clarification: its fixture resolved-valid gives (\{.*\}) and declares (\{.*\})$/.exec(message) ?? [];
      expect([gives, declares]).toEqual([expect.stringContaining(found), expect.stringContaining(declared)]);
    },
  );

  it("fails at the first of several", () => {
    const wrong: Fixture = { ...lost, recipeId: "audit-provenance", expected: { outcome: "malformed" } };
    const later: Fixture = { ...resolved, expected: { outcome: "malformed" } };
    expect(String(faultOf([resolved, wrong, later]))).toMatch(
      /recipe audit-provenance: its fixture service-error gives/,
    );
  });
});

describe("a build whose classifier is broken", () => {
  const CLASSIFIER = "lib/generator/integration/handoffs/node/classify.mjs";
  let copy: string;
  let sound: string;
  beforeAll(() => {
    copy = folder(registryFiles(nasty));
    for (const name of ["lib", "content", "package.json", "package-lock.json"])
      cpSync(path.join(project, name), path.join(copy, name), { recursive: true });
    symlinkSync(path.join(project, "node_modules"), path.join(copy, "node_modules"));
    sound = readFileSync(path.join(copy, CLASSIFIER), "utf8");
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it("leaves dist as it was, and names recipe and fixture in one line with exit code 1", async () => {
    const dist = path.join(copy, "dist");
    copyRelease(await buildRelease(checkedRegistry(nasty)), dist);
    const before = textsIn(dist);
    const exit = 'data.status !== "resolved" || data.reason !== null || data.concept === null';
    expect(sound.split(exit).length, "the classifier has it once").toBe(2);
    writeFileSync(path.join(copy, CLASSIFIER), sound.replace(exit, "data.concept === null"));
    const args = ["build", "--origin", "https://registry.example"];
    const { code, stdout, stderr } = await run(path.join(copy, "lib/generator/main.js"), args, { cwd: copy });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^recipe [a-z-]+: its fixture malformed gives \{"outcome":"resolved-valid","code":"N-[^\n]* and declares \{"outcome":"[a-z-]+"[^\n]*\}; nothing was written\n$/,
    );
    expect(textsIn(dist)).toEqual(before);
    expect(readdirSync(copy).filter((name) => name.startsWith("dist"))).toEqual(["dist"]);
  });
});
