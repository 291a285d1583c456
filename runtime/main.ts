/**
 * Starts the service if Node is new enough; otherwise prints one line that names the version it
 * needs. All other modules are imported after this check, because an older Node fails while it
 * links them, before any code runs.
 */
import { ignoreInspectorSignal } from "./node/no-inspector.ts";
import { missingNode } from "./text/node-version.ts";

ignoreInspectorSignal();
const missing = missingNode(process.versions.node);
if (missing === undefined) void import("./serve.ts").then(({ start }) => start());
else {
  process.stderr.write(`${missing}\n`);
  process.exitCode = 2;
}
