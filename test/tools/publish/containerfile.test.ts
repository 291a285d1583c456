/**
 * The Containerfile without a container: what a linter says, the rules of this house, and its
 * stages played on plain folders, where only `npm ci` is a rehearsal, for there may be no network.
 * What a base image has is not seen here.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Copy, DockerfileParser, type From, type Instruction, type Label } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingNode } from "../../../runtime/text/node-version.ts";
import { project } from "../../support/project.ts";
import { freePort } from "../../support/free-port.ts";

const text = readFileSync(path.join(project, "Containerfile"), "utf8");
const file = DockerfileParser.parse(text);
const instructions = file.getInstructions();
const named = (keyword: string): Instruction[] => instructions.filter((one) => one.getKeyword() === keyword);
const words = (one: Instruction): string[] => one.getArguments().map((argument) => argument.getValue());
/** The exec form, which must be JSON. */
const json = (one: Instruction | undefined): string[] =>
  JSON.parse(/\[.*\]$/s.exec(one?.getArgumentsContent() ?? "")?.[0] ?? "null") as string[];
const allowed = readFileSync(path.join(project, ".containerignore"), "utf8").split("\n").filter((line) => line !== "" && !line.startsWith("#")); // prettier-ignore

/** What is behind a FROM, by the name of the stage; the last one has none. */
const stage = (name: string | null): Instruction[] => {
  const start = instructions.findIndex((one) => one.getKeyword() === "FROM" && (one as From).getBuildStage() === name);
  const length = instructions.slice(start + 1).findIndex((one) => one.getKeyword() === "FROM");
  return instructions.slice(start, length < 0 ? undefined : start + 1 + length);
};
/** The image that runs, without data: the last one adds nothing else. */
const runtime = stage("runtime");
const ofRuntime = (keyword: string): Instruction[] => runtime.filter((one) => one.getKeyword() === keyword);

