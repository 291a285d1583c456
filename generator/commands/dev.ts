/** `dev`: a preview in a browser that follows every change of the registry and content. It writes nothing that stays. */
import { preview } from "../dev/preview.ts";
import { UsageError } from "../text/usage-error.ts";
import { defineCommand } from "./command.ts";
import { CONTENT, type Option, REGISTRY, requireDirectory } from "./options.ts";

const PORT: Option<number> = {
  value: "PORT",
  help: "the port on the loopback address (PORT, else 8080)",
  read: (given, { flag, env }) => {
    const written = given.at(-1) ?? (env["PORT"] || "8080");
    const source = given.length > 0 ? flag : "PORT";
    if (/^\d{1,5}$/.test(written) && Number(written) <= 65_535) return Number(written);
    throw new UsageError(`${source} ${JSON.stringify(written)} is not a port number`);
  },
};

export const command = defineCommand({
  usage: "[options]",
  does: "Shows a preview that follows every change of registry and content, until it is stopped. dist stays as it was.",
  options: { registry: REGISTRY, content: CONTENT, port: PORT },
  run: async ({ effects, console }, options) => {
    requireDirectory(effects, "registry", options.registry);
    requireDirectory(effects, "content", options.content);
    try {
      await preview(effects, console, options);
      return 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      console.error(`Port ${options.port} is in use: name another one by --port`);
      return 1;
    }
  },
});
