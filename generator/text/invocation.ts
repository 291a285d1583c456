/** How people call a command, for usage lines and hints. Today that is through npm; nothing else here knows it. */

/** The commands whose script has another name. */
const SCRIPTS: Readonly<Record<string, string>> = {
  start: "start",
  lint: "run lint:registry",
  "release-registry": "run release:registry",
};

/** The line that runs a command with these arguments. */
export function invocation(name: string, args = ""): string {
  const script = `npm ${SCRIPTS[name] ?? `run ${name}`}`;
  return args === "" ? script : `${script} -- ${args}`;
}
