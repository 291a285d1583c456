#!/usr/bin/env node
/**
 * Starts the command line where Node is new enough and, in a clone, where lib/ was made from the sources as they are; otherwise
 * says in one line what to do. Everything else is imported behind that, because an older Node fails while it links the modules.
 */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { missingNode } from "../runtime/text/node-version.ts";

/** Only a clone has it: a package and a rebuild hold lib/ alone. */
const compiler = new URL("../../generator/compile.js", import.meta.url);

/**
 * npm runs a script in the folder of its package: goes where the user is instead, so that paths mean what the user means.
 * Returns the folder of the defaults: that of the package where the user is inside it, otherwise where the user is.
 */
function enterUsersFolder({ INIT_CWD: standing, npm_package_json: manifest }: NodeJS.ProcessEnv): string {
  const folder = process.cwd();
  if (!standing || !manifest || !existsSync(standing) || !existsSync(manifest)) return ".";
  // Otherwise it is npm's no longer: what npm started has started us somewhere else.
  if (realpathSync(path.dirname(manifest)) !== folder) return ".";
  const isInside = path.relative(folder, standing).split(path.sep)[0] !== "..";
  // A package of a workspace is named from outside (npm -w): its settings are meant where there are no others.
  const isNamed = existsSync(path.join(folder, "service.yaml"));
  process.chdir(standing);
  return isInside || isNamed ? path.relative(standing, folder) || "." : ".";
}

async function main(): Promise<string | undefined> {
  const missing = missingNode(process.versions.node);
  if (missing !== undefined) return missing;
  if (existsSync(compiler)) {
    const { isCurrent } = (await import(compiler.href)) as { isCurrent: () => boolean };
    if (!isCurrent()) return "lib/ was made from other sources: make it again by npm run prepare";
  }
  const home = enterUsersFolder(process.env);
  const { fileSystem: effects } = await import("./effects/file-system.ts");
  const { endWithOutput, terminal: console } = await import("./effects/terminal.ts");
  const { runAndReport } = await import("./commands/program.ts");
  const args = process.argv.slice(2);
  // That of diff says with 1 that there is a comparison.
  endWithOutput(args[0] === "diff" ? 2 : 1);
  process.exitCode = await runAndReport({ effects, console, env: process.env, home }, args);
  return undefined;
}

async function start(): Promise<void> {
  const refusal = await main();
  if (refusal === undefined) return;
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 2;
}

void start();
