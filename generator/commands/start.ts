/**
 * `start`: builds dist only when it is missing, damaged, or was made from other inputs, then serves
 * it.
 */
import { SettingError } from "../../runtime/operations/settings.ts";
import { recoverDirectory } from "../effects/output.ts";
import { currentManifest } from "./current.ts";
import { isDraftVersion } from "../contract/version.ts";
import { invocation } from "../effects/invocation.ts";
import { folderArgument } from "../text/shell.ts";
import { UsageError } from "../text/usage-error.ts";
import { runBuild } from "./build.ts";
import { defineCommand, type Outside } from "./command.ts";
import { BUILD, portOption, requireDirectory, type Values } from "./options.ts";

const OPTIONS = { ...BUILD, port: portOption(8080) };
type StartOptions = Values<typeof OPTIONS>;

export const command = defineCommand({
  usage: "[options]",
  does: "Builds dist when it is missing or its inputs changed, then serves it.",
  options: OPTIONS,
  run: async (outside, options) => (await buildIfStale(outside, options)) || (await serveBuilt(outside, options)),
});

async function buildIfStale(outside: Outside, options: StartOptions): Promise<number> {
  const { effects, console } = outside;
  requireDirectory(effects, "registry", options.registry);
  requireDirectory(effects, "content", options.content);
  recoverDirectory(effects, options.out);
  const manifest = await currentManifest(effects, options.out, options);
  if (manifest === undefined) return runBuild(outside, options);
  const { registryVersion } = manifest.registry;
  if (isDraftVersion(registryVersion))
    console.error(
      `${options.out} is a draft, shown as ${registryVersion}: ${invocation("lint", folderArgument("registry", options.registry))} says how to record it`,
    );
  return 0;
}

async function serveBuilt({ env }: Outside, { out, origin, port }: StartOptions): Promise<number> {
  const { serve } = await import("../../runtime/serve.ts");
  try {
    return await serve(out, { origin }, { ...env, PORT: String(port) });
  } catch (error) {
    throw error instanceof SettingError ? new UsageError(error.message) : error;
  }
}
