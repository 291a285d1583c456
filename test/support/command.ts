/** Runs commands on real folders: in this process or, if that is the subject, in another. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runAndReport } from "../../generator/program.ts";
import type { Effects } from "../../generator/effects/effects.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { project } from "./project.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

export interface HereOptions {
  readonly env?: Record<string, string>;
  readonly effects?: Effects;
  /** Where the user is, instead of the root of the project. */
  readonly cwd?: string;
  /** That of another copy of the generator. */
  readonly program?: typeof runAndReport;
}

/** Runs a command line of the generator in this process. */
export async function runHere(
  args: readonly string[],
  { env = {}, effects = fileSystem, cwd = project, program = runAndReport }: HereOptions = {},
): Promise<Outcome> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const console = {
    print: (text: string) => void stdout.push(`${text}\n`),
    error: (text: string) => void stderr.push(`${text}\n`),
    progress: () => undefined,
  };
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const code = await program({ effects, console, env }, args);
    return { code, stdout: stdout.join(""), stderr: stderr.join("") };
  } finally {
    process.chdir(before);
  }
}

/** Runs a program in its own process; `script` is absolute or relative to the project. */
export function run(
  script: string,
  args: readonly string[],
  { env = {}, cwd = project }: RunOptions = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path.resolve(project, script), ...args],
      {
        cwd,
        env: { ...process.env, INIT_CWD: "", SERVICE_ORIGIN: "", PORT: "", HOST: "", ...env },
        encoding: "utf8",
        maxBuffer: 1 << 26,
      },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

export interface Served {
  readonly child: ChildProcess;
  /** Standard output up to readiness. */
  readonly line: string;
  /** Standard output so far. */
  stdout(): string;
  readonly port: number;
  /** Ends with the exit code. */
  readonly exit: Promise<number | null>;
  stderr(): string;
}

/** Starts a server process and waits for its line; `script` as in run(). */
export function serve(script: string, args: readonly string[], env: Record<string, string>): Promise<Served> {
  const child = spawn(process.execPath, [path.resolve(project, script), ...args], {
    cwd: project,
    env: { ...process.env, SERVICE_ORIGIN: "", HOST: "", PORT: "0", ...env },
  });
  const exit = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  let stdout = "";
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      const port = /on http:\/\/[^\s]*:(\d+)(?:"})?\n/.exec(stdout)?.[1];
      if (port !== undefined)
        resolve({ child, line: stdout, port: Number(port), exit, stdout: () => stdout, stderr: () => stderr });
    });
    void exit.then((code) => reject(new Error(`Exited with ${code}: ${stderr}`)));
  });
}

/** A fresh folder with these files. */
export function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const directory = mkdtempSync(path.join(tmpdir(), "test-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), content);
  }
  return directory;
}
