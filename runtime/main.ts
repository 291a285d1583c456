/**
 * Starts the service where Node is new enough, and otherwise says in one line which is. Everything else is imported behind
 * that question, because an older Node fails while it links the modules, before any of them runs.
 */
import { missingNode } from "./text/node-version.ts";

const missing = missingNode(process.versions.node);
if (missing === undefined) void import("./serve.ts").then(({ start }) => start());
else {
  process.stderr.write(`${missing}\n`);
  process.exitCode = 2;
}
