/**
 * `mcp`: serves the service's tool, documents and prompts to a host on this machine, over standard
 * input and output.
 */
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand } from "../../../commands/command.ts";
import { askOrigin, askRelease, AskError } from "./mcp-ask.ts";
import { serveStdio } from "./mcp-stdio.ts";
import { BUILT, text, withGiven } from "../../../commands/options.ts";
import { readOrigin } from "../../../commands/service-file.ts";
import { withRelease } from "../../../commands/with-release.ts";

/** Exit code 0 if the host ended it; 1 if the service of --origin does not answer at the start. */
export const command = defineCommand({
  usage: "[--out DIR | --origin URL]",
  does:
    "Serves the Model Context Protocol over standard input and output, for hosts that start their servers: the same as POST " +
    "/mcp, also in the revisions that start with initialize. Answers from a built release, without a network, or with " +
    "--origin asks a running service.",
  options: { out: withGiven(BUILT), origin: text("URL", "a running service to ask instead of a release") },
  async run({ effects, console }, { out, origin }) {
    const pipes = { input: effects.input(), refuse: (error: string): void => console.print(error, "data") };
    if (origin !== undefined) {
      if (out.isGiven) throw new UsageError("Use only one of --out and --origin");
      try {
        return await serveStdio(askOrigin(readOrigin("--origin", origin)), pipes);
      } catch (error) {
        if (!(error instanceof AskError)) throw error;
        console.error(error.message);
        return 1;
      }
    }
    return withRelease(out.value, (release) => serveStdio(askRelease(release), pipes));
  },
});
