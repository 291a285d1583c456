/**
 * `dev`: shows a preview in a browser that follows every change of the registry and content. It
 * writes only temporary files.
 */
import { preview } from "../preview.ts";
import { defineCommand } from "../../../commands/command.ts";
import { CONTENT, portOption, refuseTakenPort, REGISTRY, requireDirectory } from "../../../commands/options.ts";

export const command = defineCommand({
  usage: "[options]",
  does: "Shows a preview that follows every change of registry and content, until it is stopped. dist stays unchanged.",
  options: { registry: REGISTRY, content: CONTENT, port: portOption(8080) },
  run: async ({ effects, console }, options) => {
    requireDirectory(effects, "registry", options.registry);
    requireDirectory(effects, "content", options.content);
    try {
      await preview(effects, console, options);
      return 0;
    } catch (error) {
      return refuseTakenPort(error, options.port, console);
    }
  },
});
