/**
 * `lint`: prints every finding, including notices and differences from the records, and a summary
 * with the content digest.
 */
import { countOf } from "../effects/print.ts";
import { checkAmbiguity } from "../registry/ambiguity.ts";
import { loadRegistry, withFindings } from "../registry/load.ts";
import { readVocabularies } from "../registry/vocabulary-file.ts";
import { isError } from "../text/finding.ts";
import { shown } from "../registry/checked.ts";
import { checkPromise } from "../promise/promise.ts";
import { printable } from "../text/printable.ts";
import { defineCommand } from "./command.ts";
import { REGISTRY, requireDirectory } from "./options.ts";
import { printFindings } from "./registry.ts";

export const command = defineCommand({
  usage: "[--registry DIR]",
  does:
    "Lists every finding of the registry, notices included, and what would resolve differently than in the last recorded " +
    "version. Exit code 1 if a finding is an error.",
  options: { registry: REGISTRY },
  run({ effects, console }, { registry: directory }) {
    requireDirectory(effects, "registry", directory);
    const loaded = loadRegistry(effects, directory, console.progress);
    const { registry, findings } = withFindings(loaded, [
      ...checkAmbiguity(loaded),
      ...checkPromise(directory, loaded),
      ...readVocabularies(effects, directory).findings,
    ]);
    printFindings(console, directory, findings);
    const errors = findings.filter(isError).length;
    console.print(`${countOf(errors, "error")}, ${countOf(findings.length - errors, "notice")}`);
    if (registry === undefined) return 1;
    const { name, registryVersion, concepts, contentSha256 } = shown(registry);
    console.print(
      `${printable(name)} ${registryVersion}: ${countOf(concepts.length, "concept")}, content SHA-256 ${contentSha256}`,
    );
    return 0;
  },
});
