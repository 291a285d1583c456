/**
 * How the reader of a hint runs a command: with npm in a clone, with npx where a repository has the
 * package, because a shell does not find the programs of `node_modules/.bin`. A hint names the
 * folders that were given, so that it is about the same registry.
 */
import path from "node:path";
import { scriptOf } from "../text/commands.ts";
import { PACKAGE } from "../text/package.ts";
import { shellPath } from "../text/shell.ts";
import { PROJECT } from "./closure.ts";

/** Package managers install packages below a folder with this name. */
const isInstalled = /[\\/]node_modules[\\/]/.test(PROJECT);
/** A repository may have a link to the clone, whose own place says nothing of that. */
const LINKED = new RegExp(String.raw`[\\/]node_modules[\\/](?:\.bin[\\/](?:srs|${PACKAGE})$|${PACKAGE}[\\/])`);
/** A package that npx fetched for one command: `npx srs` would fetch another one of that name. */
const isFetched = /[\\/]_npx[\\/]/.test(PROJECT);
const PROGRAM = isFetched ? `npx ${PACKAGE}` : "npx srs";

/** The line that runs a command with these arguments. */
export function invocation(name: string, args = ""): string {
  if (isInstalled || LINKED.test(process.argv[1] ?? "")) return `${PROGRAM} ${name} ${args}`.trimEnd();
  const script = `${npm()} ${scriptLine(name)}`;
  return args === "" ? script : `${script} -- ${args}`;
}

function scriptLine(name: string): string {
  if (name === "start") return name;
  // What npm itself prints is not a message of the protocol.
  return name === "mcp" ? `run --silent ${name}` : `run ${scriptOf(name)}`;
}

/** The line that installs a package where this program finds it. */
export function installation(...packages: readonly string[]): string {
  return isInstalled ? `npm install ${packages.join(" ")}` : `${npm()} install --no-save ${packages.join(" ")}`;
}

/** npm finds the scripts of the clone only from inside it. */
function npm(): string {
  const [first] = path.relative(PROJECT, "").split(path.sep);
  return first === ".." ? `npm --prefix ${shellPath(path.relative("", PROJECT))}` : "npm";
}
