/** Child processes of a benchmark: a server, a probe that prints one JSON line, a timed command. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import path from "node:path";

const pinned = ((): boolean => {
  try {
    execFileSync("taskset", ["-c", "0", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

interface Settings {
  readonly core?: number | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Starts a script, pinned to a core if one is given and taskset exists. */
function start(script: string, args: readonly string[], { core, env }: Settings): ChildProcess {
  const file = path.join(import.meta.dirname, script);
  const command = pinned && core !== undefined ? ["taskset", "-c", String(core), process.execPath] : [process.execPath];
  return spawn(command[0] ?? "", [...command.slice(1), "--expose-gc", file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT: "0", ...env },
  });
}

export interface Server {
  readonly port: number;
  readonly processId: number;
  /** Resolves once the process has ended. */
  stop(): Promise<void>;
}

/** Starts a server on core 0 or on all cores; resolves once it prints its address. */
export function startServer(
  script: string,
  args: readonly string[],
  { pinned: isPinned = true, env }: { readonly pinned?: boolean; readonly env?: Settings["env"] } = {},
): Promise<Server> {
  const child = start(script, args, { core: isPinned ? 0 : undefined, env });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  return new Promise((resolve, reject) => {
    child.on("exit", () => reject(new Error(`${script} ended early`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      const port = /:(\d+)\n/.exec(chunk.toString())?.[1];
      if (port === undefined) return;
      const stop = (): Promise<void> => {
        child.kill();
        return ended;
      };
      resolve({ port: Number(port), processId: child.pid ?? 0, stop });
    });
  });
}

/** Runs a probe on core 1 and returns the JSON it prints. */
export async function probe<T>(script: string, args: readonly string[]): Promise<T> {
  const child = start(script, args, { core: 1 });
  let text = "";
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  return JSON.parse(text) as T;
}

const REPORT_MEMORY =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)))';

/**
 * Runs a command of the project, not pinned. Returns its output, seconds and peak memory. Another
 * exit code than the expected ones is an error.
 */
export function measureCommand(
  args: readonly string[],
  flags: readonly string[] = [],
  expected: readonly number[] = [0],
): { stdout: string; seconds: number; memoryMb: number } {
  const started = performance.now();
  const command = [...flags, "--import", REPORT_MEMORY, "lib/generator/main.js", ...args];
  const options = { encoding: "utf8", maxBuffer: 2 ** 29 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  const seconds = (performance.now() - started) / 1000;
  // It is the last that is written there; some commands write notices before it.
  const memoryMb = Number(/\d+$/.exec(stderr)?.[0]) / 1024;
  if (status === null || !expected.includes(status) || !(memoryMb > 0)) throw new Error(`${args.join(" ")}: ${stderr}`);
  return { stdout, seconds, memoryMb };
}
