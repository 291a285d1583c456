/**
 * README's section "Use your own vocabulary", followed to the letter by somebody with a copy of the
 * project and a file of their own, and the commands of docs/vocabularies.md after it. They are read
 * from there, and nothing but the port is replaced. Where npm cannot install what the project
 * needs, the packages that are here stand in for `npm ci`, with a warning.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../support/npx.ts";
import { copyProject, project } from "../support/project.ts";
import { digestsIn } from "../support/files.ts";
import { freePort } from "../support/free-port.ts";

const HEADING = "## Use your own vocabulary";

const VOCABULARY = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix : <https://example.org/fruit/> .

:scheme a skos:ConceptScheme ; dct:title "Fruit"@en .
:apple a skos:Concept ; skos:prefLabel "apple"@en, "pomme"@fr ; skos:altLabel "eating apple"@en ;
  skos:definition "The round fruit of an apple tree."@en .
:potato a skos:Concept ; skos:prefLabel "potato"@en, "pomme de terre"@fr ; skos:altLabel "pomme"@fr ; skos:hiddenLabel "potatoe"@en .
:pear a skos:Concept ; skos:prefLabel "pear"@en, " poire "@fr .
:crab a skos:Concept ; skos:prefLabel "crab apple"@en ; owl:deprecated true ; dct:isReplacedBy :apple .
`;

/** README's text below the heading, up to the next one. */
function sectionOf(readme: string): string {
  const [, after] = readme.split(`\n${HEADING}\n`);
  if (after === undefined) throw new Error(`README.md has no section "${HEADING}"`);
  return after.split(/^## /m)[0] ?? "";
}

/** The lines of each block of code. */
function blocksOf(text: string): string[][] {
  const blocks = text.match(/(?:^ {4}.*\n)+/gm) ?? [];
  return blocks.map((block) =>
    block
      .replaceAll(/\\\n/g, "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  );
}

describe("README's way to an own vocabulary", () => {
  const read = (name: string): string => readFileSync(path.join(project, name), "utf8");
  const [commands = []] = blocksOf(sectionOf(read("README.md")));
  const further = blocksOf(read("docs/vocabularies.md"));
  const copy = path.join(mkdtempSync(path.join(tmpdir(), "own-")), "project");
  const printed = new Map<string, string>();
  let port: number;
  let server: ChildProcess | undefined;

  /** Gives what is printed. */
  async function sh(line: string): Promise<string> {
    const env = { PORT: String(port), SERVICE_ORIGIN: "", HOST: "" };
    const { code, stdout, stderr } = await execute("sh", ["-c", line], { cwd: copy, env });
    expect(code, `${line}\n${stdout}\n${stderr}`).toBe(0);
    return stdout;
  }

  /** npm ci, where it can be done. */
  async function install(line: string): Promise<void> {
    const { code, stderr } = await execute("sh", ["-c", line], {
      cwd: copy,
      env: { npm_config_prefer_offline: "true" },
    });
    if (code === 0) return;
    const reason = /^npm (?:error|ERR!) .*$/m.exec(stderr)?.[0];
    console.warn(`Not installed anew, npm cannot be asked (${reason ?? code}): the packages that are here stand in.`);
    rmSync(path.join(copy, "node_modules"), { recursive: true, force: true });
    symlinkSync(path.join(project, "node_modules"), path.join(copy, "node_modules"));
  }

  /** Starts what does not end, and waits until it says that it serves. */
  function serve(line: string): Promise<void> {
    const env = { ...process.env, PORT: String(port), SERVICE_ORIGIN: "", HOST: "" };
    const child = spawn("sh", ["-c", `exec ${line}`], { cwd: copy, env, detached: true });
    server = child;
    let [stdout, stderr] = ["", ""];
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    return new Promise((resolve, reject) => {
      child.on("exit", (code) => reject(new Error(`${line} ended with ${code}: ${stdout}${stderr}`)));
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk.toString();
        if (new RegExp(`on http://[^\\s]*:${port}\\n`).test(stdout)) resolve();
      });
    });
  }

  beforeAll(async () => {
    copyProject(copy);
    // The npm scripts make lib/ from the sources.
    for (const name of ["runtime", "generator", "types", "tsconfig.json"])
      cpSync(path.join(project, name), path.join(copy, name), { recursive: true });
    // Before npm ci, which empties what is behind a link.
    rmSync(path.join(copy, "node_modules"));
    for (const name of ["registry", "dist"]) rmSync(path.join(copy, name), { recursive: true, force: true });
    writeFileSync(path.join(copy, "my.ttl"), VOCABULARY);
    port = await freePort();
    for (const line of commands) {
      if (line === "npm ci") await install(line);
      else if (line.startsWith("npm start")) await serve(line);
      else printed.set(line.split(" ").slice(0, 3).join(" "), await sh(line));
    }
  }, 900_000);

  afterAll(() => {
    // npm and what it started are one group.
    if (server?.pid !== undefined && server.exitCode === null) process.kill(-server.pid, "SIGTERM");
    rmSync(path.dirname(copy), { recursive: true });
  });

  async function answerOf(
    expression: string,
    language: string,
  ): Promise<{ code: string | undefined; version: string | undefined; reason: string | null; candidates: number }> {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/resolve`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ expression, language }),
    });
    const { data } = (await response.json()) as {
      readonly data: {
        readonly status: string;
        readonly reason: string | null;
        readonly concept: { readonly code: string; readonly registryVersion: string } | null;
        readonly candidates: readonly unknown[];
      };
    };
    const { reason, concept, candidates } = data;
    return { code: concept?.code, version: concept?.registryVersion, reason, candidates: candidates.length };
  }

  function codes(): Record<string, string> {
    const lines = readFileSync(path.join(copy, "vocabulary/code-map.ndjson"), "utf8").trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line) as { readonly sourceId: string; readonly code: string });
    return Object.fromEntries(entries.map(({ sourceId, code }) => [path.basename(sourceId), code]));
  }

  it("is five commands, the last of which serves", () => {
    expect(commands.length).toBe(5);
    expect(commands[0]).toBe("npm ci");
    expect(commands[1]).toContain("my.ttl");
    expect(commands[4]).toMatch(/^npm start\b/);
  });

  it("says what was found in the file", () => {
    const said = printed.get("npm run import");
    expect(said).toMatch(/concepts: 3 new/);
    expect(said).toMatch(/expression-spaces +held +1/);
    expect(said).toMatch(/ambiguous-within-language +kept +1/);
    expect(printed.get("npm run review")).toContain("Not accepted: 1 expression\n");
    expect(printed.get("npm run release:registry")).toMatch(/Recorded [0-9]{4}\.[0-9]{2}\.[0-9]+: 3 concepts/);
  });

  it("resolves what the file calls its concepts, to the codes of the map, in the version that was released", async () => {
    const { apple, pear, potato } = codes();
    const [, version] = /--version (\S+)/.exec(commands[3] ?? "") ?? [];
    const resolved = (code: string | undefined) => ({ code, version, reason: null, candidates: 0 });
    expect(await answerOf("apple", "en")).toEqual(resolved(apple));
    expect(await answerOf("eating apple", "en-GB")).toEqual(resolved(apple));
    expect(await answerOf("pear", "en")).toEqual(resolved(pear));
    expect(await answerOf("pomme de terre", "fr")).toEqual(resolved(potato));
  });

  it("abstains for what is ambiguous, hidden, unclean or deprecated", async () => {
    const abstained = (reason: string, candidates = 0) => ({ code: undefined, version: undefined, reason, candidates });
    expect(await answerOf("pomme", "fr")).toEqual(abstained("ambiguous_expression", 2));
    expect(await answerOf("potatoe", "en")).toEqual(abstained("no_reviewed_exact_match"));
    expect(await answerOf("poire", "fr")).toEqual(abstained("no_reviewed_exact_match"));
    expect(await answerOf(" poire ", "fr")).toEqual(abstained("no_reviewed_exact_match"));
    expect(await answerOf("crab apple", "en")).toEqual(abstained("no_reviewed_exact_match"));
    const { crab, apple } = codes();
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/concepts/${crab}`)).status).toBe(404);
    const retired = await (await fetch(`http://127.0.0.1:${port}/registry/retired.json`)).text();
    expect(retired).toContain(crab);
    expect(retired).toContain(apple);
  });

  it("changes nothing when the same file is imported again, and takes it out by what the section shows next", async () => {
    const before = digestsIn(path.join(copy, "vocabulary"));
    await sh(commands[1] ?? "");
    expect(digestsIn(path.join(copy, "vocabulary"))).toEqual(before);
    writeFileSync(path.join(copy, "words.csv"), "id;en;de;fr\nq1;quince;Quitte;coing\n");
    // What names a FILE stands for one of the reader; gaps have a test of their own.
    const shown = further.flat().filter((one) => !/FILE|^npx srs |^\{/.test(one));
    for (const line of shown) await sh(line);
    const written = shown.flatMap((line) => /--into (\S+)/.exec(line)?.[1] ?? []);
    expect(written.filter((name) => !existsSync(path.join(copy, name)))).toEqual([]);
  });

  it("retires what a newer dump has no more, whatever names the dumps have", async () => {
    const plum = `:plum a skos:Concept ; skos:prefLabel "plum"@en .\n`;
    const dumps = { "my-2.ttl": VOCABULARY + plum, "my-3.ttl": VOCABULARY };
    for (const [name, text] of Object.entries(dumps)) {
      writeFileSync(path.join(copy, name), text);
      await sh((commands[1] ?? "").replace("my.ttl", name));
    }
    const retired = readFileSync(path.join(copy, "vocabulary/retired.yaml"), "utf8");
    expect(retired).toContain(codes()["plum"]);
  });
});
