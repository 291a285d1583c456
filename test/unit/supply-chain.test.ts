/** What runs with this project: docs/supply-chain.md, the locks, and the rights of workflows. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

interface Entry {
  readonly version: string;
  readonly license: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
}
const locked = (file: string): [string, Entry][] =>
  Object.entries((JSON.parse(read(file)) as { packages: Record<string, Entry> }).packages).filter(
    ([name]) => name !== "",
  );
const production = locked("package-lock.json").filter(([, { dev }]) => dev !== true);

/** The first two cells of the rows of a marked table, without its head. */
function table(name: string): string[][] {
  const [, text = ""] = new RegExp(`<!-- ${name} -->([^]*)<!-- /${name} -->`).exec(read("docs/supply-chain.md")) ?? [];
  const rows = text.trim().split("\n").map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")).slice(1, 3));
  return rows.slice(2);
} // prettier-ignore

describe("docs/supply-chain.md", () => {
  it("lists every package that the project names for production, each with a reason", () => {
    type Manifest = Readonly<Record<string, Record<string, string> | undefined>>;
    const manifests = ["package.json", "runtime/package.json"].map((file) => JSON.parse(read(file)) as Manifest);
    const named = manifests.flatMap((manifest) => ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((kind) => Object.keys(manifest[kind] ?? {}))); // prettier-ignore
    const rows = table("packages");
    expect(rows.map(([name]) => name)).toEqual([...new Set(named)].sort());
    expect(rows.filter(([, reason = ""]) => reason.length < 5)).toEqual([]);
  });

  it("counts the packages of each licence", () => {
    const byLicence = new Map<string, Set<string>>();
    for (const [place, { license }] of production)
      byLicence.set(license, (byLicence.get(license) ?? new Set()).add(place.split("node_modules/").at(-1) ?? place));
    expect(Object.fromEntries(table("licences"))).toEqual(
      Object.fromEntries([...byLicence].map(([license, names]) => [license, String(names.size)])),
    );
  });
});

describe.each(["package-lock.json", "runtime/package-lock.json"])("%s", (file) => {
  it("holds each package by its digest, from a registry, and none from git, a folder or a link", () => {
    const wrong = locked(file).filter(
      ([place, { integrity = "", resolved = "https://", link }]) =>
        !place.includes("node_modules/") ||
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ||
        !resolved.startsWith("https://") ||
        link === true,
    );
    expect(wrong.map(([place]) => place)).toEqual([]);
  });

  it("holds packages that say they run on the oldest Node of the project", () => {
    const wrong = locked(file).filter(([, { engines }]) => !admitsOldest(engines?.["node"] ?? "*"));
    expect(wrong.map(([place, { engines }]) => [place, engines])).toEqual([]);
  });
});

const [MAJOR, MINOR] = [20, 19];
/** Whether a range has 20.19, in the few forms that ranges of packages have. */
function admitsOldest(range: string): boolean {
  return range.split("||").some((one) => {
    const [, from, major = MAJOR, minor = 0] = /^\s*(>=|)[ ^]*v?(\d+)(?:\.(\d+))?/.exec(one) ?? [];
    const isBelow = Number(major) < MAJOR && from === ">=";
    return isBelow || (Number(major) === MAJOR && Number(minor) <= MINOR);
  });
}

const WORKFLOWS = readdirSync(path.join(root, ".github/workflows")).map((name) => `.github/workflows/${name}`);

describe.each([...WORKFLOWS, "generator/tools/vocabulary/begin/files/workflow.yaml"])("%s", (file) => {
  it("pins every action by the digest of its commit, with its version for people", () => {
    const uses = read(file).match(/^.*\buses:.*$/gm) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it("has no right that it does not name, and puts no text of others into a script", () => {
    const text = read(file).replaceAll(/#.*$/gm, "");
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m);
    expect(text).not.toMatch(/pull_request_target|secrets\.|write-all/);
    expect(text.match(/^.*run:.*\$\{\{.*$/gm)).toBeNull();
  });
});
