#!/usr/bin/env node
/**
 * Starts the command line if Node is new enough and, in a clone, if lib/ was made from the current
 * sources; otherwise prints one line that says what to do. All other modules are imported after
 * these checks, because an older Node fails while it links them.
 */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ignoreInspectorSignal } from "../runtime/node/no-inspector.ts";
import { missingNode } from "../runtime/text/node-version.ts";

/** Exists only in a clone: a package and a rebuild contain only lib/. */
const compiler = new URL("../../generator/compile.js", import.meta.url);

/** Another project may depend on the clone, whose scripts are not those of the folder there. */
function compileCommand(): string {
  const clone = path.relative("", path.dirname(path.dirname(fileURLToPath(compiler))));
  return clone === "" ? "npm run compile" : `npm --prefix ${clone} run compile`;
}

/**
 * npm runs a script in the folder of its package. This changes to the user's folder, so that
 * relative paths mean what the user expects. Returns the folder of the default settings: the
 * package's if the user is inside it or if it has a service.yaml, otherwise the user's.
 */
function enterUsersFolder({ INIT_CWD: standing, npm_package_json: manifest }: NodeJS.ProcessEnv): string {
  const folder = process.cwd();
  if (!standing || !manifest || !existsSync(standing) || !existsSync(manifest)) return ".";
  // The variables are inherited: a program that npm started has started this one in another folder.
  if (realpathSync(path.dirname(manifest)) !== folder) return ".";
  const isInside = path.relative(folder, standing).split(path.sep)[0] !== "..";
  // With `npm -w` the user is outside the package; its service.yaml, if it has one, is meant.
  const isNamed = existsSync(path.join(folder, "service.yaml"));
  process.chdir(standing);
  return isInside || isNamed ? path.relative(standing, folder) || "." : ".";
}

async function main(): Promise<string | undefined> {
  ignoreInspectorSignal();
  const missing = missingNode(process.versions.node);
  if (missing !== undefined) return missing;
  if (existsSync(compiler)) {
    const { isCurrent } = (await import(compiler.href)) as { isCurrent: () => boolean };
    if (!isCurrent()) return `lib/ was made from other sources: run ${compileCommand()}`;
  }
  const home = enterUsersFolder(process.env);
  const { fileSystem: effects } = await import("./effects/file-system.ts");
  const { endWithOutput, terminal: console } = await import("./effects/terminal.ts");
  const { runAndReport } = await import("./program.ts");
  const args = process.argv.slice(2);
  // Exit code 1 of diff means that the releases differ, so failed output gets 2.
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
