/**
 * Files that other people made: vocabularies and archives as real files, nested, multiplied,
 * endless, or with some of their bytes changed. A command ends in time and within memory, with one
 * line or with findings, and writes nowhere else.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";
import { beforeAll, describe, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { folder, type Outcome, run, runHere } from "../support/command.ts";
import { empty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { Chance, deadline, IS_LONG, report, SEED } from "./chance.ts";
import { mutate } from "./grammar.ts";

const SKOS = "http://www.w3.org/2004/02/skos/core#";
const TURTLE = `@prefix skos: <${SKOS}> .\n<http://a/b> a skos:Concept ; skos:prefLabel "one"@en`;
const XML = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="${SKOS}">`;
const LABEL = '<skos:Concept rdf:about="http://a/b"><skos:prefLabel xml:lang="en">';

/** What repeats in a file between its beginning and its end, to this size. */
const BOMBS: readonly (readonly [file: string, head: string, repeated: string, tail: string])[] = [
  ["literal.ttl", `${TURTLE}, "`, "x", '"@en .'],
  ["nested.ttl", `${TURTLE} ; skos:note `, "[ skos:note ", ""],
  ["lists.ttl", `${TURTLE} ; skos:note `, "(", ""],
  ["iri.nt", "<http://a/", "b", "> ."],
  ["entities.rdf", `<!DOCTYPE rdf:RDF [<!ENTITY a "${"b".repeat(1000)}">]>${XML}${LABEL}`, "&a;", "</skos:prefLabel></skos:Concept></rdf:RDF>"], // prettier-ignore
  ["literal.rdf", XML + LABEL, "x", "</skos:prefLabel></skos:Concept></rdf:RDF>"],
  ["nested.rdf", XML, "<skos:Concept><skos:broader>", ""],
  ["nested.jsonld", "", "[", ""],
  ["literal.jsonld", '{"@id":"http://a/b","http://a/c":"', "x", '"}'],
  ["cell.csv", "id,name\n1,", "x", "\n"],
  ["quoted.csv", 'id,name\n1,"', "x\n", '"\n'],
  ["columns.csv", "id,", "a,", "name\n"],
  ["rows.csv", "id,name,definition,domain,en\n", "\n", ""],
];

/** Writes a file of a size in pieces. */
function writeBomb(file: string, [, head, repeated, tail]: (typeof BOMBS)[number], bytes: number): void {
  const block = Buffer.from(repeated.repeat(Math.ceil(2 ** 20 / repeated.length)));
  const descriptor = openSync(file, "w");
  writeSync(descriptor, head);
  for (let written = 0; written < bytes; written += block.length) writeSync(descriptor, block);
  writeSync(descriptor, tail);
  closeSync(descriptor);
}

const formatOf = (file: string): string[] =>
  file.endsWith(".csv") ? ["csv", "--language-columns", "en", "--name", "X", "--domain", "x"] : ["skos"];

function importInto(into: string, file: string): string[] {
  return ["import", "--format", ...formatOf(file), "--from", file, "--into", into, "--license", "CC0-1.0"];
}

/** What is wrong with how a command ended. */
function misbehaved({ code, stdout, stderr }: Outcome): string | undefined {
  const text = stdout + stderr;
  if (![0, 1, 2, 3].includes(code)) return `exit code ${code}: ${stderr.slice(0, 500)}`;
  if (/\n\s+at .*:\d+/.test(text)) return `a stack: ${text.slice(0, 500)}`;
  return code === 2 && !/^[^\n]+\n$/.test(stderr) ? `not one line: ${stderr.slice(0, 500)}` : undefined;
}

describe("a vocabulary as a real file", () => {
  it.each(BOMBS)("is read or refused in time and within memory: %s", async (...bomb) => {
    const directory = folder({});
    // Each line costs some time, and there is no end to a file of them but its own.
    const bytes = bomb[0] === "rows.csv" ? 2 ** 25 : IS_LONG ? 2 ** 30 : 2 ** 26;
    const file = path.join(directory, bomb[0]);
    writeBomb(file, bomb, bytes);
    const started = performance.now();
    // Half of the memory that Node would take by itself: what holds the file runs out.
    const outcome = await run("lib/generator/main.js", importInto(path.join(directory, "own"), file), { env: { NODE_OPTIONS: "--max-old-space-size=384" } }); // prettier-ignore
    rmSync(directory, { recursive: true });
    report(`import of ${bytes / 2 ** 20} MiB`, { file: bomb[0], "exit code": outcome.code, seconds: Math.round((performance.now() - started) / 100) / 10 }); // prettier-ignore
    expect(misbehaved(outcome)).toBeUndefined();
  });

  it("may have any bytes changed: it is imported, or refused with a line, and never half", async () => {
    const good: Readonly<Record<string, string>> = {
      "a.ttl": `${TURTLE}, "two"@fr ; skos:definition "A \\"thing\\"."@en ; skos:altLabel """x\ny"""@de .\n`,
      "a.rdf": `<?xml version="1.0"?>\n${XML}${LABEL}one &amp; two</skos:prefLabel></skos:Concept></rdf:RDF>`,
      "a.jsonld": JSON.stringify({ "@context": { skos: SKOS }, "@graph": [{ "@id": "http://a/b", "@type": "skos:Concept", "skos:prefLabel": { "@value": "one", "@language": "en" } }] }), // prettier-ignore
      "a.csv": 'id,name,definition,domain,en\nx:1,One,"The ""first"".",numbers,one\nx:2,Two,B,numbers,two\n',
    };
    const end = deadline(0.08);
    const wrong: string[] = [];
    const codes = new Map<number, number>();
    for (let i = 0; i < 20 || performance.now() < end; i++) {
      const chance = new Chance(5000 + i);
      const name = chance.pick(Object.keys(good));
      const bytes = mutate(Buffer.from(good[name] ?? ""), chance);
      const directory = folder({ [name]: bytes });
      const into = path.join(directory, "own");
      const outcome = await runHere(importInto(into, path.join(directory, name))).catch((error: Error) => ({ code: -1, stdout: "", stderr: `throws ${error.stack ?? ""}` })); // prettier-ignore
      codes.set(outcome.code, (codes.get(outcome.code) ?? 0) + 1);
      let what = misbehaved(outcome);
      if (outcome.code === 2 && existsSync(into)) what ??= "was refused and left a registry";
      if (outcome.code === 0 && (await runHere(["lint", "--registry", into])).code !== 0) what ??= "gave a registry with findings that are errors"; // prettier-ignore
      if (what !== undefined) wrong.push(`HOSTILE_SEED=${SEED} try ${i}: ${name}: ${what}\n${JSON.stringify(bytes.toString("latin1"))}`);
      rmSync(directory, { recursive: true });
    }
    report("vocabularies with changed bytes", { ...Object.fromEntries([...codes].map(([code, count]) => [`exit ${code}`, count])), wrong: wrong.length }); // prettier-ignore
    expect(wrong.slice(0, 3)).toEqual([]);
  });
}); // prettier-ignore

