/**
 * Faults under the commands that write: at any call that touches files, the system refuses it,
 * gives too little, or the process is killed. Then no file is half-written, the person reads one
 * line, and the same command does the rest.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Effects } from "../../generator/effects/effects.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { folder, type Outcome, runHere } from "../support/command.ts";
import { project } from "../support/project.ts";
import { sha256 } from "../support/sha256.ts";
import { Chance, deadline, goesOn, IS_LONG, report, SEED } from "./chance.ts";
import { type Fault, FAULTS, faulty, Killed } from "./faulty.ts";

/** Names that no reader looks at: what a run has not put in place yet. */
const HIDDEN = /(?:^|\/)\.(?:[^/]*$|writing)|\.building(?:-\d+)?(?:\/|$)|\.part$/;
type State = ReadonlyMap<string, string>;

/** Digests of the files below a folder. */
function stateOf(directory: string): State {
  return new Map(fileSystem.list(directory).map((name) => [name, sha256(readFileSync(path.join(directory, name)))]));
}

const visible = (state: State): State => new Map([...state].filter(([name]) => !HIDDEN.test(name)));

const CSV =
  "id,name,definition,domain,en,de\nx:1,One,The first.,numbers,one,eins\nx:2,Two,The second.,numbers,two,zwei\n";
const MORE = `${CSV}x:3,Three,The third.,numbers,three,drei\n`;

interface Command {
  readonly name: string;
  /** The command lines that lead to the state before. */
  readonly before: (at: string) => readonly (readonly string[])[];
  readonly args: (at: string) => readonly string[];
  /** The built output: a copy, because each rebuild elsewhere would take a process. */
  readonly built?: (at: string) => string;
}

const golden = path.join(project, "test/golden/registry");
const content = path.join(project, "content");
const csv = (at: string, file: string): string[] => ["import", "--format", "csv", "--from", `${at}/${file}`, "--into", `${at}/registry`, "--language-columns", "en,de", "--license", "CC0-1.0"]; // prettier-ignore
const review = (at: string): string[] => ["review", "--registry", `${at}/registry`, "--accept", "--as", "somebody", "--on", "2026-11-22"]; // prettier-ignore
const record = (at: string): string[] => ["release-registry", "--registry", `${at}/registry`, "--version", "2026.11.9", "--on", "2026-11-22"]; // prettier-ignore
const build = (at: string, registry: string): string[] => ["build", "--registry", registry, "--content", content, "--origin", "https://registry.example", "--out", `${at}/dist`]; // prettier-ignore

const COMMANDS: readonly Command[] = [
  { name: "import", before: (at) => [[...csv(at, "a.csv"), "--name", "Numbers"]], args: (at) => csv(at, "b.csv") },
  { name: "review", before: (at) => [[...csv(at, "b.csv"), "--name", "Numbers"]], args: review },
  { name: "release-registry", before: (at) => [[...csv(at, "b.csv"), "--name", "Numbers"], review(at)], args: record },
  { name: "build", before: (at) => [build(at, golden)], args: (at) => build(at, `${at}/golden`) },
  { name: "release", before: () => [], args: release, built: (at) => `${at}/dist` },
];

function release(at: string): string[] {
  const [, ...options] = build(at, `${at}/recorded`);
  return ["release", "--checked", ...options, "--into", `${at}/release`];
}

function effectsOf({ built }: Command, at: string): Effects {
  if (built === undefined) return fileSystem;
  const run: Effects["run"] = ({ args }) => {
    cpSync(built(at), args.at(-1) ?? "", { recursive: true });
    return Promise.resolve({ code: 0, stdout: "", stderr: "" });
  };
  return { ...fileSystem, run };
}

interface World {
  /** The folder that is copied for each try. */
  readonly base: string;
  readonly before: State;
  readonly after: State;
  /** The calls of the command that touch files. */
  readonly calls: readonly string[];
}

/** The state before and after a command, and how many calls lie between them. */
async function explore(command: Command): Promise<World> {
  const { before, args } = command;
  const base = folder({ "a.csv": CSV, "b.csv": MORE });
  cpSync(golden, `${base}/golden`, { recursive: true });
  const file = `${base}/golden/concepts/greetings/G-1.yaml`;
  fileSystem.write(file, [Buffer.from(readFileSync(file, "utf8").replace(/definition: (.*)/, "definition: Said when people meet again."))]); // prettier-ignore
  cpSync(golden, `${base}/recorded`, { recursive: true });
  await runHere(["release-registry", "--registry", `${base}/recorded`, "--version", "2026.11.1", "--on", "2026-11-22"]);
  for (const line of before(base)) expect(await runHere(line)).toMatchObject({ code: 0 });
  const copy = copyOf(base);
  const effects = faulty(0, "EIO", effectsOf(command, copy));
  expect(await runHere(args(copy), { effects })).toMatchObject({ code: 0 });
  const world = { base, before: stateOf(base), after: stateOf(copy), calls: effects.calls() };
  expect(world.after).not.toEqual(world.before);
  rmSync(copy, { recursive: true });
  return world;
}

