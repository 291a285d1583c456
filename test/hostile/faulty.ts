/**
 * The real file system, in which the call of a given number fails: with an error of the system (a
 * write leaves half of what it was to write), with fewer bytes than there are, or because the
 * process was killed, after which nothing works.
 */
import type { Effects, Scratch } from "../../generator/effects/effects.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";

export const FAULTS = ["EIO", "ENOSPC", "EMFILE", "short", "killed"] as const;
export type Fault = (typeof FAULTS)[number];

/** What nobody catches: the process is gone. */
export class Killed extends Error {}

const TOUCHING = "kind isLink list names read chunks digest write writeStream rename renameToNew remove realPath makeTemporary scratch".split(" "); // prettier-ignore

export interface Faulty extends Effects {
  /** The names of the calls so far that touch files. */
  calls(): readonly string[];
}

type Act = (...given: unknown[]) => unknown;

/** `base` runs programs; call 0 never fails. With next to no memory, scratch files are needed. */
export function faulty(at: number, fault: Fault, base: Effects): Faulty {
  const calls: string[] = [];
  let isDead = false;
  const wrap = (name: string, act: Act): Act => (...given) => {
    if (isDead) throw new Killed();
    const isIt = calls.push(name) === at;
    if (!isIt) return name === "scratch" ? wrapped(act()) : act(...given);
    if (name === "write") halve(given as Parameters<Effects["write"]>);
    if (fault === "killed") {
      isDead = true;
      throw new Killed();
    }
    if (fault !== "short") throw Object.assign(new Error(`${fault}: made up, ${name}`), { code: fault, syscall: name });
    const result = name === "chunks" ? base.read(given[0] as string) : act(...given);
    if (!(result instanceof Uint8Array)) return result;
    const half = result.subarray(0, result.length >> 1);
    return name === "chunks" ? [half] : half;
  };
  const wrapped = (opened: unknown): Scratch => {
    const scratch = opened as Scratch;
    const append = wrap("append", (bytes) => scratch.append(bytes as Uint8Array));
    const read = wrap("fill", (offset, into) => scratch.read(offset as number, into as Uint8Array));
    return { ...scratch, append, read };
  };
  const all = Object.entries({ ...base, memoryBytes: 1 << 7 }).map(([name, act]: [string, unknown]) =>
    TOUCHING.includes(name) ? [name, wrap(name, act as Act)] : [name, act],
  );
  return { ...(Object.fromEntries(all) as unknown as Effects), calls: () => calls };
} // prettier-ignore

function halve([file, chunks]: Parameters<Effects["write"]>): void {
  const whole = Buffer.concat([...chunks]);
  fileSystem.write(file, [whole.subarray(0, whole.length >> 1)]);
}
