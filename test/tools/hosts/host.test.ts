/** `host` writes complete, reproducible configurations, which real servers run in test/external. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { workerProject } from "../../../generator/tools/hosts/cloudflare.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { resources } from "../../../runtime/contract/policy.ts";
import { prerender } from "../../../generator/tools/hosts/prerender.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import type { Served } from "../../../runtime/release/served.ts";
import { type Outcome, runHere } from "../../support/command.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { digestsIn, namesIn } from "../../support/files.ts";
import { serveFolder } from "../../support/service.ts";

const HOSTS = {
  nginx: ["negotiate.js", "nginx.conf"],
  apache: [
    "apache.conf",
    ...Array.from({ length: 10 }, (_none, i) => `maps/p${i}.var`),
    ...["405", "412", ...Array.from({ length: 10 }, (_none, i) => `p${i}`)].map((name) => `refusals/${name}.json`),
  ],
  caddy: ["Caddyfile"],
  netlify: ["_headers", "_redirects"],
  headers: ["headers.json"],
};
let dist: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty));
});

const filesOf = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(path.join(directory, file)).isFile())
    .toSorted();
const folder = (): string => mkdtempSync(path.join(tmpdir(), "hosts-"));
const host = (...args: readonly string[]): Promise<Outcome> => runHere(["host", ...args, "--release", dist]);

describe("host", () => {
  it.each(Object.entries(HOSTS))(
    "writes all of %s, twice the same, and says what it cannot keep",
    async (name, files) => {
      const [one, two] = [folder(), folder()];
      const { code, stdout, stderr } = await host(name, "--into", one);
      await host(name, "--into", two);
      expect([code, stderr, filesOf(one)]).toEqual([0, "", files]);
      expect(stdout).toMatch(new RegExp(`^Laws that ${name} cannot keep.*:\n  \\w`, "m"));
      const texts = files.map((file) => readFileSync(path.join(one, file), "utf8"));
      expect(files.map((file) => readFileSync(path.join(two, file), "utf8"))).toEqual(texts);
      // Nothing of this machine, and every document of the release.
      const whole = texts.join("\n");
      expect(texts.filter((_text, i) => files[i] !== "negotiate.js").join("")).not.toMatch(
        /undefined|\[object|\/tmp\//,
      );
      const missing = resources
        .map((resource) => resource.path)
        .filter((place) => place !== paths.home && !whole.includes(place));
      expect(missing).toEqual([]);
    },
  );

  it("is as it was where the disk is full among what is prerendered, and whole the next time", async () => {
    const into = folder();
    let left = 20;
    const write: typeof fileSystem.write = (file, chunks) => {
      if (left-- === 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { syscall: "write" });
      return fileSystem.write(file, chunks);
    };
    const args = ["host", "nginx", "--prerender", "--into", into, "--release", dist];
    expect((await runHere(args, { effects: { ...fileSystem, write } })).code).toBe(1);
    expect(filesOf(into)).toEqual([]);
    expect((await runHere(args)).code).toBe(0);
    const whole = digestsIn(into);
    left = 20;
    expect((await runHere(args, { effects: { ...fileSystem, write } })).code).toBe(1);
    expect(digestsIn(into)).toEqual(whole);
  });

  it.each([
    ["nginx", []],
    ["nginx", ["--prerender"]],
    ["cloudflare", []],
  ])("leaves nothing half written where the disk is full, and does the rest the next time: %s", async (name, more) => {
    const args = ["host", name, ...more, "--release", dist, "--into"];
    const whole = folder();
    await runHere([...args, whole]);
    const fail = (syscall: string): never => {
      throw Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), { syscall });
    };
    const into = folder();
    const write: typeof fileSystem.write = (file, chunks) => (fileSystem.write(file, chunks), fail("write"));
    expect((await runHere([...args, into], { effects: { ...fileSystem, write } })).code).toBe(1);
    expect(filesOf(into)).toEqual([]);
    // Stopped before each of the moves in turn.
    for (let moves = 0, code = 1; code !== 0; moves++) {
      const stopped = folder();
      let left = moves;
      const rename: typeof fileSystem.rename = (from, to) =>
        left-- === 0 ? fail("rename") : fileSystem.rename(from, to);
      ({ code } = await runHere([...args, stopped], { effects: { ...fileSystem, rename } }));
      const again = await runHere([...args, stopped]);
      expect([moves, again.code, again.stderr, digestsIn(stopped)]).toEqual([moves, 0, "", digestsIn(whole)]);
    }
  });

  it("is not written into a registry", async () => {
    const into = folder();
    writeFileSync(path.join(into, "registry.yaml"), "name: x");
    const { code, stderr } = await host("nginx", "--into", into);
    expect([code, filesOf(into)]).toEqual([2, ["registry.yaml"]]);
    expect(stderr).toMatch(/ is a registry, which has no other files: name another folder$/m);
  });

  it("passes what no file can answer to a runtime, with the Host of the client", async () => {
    const into = folder();
    const { stdout } = await host(
      "nginx",
      "--into",
      into,
      "--runtime",
      "http://127.0.0.1:8081",
      "--root",
      "/srv/words",
    );
    expect(stdout).not.toMatch(/resolve|identity/);
    const text = readFileSync(path.join(into, "nginx.conf"), "utf8");
    expect(text).toMatch(/^upstream semantic_resolution_[0-9a-f]{8} \{ server 127\.0\.0\.1:8081;/m);
    expect(text).toContain("proxy_set_header Host $http_host;");
    expect(text).toContain('root "/srv/words";');
  });

  it.each([
    ["8081", "http://:8081 {\n\troot"],
    [":8081", "http://:8081 {\n\troot"],
    ["127.0.0.1:8081", "http://:8081 {\n\tbind 127.0.0.1\n"],
    ["[::1]:8081", "http://:8081 {\n\tbind [::1]\n"],
    ["words.example:80", "http://words.example:80 {\n\troot"],
  ])("lets Caddy answer any Host at an address that it listens on: %s", async (listen, begins) => {
    const into = folder();
    await host("caddy", "--into", into, "--listen", listen);
    expect(readFileSync(path.join(into, "Caddyfile"), "utf8")).toContain(begins);
  });

  it("takes codes that are long, part of other words, or named as what a server looks for", async () => {
    const long = "Z".repeat(64);
    const concepts = ["A", "B.VAR", long].map((code) => concept(code, [expression("en", code)]));
    const release = await buildRelease(checkedRegistry({ concepts }));
    const into = folder();
    const text = async (name: string, file: string): Promise<string> => {
      const { code } = await runHere(["host", name, "--release", release, "--into", into, "--prerender"]);
      expect(code).toBe(0);
      return readFileSync(path.join(into, file), "utf8");
    };
    const nginx = await text("nginx", "nginx.conf");
    expect([nginx.includes(`"~^${long}$" `), /\w\$concept/.exec(nginx)]).toEqual([true, null]);
    expect(/\w\{http/.exec(await text("caddy", "Caddyfile"))).toBeNull();
    expect(await text("apache", "apache.conf")).not.toContain("AddHandler");
  });

  it("leads the form to the public origin by Apache, which may not know of TLS in front of it", async () => {
    const into = folder();
    await host("apache", "--into", into, "--prerender");
    const text = readFileSync(path.join(into, "apache.conf"), "utf8");
    expect(text).toContain(`RewriteRule "^/resolve$" "${openRelease(dist).manifest.origin}/" [R=302,L]`);
  });

  it("writes a Worker with all that it needs, twice the same, instead of the one before", async () => {
    const [one, two] = [folder(), folder()];
    await host("cloudflare", "--into", one);
    writeFileSync(path.join(one, "assets/of-another-release"), "");
    const { code, stdout, stderr } = await host("cloudflare", "--into", one);
    await host("cloudflare", "--into", two);
    expect([code, stderr, readdirSync(one)]).toEqual([0, "", ["assets", "worker", "wrangler.jsonc"]]);
    expect(stdout).toMatch(/^Laws that cloudflare cannot keep.*:\n {2}identity: /m);
    expect(digestsIn(two)).toEqual(digestsIn(one));
    const { manifest } = openRelease(dist);
    expect(namesIn(path.join(one, "assets"))).toEqual(manifest.files.map((file) => file.path).sort());
    // Plain modules, each with all that it imports, and nothing of Node.
    for (const name of namesIn(path.join(one, "worker"))) {
      const text = readFileSync(path.join(one, "worker", name), "utf8");
      for (const [, from = ""] of text.matchAll(/\bfrom "([^"]+)";$/gm))
        expect([name, existsSync(path.join(one, "worker", path.dirname(name), from))]).toEqual([name, true]);
      expect([name, /"node:|\bprocess\.|\bBuffer\b/.exec(text)?.[0]]).toEqual([name, undefined]);
    }
    const entry = "generator/tools/hosts/portable/worker.js";
    expect(readFileSync(path.join(one, "worker", entry))).toEqual(readFileSync(path.join("lib", entry)));
    const settings = readFileSync(path.join(one, "wrangler.jsonc"), "utf8").split("\n").slice(1).join("\n");
    expect(JSON.parse(settings)).toMatchObject({
      main: "worker/index.js",
      no_bundle: true,
      assets: { directory: "assets", run_worker_first: true, html_handling: "none" },
      routes: [{ pattern: "registry.example", custom_domain: true }],
    });
  });

  it("leaves files that are too large for assets to the bucket, under keys of their own", () => {
    const { manifest } = openRelease(dist);
    const large = manifest.files.map((file) =>
      file.path === "registry.index" ? { ...file, bytes: 26_214_401 } : { ...file, bytes: 26_214_400 },
    );
    const { texts, assets, stored } = workerProject({ ...manifest, files: large }, fileSystem);
    const sha256 = manifest.files.find((file) => file.path === "registry.index")?.sha256 ?? "";
    expect(stored).toEqual({ "registry.index": `registry.index.${sha256.slice(0, 16)}` });
    expect(assets).toEqual(manifest.files.map((file) => file.path).filter((name) => name !== "registry.index"));
    expect(texts.get("wrangler.jsonc")).toContain('"binding": "REGISTRY"');
  });

  it("writes what the service answers for concepts and lists, where it is asked to", async () => {
    const into = folder();
    expect(await host("nginx", "--into", into, "--prerender")).toMatchObject({ code: 0, stderr: "" });
    const service = await serveFolder(dist);
    const folderOf = path.join(into, "prerendered");
    const files = filesOf(folderOf);
    for (const file of files) {
      const [, code = "", type = ""] = /^(?:concepts(\/.*)\/(?:page|document)|list)\.(html|json)$/.exec(file) ?? [];
      const { body } = await service.send("GET", `${type === "html" ? "" : "/api/v1"}/concepts${code}`);
      const sent = body.toString().replaceAll(/ nonce="[^"]*"/g, " nonce");
      expect([file, readFileSync(path.join(folderOf, file), "utf8")]).toEqual([file, sent]);
    }
    await service.close();
    expect(files.length).toBe(2 + 2 * service.release.index.conceptCount);
  });

  it("prerenders no huge registry, and none for a host that has a runtime or other rules", async () => {
    const huge = { index: { conceptCount: 2001 } } as unknown as Served;
    await expect(prerender(huge, () => Promise.reject(new Error()))).rejects.toThrow(
      "The registry has 2001 concepts, and --prerender writes at most 2000: use a runtime",
    );
    const [withRuntime, netlify] = [await host("nginx", "--prerender", "--runtime", "http://127.0.0.1:1"), await host("netlify", "--prerender")]; // prettier-ignore
    expect(withRuntime).toMatchObject({ code: 2, stderr: "--prerender is for a host without a runtime: leave out --runtime, or runtime in service.yaml\n" }); // prettier-ignore
    expect(netlify).toMatchObject({ code: 2, stderr: "--prerender is for nginx, apache, caddy: leave it out\n" });
  });

  it("leaves the certificate of a site that is named by its host to Caddy", async () => {
    const into = folder();
    await host("caddy", "--into", into);
    const text = readFileSync(path.join(into, "Caddyfile"), "utf8");
    expect(text).toMatch(/^# .* TLS: write its host in place of `http:\/\/:80`\.\nhttp:\/\/:80 \{/);
  });

  it("reads service.yaml, before which an option goes", async () => {
    const home = folder();
    writeFileSync(path.join(home, "service.yaml"), "hosts: { caddy: { into: made, root: /srv/a, listen: '81' } }\n");
    const run = (...args: string[]): Promise<Outcome> =>
      runHere(["host", "caddy", "--release", dist, ...args], { cwd: home });
    expect(await run("--listen", "82")).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(path.join(home, "made/Caddyfile"), "utf8")).toMatch(/http:\/\/:82 \{\n\troot \* `\/srv\/a`/);
    writeFileSync(path.join(home, "service.yaml"), "hosts: { iis: {} }\n");
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown property "iis"') });
  });

  it.each([
    ["nginx", "nginx.conf", []],
    ["nginx", "prerendered/own.html", ["--prerender"]],
    ["cloudflare", "assets/logo.svg", []],
    ["cloudflare", "worker/own.ts", []],
    ["headers", "headers.json", []],
  ] as const)("replaces nothing that it did not write: %s, %s", async (name, file, more) => {
    const into = folder();
    mkdirSync(path.dirname(path.join(into, file)), { recursive: true });
    writeFileSync(path.join(into, file), "own");
    const { code, stdout, stderr } = await host(name, "--into", into, ...more);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^--into .* did not write, .*\n$/)]);
    expect(readFileSync(path.join(into, file), "utf8")).toBe("own");
    expect(readdirSync(into)).toHaveLength(1);
  });

  it("refuses what it cannot write, in one line", async () => {
    const refused: readonly (readonly [string[], RegExp])[] = [
      [[], /^Name one host: nginx, apache, caddy, cloudflare, netlify, headers\n$/],
      [["iis"], /^Name one host/],
      [["nginx", "--into", path.join(dist, "hosts")], /is in the release, whose files must stay as they are\n$/],
      [["nginx", "--into", path.join(dist, "llms.txt")], /is in the release|is a file/],
      [["nginx", "--root", "/srv/a;b"], /^--root "\/srv\/a;b" has a character/],
      [["nginx", "--root", "dist"], /^--root dist must be an absolute path on the host, such as \/srv\/words\/dist\n$/],
      [["caddy", "--files", "./caddy"], /^--files \.\/caddy must be an absolute path/],
      [["nginx", "--runtime", "8080"], /^--runtime must be an address/],
      [
        ["netlify", "--runtime", "http://127.0.0.1:1"],
        /^--runtime is for nginx, apache, caddy: leave it out, or runtime in service.yaml\n$/,
      ],
      [["cloudflare", "--root", "/srv/a"], /^--root is for nginx, apache, caddy: /],
      [["headers", "--listen", "81"], /^--listen is for nginx, apache, caddy: /],
    ];
    for (const [args, message] of refused) {
      const { code, stdout, stderr } = await host(...args);
      expect([args, code, stdout, stderr]).toEqual([args, 2, "", expect.stringMatching(message)]);
    }
  });
});
