/** When the deployment identity looks at the files: how often, how many, and that it remembers nothing. */
import {
  appendFileSync,
  cpSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, type Deployment, type Watched, watchDeployment } from "../../support/deployment.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { expectUnavailable } from "../../support/unavailable.ts";

let own: Deployment;
let watched: Watched;
beforeAll(async () => {
  own = await deploy(checkedRegistry(nasty));
  watched = await watchDeployment(own);
});
afterAll(async () => {
  await watched.close();
  own.remove();
});

describe("a look at the files", () => {
  /** How many files a use of the service opens. */
  async function opened(use: () => Promise<unknown>): Promise<number> {
    const { open } = files;
    let count = 0;
    files.open = (...rest: Parameters<typeof open>) => (count++, open(...rest));
    syncBuiltinESMExports();
    try {
      await use();
      return count;
    } finally {
      files.open = open;
      syncBuiltinESMExports();
    }
  }

  it("O-35: is shared by simultaneous requests, used for less than a second, and taken anew after that", async () => {
    watched.later();
    const one = await opened(() => watched.ask());
    expect(one).toBeGreaterThan(100);
    watched.later();
    expect(await opened(() => Promise.all(Array.from({ length: 40 }, () => watched.ask())))).toBe(one);
    watched.later(0.5);
    expect(await opened(() => watched.ask())).toBe(0);
    watched.later(0.499);
    expect(await opened(() => watched.ask())).toBe(0);
    watched.later(0.001);
    expect(await opened(() => watched.ask())).toBe(one);
  });

  it("O-35 O-58: hashes the index again only when somebody wrote to it", async () => {
    watched.later();
    const usual = await opened(() => watched.ask());
    const index = own.at("dist/registry.index");
    utimesSync(index, 1, 1);
    watched.later();
    expect(await opened(async () => expect((await watched.ask()).status).toBe(200))).toBe(usual + 1);
    watched.later();
    expect(await opened(() => watched.ask())).toBe(usual);
    // Another file in its place and back again.
    const bytes = readFileSync(index);
    renameSync(index, own.at("index"));
    writeFileSync(index, bytes.toReversed());
    watched.later();
    await expectUnavailable(watched.port, "runtime_source_drift");
    renameSync(own.at("index"), index);
    watched.later();
    expect((await watched.ask()).status).toBe(200);
  });

  it("O-58: remembers nothing: a file that differs, another, and none, as they come and go", async () => {
    const source = own.at("runtime/code.ts");
    const size = statSync(source).size;
    watched.told.length = 0;
    for (const name of ["runtime/code.ts", "runtime/limits.ts", "runtime/code.ts"]) {
      appendFileSync(own.at(name), " ");
      watched.later();
      await expectUnavailable(watched.port, "runtime_source_drift");
      own.restore();
      watched.later();
      expect((await watched.ask()).status).toBe(200);
    }
    expect(statSync(source).size).toBe(size);
    expect(watched.told.map((state) => (state.verified ? "verified" : state.detail))).toEqual([
      "runtime/code.ts was changed",
      "verified",
      "runtime/limits.ts was changed",
      "verified",
      "runtime/code.ts was changed",
      "verified",
    ]);
  });

  it("G03: follows a release folder that is a link, and sees when it leads elsewhere", async () => {
    const current = own.at("../current");
    symlinkSync(own.dist, current);
    const linked = await watchDeployment({ ...own, dist: current });
    expect((await linked.ask()).status).toBe(200);
    await own.build(own.at("../next"), checkedRegistry(empty));
    rmSync(current);
    symlinkSync(own.at("../next"), current);
    linked.later();
    await expectUnavailable(linked.port, "runtime_source_drift");
    rmSync(current);
    cpSync(own.dist, current, { recursive: true });
    linked.later();
    expect((await linked.ask()).status).toBe(200);
    await linked.close();
  });
});