describe("an archive for diff", () => {
  let release: string;
  const archives: Record<string, Buffer> = {};
  beforeAll(async () => {
    release = await buildRelease(checkedRegistry(empty));
    const zip = new ZipFile();
    for (const name of fileSystem.list(release)) zip.addFile(path.join(release, name), `dist/${name}`);
    zip.end();
    archives["a.zip"] = await buffer(zip.outputStream);
    const tar = pack();
    for (const name of fileSystem.list(release)) tar.entry({ name: `dist/${name}` }, readFileSync(path.join(release, name)));
    tar.finalize();
    archives["a.tar"] = await buffer(tar);
  }); // prettier-ignore

  it("may have any bytes changed: it is compared, or refused with a line, and nothing is written", async () => {
    const end = deadline(0.06);
    const wrong: string[] = [];
    const codes = new Map<number, number>();
    for (let i = 0; i < 6 || performance.now() < end; i++) {
      const chance = new Chance(6000 + i);
      const name = chance.pick(Object.keys(archives));
      const whole = archives[name] ?? Buffer.alloc(0);
      // The directory of a ZIP is at its end, the headers of a tar are everywhere.
      const from = name === "a.zip" && chance.once(2) ? whole.length - 4000 : 512 * chance.below(whole.length / 512);
      const bytes = Buffer.concat([whole.subarray(0, from), mutate(whole.subarray(from, from + 4000), chance), whole.subarray(from + 4000)]); // prettier-ignore
      const directory = folder({ [name]: bytes });
      mkdirSync(path.join(directory, "here"));
      const outcome = await runHere(["diff", path.join(directory, name), release], { cwd: path.join(directory, "here") }).catch((error: Error) => ({ code: -1, stdout: "", stderr: `throws ${error.stack ?? ""}` })); // prettier-ignore
      codes.set(outcome.code, (codes.get(outcome.code) ?? 0) + 1);
      const what = misbehaved(outcome) ?? (fileSystem.list(directory).length === 1 ? undefined : "wrote files");
      if (what !== undefined) {
        wrong.push(`HOSTILE_SEED=${SEED} try ${i}: ${name} from ${from}: ${what}`);
        if (process.env["HOSTILE_KEEP"] !== undefined)
          writeFileSync(path.join(process.env["HOSTILE_KEEP"], `${i}-${name}`), bytes);
      }
      rmSync(directory, { recursive: true });
    }
    report("archives with changed bytes", { ...Object.fromEntries([...codes].map(([code, count]) => [`exit ${code}`, count])), wrong: wrong.length }); // prettier-ignore
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it("may unpack to very much: it is refused in time and within memory", async () => {
    const zip = new ZipFile();
    const size = 2 ** (IS_LONG ? 31 : 28);
    for (let i = 0; i < 4; i++) zip.addReadStreamLazy(["manifest.json", "registry.index", "registry.blocks", "x"][i] ?? "", {}, (give) => give(null, zeros(size))); // prettier-ignore
    zip.end();
    const bytes = await buffer(zip.outputStream);
    const directory = folder({ "bomb.zip": bytes });
    const outcome = await run("lib/generator/main.js", ["diff", path.join(directory, "bomb.zip"), release], { env: { NODE_OPTIONS: "--max-old-space-size=384" } }); // prettier-ignore
    report("a ZIP bomb", { "bytes packed": bytes.length, "bytes unpacked": size * 4, "exit code": outcome.code });
    expect([misbehaved(outcome), outcome.code]).toEqual([undefined, 2]);
  });
});

function zeros(size: number): Readable {
  const block = Buffer.alloc(1 << 20);
  function* blocks(): Generator<Buffer> {
    for (let sent = 0; sent < size; sent += block.length) yield block;
  }
  return Readable.from(blocks());
}
