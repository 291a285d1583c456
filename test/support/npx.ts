/**
 * Programs of npm packages that are not ours, run by npx as anybody would run them. Where one
 * cannot be had, what it judges is skipped with a warning; one that is there and does not run is a
 * failure.
 */
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Outcome {
  /** The exit code, or what kept it from ending with one. */
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ExecuteOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** In milliseconds, less than the test's own. */
  readonly timeout?: number;
}

/** Runs a command that may run npx, in this Node and without long waits for the npm registry. */
export function execute(
  command: string,
  args: readonly string[],
  { cwd, env = {}, timeout = 500_000 }: ExecuteOptions,
): Promise<Outcome> {
  const options = {
    cwd,
    env: {
      ...process.env,
      // Some of the programs need Node 22.
      PATH: [path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter),
      npm_config_fetch_retries: "0",
      ...env,
    },
    timeout,
    maxBuffer: 1 << 28,
  };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? null), stdout, stderr }),
    );
    // Nobody is there to answer a question.
    child.stdin?.end();
  });
}

/** The PATH of packages by npx, asked once: npx takes half a second each time. */
const asked = new Map<string, Promise<Outcome>>();

/**
 * Runs a program of `pack`, one or several packages with versions; `line` is name and arguments.
 */
export async function npx(
  pack: string | readonly string[],
  [program = "", ...args]: readonly string[],
  options: ExecuteOptions,
): Promise<Outcome> {
  const packs = [pack].flat();
  const line = ["-y", ...packs.flatMap((one) => ["-p", one]), "sh", "-c", 'printf %s "$PATH"'];
  const found = asked.get(packs.join()) ?? execute("npx", line, { cwd: tmpdir(), timeout: 170_000 });
  asked.set(packs.join(), found);
  const { code, stdout } = await found;
  return code === 0 ? execute(program, args, { ...options, env: { ...options.env, PATH: stdout } }) : found;
}

/**
 * Why `pack` cannot be run here, which it warns of; undefined where `probe`, a first run of it,
 * went well. `download` says how often it needs the registry, and for how much.
 */
export function reasonToSkip(pack: string, probe: Outcome, download = "once"): string | undefined {
  if (probe.code === 0) return undefined;
  const npmError = /^npm (?:error|ERR!) .*$/m.exec(probe.stderr)?.[0];
  // It is there, and does not run: nothing to skip.
  if (npmError === undefined && typeof probe.code === "number") throw new Error(probe.stderr);
  const reason = npmError ?? `it ended with ${probe.code}`;
  console.warn(
    `Skipped, npx cannot run ${pack} (${reason}). It needs the npm registry, ${download}; then npm's cache has it.`,
  );
  return reason;
}

/** Installs packages below `folder`; false, with a warning, where they cannot be had. */
export async function install(packages: readonly string[], folder: string): Promise<boolean> {
  // Where its cache has them, npm needs no network.
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  const args = ["install", ...options, "--prefix", folder, ...packages];
  const { code, stderr } = await execute("npm", args, { cwd: folder, timeout: 170_000 });
  if (code === 0) return true;
  const reason = /^npm (?:error|ERR!) .*$/m.exec(stderr)?.[0] ?? `npm ended with ${code}`;
  console.warn(`Skipped, ${packages.join(", ")} cannot be had (${reason}). They need the npm registry, once.`);
  return false;
}
