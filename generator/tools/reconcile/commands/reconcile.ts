/**
 * `reconcile`: serves the W3C Reconciliation API from a built release, for OpenRefine and other
 * clients on this machine.
 */
import { quoteOrigin } from "../../../../runtime/http/origin.ts";
import { reportError, stopSignal } from "../../../../runtime/operations/system.ts";
import { listen } from "../listen.ts";
import { addressOf, reconcileRoute } from "../route.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand } from "../../../commands/command.ts";
import { BUILT, portOption, refuseTakenPort, text } from "../../../commands/options.ts";
import { openBuilt } from "../../../commands/with-release.ts";

export const command = defineCommand({
  usage: "[--out DIR] [--port PORT] [--base URL]",
  does:
    "Serves the Reconciliation API, versions 0.2 and 1.0-draft, on the loopback address until it is stopped. It answers from " +
    "a built release by the resolver of the service: a candidate matches only if the expression resolves.",
  options: {
    out: BUILT,
    port: portOption(8081),
    base: text("URL", "the address that clients use, if a web server forwards requests (http://127.0.0.1:PORT)"),
  },
  async run({ console }, { out, port, base }) {
    if (base !== undefined && !isAddress(base))
      throw new UsageError(`--base ${quoteOrigin(base)} is not an address such as https://example.org/reconcile`);
    const stopped = stopSignal();
    const release = openBuilt(out);
    try {
      const address = (of: number): string => addressOf(base ?? `http://127.0.0.1:${of}`);
      const service = await listen((of) => reconcileRoute(release, address(of)), { port, onError: reportError });
      const { name, registryVersion } = release.manifest.registry;
      console.print(`Reconciling with ${name} ${registryVersion} on http://127.0.0.1:${service.port}`);
      console.print(`Add to OpenRefine: ${address(service.port)}/0.2`);
      await stopped;
      await service.close();
      return 0;
    } catch (error) {
      return refuseTakenPort(error, port, console);
    } finally {
      release.close();
    }
  },
});

/**
 * Whether `base` is an absolute address without parts that the addresses below it would lose, such
 * as a query: the URL parser accepts even an empty one.
 */
function isAddress(base: string): boolean {
  return /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i.test(base) && URL.canParse(base);
}
