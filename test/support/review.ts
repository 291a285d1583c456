/** For tests of commands that change a registry: one in memory whose files can be renamed. */
import type { Console, Effects, Outcome } from "../../generator/effects/effects.ts";
import { runProgram } from "../../generator/program.ts";
import { type MemoryEffects, memoryEffects } from "./memory-effects.ts";

/** Which call fails, by its number: a rename that throws stands for a process killed there. */
export interface Failing {
  readonly rename?: number;
  readonly write?: number;
}

export function renamable(
  files: Readonly<Record<string, string | Uint8Array>>,
  { rename = 0, write = 0 }: Failing = {},
): MemoryEffects {
  const effects = memoryEffects(files);
  let [renames, writes] = [0, 0];
  return {
    ...effects,
    write(file, chunks) {
      if (++writes === write) throw new Error("No budget");
      return effects.write(file, chunks);
    },
    rename(from, to) {
      if (++renames === rename) throw new Error("Killed");
      effects.files.set(to, effects.read(from));
      effects.files.delete(from);
    },
  };
}

/** The files as text, without what is hidden. */
export function textsOf({ files }: MemoryEffects): Record<string, string> {
  return Object.fromEntries([...files].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]));
}

/** Runs a command line in this process. */
export async function said(effects: Effects, args: readonly string[]): Promise<Outcome> {
  const [stdout, stderr]: string[][] = [[], []];
  const console: Console = {
    print: (text) => void stdout?.push(text),
    error: (text) => void stderr?.push(text),
    progress: () => undefined,
  };
  const code = await runProgram({ effects, console, env: {} }, args);
  return { code, stdout: (stdout ?? []).join("\n"), stderr: (stderr ?? []).join("\n") };
}
