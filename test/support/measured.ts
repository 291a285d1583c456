/** Runs a command of the project and reports its seconds and, on Linux, its peak memory. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { project } from "./project.ts";

export interface Measured {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Undefined where there is no /proc. */
  readonly megabytes: number | undefined;
}

const POLL_MS = 20;

/** `args` after `node lib/generator/main.js`. */
function generator(args: readonly string[]): Promise<Measured> {
  const started = performance.now();
  const child = spawn(process.execPath, [path.join(project, "lib/generator/main.js"), ...args], {
    cwd: project,
    env: { ...process.env, SERVICE_ORIGIN: "", PORT: "", HOST: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  let megabytes: number | undefined;
  const look = setInterval(() => (megabytes = peakOf(child.pid) ?? megabytes), POLL_MS);
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => {
      clearInterval(look);
      resolve({ code, stdout, stderr, seconds: (performance.now() - started) / 1000, megabytes });
    });
  });
}

/** The same for a command that must end well. */
export async function must(args: readonly string[]): Promise<Measured> {
  const done = await generator(args);
  if (done.code !== 0) throw new Error(`${args.join(" ")}: exit code ${done.code}\n${done.stderr}\n${done.stdout}`);
  return done;
}

/** The most memory that a living process had, in MB. */
export function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+([0-9]+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1000);
  } catch {
    return undefined;
  }
}
