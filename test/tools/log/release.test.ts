/**
 * What a release states of the log before it, and what `verify`, `release` and `log append` refuse
 * because of it.
 */
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Outcome, runHere } from "../../support/command.ts";
import { appendAndSign, copyHome, forge, type Home, must, newHome, release, VERSIONS } from "./home.ts";
import { splitRecords, type Entry } from "../../../generator/tools/log/verifier.ts";

/** Three releases of which two are in the log; the third is built. */
let home: Home;

beforeAll(async () => {
  home = await newHome();
  for (const version of VERSIONS.slice(0, 2)) {
    await release(home, version);
    await appendAndSign(home);
    cpSync(home.at("log"), home.at(`logs/${version}`), { recursive: true });
  }
  await release(home, VERSIONS[2] ?? "");
});

const run = ({ directory }: Home, ...args: string[]): Promise<Outcome> => runHere(args, { cwd: directory });
const publish = (from: Home): Promise<Outcome> => run(from, "release", "--checked", "--origin", "https://registry.example"); // prettier-ignore
const json = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
const rootOf = (log: string): string => readFileSync(path.join(log, "checkpoint"), "utf8").split("\n")[2] ?? "";
const entriesOf = ({ at }: Home): Entry[] => {
  const place = at("log/tile/entries/000.p/2");
  return splitRecords(readFileSync(place), place).map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as Entry);
};

describe("a release after the log has begun", () => {
  it("states the name, size and root that the log had before it, in history, changes and feed", () => {
    const head = { origin: "registry.example/log", size: 2, root: rootOf(home.at("log")) };
    const { releases } = json(home.at("dist/registry/history.json")) as { releases: { log: unknown }[] };
    expect(releases.map(({ log }) => log)).toEqual([null, expect.objectContaining({ size: 1 }), head]);
    expect(json(home.at("dist/registry/changes/2026.12.3.json"))["log"]).toEqual(head);
    const feed = readFileSync(home.at("dist/registry/changes.atom"), "utf8");
    expect(feed).toContain(` Log before it: registry.example/log, size 2, root ${head.root}.</summary>`);
  });

  it("is verified and released with the log, before and after it is appended", async () => {
    expect((await must(run(home, "verify"))).stdout).toMatch(/registry\.example\/log is whole: 2 releases, .*\n$/);
    const copy = copyHome(home);
    expect((await must(publish(copy))).stdout).toContain("is whole: 2 releases");
    await appendAndSign(copy);
    expect((await must(run(copy, "verify"))).stdout).toContain("is whole: 3 releases");
  });

  it("is verified without the log of the place if it is another one, unless that is named", async () => {
    const other = home.at("dists/2026.12.1");
    expect((await must(run(home, "verify", other))).stdout).not.toContain("registry.example/log");
    expect((await must(run(home, "verify", other, "--log", "log"))).stdout).toContain("registry.example/log is whole");
  });
});

describe.each<[string, (copy: Home) => void | Promise<void>, string]>([
  [
    "was rewritten",
    (copy) => {
      const [first, second] = entriesOf(copy) as [Entry, Entry];
      for (const version of VERSIONS) rmSync(copy.at(`log/${version}.tlog-proof`), { force: true });
      forge(copy, [first, { ...second, sumsSha256: "0".repeat(64) }]);
    },
    "2026.12.3 states the log of size 2: The first 2 entries make the root",
  ],
  [
    "was cut back",
    (copy) => {
      rmSync(copy.at("log"), { recursive: true });
      cpSync(home.at("logs/2026.12.1"), copy.at("log"), { recursive: true });
    },
    "2026.12.3 states the log of size 2: The log has size 1, but had 2 before: it was cut back",
  ],
])("a log that %s since a release stated it", (_, change, message) => {
  let copy: Home;
  beforeAll(async () => {
    copy = copyHome(home);
    await change(copy);
  });

  it.each([
    ["verify", (): Promise<Outcome> => run(copy, "verify")],
    ["log append", (): Promise<Outcome> => copy.log("append")],
    ["a monitor that has the release", (): Promise<Outcome> => copy.log("check", "log", "--next", "dist")],
  ])("is refused by %s", async (_name, ask) => {
    const { code, stderr } = await ask();
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe("release", () => {
  it("writes nothing if the log has the version with other bytes", async () => {
    const copy = copyHome(home);
    await appendAndSign(copy);
    const { code, stderr } = await run(copy, "release", "--checked", "--origin", "https://elsewhere.example");
    expect([code, stderr]).toEqual([1, expect.stringContaining("dist has origin https://elsewhere.example")]);
    expect(existsSync(copy.at("release"))).toBe(false);
  });
});

describe("verify", () => {
  it("refuses a build of other bytes than the log has of its version", async () => {
    const copy = copyHome(home);
    await appendAndSign(copy);
    await must(run(copy, "build", "--origin", "https://elsewhere.example"));
    const { code, stderr } = await run(copy, "verify");
    expect([code, stderr]).toEqual([1, expect.stringContaining("dist has sumsSha256")]);
  });

  it("refuses a build that is older than the log and not in it", async () => {
    const copy = copyHome(home);
    const [first, second] = entriesOf(copy) as [Entry, Entry];
    forge(copy, [first, { ...second, registryVersion: "2027.01.1" }]);
    const { code, stderr } = await run(copy, "verify");
    expect([code, stderr]).toEqual([1, expect.stringContaining("cannot follow 2027.01.1, the last in the log")]);
  });
});

describe("log append", () => {
  it("refuses to begin a log again that releases already state", async () => {
    const copy = copyHome(home);
    for (const name of ["tile", "bindings", "checkpoint"]) rmSync(copy.at(`log/${name}`), { recursive: true });
    const { code, stderr } = await copy.log("append");
    expect([code, stderr]).toEqual([1, expect.stringContaining("has size 0, but had 1 before: it was cut back")]);
  });
});
