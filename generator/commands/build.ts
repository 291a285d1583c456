/** `build`: registry and content to dist, or findings and an untouched dist. */
import { countOf } from "../effects/print.ts";
import { build, type Built } from "../build.ts";
import { EJECTED_FILE, type OutdatedCopies, outdatedCopies } from "../content/ejected.ts";
import { unreadFolders } from "../content/read.ts";
import { BASE_CONTENT } from "../effects/closure.ts";
import type { Loaded } from "../registry/load.ts";
import type { Finding } from "../text/finding.ts";
import { releaseDay } from "../registry/checked.ts";
import { checkDraft, DRAFT, REASSIGNED } from "../promise/promise.ts";
import { printable } from "../text/printable.ts";
import { defineCommand, type Outside } from "./command.ts";
import { invocation } from "../effects/invocation.ts";
import { folderArgument } from "../text/shell.ts";
import { BUILD, type BuildOptions, requireApart, requireDirectory } from "./options.ts";
import { printFindings, reportErrors } from "./registry.ts";

export const command = defineCommand({
  usage: "[options]",
  does: "Turns registry and content into dist; if a finding is an error, dist stays unchanged.",
  options: BUILD,
  run: (outside, options) => runBuild(outside, options),
});

/** Returns the exit code. */
export async function runBuild(outside: Outside, options: BuildOptions): Promise<number> {
  return (await buildAndReport(outside, options)) === undefined ? 1 : 0;
}

/**
 * `promise` checks the registry against its records. Undefined if nothing was built; the console
 * says why.
 */
export async function buildAndReport(
  { effects, console }: Outside,
  options: BuildOptions,
  promise: typeof checkDraft = checkDraft,
): Promise<Built | undefined> {
  requireDirectory(effects, "registry", options.registry);
  requireDirectory(effects, "content", options.content);
  requireApart(effects, ["out", options.out], [options.registry, options.content]);
  const outdated = outdatedCopies(effects, options.content);
  let important: readonly Finding[] = [];
  const check = (loaded: Loaded): readonly Finding[] => {
    console.progress("Comparing with the records");
    const findings = promise(options.registry, loaded);
    important = findings.filter(({ rule }) => rule === REASSIGNED || rule === DRAFT);
    return findings;
  };
  const outcome = await build(effects, { ...options, check }, console.progress);
  if (outcome.status === "findings") {
    for (const { directory, findings } of outcome.faulty) reportErrors(console, directory, findings);
    return undefined;
  }
  if (outcome.status === "unprintable") {
    console.error(printable(`${outcome.message}; nothing was written`));
    return undefined;
  }
  const { registry, facts, expires, untranslated } = outcome;
  // Ambiguous expressions are only counted: the notices of a large registry would be very many.
  const notices = outcome.notices.length + facts.ambiguous.length;
  printFindings(console, options.registry, important);
  console.print(
    `Built ${options.out}: ${countOf(facts.concepts, "concept")}, ${countOf(facts.exactExpressions, "reviewed exact expression")}, ` +
      `registry ${registry.registryVersion}, origin ${options.origin}` +
      (notices === 0
        ? ""
        : `; ${countOf(notices, "notice")} (${invocation("lint", folderArgument("registry", options.registry))})`),
  );
  // Of this registry's own day: a build reads no clock.
  if (expires < (releaseDay(registry, facts) ?? ""))
    console.error(`Notice: security.txt expired on ${expires}, before the registry's own day: renew it in site.yaml`);
  for (const { language, missing, texts } of untranslated)
    console.error(
      `Notice: interface/${language}.yaml lacks ${missing} of ${Object.keys(texts).length} texts; they are in English`,
    );
  for (const [folder, why] of unreadFolders(effects, options.content))
    console.error(`Notice: ${folder}/ is not read, because ${why}`);
  reportCopies(console, options.content, outdated);
  return outcome;
}

function reportCopies(console: Outside["console"], content: string, { changed, gone }: OutdatedCopies): void {
  const keep = invocation("eject", `FILE --keep ${folderArgument("content", content)}`);
  if (changed.length > 0)
    console.error(`Notice: the package has changed ${since(changed)}. Compare with ${BASE_CONTENT}, then run ${keep}`);
  if (gone.length > 0)
    console.error(
      `Notice: the package has removed or renamed ${since(gone)}. Compare with ${BASE_CONTENT}, then rename or remove yours, ` +
        `or remove its line from ${EJECTED_FILE} to keep it as a file of your own`,
    );
}

function since(files: readonly string[]): string {
  return `since you copied ${files.length === 1 ? "it" : "them"}: ${files.join(", ")}`;
}
