/** A registry of a given size from real CLDR names (territories, languages, scripts, emoji). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { CheckedRegistry } from "../generator/registry/checked.ts";
import type { Concept } from "../generator/registry/concept.ts";
import { compareCodePoints } from "../generator/text/order.ts";
import { registryOf } from "./build.ts";

const cache = path.join(import.meta.dirname, ".cache");
const PACKAGES = [
  "cldr-localenames-full@48.2.0",
  "cldr-annotations-full@48.2.0",
  "cldr-annotations-derived-full@48.2.0",
];

function install(): string {
  const modules = path.join(cache, "node_modules");
  if (!existsSync(path.join(modules, "cldr-annotations-derived-full"))) {
    mkdirSync(cache, { recursive: true });
    process.stderr.write("Installing CLDR data into bench/.cache\n");
    execFileSync("npm", ["install", "--prefix", cache, "--no-save", "--no-package-lock", ...PACKAGES], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return modules;
}

type Json = { readonly [key: string]: Json | string | readonly string[] };

function* names(modules: string): Generator<[concept: string, locale: string, name: string]> {
  const localenames = path.join(modules, "cldr-localenames-full/main");
  for (const locale of readdirSync(localenames).sort(compareCodePoints)) {
    for (const kind of ["territories", "languages", "scripts"]) {
      const file = path.join(localenames, locale, `${kind}.json`);
      if (!existsSync(file)) continue;
      const { main } = JSON.parse(readFileSync(file, "utf8")) as {
        main: Record<string, { localeDisplayNames: Record<string, Json> }>;
      };
      for (const [code, name] of Object.entries(main[locale]?.localeDisplayNames[kind] ?? {})) {
        if (typeof name === "string" && !code.includes("-alt-")) yield [`${kind} ${code}`, locale, name];
      }
    }
  }
  for (const [folder, key] of [
    ["cldr-annotations-full/annotations", "annotations"],
    ["cldr-annotations-derived-full/annotationsDerived", "annotationsDerived"],
  ] as const) {
    const directory = path.join(modules, folder);
    for (const locale of readdirSync(directory).sort(compareCodePoints)) {
      const file = path.join(directory, locale, "annotations.json");
      if (!existsSync(file)) continue;
      const data = JSON.parse(readFileSync(file, "utf8")) as Record<
        string,
        { annotations: Record<string, { tts?: string[]; default?: string[] }> }
      >;
      for (const [emoji, { tts = [], default: words = [] }] of Object.entries(data[key]?.annotations ?? {})) {
        for (const name of [...tts, ...words]) yield [`emoji ${emoji}`, locale, name];
      }
    }
  }
}

/** About `size` distinct (concept, locale, expression) triples, taken concept by concept. */
export function cldrRegistry(size: number): CheckedRegistry {
  const byConcept = new Map<string, Map<string, Concept["expressions"][number]>>();
  for (const [concept, locale, name] of names(install())) {
    const expression = name.normalize("NFC");
    const entries = byConcept.get(concept) ?? new Map<string, Concept["expressions"][number]>();
    byConcept.set(concept, entries);
    entries.set(`${locale} ${expression}`, {
      language: locale, locale: null, expression, type: "alternate", equivalenceStrength: 1, reviewStatus: "reviewed", provenance: null,
    }); // prettier-ignore
  }
  const concepts: Concept[] = [];
  let count = 0;
  for (const [key, entries] of byConcept) {
    if (count >= size) break;
    const expressions = [...entries.values()].slice(0, size - count);
    count += expressions.length;
    const number = String(concepts.length).padStart(6, "0");
    concepts.push({
      code: `B-${number}`,
      name: key,
      definition: `The concept ${key}.`,
      domain: "cldr",
      provenance: null,
      expressions,
      renderings: [],
    });
  }
  return registryOf("CLDR", "2026.11.1", concepts);
}
