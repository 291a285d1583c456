/**
 * How people run a command, for usage lines and hints: with npm in a clone, with the program's name
 * in an installed package.
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

/** The line that runs a command with these arguments. */
export function invocation(name: string, args = ""): string {
  if (isInstalled) return ["srs", name, args].filter((word) => word !== "").join(" ");
  const script = `npm ${SCRIPTS[name] ?? `run ${name}`}`;
  return args === "" ? script : `${script} -- ${args}`;
}
