/** `init`: writes a repository for a vocabulary, new or into an existing one. */
import { countOf } from "../../../effects/print.ts";
import path from "node:path";
import { encoded } from "../../../text/chunks.ts";
import { writeTogether } from "../../../effects/together.ts";
import { checkLabel } from "../../../registry/check-concept.ts";
import { REGISTRY_FILE } from "../../../registry/read.ts";
import { dependencyFrom } from "../begin/dependency.ts";
import { isBlocked, planScaffold } from "../begin/scaffold.ts";
import { shellPath } from "../../../text/shell.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand } from "../../../commands/command.ts";
import { flag, text } from "../../../commands/options.ts";

export const command = defineCommand({
  usage: "[DIR] [--name TEXT] [--yes]",
  does:
    "Writes what a vocabulary needs into DIR, a new folder or a repository: package.json, service.yaml, a registry with " +
    "an example, content/site.yaml, a workflow. Nothing is overwritten.",
  options: {
    name: text("TEXT", "what people call the vocabulary (the name of the folder)"),
    package: text("SPEC", "what package.json names as the version of this tool (where it was itself installed from)"),
    yes: flag("do not ask"),
  },
  takesArguments: true,
  async run({ effects, console }, { name, package: tool, yes }, [directory = ".", ...others]) {
    if (others.length > 0) throw new UsageError("Name one folder");
    if (directory === "") throw new UsageError("Name a folder, or leave it out for this one");
    if (isBlocked(effects, path.join(directory, "package.json")))
      throw new UsageError(`${directory} is not a directory, and cannot be one`);
    if (effects.kind(path.join(directory, REGISTRY_FILE)) !== "none")
      throw new UsageError(`${directory} is a registry, which has no other files: name the folder around it`);
    const title = name ?? titleOf(path.basename(effects.realPath(directory)));
    const [fault] = checkLabel(title, "name");
    if (fault !== undefined) throw new UsageError(`--name: ${fault.text}`);
    const dependency = tool ?? dependencyFrom(effects, directory);
    if (dependency === undefined)
      throw new UsageError("It is not known where this program was installed from: --package file:PATH names its file");
    const { files, kept } = planScaffold(effects, { directory, name: title, tool: dependency });
    if (!yes) {
      if (console.ask === undefined)
        throw new UsageError("There is no terminal to ask on: --yes writes without a question");
      console.print(`${directory}: ${[...files.keys()].join(", ")}`);
      if (!/^y/i.test(await console.ask(`Write these ${files.size} files? (y/n) `))) return 1;
    }
    writeTogether(effects, new Map([...files].map(([file, body]) => [path.join(directory, file), encoded(body)])));
    console.print(
      `Wrote ${countOf(files.size, "file")} into ${directory}${kept.length > 0 ? `; kept ${kept.join(", ")}` : ""}`,
    );
    const enter = path.relative(".", directory) === "" ? [] : [`  cd ${shellPath(directory)}`];
    for (const line of ["Next:", ...enter, "  npm install", "  npx srs start"]) console.print(line);
    return 0;
  },
});

/** `My vocabulary` for `my-vocabulary`. */
function titleOf(folder: string): string {
  const words = folder.replaceAll(/[-_\s]+/g, " ").trim();
  return words === "" ? "Vocabulary" : words.charAt(0).toUpperCase() + words.slice(1);
}
