/**
 * How people run a command, for usage lines and hints: with npm in a clone, with npx where the
 * package is installed, because a shell does not find the programs of `node_modules/.bin`.
 */

/** The commands whose npm script has another name. */
const SCRIPTS: Readonly<Record<string, string>> = {
  start: "start",
  lint: "run lint:registry",
  "release-registry": "run release:registry",
  // Output of npm itself would not be messages of the protocol.
  mcp: "run --silent mcp",
};

/** Package managers install packages below a folder with this name. */
const isInstalled = /[\\/]node_modules[\\/]/.test(import.meta.dirname);
/** A package that npx fetched for one command: `npx srs` would fetch another one of that name. */
const isFetched = /[\\/]_npx[\\/]/.test(import.meta.dirname);
const PROGRAM = isFetched ? "npx semantic-resolution-service" : "npx srs";

/** The line that runs a command with these arguments. */
export function invocation(name: string, args = ""): string {
  if (isInstalled) return [PROGRAM, name, args].filter((word) => word !== "").join(" ");
  const script = `npm ${SCRIPTS[name] ?? `run ${name}`}`;
  return args === "" ? script : `${script} -- ${args}`;
}
