/**
 * Real web servers with the configuration that `host` writes, held to the law: what each keeps is what it says, no more and no
 * less. The table of docs/hosting.md is what this run gives.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { negotiate } from "../../runtime/http/negotiate.ts";
import { runHere } from "../support/command.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { importResolver } from "../support/static-host.ts";
import { type Service, serveFolder } from "../support/service.ts";

interface Server {
  readonly name: string;
  /** The program and what it loads: all must be there. */
  readonly needs: readonly [program: string, ...modules: string[]];
  /** Files besides those that `host` writes, and the arguments that start it in the folder. */
  prepare(
    this: void,
    folder: string,
  ): { readonly files: Readonly<Record<string, string>>; readonly args: readonly string[] };
  /** The laws that are broken without a runtime, and with one. */
  readonly broken: readonly [readonly string[], readonly string[]];
}

const SERVERS: readonly Server[] = [
  {
    name: "nginx",
    needs: ["/usr/sbin/nginx", "/usr/lib/nginx/modules/ngx_http_js_module.so"],
    prepare: (folder) => ({
      args: ["-p", folder, "-c", "main.conf", "-e", path.join(folder, "error.log")],
      files: {
        "main.conf": `load_module /usr/lib/nginx/modules/ngx_http_js_module.so;
${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`).join(" ")}
  include nginx.conf;
}
`,
      },
    }),
    broken: [["digests", "pages", "identity", "concepts", "resolve", "MCP"], ["digests"]],
  },
  {
    name: "caddy",
    needs: ["/usr/bin/caddy"],
    prepare: (folder) => ({ args: ["run", "--config", path.join(folder, "Caddyfile")], files: {} }),
    broken: [["digests", "negotiation", "pages", "identity", "concepts", "resolve", "MCP"], []],
  },
];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const ORIGIN = "http://registry.example";
let dist: string;
let runtime: Service;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty), ORIGIN);
  runtime = await serveFolder(dist);
});
afterAll(() => runtime.close());

describe.each(SERVERS)("$name", ({ name, needs, prepare, broken }) => {
  const [program] = needs;
  const missing = needs.find((file) => !existsSync(file));
  const isThere = missing === undefined;
  if (!isThere)
    console.warn(`Skipped, there is no ${missing}: install ${name}${missing === program ? "" : " with it"}.`);

  it.skipIf(!isThere).each([
    ["without a runtime", 0],
    ["with a runtime", 1],
  ] as const)("keeps the laws that it says, %s", async (_name, withRuntime) => {
    const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
    const port = await freePort();
    const named = withRuntime === 1 ? ["--runtime", `http://127.0.0.1:${runtime.port}`] : [];
    const place = ["--release", dist, "--into", folder, "--root", dist, "--listen", `127.0.0.1:${port}`];
    expect(await runHere(["host", name, ...place, ...named])).toMatchObject({ code: 0, stderr: "" });
    const { files, args } = prepare(folder);
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    try {
      await answering(child, port);
      const { stdout } = await runHere(["verify-origin", `http://127.0.0.1:${port}`, "--release", dist, "--json"]);
      const { laws, differences } = JSON.parse(stdout) as {
        laws: { law: string; failed: number; asked: number }[];
        differences: { law: string; request: string; text: string }[];
      };
      console.info(
        laws.map(({ law, failed, asked }) => `${name} ${withRuntime} ${law}: ${asked - failed} of ${asked}`).join("\n"),
      );
      const found = laws.filter(({ failed }) => failed > 0).map(({ law }) => law);
      if (withRuntime === 0) {
        const { openRegistry } = await importResolver(dist);
        const registry = await openRegistry(`http://127.0.0.1:${port}`);
        for (const [expression, outcome] of [
          ["many", "ambiguous"],
          ["nobody says this", "no_reviewed"],
        ] as const) {
          const { body } = await registry.resolve({ expression });
          expect([body, body.includes(outcome)]).toEqual([
            (await runtime.resolve({ expression })).body.toString(),
            true,
          ]);
        }
        for (const file of ["/manifest.json", "/shell.html", "/mcp.json", "/api/v1/integration-studio/index.json"])
          expect([file, (await fetch(`http://127.0.0.1:${port}${file}`)).status]).toEqual([file, 404]);
      }
      // The server is asked at a loopback address: its runtime answers MCP for the public name alone.
      expect([found, differences.filter(({ law }) => !broken[withRuntime].includes(law))]).toEqual([
        [...broken[withRuntime]],
        [],
      ]);
    } finally {
      await stop(child);
      rmSync(folder, { recursive: true });
    }
  });
});

async function answering(child: ChildProcess, port: number): Promise<void> {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${said}`);
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await setTimeout(50);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.exitCode === null && child.kill("SIGTERM")) await ended;
}

describe("the script for nginx", () => {
  it("chooses as the service does", async () => {
    const script = path.resolve(import.meta.dirname, "../../generator/hosting/files/negotiate.js");
    const module = `data:text/javascript,${encodeURIComponent(readFileSync(script, "utf8"))}`;
    const { default: own } = (await import(module)) as {
      default: { negotiate: (field: string | undefined, types: string[]) => number };
    };
    const types = ["application/json", "text/html; charset=utf-8", "text/markdown; charset=utf-8"];
    const fields = [
      undefined,
      "",
      ",",
      "*/*",
      "text/*",
      "text/html;q=0.5, application/json;q=0.4",
      "image/png",
      "*/*;q=0",
      "text/html;level=1",
      "text/html;charset=UTF-8",
      "TEXT/MARKDOWN;variant=GFM",
      'a/b;x=",",text/html',
      "text/html;q=1.0001",
      "text/html;q=0,*/*",
      ";;;",
      "text/html ; q=0.3,*/*;q=0.2",
      "*/html",
      "text/html;q=",
      "application/json;q=0.001",
    ];
    for (const field of fields)
      expect([field, own.negotiate(field, types)]).toEqual([field, negotiate(field, types) ?? -1]);
  });
});
