/** The thread of a build: the same bytes as without it, its errors told, and never left behind. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { build, type BuildOutcome } from "../../../generator/build.ts";
import type { Effects } from "../../../generator/effects/effects.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { folder } from "../../support/command.ts";
import { project } from "../../support/project.ts";
import { ORIGIN } from "../../support/release.ts";

/** Small enough that the starter does not fit. */
const LITTLE: Effects = { ...fileSystem, memoryBytes: 1 << 12 };

interface Counted {
  readonly effects: Effects;
  /** How many threads were started and ended. */
  readonly count: { started: number; ended: number };
}

function withThreads(base: Effects, change: (input: object) => object = (input) => input): Counted {
  const count = { started: 0, ended: 0 };
  const effects: Effects = {
    ...base,
    startThread<Answer>(module: URL, input: unknown) {
      count.started++;
      const { answer, end } = base.startThread<Answer>(module, change(input as object));
      return { answer, end: () => (count.ended++, end()) };
    },
  };
  return { effects, count };
}

function buildInto(out: string, effects: Effects): Promise<BuildOutcome> {
  const [registry, content] = [path.join(project, "registry"), path.join(project, "content")];
  return build(effects, { registry, content, origin: ORIGIN, out }, () => undefined);
}

const sumsOf = (out: string): string => readFileSync(path.join(out, "SHA256SUMS"), "utf8");

describe("the thread of a build", () => {
  it("changes no byte", async () => {
    const [alone, beside] = [path.join(folder({}), "dist"), path.join(folder({}), "dist")];
    await buildInto(alone, fileSystem);
    const { effects, count } = withThreads(LITTLE);
    await buildInto(beside, effects);
    expect(sumsOf(beside)).toBe(sumsOf(alone));
    expect(count).toEqual({ started: 1, ended: 1 });
  });

  it("is started by a program that is text", () => {
    const lib = (name: string): string => JSON.stringify(path.join(project, "lib/generator", name));
    const [registry, content] = [path.join(project, "registry"), path.join(project, "content")];
    const request = { registry, content, origin: ORIGIN, out: path.join(folder({}), "dist") };
    const program = `
      import { build } from ${lib("build.js")};
      import { fileSystem } from ${lib("effects/file-system.js")};
      const { status } = await build({ ...fileSystem, memoryBytes: 4096 }, ${JSON.stringify(request)}, () => undefined);
      console.log(status);`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program]);
    expect([String(stdout), String(stderr)]).toEqual(["built\n", ""]);
  });

  it("is not needed: where the system allows no more threads, the build makes the same bytes", async () => {
    const [alone, beside] = [path.join(folder({}), "dist"), path.join(folder({}), "dist")];
    const startThread = (): never => {
      throw Object.assign(new Error("EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });
    };
    await buildInto(alone, { ...LITTLE, startThread });
    await buildInto(beside, LITTLE);
    expect(sumsOf(alone)).toBe(sumsOf(beside));
  });

  it("is not started for concepts that are in memory, nor is a scratch file opened", async () => {
    const scratch = (): never => {
      throw new Error("There is no room");
    };
    const { effects, count } = withThreads({ ...fileSystem, scratch });
    await buildInto(path.join(folder({}), "dist"), effects);
    expect(count.started).toBe(0);
  });

  it("fails the build with the error of the system that it met", async () => {
    const out = path.join(folder({}), "dist");
    const { effects, count } = withThreads(LITTLE, (task) => ({ ...task, pages: 1 << 20 }));
    await expect(buildInto(out, effects)).rejects.toMatchObject({ code: "EBADF", syscall: "write" });
    expect([fileSystem.kind(out), fileSystem.kind(`${out}.building`), count.ended]).toEqual(["none", "none", 1]);
  });

  it("is ended when the build is refused", async () => {
    const { effects, count } = withThreads(LITTLE);
    const out = path.join(folder({ dist: "a file" }), "dist");
    await expect(buildInto(out, effects)).rejects.toThrow("is a file, not a directory");
    expect(count).toEqual({ started: 1, ended: 1 });
  });
});
