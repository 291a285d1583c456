/** Faults put into real web servers, which `verify-origin` must name. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../support/command.ts";
import { empty, nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { apache, caddy, isThere, nginx, type WebServer, withServer } from "./web-servers.ts";
import { freePort } from "../support/free-port.ts";

const ORIGIN = "http://registry.example";
let dist: string;
/** With one byte changed. */
let changed: string;
let older: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty), ORIGIN);
  older = await buildRelease(checkedRegistry(empty), ORIGIN);
  changed = mkdtempSync(path.join(tmpdir(), "changed-"));
  cpSync(dist, changed, { recursive: true });
  const text = path.join(changed, "llms.txt");
  writeFileSync(text, readFileSync(text, "utf8").replace("e", "E"));
});

interface Fault {
  readonly name: string;
  /** In place of a text of each configuration, another. */
  readonly edits: Readonly<Record<WebServer["name"], readonly [RegExp, string]>>;
  readonly finding: { readonly law: string; readonly request?: string; readonly text: RegExp };
}

const NONE = [/^/, ""] as const;
const FAULTS: readonly Fault[] = [
  {
    name: "gzip",
    edits: {
      nginx: [/gzip off;/, "gzip on; gzip_types *; gzip_min_length 0;"],
      apache: [/SetEnv no-gzip 1/, ""],
      caddy: [/\troot /, "\tencode gzip\n\troot "],
    },
    finding: { law: "no recoding", text: /^has Content-Encoding "gzip"$/ },
  },
  {
    name: "a rewritten ETag",
    edits: {
      nginx: [/(add_header ETag ")/g, "$1W/"],
      apache: [/(set ETag ")/g, "$1W/"],
      caddy: [/(ETag `)/g, "$1W/"],
    },
    finding: { law: "ETag", text: /^has etag "W\// },
  },
  {
    name: "a path in any case",
    edits: {
      nginx: [/location = (\/answers) /, "location ~* ^$1$ "],
      apache: [/("\^\(\?:\/answers\)\$" "[^"]*" \[)/, "$1NC,"],
      caddy: [/vars \{path\}/g, "path"],
    },
    finding: { law: "bytes", request: "GET /ANSWERS", text: /^answers 200, not 404$/ },
  },
  {
    name: "a changed byte",
    edits: { nginx: NONE, apache: NONE, caddy: NONE },
    finding: { law: "bytes", request: "GET /llms.txt", text: /^has other bytes$/ },
  },
  {
    name: "an older release in a cache",
    edits: {
      nginx: [/(add_header ETag )/g, "add_header Age 4000;\n$1"],
      apache: [/RewriteEngine on/, "Header always set Age 4000\nRewriteEngine on"],
      caddy: [/\troot /, "\theader Age 4000\n\troot "],
    },
    finding: { law: "caching", request: "GET /llms.txt", text: /^was 4000 s in a cache/ },
  },
];

describe.each([nginx, apache, caddy])("$name with a fault", (server) => {
  it.skipIf(!isThere(server)).each(FAULTS)("that is $name", async ({ name, edits, finding }) => {
    const release = name.startsWith("an older") ? older : dist;
    const root = name === "a changed byte" ? changed : release;
    const folder = mkdtempSync(path.join(tmpdir(), `${server.name}-`));
    const port = await freePort();
    const place = ["--into", folder, "--files", folder, "--root", root, "--listen", `127.0.0.1:${port}`];
    await runHere(["host", server.name, "--release", release, ...place]);
    const file = path.join(folder, server.file);
    const [from, to] = edits[server.name];
    const made = readFileSync(file, "utf8");
    expect(made).toMatch(from);
    writeFileSync(file, made.replace(from, to));
    await withServer(server, { folder, port, reads: [root] }, async () => {
      const args = ["verify-origin", `http://127.0.0.1:${port}`, "--release", dist, "--json"];
      const { code, stdout } = await runHere(args);
      const { text, ...where } = finding;
      const { differences } = JSON.parse(stdout) as { differences: object[] };
      const due = expect.objectContaining({ ...where, text: expect.stringMatching(text) as string });
      expect([code, differences]).toEqual([1, expect.arrayContaining([due])]);
      if (release === older) expect(differences).toContainEqual({ law: "bytes", request: "GET /registry/history.json", text: "has other bytes" }); // prettier-ignore
    });
    rmSync(folder, { recursive: true });
  });
});
