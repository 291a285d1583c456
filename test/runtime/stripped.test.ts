/** The server as it is deployed: by runtime/start.js, from sources without types. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../generator/effects.ts";
import { stripSources } from "../../generator/stripped.ts";
import { sha256 } from "../../runtime/digest.ts";
import { run, serve } from "../support/command.ts";
import { copyProject, project } from "../support/project.ts";

const root = path.join(mkdtempSync(path.join(tmpdir(), "stripped-")), "project");
const start = path.join(root, "runtime/start.js");
const table = path.join(root, "dist/runtime.json");
const IDENTITY = "/.well-known/service-semantics-deployment.json";

beforeAll(async () => {
  copyProject(root);
  const built = await run(path.relative(project, path.join(root, "generator/main.ts")), ["build"], { cwd: root });
  if (built.code !== 0) throw new Error(built.stderr);
});
afterAll(() => rmSync(path.dirname(root), { recursive: true }));

/** Serves, asks, stops: the status of the identity, and what Node has loaded to take types out of. */
async function served(args: readonly string[] = ["--out", path.join(root, "dist")]) {
  const hook = `process.on("exit", () => process.stderr.write(process.moduleLoadList.join("\\n")))`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
  const server = await serve(start, args, env);
  const { status } = await fetch(`http://127.0.0.1:${server.port}${IDENTITY}`);
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/status`);
  server.child.kill();
  return {
    ended: await server.exit,
    answered: answer.status,
    status,
    strips: server.stderr().includes("internal/deps/amaro"),
    stderr: server.stderr(),
  };
}

describe("the sources without types", () => {
  it("are what Node itself makes of each, and of every one", () => {
    const stripped = JSON.parse(new TextDecoder().decode(stripSources(fileSystem))) as Record<string, string>;
    const folder = path.join(project, "runtime");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    for (const name of names) {
      const source = readFileSync(path.join(folder, name));
      const code = Buffer.from(stripped[sha256(source)] ?? "", "base64").toString();
      expect([name, code]).toEqual([name, stripTypeScriptTypes(source.toString())]);
    }
    expect(names.length).toBeGreaterThan(50);
    expect(Object.keys(stripped).length).toBe(names.length);
  });
});

describe("the server by start.js", () => {
  it("runs from them, and Node takes no types out of anything", async () => {
    expect(await served()).toMatchObject({ ended: 0, answered: 200, status: 200, strips: false });
  });

  it("runs a source as it stands where that was changed, and its identity says so", async () => {
    const source = path.join(root, "runtime/product.ts");
    const text = readFileSync(source, "utf8");
    appendFileSync(source, "\n");
    expect(await served()).toMatchObject({ ended: 0, answered: 200, status: 503, strips: true });
    appendFileSync(source, 'process.stderr.write("the changed source");\n');
    expect((await served()).stderr).toContain("the changed source");
    writeFileSync(source, text);
    expect(await served()).toMatchObject({ ended: 0, answered: 200, status: 200, strips: false });
  });

  it("does not run what is not of the manifest, and refuses it where it is to be served", async () => {
    const whole = readFileSync(table, "utf8");
    const evil = Buffer.from('process.stderr.write("evil");').toString("base64");
    for (const bad of [whole.replaceAll(/: "[^"]*"/g, `: "${evil}"`), whole.slice(0, -9), "null", ""]) {
      writeFileSync(table, bad);
      const outcome = await run(path.relative(project, start), ["--out", path.join(root, "dist")], { cwd: root });
      expect(outcome).toEqual({
        code: 2,
        stdout: "",
        stderr: `${table} differs from its digest in manifest.json: restore the file or build again\n`,
      });
    }
    writeFileSync(table, whole);
  });

  it("runs without any, as in a fresh clone, and serves whatever release it is told", async () => {
    const elsewhere = path.join(path.dirname(root), "elsewhere");
    const build = ["build", "--out", elsewhere];
    expect(await run(path.relative(project, path.join(root, "generator/main.ts")), build, { cwd: root })).toMatchObject({ code: 0 }); // prettier-ignore
    rmSync(path.join(root, "dist"), { recursive: true });
    expect(await served(["--out", elsewhere])).toMatchObject({ ended: 0, answered: 200, status: 200, strips: true });
    const outcome = await run(path.relative(project, start), [], { cwd: root });
    expect([outcome.code, outcome.stderr]).toEqual([
      2,
      "dist/manifest.json does not exist: build first (npm run build)\n",
    ]);
  });
});
