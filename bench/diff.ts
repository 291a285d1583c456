/** Time and memory of `npm run diff` over large registries: few changed concepts, then all. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { CheckedRegistry } from "../generator/registry/checked.ts";
import type { Concept } from "../generator/registry/concept.ts";
import { buildInto, registryOf } from "./build.ts";
import { measureCommand } from "./processes.ts";

const CONCEPTS = 100_000;
/** Exit codes of `diff`: releases differ, an expression resolves to another code. */
const DIFFERENT = [1, 3];

/**
 * A registry with three expressions per concept; `renamed` concepts have a different second one.
 */
function registry(registryVersion: string, renamed: (i: number) => boolean): CheckedRegistry {
  const concepts = Array.from({ length: CONCEPTS }, (_, i): Concept => {
    const code = `D-${String(i).padStart(6, "0")}`;
    const expressions = ["en", "de", "fr"].map((language, n) => ({
      language, locale: null, expression: `${renamed(i) && n === 1 ? "another" : "name"} ${i} of ${language}`, type: "alternate", equivalenceStrength: 1, reviewStatus: "reviewed", provenance: null,
    })); // prettier-ignore
    const definition = `A definition of some length for concept ${i}, said in the words that such definitions use.`;
    return { code, name: `Concept ${i}`, definition, domain: "bench", provenance: null, expressions, renderings: [] };
  });
  return registryOf("Diff", registryVersion, concepts);
}

function measure(before: string, after: string): string[] {
  const { stdout, seconds, memoryMb } = measureCommand(["diff", before, after, "--json"], [], DIFFERENT);
  const { resolutions, concepts } = JSON.parse(stdout) as Record<"resolutions" | "concepts", unknown[]>;
  return [resolutions.length, concepts.length, seconds.toFixed(1), memoryMb.toFixed(0)].map(String);
}

export async function measureDiff(): Promise<string[][]> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-diff-"));
  const build = async (name: string, changed: CheckedRegistry, origin: string): Promise<string> => {
    await buildInto(path.join(folder, name), changed, origin);
    return path.join(folder, name);
  };
  try {
    const before = await build(
      "before",
      registry("2026.11.1", () => false),
      "https://a.example",
    );
    const little = await build(
      "little",
      registry("2026.11.2", (i) => i % 1000 === 0),
      "https://a.example",
    );
    const all = await build(
      "all",
      registry("2026.11.2", () => true),
      "https://registry.example.org",
    );
    return [
      ["diff over 100,000 concepts", "answers changed", "concepts changed", "s", "memory at most, MB"],
      ["one concept of a thousand, another version", ...measure(before, little)],
      ["every concept, another version and origin", ...measure(before, all)],
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
