/** `lint`: every finding, notices included, and a summary with the content digest. */
import { loadRegistry } from "../registry/load.ts";
import { defineCommand } from "./command.ts";
import { REGISTRY, requireDirectory } from "./options.ts";
import { printFindings } from "./report.ts";

export const command = defineCommand({
  usage: "[--registry DIR]",
  does: "Lists every finding of the registry, notices included. Exit code 1 when a finding is an error.",
  options: { registry: REGISTRY },
  run({ effects, console }, { registry: directory }) {
    requireDirectory(effects, "registry", directory);
    const { registry, findings } = loadRegistry(effects, directory, (text) => console.progress(text));
    printFindings(console, directory, findings);
    const errors = findings.filter(({ severity }) => severity === "error").length;
    console.print(`${errors} errors, ${findings.length - errors} notices`);
    if (registry === undefined) return 1;
    const { name, registryVersion, concepts, contentSha256 } = registry;
    console.print(`${name} ${registryVersion}: ${concepts.length} concepts, content SHA-256 ${contentSha256}`);
    return 0;
  },
});
