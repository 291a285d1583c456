/**
 * The packed package, installed by npm into an empty folder, on several versions of Node: it does
 * what the clone does, and the same registry and origin give one dist. The installation needs npm's
 * registry or cache; everything after it has no network.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../support/command.ts";
import { execute, npx, reasonToSkip } from "../support/npx.ts";
import { project } from "../support/project.ts";

const VERSIONS = ["20.19.0", "22.23.3", "24.21.0"] as const;
const pack = (version: string): string => `node-${process.platform}-${process.arch}@${version}`;
const ORIGIN = ["--origin", "https://words.example"];

const home = mkdtempSync(path.join(tmpdir(), "installed-"));
afterAll(() => rmSync(home, { recursive: true }));
execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", home], { cwd: project });
const [tarball = ""] = readdirSync(home).filter((name) => name.endsWith(".tgz"));
const owner = path.join(home, "owner");
mkdirSync(owner);
writeFileSync(path.join(owner, "package.json"), "{}");
const installed = await execute("npm", ["install", "--prefer-offline", "--no-audit", `../${tarball}`], { cwd: owner });
const reason = reasonToSkip(tarball, installed, "once, for its libraries");
const probes = await Promise.all(VERSIONS.map((one) => npx(pack(one), ["node", "--version"], { cwd: home })));
const skipped = VERSIONS.filter((one, i) => {
  const probe = probes[i];
  return probe === undefined || reasonToSkip(pack(one), probe, "once, for about 60 MB") !== undefined;
});

/** What the clone builds of a repository; each version begins the same one, so it is built once. */
async function buildByTheClone(words: string): Promise<string> {
  const out = path.join(home, "clone");
  const folders = ["registry", "content"].flatMap((name) => [`--${name}`, path.join(words, name)]);
  const built = await run("lib/generator/main.js", ["build", ...folders, "--out", out, ...ORIGIN]);
  expect(built).toMatchObject({ code: 0 });
  return sums(out);
}
let ofTheClone: Promise<string> | undefined;

const sums = (dist: string): string => readFileSync(path.join(dist, "SHA256SUMS"), "utf8");

describe.skipIf(reason !== undefined)("an installed package", () => {
  it.each(VERSIONS.filter((one) => !skipped.includes(one)))(
    "A18: begins a repository, builds what the clone builds, verifies and releases it, by Node %s",
    async (version) => {
      const program = path.join(owner, "node_modules/semantic-resolution-service/lib/generator/main.js");
      const words = path.join(owner, version);
      const srs = async (...args: string[]): Promise<string> => {
        const env = { SERVICE_ORIGIN: "", npm_config_offline: "true", INIT_CWD: "" };
        const cwd = args[0] === "init" ? owner : words;
        const { code, stdout, stderr } = await npx(pack(version), ["node", program, ...args], { cwd, env });
        expect([args, code, stderr]).toEqual([args, 0, ""]);
        return stdout;
      };
      await srs("init", version, "--yes", "--name", "Words");
      await srs("build", ...ORIGIN);
      expect(sums(path.join(words, "dist"))).toBe(await (ofTheClone ??= buildByTheClone(words)));
      await srs("verify", "--rebuild");
      const example = path.join(words, "registry/concepts/example/C-7KQ2MX.yaml");
      const mine = readFileSync(example, "utf8").replace("Opening hours", "Times").replace("a place", "the zoo");
      writeFileSync(example, mine);
      writeFileSync(path.join(words, "registry/retired.yaml"), "[]");
      await srs("release-registry", "--version", "2026.12.1");
      await srs("build", ...ORIGIN);
      await srs("release", ...ORIGIN);
      expect(JSON.parse(await srs("resolve", "opening hours"))).toMatchObject({ data: { status: "resolved" } });
    },
  );
});
