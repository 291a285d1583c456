/** Two commands that write the folder of a host: one after the other, never at once. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { folder, runHere } from "../../support/command.ts";
import { namesIn } from "../../support/files.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";

const dist = await buildRelease(checkedRegistry({ concepts: [concept("A-1", [expression("en", "one")])] }));

describe("the folder of a host", () => {
  // Two at once ended with exit code 0 and a part of the prerendered files.
  it.each([
    ["nginx", ["--prerender"]],
    ["cloudflare", []],
  ])("is written by one command at a time, and after one that was killed: %s", async (name, more) => {
    const into = folder({ ".writing/process": String(process.ppid) });
    const args = ["host", name, ...more, "--release", dist, "--into", into];
    const { code, stderr } = await runHere(args);
    expect([code, namesIn(into)]).toEqual([2, [".writing/process"]]);
    expect(stderr).toMatch(/^Another command is writing \S+ \(process \d+\), so nothing was written: run this again/);
    expect(await runHere(args, { effects: { ...fileSystem, isRunning: () => false } })).toMatchObject({ code: 0 });
    expect(readdirSync(into)).not.toContain(".writing");
  });
});
