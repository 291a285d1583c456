/** What can be compared: folders, archives and git revisions; and what cannot, in one line, with exit code 2 and no trace. */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { type Header, pack } from "tar-stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { FOOTER_BYTES, FOOTER_FIELDS, DIGEST_BYTES, MAGIC, SECTIONS } from "../../../runtime/registry/index-format.ts";
import { openIndex } from "../../../runtime/registry/index.ts";
import { openRegistryFiles } from "../../../runtime/release/registry-files.ts";
import type { Outcome } from "../../support/command.ts";
import { concept, checkedRegistry, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { compared, diff, leftovers, newFolder, removeScratch, tampered } from "../../support/diff.ts";

const registry = (...texts: string[]): ReturnType<typeof checkedRegistry> =>
  checkedRegistry({
    concepts: [
      concept(
        "A",
        texts.map((text) => expression("en", text)),
      ),
      concept("B", [expression("de", "zwei")]),
    ],
  });

let one: string;
let two: string;
beforeAll(async () => {
  one = await buildRelease(registry("a", "b"));
  two = await buildRelease(registry("a", "c"));
});
afterAll(removeScratch);

/** The files of a release below a folder of the archive. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  );

async function zipOf(folder: string, compress: boolean): Promise<string> {
  const zip = new ZipFile();
  for (const name of filesOf(folder)) zip.addFile(path.join(folder, name), `some/where/${name}`, { compress });
  zip.end();
  const file = path.join(newFolder(), "dist.zip");
  writeFileSync(file, await buffer(zip.outputStream));
  return file;
}

type NamedHeader = Partial<Header> & { readonly name: string };

/** A tar as the library writes it: ustar, with pax headers where a name needs them. */
async function tarOf(
  entries: readonly (readonly [header: NamedHeader, content?: Buffer])[],
  name: string,
): Promise<string> {
  const tar = pack();
  for (const [header, content] of entries) {
    if (content === undefined) tar.entry(header);
    else tar.entry(header, content);
  }
  tar.finalize();
  const file = path.join(newFolder(), name);
  writeFileSync(file, await buffer(tar));
  return file;
}

const entriesOf = (folder: string, below: string, pax = {}): [NamedHeader, Buffer][] =>
  filesOf(folder).map((name) => [{ name: `${below}/${name}`, pax }, readFileSync(path.join(folder, name))]);

/** The command with a folder for temporary things of its own, which must be empty in the end. */
async function diffCleanly(args: readonly string[], cwd?: string): Promise<Outcome> {
  const place = newFolder();
  const outcome = await diff(args, { env: { TMPDIR: place }, ...(cwd !== undefined && { cwd }) });
  expect(leftovers(place)).toEqual([]);
  return outcome;
}

async function expectUnusable(given: string, message: RegExp): Promise<void> {
  const outcome = await diffCleanly([given, one]);
  expect([given, outcome.code, outcome.stdout, outcome.stderr]).toEqual([given, 2, "", expect.stringMatching(message)]);
  expect(outcome.stderr.trimEnd().split("\n").length).toBe(1);
}

describe("an archive", () => {
  it.each(["stored", "deflated"])("is a ZIP, %s, with the release somewhere in it", async (method) => {
    const zip = await zipOf(two, method === "deflated");
    const same = await diffCleanly([two, zip, "--json"]);
    expect([same.code, JSON.parse(same.stdout)]).toMatchObject([
      0,
      { verdict: "same", b: { given: zip, kind: "archive" } },
    ]);
    const other = await diffCleanly([one, zip, "--json"]);
    expect([other.code, JSON.parse(other.stdout)]).toMatchObject([
      1,
      {
        resolutions: expect.arrayContaining([
          {
            kind: "now_resolves",
            expression: "c",
            language: "en",
            before: { reason: "no_reviewed_exact_match" },
            after: { code: "A" },
          },
        ]) as unknown,
      },
    ]);
  });

  it.each([
    ["ustar", {}],
    ["pax", { comment: "from a test" }],
  ])("is a tar of the form %s, whatever its suffix", async (_form, pax) => {
    const archive = await tarOf(entriesOf(two, "dist", pax), "release");
    expect((await diffCleanly([archive, two])).code).toBe(0);
  });

  it("is the shallowest release in it, with its dist or without", async () => {
    const archive = await tarOf([...entriesOf(one, "a/deep/dist"), ...entriesOf(two, "z")], "x.tar");
    expect((await diffCleanly([two, archive])).code).toBe(0);
  });
});

/** A ZIP with one entry more; `edit` changes its bytes. */
async function hostileZip(
  names: readonly string[],
  edit: (zip: Buffer) => void = () => undefined,
  mode = 0o100644,
): Promise<string> {
  const zip = new ZipFile();
  for (const [i, name] of names.entries())
    zip.addBuffer(Buffer.from("x".repeat(1000)), `${"n".repeat(name.length - 1)}${i}`, { mode });
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream) parts.push(part as Buffer);
  let bytes = Buffer.concat(parts);
  for (const [i, name] of names.entries()) {
    const placeholder = `${"n".repeat(name.length - 1)}${i}`;
    bytes = Buffer.from(bytes.toString("latin1").replaceAll(placeholder, name), "latin1");
  }
  edit(bytes);
  const file = path.join(newFolder(), "hostile.zip");
  writeFileSync(file, bytes);
  return file;
}

