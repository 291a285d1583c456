/** `npm run lint:registry`: every finding, notices included, and a summary with the content digest. */
import type { Console, Effects } from "../effects/effects.ts";
import { type Options, requireDirectory } from "./options.ts";
import { loadRegistry, printFindings } from "./load-registry.ts";

/** Exit code 1 when a finding is an error. */
export function runLint(effects: Effects, console: Console, { registry: directory }: Options): number {
  requireDirectory(effects, "registry", directory);
  const { registry, findings } = loadRegistry(effects, console, directory);
  printFindings(console, directory, findings);
  const errors = findings.filter(({ severity }) => severity === "error").length;
  console.print(`${errors} errors, ${findings.length - errors} notices`);
  if (registry === undefined) return 1;
  const { name, registryVersion, concepts, contentSha256 } = registry;
  console.print(`${name} ${registryVersion}: ${concepts.length} concepts, content SHA-256 ${contentSha256}`);
  return 0;
}
