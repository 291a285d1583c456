/** `build`: registry and content to dist, or findings and an untouched dist. */
import { build } from "../build.ts";
import { defineCommand, type Outside } from "./command.ts";
import { invocation } from "../text/invocation.ts";
import { BUILD, type BuildOptions, requireDirectory } from "./options.ts";
import { reportErrors } from "./report.ts";

export const command = defineCommand({
  usage: "[options]",
  does: "Turns registry and content into dist; on findings, dist stays as it was.",
  options: BUILD,
  run: runBuild,
});

/** Returns the exit code. */
export async function runBuild({ effects, console }: Outside, options: BuildOptions): Promise<number> {
  requireDirectory(effects, "registry", options.registry);
  requireDirectory(effects, "content", options.content);
  const outcome = await build(effects, options, (text) => console.progress(text));
  if (outcome.status === "findings") {
    for (const { directory, findings } of outcome.faulty) reportErrors(console, directory, findings);
    return 1;
  }
  if (outcome.status === "unprintable") {
    console.error(`${outcome.message}; nothing was written`);
    return 1;
  }
  const { registry, notices } = outcome;
  const expressions = registry.concepts.reduce((sum, concept) => sum + concept.expressions.length, 0);
  console.print(
    `Built ${options.out}: ${registry.concepts.length} concepts, ${expressions} reviewed expressions, ` +
      `registry ${registry.registryVersion}, origin ${options.origin}` +
      (notices === 0 ? "" : `; ${notices} notices (${invocation("lint")})`),
  );
  return 0;
}