/** Where the one central header of a ZIP is. */
const central = (zip: Buffer): number => zip.indexOf(Buffer.from("PK\u0001\u0002", "latin1"));

function hostileTar(...entries: string[]): Promise<string> {
  const of = (kind: string, name: string): [NamedHeader, Buffer?] =>
    kind === "file"
      ? [{ name }, Buffer.from("hello")]
      : [{ name, type: kind === "hard" ? "link" : "symlink", linkname: "/etc/passwd" }];
  const pairs = entries.filter((_, i) => i % 2 === 0).map((kind, i) => of(kind, entries[i * 2 + 1] ?? ""));
  return tarOf(pairs, "hostile.tar");
}

describe("a hostile archive is refused in one line, and nothing of it stays:", () => {
  it("a ZIP that leads out, is encrypted, a link, twice, too large, or cut", async () => {
    await expectUnusable(await hostileZip(["../../escaped"]), /invalid relative path/);
    await expectUnusable(await hostileZip(["/escaped"]), /absolute path/);
    await expectUnusable(await hostileZip(["..\\escaped.txt"]), /invalid characters/);
    await expectUnusable(await hostileZip(["same/name", "same/name"]), /"same\/name" is there twice/);
    await expectUnusable(await hostileZip(["folder", "folder/file"]), /cannot be read as an archive/);
    await expectUnusable(await hostileZip(["a-link"], undefined, 0o120777), /"a-link" is not a regular file/);
    await expectUnusable(
      await hostileZip(["secret"], (zip) =>
        zip.writeUInt16LE(zip.readUInt16LE(central(zip) + 8) | 1, central(zip) + 8),
      ),
      /"secret" is encrypted/,
    );
    // A bomb: more comes out than the entry declares.
    await expectUnusable(
      await hostileZip(["bomb"], (zip) => zip.writeUInt32LE(10, central(zip) + 24)),
      /too many bytes/,
    );
    await expectUnusable(
      await hostileZip(["method"], (zip) => zip.writeUInt16LE(99, central(zip) + 10)),
      /compression method/,
    );
    const cut = await hostileZip(["name"]);
    truncateSync(cut, readFileSync(cut).length - 30);
    await expectUnusable(cut, /hostile\.zip cannot be read as an archive/);
  }, 120_000);

  it("a ZIP that declares more than 8 GiB, before any of it is written", async () => {
    const bomb = await hostileZip(["bomb-one", "bomb-two", "bomb-six"], (zip) => {
      for (let at = central(zip); at >= 0; at = zip.indexOf(Buffer.from("PK\u0001\u0002", "latin1"), at + 4))
        zip.writeUInt32LE(0xf000_0000, at + 24);
    });
    await expectUnusable(bomb, /declares 12079595520 bytes, more than 8589934592/);
  });

  it("a tar that leads out, links, repeats a name, or is cut", async () => {
    await expectUnusable(await hostileTar("file", "../escaped"), /not a plain name/);
    await expectUnusable(await hostileTar("link", "innocent"), /not a regular file/);
    await expectUnusable(await hostileTar("hard", "innocent"), /not a regular file/);
    await expectUnusable(await hostileTar("file", "a", "file", "a"), /there twice/);
    const cut = await hostileTar("file", "a");
    truncateSync(cut, 700);
    await expectUnusable(cut, /cut off/);
    const text = path.join(newFolder(), "text");
    writeFileSync(text, "no archive at all");
    await expectUnusable(text, /cannot be read as an archive/);
  }, 60_000);
});

