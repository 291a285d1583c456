/**
 * Three releases of one registry: an expression goes to another concept, a code is retired and then
 * its successor, a concept gets another name, an expression is dropped.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "../../../generator/api.ts";
import { folder, runHere } from "../../support/command.ts";
import { concept, expression } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";

export const FIRST = "2026.01.1";
export const SECOND = "2026.02.1";
export const THIRD = "2026.03.1";

type Expressions = readonly (readonly [tag: string, text: string])[];

export interface Releases {
  readonly registry: string;
  /** The dist of each version. */
  dist(version: string): string;
}

export async function makeReleases(): Promise<Releases> {
  const home = folder({});
  const registry = path.join(home, "registry");
  const write = (code: string, name: string, expressions: Expressions): void => {
    const record = concept(
      code,
      expressions.map(([tag, text]) => expression(tag, text)),
      { name },
    );
    mkdirSync(path.join(registry, "concepts/test"), { recursive: true });
    writeFileSync(path.join(registry, `concepts/test/${code}.yaml`), JSON.stringify(record));
  };
  const retire = (lines: readonly (readonly [code: string, retiredIn: string, replacedBy: string])[]): void => {
    for (const [code] of lines) rmSync(path.join(registry, `concepts/test/${code}.yaml`), { force: true });
    const records = lines.map(([code, retiredIn, replacedBy]) => ({ code, retiredIn, replacedBy, reason: "Split" }));
    writeFileSync(path.join(registry, "retired.yaml"), JSON.stringify(records));
  };
  const release = async (version: string): Promise<void> => {
    const args = ["--registry", registry, "--version", version, "--acknowledge", "A test"];
    const { code, stderr } = await runHere(["release-registry", ...args]);
    if (code !== 0) throw new Error(stderr);
    const findings = await build({ registry, out: path.join(home, version), origin: ORIGIN });
    if (findings.length > 0) throw new Error(JSON.stringify(findings));
  };
  mkdirSync(registry);
  const head = { name: "Three", registryVersion: FIRST, languages: ["en", "de"], license: "CC0-1.0" };
  writeFileSync(path.join(registry, "registry.yaml"), JSON.stringify(head));
  write("A-1", "Alpha", [
    ["en", "alpha"],
    ["de", "alfa"],
  ]);
  write("B-1", "Beta", [["en", "beta"]]);
  write("C-1", "Gamma", [
    ["en", "gamma"],
    ["en", "shared"],
  ]);
  write("D-1", "Delta", [
    ["en", "delta"],
    ["en", "shared"],
  ]);
  write("E-1", "Epsilon", [["en", "epsilon"]]);
  await release(FIRST);
  write("A-1", "Alpha", [["en", "alpha"]]);
  write("B-1", "Beta", [
    ["en", "beta"],
    ["de", "alfa"],
  ]);
  write("F-1", "Epsilon, new", [["en", "epsilon"]]);
  retire([["E-1", SECOND, "F-1"]]);
  await release(SECOND);
  write("C-1", "Gamma ray", [
    ["en", "gamma"],
    ["en", "shared"],
  ]);
  write("D-1", "Delta", [["en", "shared"]]);
  write("G-1", "Epsilon, newest", [["en", "epsilon"]]);
  retire([
    ["E-1", SECOND, "F-1"],
    ["F-1", THIRD, "G-1"],
  ]);
  await release(THIRD);
  return { registry, dist: (version) => path.join(home, version) };
}