describe("the Containerfile", () => {
  it("has nothing that the linter has to say about, and the linter speaks", () => {
    expect(validate(text)).toEqual([]);
    expect(validate(text.replace("EXPOSE 8080", "EXPOSE http"))).not.toEqual([]);
  });

  it("has one base, pinned by name and full version in one ARG, which the service runs on", () => {
    const arg = file.getInitialARGs().map((one) => one.getProperty());
    expect(arg.map((property) => property?.getName())).toEqual(["NODE", "DATA"]);
    const [, version = ""] =
      /^docker\.io\/library\/node:(\d+\.\d+\.\d+)-bookworm-slim$/.exec(arg[0]?.getValue() ?? "") ?? [];
    expect(missingNode(version)).toBeUndefined();
    const bases = file.getFROMs().map((from) => [from.getBuildStage(), from.getImage()]);
    expect(bases).toEqual([
      ["program", "${NODE}"],
      ["gather", "${NODE}"],
      ["runtime", "${NODE}"],
      ["build", "program"],
      ["dist", "scratch"],
      ["data", "${DATA}"],
      [null, "runtime"],
    ]);
    expect(text).not.toContain("latest");
  });

  it("adds nothing from afar, keeps no secret, and has no time in its labels", () => {
    expect([...named("ADD"), ...named("VOLUME"), ...named("ONBUILD"), ...named("SHELL")]).toEqual([]);
    expect(named("ARG").map((one) => words(one)[0]?.split("=")[0])).toEqual(["NODE", "DATA", "ORIGIN"]);
    const labels = named("LABEL").flatMap((one) => (one as Label).getProperties()).map((property) => property.getName()); // prettier-ignore
    expect(labels.length).toBeGreaterThan(0);
    for (const label of labels) expect(label).toMatch(/^org\.opencontainers\.image\.(?:title|description|licenses)$/);
  });

  it("runs as another user than the one who owns the files, in the exec form, watched without curl", () => {
    expect(ofRuntime("USER").map(words)).toEqual([["node"]]);
    expect(runtime.findIndex((one) => one.getKeyword() === "USER")).toBeGreaterThan(runtime.findLastIndex((one) => one.getKeyword() === "COPY")); // prettier-ignore
    expect(named("COPY").flatMap((one) => (one as Copy).getFlags()).map((flag) => flag.getName())).toEqual(["from", "from", "from", "from"]); // prettier-ignore
    expect(stage(null).map((one) => one.getKeyword())).toEqual(["FROM", "COPY"]);
    expect(ofRuntime("CMD").map(json)).toEqual([["node", "runtime/main.js"]]);
    expect(named("ENTRYPOINT")).toEqual([]);
    const [health, ...more] = ofRuntime("HEALTHCHECK");
    expect(more).toEqual([]);
    expect(json(health)[0]).toBe("node");
    expect(text.slice(text.indexOf("HEALTHCHECK --"))).not.toMatch(/curl|wget/);
    expect(ofRuntime("RUN")).toEqual([]);
    expect(ofRuntime("EXPOSE").map(words)).toEqual([["8080"]]);
    expect(ofRuntime("ENV").flatMap(words)).toEqual([
      "NODE_ENV=production",
      "HOST=0.0.0.0",
      "PORT=8080",
      "NODE_OPTIONS=--max-semi-space-size=4",
    ]);
  });

  it("tells how to run it with a root that cannot be written and no rights", () => {
    for (const option of ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--build-arg ORIGIN=", "--build-arg DATA=", "--target runtime"])
      expect(text).toContain(option); // prettier-ignore
    const mounted = `${words(ofRuntime("WORKDIR")[0] as Instruction)[0]}/${words(stage(null)[1] as Instruction)[1]}`;
    expect(text).toContain(`dist:${mounted.replace(/\/$/, "")}:ro`);
  });

  it("copies only what exists and what .containerignore lets in, and it lets in nothing else", () => {
    const copied = named("COPY").filter((one) => (one as Copy).getFromFlag() === null).flatMap((one) => words(one).slice(0, -1)).map((name) => name.replace(/\/$/, "")); // prettier-ignore
    for (const name of copied) expect([name, existsSync(path.join(project, name))]).toEqual([name, true]);
    expect(allowed[0]).toBe("*");
    expect(allowed.slice(1)).toEqual([...new Set(copied)].map((name) => `!${name}`).toSorted());
  });
});

const root = mkdtempSync(path.join(tmpdir(), "stages-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Where a stage is: its root on this disk, and the place in it. */
interface Stage {
  readonly folder: string;
  workdir: string;
}
const stages = new Map<string, Stage>();
let final: Stage = { folder: root, workdir: "/" };

/** A host's modes can be any, and the image must not have them. */
function loosen(target: string): void {
  const directory = lstatSync(target).isDirectory();
  chmodSync(target, directory ? 0o777 : 0o666);
  if (directory) for (const name of readdirSync(target)) loosen(path.join(target, name));
}

function copy(one: Copy, { folder, workdir }: Stage): void {
  const from = one.getFromFlag()?.getValue();
  const [to = "", ...sources] = words(one).toReversed();
  for (const name of sources) {
    const isOurs = from === undefined || from === null;
    const source = path.join(
      isOurs ? project : (stages.get(from)?.folder ?? "no stage"),
      // A small one shows the same.
      isOurs && name === "registry/" ? "test/golden/registry" : name,
    );
    const place = path.resolve("/", workdir, to);
    const target = path.join(folder, lstatSync(source).isDirectory() ? place : path.join(place, path.basename(name)));
    cpSync(source, target, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    if (from === undefined) loosen(target);
  }
}

/** The stage that is the data where nothing else is named. */
const DATA = file.getInitialARGs()[1]?.getProperty()?.getValue() ?? "";

const env = { ...process.env, ORIGIN: "https://registry.example.org", SERVICE_ORIGIN: "", PORT: "", HOST: "" };

/** Runs a shell command; npm only rehearses installations, but runs its scripts. */
function shell(command: string, { folder, workdir }: Stage, environment = env): void {
  const cwd = path.join(folder, workdir);
  const scriptOf = (_npm: string, name: string): string => {
    const manifest = readFileSync(path.join(cwd, "package.json"), "utf8");
    return (JSON.parse(manifest) as { scripts: Record<string, string> }).scripts[name] ?? `no script ${name}`;
  };
  const script = command
    .replace(/^npm ci\b/, "npm ci --offline --dry-run")
    .replaceAll(/\bnpm run (\w+)(?: --)?/g, scriptOf);
  execFileSync("sh", ["-c", script], { cwd, env: environment, stdio: "pipe" });
}

function run(one: Instruction, where: Stage): void {
  const script = one.getArgumentsContent() ?? "";
  shell(script, where);
  const cwd = path.join(where.folder, where.workdir);
  if (script.startsWith("npm ci")) symlinkSync(path.join(project, "node_modules"), path.join(cwd, "node_modules"));
}

function play(one: Instruction): void {
  const keyword = one.getKeyword();
  if (keyword === "FROM") {
    final = { folder: path.join(root, String(stages.size)), workdir: "/" };
    mkdirSync(final.folder);
    const base = stages.get((one as From).getImage()?.replace("${DATA}", DATA) ?? "");
    if (base !== undefined) {
      cpSync(base.folder, final.folder, { recursive: true, verbatimSymlinks: true });
      final.workdir = base.workdir;
    }
    stages.set((one as From).getBuildStage() ?? "", final);
  } else if (keyword === "WORKDIR") {
    final.workdir = words(one)[0] ?? "";
    mkdirSync(path.join(final.folder, final.workdir), { recursive: true });
  } else if (keyword === "COPY") copy(one as Copy, final);
  else if (keyword === "RUN") run(one, final);
}

describe("its stages, played on plain folders", () => {
  beforeAll(() => {
    for (const one of instructions) play(one);
  });
  const service = (): string => path.join(final.folder, final.workdir);

  it("need an origin, and say so", () => {
    const [build] = named("RUN").filter((one) => one.getArgumentsContent()?.includes("npm run build"));
    const without = { ...env, ORIGIN: "" };
    expect(() => shell(build?.getArgumentsContent() ?? "", stages.get("build") ?? final, without)).toThrow(/ORIGIN: name it by --build-arg/); // prettier-ignore
  });

  it("leave a runtime without data, next to data without a runtime", () => {
    const [program, data] = [stages.get("runtime"), stages.get("data")].map((one) => path.join(one?.folder ?? "", one?.workdir ?? "")); // prettier-ignore
    const without = readdirSync(service()).filter((name) => name !== "dist");
    expect(readdirSync(program ?? "")).toEqual(without);
    expect(readdirSync(data ?? "")).toEqual(readdirSync(path.join(service(), "dist")));
  });

  it("leave what runs and nothing else, for all to read and for the owner alone to write", () => {
    expect(readdirSync(final.folder)).toEqual([final.workdir.slice(1)]);
    const files = ["LICENSE", "dist", "node_modules", "package-lock.json", "package.json", "runtime"];
    expect(readdirSync(service())).toEqual(files);
    const names = readdirSync(service(), { recursive: true, encoding: "utf8" }).filter((name) => !name.startsWith("node_modules")); // prettier-ignore
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) {
      const { mode } = lstatSync(path.join(service(), name));
      const expected = (mode & 0o170000) === 0o040000 ? 0o755 : 0o644;
      expect([name, (mode & 0o777).toString(8)]).toEqual([name, expected.toString(8)]);
    }
  });

  it("leave a service that starts, answers its watch, and stops by a signal", async () => {
    const port = await freePort();
    const [command = "", ...args] = json(ofRuntime("CMD")[0]);
    const [watch = "", ...look] = json(ofRuntime("HEALTHCHECK")[0]);
    expect([command, watch]).toEqual(["node", "node"]);
    const environment = { ...env, ...Object.fromEntries(ofRuntime("ENV").flatMap(words).map((word) => word.split(/=(.*)/))), PORT: String(port) }; // prettier-ignore
    const options = { cwd: service(), env: { ...environment, HOST: "127.0.0.1" } };
    const health = (): Promise<unknown> => promisify(execFile)(process.execPath, look, options);
    await expect(health()).rejects.toMatchObject({ code: 1 });
    const child = spawn(process.execPath, args, options);
    const line = String((await once(child.stdout, "data"))[0]);
    expect(line).toContain("for https://registry.example.org on");
    await health();
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).toBe(0);
  });
});
