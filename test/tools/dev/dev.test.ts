/** `dev` without a browser: its refusals, the runtime's own answers, and no trace at the end. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import http from "node:http";
import path from "node:path";
import { expect, it } from "vitest";
import { buildDraft } from "../../../generator/tools/dev/draft.ts";
import { watchFolders } from "../../../generator/tools/dev/watch.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { folder, runHere, serve } from "../../support/command.ts";
import { project } from "../../support/project.ts";
import { listening } from "../../support/free-port.ts";

const REGISTRY = ["--registry", path.join(project, "test/golden/registry")];

it("says in one line that a folder is missing, a port is none, or is taken", async () => {
  const taken = http.createServer();
  const port = String(await listening(taken));
  const says = async (...args: string[]) => {
    const { code, stderr } = await runHere(["dev", ...args]);
    return [code, stderr];
  };
  expect(await says("--registry", "none")).toEqual([2, "--registry none is not a directory\n"]);
  expect(await says("--port", "70000")).toEqual([2, '--port "70000" is not a port number\n']);
  expect(await says(...REGISTRY, "--port", port)).toEqual([
    1,
    `Port ${port} is in use: name another one with --port\n`,
  ]);
  taken.close();
  const refused = async (syscall: string) => {
    const makeTemporary = (): string => {
      throw Object.assign(new Error("no"), { code: "EACCES", syscall });
    };
    return runHere(["dev", ...REGISTRY, "--port", "80"], { effects: { ...fileSystem, makeTemporary } });
  };
  expect((await refused("listen")).stderr).toBe("Port 80 is not allowed: name another one with --port\n");
  expect((await refused("mkdtemp")).stderr).toMatch(/^no: name another place/);
});

it("ends where it cannot make a folder, and leaves none where it cannot listen", async () => {
  const taken = http.createServer();
  const port = String(await listening(taken));
  const made = folder({});
  const makeTemporary = (name: string): string => mkdtempSync(path.join(made, name));
  const inUse = await runHere(["dev", ...REGISTRY, "--port", port], { effects: { ...fileSystem, makeTemporary } });
  expect([inUse.code, readdirSync(made)]).toEqual([1, []]);
  await new Promise((resolve) => taken.close(resolve));
  rmSync(made, { recursive: true });
  const ended = await runHere(["dev", ...REGISTRY, "--port", port], { effects: { ...fileSystem, makeTemporary } });
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/^ENOENT[^\n]+\n$/)]);
  // Nothing listens, which would keep the process alive.
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
});

it("answers as the runtime does, with a script in pages alone, and leaves nothing behind", async () => {
  const home = folder({});
  mkdirSync(path.join(home, "tmp"));
  const preview = await serve("lib/generator/main.js", ["dev", ...REGISTRY], { TMPDIR: path.join(home, "tmp") });
  try {
    const ask = (target: string, init?: RequestInit): Promise<Response> =>
      fetch(`http://127.0.0.1:${preview.port}${target}`, init);
    const document = await ask("/openapi.json");
    const etag = document.headers.get("etag") ?? "none";
    expect([document.status, await document.json()]).toMatchObject([200, { openapi: "3.1.0" }]);
    expect((await ask("/openapi.json", { headers: { "If-None-Match": etag } })).status).toBe(304);
    const refused = await ask("/api/v1/resolve", { method: "POST", body: "x".repeat(100_000) });
    expect([refused.status, await refused.json()]).toMatchObject([415, { data: null }]);
    const page = await ask("/");
    const [, nonce = ""] = /'nonce-([^']+)'/.exec(page.headers.get("content-security-policy") ?? "") ?? [];
    expect(await page.text()).toContain(`<script nonce="${nonce}" type="module" src="/.dev/client.js?build=`);
    expect([page.headers.get("etag"), page.headers.get("cache-control")]).toEqual([null, "no-store"]);
    const client = await (await ask("/.dev/client.js")).text();
    expect(client).toBe(readFileSync(path.join(project, "generator/tools/dev/client.js"), "utf8"));
    const events = await ask("/.dev/events");
    expect(events.headers.get("content-type")).toBe("text/event-stream");
    expect(readdirSync(path.join(home, "tmp")).map((name) => name.slice(0, 8))).toEqual(["srs-dev-"]);
  } finally {
    preview.child.kill("SIGTERM");
  }
  expect([await preview.exit, preview.stderr()]).toEqual([0, ""]);
  expect(readdirSync(path.join(home, "tmp"))).toEqual([]);
  expect(existsSync(path.join(home, "dist"))).toBe(false);
});

const INVOICE = "registry/concepts/money/M-1.yaml";
const OTHER = readFileSync(path.join(project, "test/golden", INVOICE), "utf8").replace('"invoice"', '"bill"');

it.each([
  ["a version that is not recorded", false, {}, "2026.11.1, not recorded"],
  ["what is recorded", true, {}, "2026.11.1, as recorded"],
  ["other content", true, { [INVOICE]: OTHER }, "2026.11.2-draft, not recorded"], // prettier-ignore
  ["a record that is none", true, { [INVOICE]: "code: M-1\n" }, undefined],
])("says of %s what it is", async (...[, isRecorded, edits, says]) => {
  const home = folder({});
  const registry = path.join(home, "registry");
  cpSync(path.join(project, "test/golden/registry"), registry, { recursive: true });
  if (isRecorded)
    expect((await runHere(["release-registry", "--registry", registry, "--version", "2026.11.1"])).code).toBe(0);
  for (const [file, text] of Object.entries(edits)) writeFileSync(path.join(home, file), text);
  const request = { registry, content: path.join(project, "content"), out: path.join(home, "out"), origin: "http://a.example" }; // prettier-ignore
  const { built, errors } = await buildDraft(fileSystem, request, () => undefined);
  expect([built, errors.length > 0]).toEqual([says && expect.stringContaining(says), says === undefined]);
  expect(existsSync(path.join(home, "out"))).toBe(says !== undefined);
});

it("sees a folder again that was removed and came back, and what happens in it then", async () => {
  const home = folder({ "registry/a.yaml": "1", "content/b.yaml": "1" });
  const registry = path.join(home, "registry");
  const watcher = await watchFolders([registry, path.join(home, "content")], (fault) => expect.unreachable(fault));
  rmSync(registry, { recursive: true });
  await watcher.changed();
  mkdirSync(path.join(registry, "concepts"), { recursive: true });
  await watcher.changed();
  writeFileSync(path.join(registry, "concepts/c.yaml"), "2");
  await watcher.changed();
  await watcher.close();
});

it.each(["registry", "registry/concepts"])(
  "sees that %s was removed and is back at once, and what happens in it then",
  async (name) => {
    const home = folder({ "registry/concepts/a.yaml": "1", "content/b.yaml": "1" });
    const at = (file: string): string => path.join(home, file);
    const watcher = await watchFolders([at("registry"), at("content")], (fault) => expect.unreachable(fault));
    renameSync(at(name), at("before"));
    cpSync(at("before"), at(name), { recursive: true });
    await watcher.changed();
    writeFileSync(at("registry/concepts/a.yaml"), "2");
    await watcher.changed();
    await watcher.close();
  },
);
