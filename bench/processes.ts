/** Child processes of a bench: a server, or a probe that prints one JSON line. Pinned to a core where taskset exists. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import path from "node:path";

const pinned = ((): boolean => {
  try {
    execFileSync("taskset", ["-c", "0", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

function start(script: string, args: readonly string[], core: number): ChildProcess {
  const file = path.join(import.meta.dirname, script);
  const command = pinned ? ["taskset", "-c", String(core), process.execPath] : [process.execPath];
  return spawn(command[0] ?? "", [...command.slice(1), "--expose-gc", file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT: "0" },
  });
}

/** Starts a server on core 0; resolves to its port once it has said where it listens. */
export function startServer(script: string, args: readonly string[]): Promise<{ port: number; stop(): void }> {
  const child = start(script, args, 0);
  return new Promise((resolve, reject) => {
    child.on("exit", () => reject(new Error(`${script} ended early`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      const port = /:(\d+)\n/.exec(chunk.toString())?.[1];
      if (port !== undefined) resolve({ port: Number(port), stop: () => child.removeAllListeners("exit").kill() });
    });
  });
}

/** Runs a probe on core 1 and gives the JSON it prints. */
export async function probe<T>(script: string, args: readonly string[]): Promise<T> {
  const child = start(script, args, 1);
  let text = "";
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  return JSON.parse(text) as T;
}
