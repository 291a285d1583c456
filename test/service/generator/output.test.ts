/** A build's folder: replaced whole or not at all, never somebody's own, by one build at a time. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";

import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { OutputError, recoverDirectory, replaceDirectory } from "../../../generator/effects/output.ts";
import { folder } from "../../support/command.ts";

let directory: string;
let out: string;
beforeEach(() => {
  directory = folder({});
  out = path.join(directory, "dist");
});

const lib = (name: string): string => path.resolve("lib/generator/effects", `${name}.js`);

const NAMES = ["manifest.json", "registry.index", "api/v1/status"];

/** Writes what is taken for a release. */
const build = (text: string, target = out): Promise<void> =>
  replaceDirectory(fileSystem, target, (output) => {
    for (const name of NAMES) output.write(name, text);
  });
const texts = (): string[] => NAMES.map((name) => readFileSync(path.join(out, name), "utf8"));

describe("a build's folder", () => {
  it("is replaced, and nothing stays next to it", async () => {
    await build("one");
    await build("two");
    expect([texts(), readdirSync(directory)]).toEqual([["two", "two", "two"], ["dist"]]);
  });

  it("refuses in one line where another build ends between two steps", async () => {
    await build("one");
    for (const step of ["names", "kind", "renameToNew"] as const) {
      const gone = (): never => {
        throw Object.assign(new Error(`ENOENT: no such file or directory, ${step}`), { code: "ENOENT" });
      };
      const late = replaceDirectory({ ...fileSystem, [step]: gone }, out, () => expect.unreachable());
      await expect(late).rejects.toThrow(OutputError);
      await expect(late).rejects.toThrow(/^Another build of .* has just begun or ended: run this again$/);
      expect([texts(), readdirSync(directory)]).toEqual([["one", "one", "one"], ["dist"]]);
    }
  });

  it("stays as it was where the build fails", async () => {
    await build("one");
    const failing = replaceDirectory(fileSystem, out, (output) => {
      output.write("manifest.json", "two");
      throw new Error("no more");
    });
    await expect(failing).rejects.toThrow("no more");
    expect([texts(), readdirSync(directory)]).toEqual([["one", "one", "one"], ["dist"]]);
  });

  it.each([["thesis.txt"], ["manifest.json"]])("is not replaced where it holds files of others: %s", async (name) => {
    mkdirSync(out);
    writeFileSync(path.join(out, name), "{}");
    await expect(build("one")).rejects.toThrow(/holds files that are not a release/);
    expect([readdirSync(out), readFileSync(path.join(out, name), "utf8")]).toEqual([[name], "{}"]);
  });

  it.each(["/dev/null", "link"])("is not put in the place of what is neither a file nor a folder: %s", async (name) => {
    symlinkSync("/nonexistent", path.join(directory, "link"));
    const other = path.resolve(directory, name);
    const message = `--out ${other} is a device, or a link that leads nowhere: name a folder`;
    await expect(build("one", other)).rejects.toThrow(new OutputError(message));
    expect(readdirSync(directory)).toEqual(["link"]);
  });

  it("leaves alone what lies next to it and is not a build's", async () => {
    mkdirSync(`${out}.building`);
    writeFileSync(`${out}.building/precious`, "x");
    await expect(build("one")).rejects.toThrow(/is in the way/);
    expect(existsSync(`${out}.building/precious`)).toBe(true);
  });

  it("is brought back where a killed build had moved it aside, and what that left goes", async () => {
    await build("one");
    mkdirSync(`${out}.building/next`, { recursive: true });
    writeFileSync(`${out}.building/process`, "999999999");
    writeFileSync(`${out}.building/next/half`, "x");
    renameSync(out, `${out}.building/previous`);
    recoverDirectory(fileSystem, out);
    expect([texts(), readdirSync(directory)]).toEqual([["one", "one", "one"], ["dist"]]);
  });

  it("is whole where its build is killed at any point, and the next one leaves nothing of that", async () => {
    await build("one");
    const program = `
      import { fileSystem } from ${JSON.stringify(lib("file-system"))};
      import { replaceDirectory } from ${JSON.stringify(lib("output"))};
      const [out, fatal] = process.argv.slice(1);
      let renamed = 0;
      const rename = (from, to) => (fileSystem.rename(from, to), ++renamed == fatal && process.kill(process.pid, "SIGKILL"));
      await replaceDirectory({ ...fileSystem, rename }, out, (output) => {
        for (const name of ${JSON.stringify(NAMES)}) output.write(name, "two");
        if (fatal === "0") process.kill(process.pid, "SIGKILL");
      });`;
    // While it writes, when the old one is aside, and when the new one is there.
    for (const [fatal, kept] of Object.entries(["one", undefined, "two"])) {
      const { signal } = spawnSync(process.execPath, ["--input-type=module", "--eval", program, out, fatal]);
      expect([fatal, signal, existsSync(out)]).toEqual([fatal, "SIGKILL", kept !== undefined]);
      if (kept !== undefined) expect(texts()).toEqual(NAMES.map(() => kept));
      recoverDirectory(fileSystem, out);
      expect([texts(), readdirSync(directory)]).toEqual([NAMES.map(() => kept ?? "one"), ["dist"]]);
    }
  });

  it("has one build, also where two begin at once, and what a killed one claimed goes", async () => {
    for (const [process, name] of [
      ["999999999", "process"],
      ["999999998", "mine"],
    ] as const) {
      mkdirSync(`${out}.building-${process}`);
      writeFileSync(`${out}.building-${process}/${name}`, "x");
    }
    const late = replaceDirectory({ ...fileSystem, renameToNew: () => false }, out, () => undefined);
    await expect(late).rejects.toThrow(/Another build of .* has just begun/);
    expect(readdirSync(directory)).toEqual(["dist.building-999999998"]);
  });

  it("is not kept by a lock of a process that had the same number", async () => {
    mkdirSync(`${out}.building`);
    writeFileSync(`${out}.building/process`, String(process.pid));
    await build("one");
    expect(readdirSync(directory)).toEqual(["dist"]);
  });

  it("is kept by a build that runs; if its process is another program, the message says what to do", async () => {
    mkdirSync(`${out}.building`);
    writeFileSync(`${out}.building/process`, String(process.ppid));
    const begin = `Another build of ${out} is running (process ${process.ppid}), so nothing was written: run this again when that has ended, or `;
    const remove = `remove ${out}.building if no build is running`;
    await expect(build("one")).rejects.toThrow(new OutputError(begin + remove));
    mkdirSync(`${out}.building/previous`);
    await expect(build("one")).rejects.toThrow(
      new OutputError(`${begin}move ${out}.building/previous to ${out} and ${remove}`),
    );
    mkdirSync(out);
    await expect(build("one")).rejects.toThrow(new OutputError(begin + remove));
  });

  it("may be a link to a folder, and has the same modes under any umask", async () => {
    mkdirSync(path.join(directory, "real"));
    symlinkSync(path.join(directory, "real"), path.join(directory, "link"));
    const before = process.umask(0o077);
    try {
      await build("one", path.join(directory, "link"));
    } finally {
      process.umask(before);
    }
    expect(existsSync(path.join(directory, "real/manifest.json"))).toBe(true);
    expect(statSync(path.join(directory, "real/api/v1")).mode & 0o777).toBe(0o755);
    expect(lstatSync(path.join(directory, "link")).isSymbolicLink()).toBe(true);
  });
});
