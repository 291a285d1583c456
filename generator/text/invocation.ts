/** How people call a command, for usage lines and hints: by npm in a clone, by the name of the program in an installed package. */

/** The commands whose script has another name. */
const SCRIPTS: Readonly<Record<string, string>> = {
  start: "start",
  lint: "run lint:registry",
  "release-registry": "run release:registry",
  // What npm would print is no message of the protocol.
  mcp: "run --silent mcp",
};

/** A package manager installs a package below a folder of this name. */
const isInstalled = /[\\/]node_modules[\\/]/.test(import.meta.dirname);

/** The line that runs a command with these arguments. */
export function invocation(name: string, args = ""): string {
  if (isInstalled) return ["srs", name, args].filter((word) => word !== "").join(" ");
  const script = `npm ${SCRIPTS[name] ?? `run ${name}`}`;
  return args === "" ? script : `${script} -- ${args}`;
}