describe("a side that cannot be compared", () => {
  it("gets one clear line and exit code 2", async () => {
    await expectUnusable("/nonexistent", /"\/nonexistent" is no folder, no archive and no git revision here/);
    await expectUnusable("--output=x", /Unknown option/);
    await expectUnusable("", /"" is no folder/);
    await expectUnusable(newFolder(), /holds no release/);
    await expectUnusable(await hostileTar("file", "a"), /holds no release: no folder in it has/);
    await expectUnusable(tampered(one, { "registry.index": "x".repeat(1000) }), /Not a registry index/);
    await expectUnusable(tampered(one, { "registry.index": "" }), /registry\.index/);
  }, 60_000);

  it("may be an index of another format, or a damaged one", async () => {
    const index = readFileSync(path.join(one, "registry.index"));
    const field = index.length - DIGEST_BYTES - MAGIC.length - FOOTER_FIELDS.length * 4;
    expect(field).toBeGreaterThan(index.length - DIGEST_BYTES - FOOTER_BYTES);
    const changed = (at: number, value: number): Buffer => {
      const other = Buffer.from(index);
      other.writeUInt32LE(value, at);
      return other;
    };
    await expectUnusable(
      tampered(one, { "registry.index": changed(field, 99) }),
      /has format 99 .* this runtime reads format/,
    );
    // Counts and sections that lead anywhere.
    await expectUnusable(tampered(one, { "registry.index": changed(field + 5 * 4, 4_000_000_000) }), /damaged/);
    const opened = openRegistryFiles(one);
    const { bundle: ahead, pages } = opened.index.sections;
    const offset = pages.offset - ahead.length;
    opened.close();
    await expectUnusable(tampered(one, { "registry.index": changed(offset, 0xffff_fff0) }), /damaged/);
    const bundle = readFileSync(path.join(one, "registry/bundle.ndjson"));
    const detail = bundle.indexOf('}\n{"code":"B"') + 2;
    expect(detail).toBeGreaterThan(1);
    bundle.writeUInt32LE(0, detail);
    await expectUnusable(tampered(one, { "registry/bundle.ndjson": bundle }), /damaged/);
  }, 60_000);

  it("is not one of the former format, which had the bundle inside", async () => {
    const former = tampered(one, {});
    const files = ["registry/bundle.ndjson", "registry.index"].map((name) => path.join(former, name));
    const whole = Buffer.concat(files.map((file) => readFileSync(file)));
    const { sections } = openIndex(memorySource(whole));
    const table = whole.length - DIGEST_BYTES - FOOTER_BYTES;
    const footer = Buffer.from(whole.subarray(table, table + FOOTER_BYTES));
    const parts: Uint8Array[] = [MAGIC];
    let at: number = MAGIC.length;
    SECTIONS.forEach((name, i) => {
      const { offset, length } = sections[name];
      footer.writeBigUInt64LE(BigInt(at), i * 16);
      parts.push(whole.subarray(offset, offset + length), Buffer.alloc(-length & 7));
      at += length + (-length & 7);
    });
    footer.writeUInt32LE(1, SECTIONS.length * 16);
    writeFileSync(files[1] ?? "", Buffer.concat([...parts, footer, Buffer.alloc(DIGEST_BYTES)]));
    rmSync(files[0] ?? "");
    rmSync(path.join(former, "registry.blocks"));
    const { code, stdout } = await diffCleanly([former, one]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/every expression resolves as before/)]);
    expect(stdout).toMatch(/^A: .* 2 concepts, 3 distinct expressions/);
    expect(stdout).not.toMatch(/Concepts changed/);
  });

  it("is not a matter of other arguments: there are two", async () => {
    for (const args of [[], [one], [one, one, one]]) {
      expect(await diff(args)).toMatchObject({
        code: 2,
        stdout: "",
        stderr: "Name two releases: npm run diff -- A B\n",
      });
    }
    expect(await diff(["--help"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Exit codes: 0 [\s\S]* 1 [\s\S]* 2 [\s\S]* 3 /) as string,
    });
  });
});

