/** Files that are written while their pieces are still made. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { whenRead } from "../../support/until.ts";
import { folder } from "../../support/command.ts";

const MB = 1 << 20;

describe("a stream that is written", () => {
  const sizes = [0, 1, MB - 1, 1, MB, 3 * MB + 5, 0, 700_000, 700_000, 7];
  const pieces = sizes.map((size, i) => Buffer.alloc(size, `${i}.`));
  async function* later(): AsyncGenerator<Uint8Array, void> {
    for (const piece of pieces) yield await Promise.resolve(piece);
  }

  it.each([
    ["are there", pieces, pieces],
    ["take their time", later(), pieces],
    ["are none", [], []],
  ])("has its pieces in their order where they %s", async (_how, made, all) => {
    const file = path.join(folder({}), "below/file");
    const expected = Buffer.concat(all);
    expect(await fileSystem.writeStream(file, made)).toBe(expected.length);
    expect(readFileSync(file).equals(expected)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  it("fails with what its pieces fail with", async () => {
    const failing = function* (): Generator<Uint8Array, void> {
      yield Buffer.alloc(2 * MB + 1);
      throw new Error("no more");
    };
    await expect(fileSystem.writeStream(path.join(folder({}), "file"), failing())).rejects.toThrow("no more");
  });

  it("fails where the system cannot write what was made before", async () => {
    const pipe = path.join(folder({}), "pipe");
    execFileSync("mkfifo", [pipe]);
    // Reads a little, and leaves.
    const reader = spawn("sh", ["-c", 'head -c 10 "$1" >/dev/null', "sh", pipe]);
    await whenRead(pipe);
    const many = Array.from({ length: 8 }, () => Buffer.alloc(MB));
    await expect(fileSystem.writeStream(pipe, many)).rejects.toThrow(/EPIPE/);
    reader.kill();
  });
});