/**
 * The number of a call; usually one that changes files, or that uses a scratch file if any does.
 */
function pickCall({ calls }: World, chance: Chance): number {
  const kind = chance.pick([/write|rename|remove/, /scratch|append|fill/, /^/]);
  const these = calls.flatMap((name, i) => (kind.test(name) ? [i + 1] : []));
  return these.length === 0 ? 1 + chance.below(calls.length) : chance.pick(these);
}

function copyOf(base: string): string {
  const copy = path.join(mkdtempSync(path.join(tmpdir(), "faults-")), "w");
  cpSync(base, copy, { recursive: true });
  return copy;
}

/** What is wrong with the state that a fault has left; undefined where nothing is. */
async function judge(command: Command, world: World, at: string): Promise<string | undefined> {
  const { before, after } = world;
  const left = visible(stateOf(at));
  const half = [...left].filter(([name, digest]) => before.get(name) !== digest && after.get(name) !== digest);
  if (half.length > 0) return `half-written: ${half.map(([name]) => name).join(", ")}`;
  const dist = (state: State): string => JSON.stringify([...state].filter(([name]) => name.startsWith("dist/")));
  // A killed build may leave none, which the next one brings back.
  if (![dist(before), dist(after), "[]"].includes(dist(left))) return "dist is part old, part new";
  const again = await runHere(command.args(at), { effects: effectsOf(command, at) });
  if (again.code !== 0) return `the same command again: ${again.stderr}`;
  const differ = [...new Set([...stateOf(at).keys(), ...after.keys()])].filter((name) => stateOf(at).get(name) !== after.get(name)); // prettier-ignore
  return differ.length === 0 ? undefined : `the same command again gives other files: ${differ.join(", ")}`;
}

/** What is wrong with what the person reads. */
function misread({ code, stderr }: Outcome): string | undefined {
  if (code === 0) return undefined;
  if (code !== 1 && code !== 2) return `exit code ${code}`;
  if (stderr.trim() === "") return "says nothing";
  return /\n\s+at /.test(stderr) ? `shows a stack: ${stderr}` : undefined;
}

async function tryFault(command: Command, world: World, { at, fault }: { at: number; fault: Fault }): Promise<string | undefined> {
  const copy = copyOf(world.base);
  try {
    const effects: Effects = faulty(at, fault, effectsOf(command, copy));
    let outcome: Outcome | undefined;
    try {
      outcome = await runHere(command.args(copy), { effects });
    } catch (error) {
      if (!(error instanceof Killed)) return `throws ${String(error)}`;
    }
    // With too little to read a command may do less; what it leaves is whole.
    if (fault === "short" && outcome?.code === 0) return undefined;
    return (outcome && misread(outcome)) ?? (await judge(command, world, copy));
  } finally {
    rmSync(path.dirname(copy), { recursive: true });
  }
} // prettier-ignore

describe.each(COMMANDS.filter(({ built }) => IS_LONG || built === undefined))("a fault under $name", (command) => {
  let world: World;
  beforeAll(async () => {
    world = await explore(command);
  });

  it("leaves every file whole, says one line, and the same command does the rest", async () => {
    const end = deadline(0.04);
    const chance = new Chance(1000 + COMMANDS.indexOf(command));
    const wrong: string[] = [];
    const tried: Record<string, number> = {};
    for (let i = 0; i < 3 || performance.now() < end; i++) {
      const fault = chance.pick(FAULTS);
      const at = pickCall(world, chance);
      tried[fault] = (tried[fault] ?? 0) + 1;
      const what = await tryFault(command, world, { at, fault });
      if (what !== undefined) wrong.push(`HOSTILE_SEED=${SEED} ${command.name}: ${fault} at call ${at} of ${world.calls.length} (${world.calls[at - 1]}): ${what}`);
    }
    report(`faults under ${command.name}`, { calls: world.calls.length, ...tried, lost: wrong.length });
    expect(wrong).toEqual([]);
  }); // prettier-ignore

  it("leaves every file whole when the process is killed", { timeout: 0 }, async () => {
    const end = deadline(0.02);
    const chance = new Chance(2000 + COMMANDS.indexOf(command));
    const wrong: string[] = [];
    let kills = 0;
    for (; goesOn(kills, end); kills++) {
      const at = pickCall(world, chance);
      const copy = copyOf(world.base);
      const args = [path.join(project, "test/hostile/die.js"), String(at), ...command.args(copy)];
      const env = { ...process.env, ...(command.built && { BUILT: command.built(copy) }) };
      const { signal, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8", env });
      const what = signal === "SIGKILL" ? await judge(command, world, copy) : `not killed: ${stderr}`;
      if (what !== undefined) wrong.push(`HOSTILE_SEED=${SEED} ${command.name}: killed at call ${at} of ${world.calls.length} (${world.calls[at - 1]}): ${what}`); // prettier-ignore
      rmSync(path.dirname(copy), { recursive: true });
    }
    report(`kills of ${command.name}`, { kills, lost: wrong.length });
    expect(wrong).toEqual([]);
  });
});