describe("a release of another version", () => {
  it("is compared where its index opens, whatever else it has or lacks", async () => {
    const other = tampered(
      one,
      {
        "manifest.json": '{"schema":"some.other.manifest","origin":7}',
        "new-document.json": "{}",
        "openapi.json": null,
      },
      true,
    );
    const found = await compared(one, other);
    expect(found).toMatchObject({ code: 1, resolutions: [], concepts: [] });
    expect(found.warnings).toEqual(["B names no origin in its manifest: addresses are compared as they are"]);
    expect(
      found.documents.filter(({ change }) => change !== "changed").map(({ path: name, change }) => [name, change]),
    ).toEqual([
      ["new-document.json", "added"],
      ["openapi.json", "removed"],
    ]);
  });
});

describe("a git revision", () => {
  it("is built by its own build and compared; a path of the same name wins", { timeout: 300_000 }, async () => {
    const clone = path.join(newFolder(), "clone");
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.org", ...args], {
        cwd: clone,
        encoding: "utf8",
      });
    execFileSync("git", ["clone", "--quiet", "--no-hardlinks", path.resolve("."), clone], { stdio: "ignore" });
    copyFileSync("package-lock.json", path.join(clone, "package-lock.json"));
    const file = path.join(clone, "registry/concepts/support/C-DFM7YZ.yaml");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('expression: "money back request"', 'expression: "give me my money back"'),
    );
    writeFileSync(path.join(clone, "registry/history.yaml"), "[]\n");
    git("commit", "--quiet", "--all", "--message", "edit");
    const commit = git("rev-parse", "HEAD").trim();
    const outcome = await diffCleanly(["HEAD~1", "HEAD", "--json"], clone);
    expect(outcome.stderr).toBe("");
    const found = JSON.parse(outcome.stdout) as Awaited<ReturnType<typeof compared>>;
    expect(outcome.code).toBe(1);
    expect(found).toMatchObject({ b: { given: "HEAD", kind: "revision", commit, origin: "http://127.0.0.1:8080" } });
    expect(found.concepts.map(({ code }) => code)).toEqual(["C-DFM7YZ"]);
    expect(found.resolutions.map(({ kind, expression: text }) => [kind, text])).toEqual([
      ["now_abstains", "money back request"],
      ["now_abstains", "money back request"],
      ["now_resolves", "give me my money back"],
      ["now_resolves", "give me my money back"],
    ]);
    expect(git("status", "--porcelain")).toBe("");
    // Built for the origin of the release beside it, so that no address differs.
    const beside = JSON.parse((await diffCleanly([one, "HEAD", "--json"], clone)).stdout) as typeof found;
    expect(beside.b.origin).toBe("https://registry.example");
    renameSync(two, path.join(clone, "HEAD"));
    expect(JSON.parse((await diffCleanly(["HEAD", one, "--json"], clone)).stdout)).toMatchObject({
      a: { kind: "directory", commit: null },
    });
    writeFileSync(path.join(clone, "registry/registry.yaml"), "broken");
    git("commit", "--quiet", "--all", "--message", "broken");
    const broken = await diffCleanly([one, "HEAD^0"], clone);
    expect([broken.code, broken.stdout, broken.stderr]).toEqual([
      2,
      "",
      expect.stringMatching(/^Revision [0-9a-f]{40} cannot be built: npm run failed \(1\): .*\n$/),
    ]);
  });
});

describe("a folder with links", () => {
  it("is not whole, and compared all the same", async () => {
    const linked = tampered(one, {});
    symlinkSync("/nonexistent", path.join(linked, "dangling"));
    expect(await compared(one, linked)).toMatchObject({ warnings: ["B is not whole: run npm run verify"] });
  });
});
