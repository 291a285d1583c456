/** The tar of a release, read by GNU tar and Python, and our reader given theirs; skipped aloud. */
import { execFileSync, spawnSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { packTar, readTar, type TarEntry } from "../../generator/archives/tar.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tar-"));
afterAll(() => rmSync(folder, { recursive: true }));

const isHere = (program: string, says: RegExp): boolean => {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const here = status === 0 && says.test(stdout);
  if (!here) console.warn(`Skipped, ${program} is not here, or another one: ${says.source}`);
  return here;
};
const gnuTar = isHere("tar", /GNU tar/);
const python = isHere("python3", /^Python 3/);

const TIME = 1_788_350_400;
const LONG = "long-name-".repeat(13);
const NAMES = ["z", "B", "a-b", "empty", "run.sh", "c/d/e/f", "\u{10000}", "日本語/文書.txt", "with space", "-dash", `${"d".repeat(155)}/${"f".repeat(100)}`, `${LONG}/${LONG}x/y`, `${"ü".repeat(120)}/${"ß".repeat(100)}/é`]; // prettier-ignore
const contentOf = (name: string): string => (name === "empty" ? "" : `${name}\n`.repeat(99));
const FOLDERS = NAMES.flatMap((name) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index + 1)));
const byBytes = (names: Iterable<string>): string[] =>
  [...names].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
const LISTED = byBytes(new Set([...NAMES, ...FOLDERS]));
const isExecutable = (name: string): boolean => name.endsWith("/") || name.endsWith(".sh");

const ENTRIES: TarEntry[] = NAMES.map((name) => {
  const bytes = Buffer.from(contentOf(name));
  return { path: name, size: bytes.length, chunks: () => [bytes], executable: name.endsWith(".sh") };
});
const file = path.join(folder, "every.tar");
writeFileSync(file, await buffer(packTar(ENTRIES, TIME)));

async function unpacked(bytes: Uint8Array): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const { path: name, chunks } of readTar([bytes])) found.push([name, (await buffer(chunks)).toString()]);
  return found.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Files on disk for others to pack, and their names at the top. */
const source = path.join(folder, "source");
for (const name of NAMES) {
  mkdirSync(path.dirname(path.join(source, name)), { recursive: true });
  writeFileSync(path.join(source, name), contentOf(name));
}
const expected = byBytes(NAMES).map((name) => [name, contentOf(name)]);
const tops = [...new Set(NAMES.map((name) => `./${name.split("/")[0] ?? ""}`))];

describe.skipIf(!gnuTar)("GNU tar", () => {
  it("lists folders and files by the bytes of their names, modes, root's numbers, one time", () => {
    const env = { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" };
    const options = ["--numeric-owner", "--full-time", "--quoting-style=literal", "-tvf", file];
    const lines = execFileSync("tar", options, { env, encoding: "utf8" }).trimEnd().split("\n");
    const wanted = LISTED.map((name) => {
      const mode = `${name.endsWith("/") ? "d" : "-"}${isExecutable(name) ? "rwxr-xr-x" : "rw-r--r--"}`;
      const size = name.endsWith("/") ? 0 : Buffer.byteLength(contentOf(name));
      return `${mode} 0/0 ${size} 2026-09-02 12:00:00 ${name}`;
    });
    expect(lines.map((line) => line.replaceAll(/ +/g, " "))).toEqual(wanted);
  });

  it.each(["000", "077"])("extracts it with the said modes and times under umask %s", (umask) => {
    const target = path.join(folder, `umask-${umask}`);
    mkdirSync(target);
    execFileSync("sh", ["-c", 'umask "$1" && exec tar -xpf "$2" -C "$3"', "sh", umask, file, target]);
    const found = LISTED.map((name) => {
      const { mode, mtimeMs } = statSync(path.join(target, name));
      return [name, (mode & 0o7777).toString(8), mtimeMs];
    });
    expect(found).toEqual(LISTED.map((name) => [name, isExecutable(name) ? "755" : "644", TIME * 1000]));
    for (const name of NAMES) expect(readFileSync(path.join(target, name), "utf8")).toBe(contentOf(name));
  });

  it("reads a size beyond the octal field", async () => {
    const size = 2 ** 33 + 1;
    const piece = new Uint8Array(1 << 20);
    const archive = packTar([{ path: "big", size, *chunks() { for (let left = size; left > 0; left -= piece.length) yield piece.subarray(0, left); } }], TIME); // prettier-ignore
    const { value: first } = await archive.next();
    await archive.return();
    // The content is left out, so tar complains once it has printed the size.
    const { stdout } = spawnSync("tar", ["--numeric-owner", "-tvf", "-"], { input: first ?? "", encoding: "utf8" });
    expect(stdout).toContain(` ${size} `);
  });

  it.each([["gnu", tops], ["posix", tops], ["gnu", ["."]], ["posix", ["."]]])("writes what readTar reads: %s, of %j", async (format, what) => {
    const bytes = execFileSync("tar", [`--format=${format}`, "-cf", "-", ...what], { cwd: source });
    expect(await unpacked(bytes)).toEqual(expected);
  }); // prettier-ignore

  it("writes links, which readTar refuses", async () => {
    const links = path.join(folder, "links");
    mkdirSync(links);
    writeFileSync(path.join(links, "a"), "a");
    linkSync(path.join(links, "a"), path.join(links, "b"));
    symlinkSync("/etc/passwd", path.join(links, "c"));
    symlinkSync("/".padEnd(200, "x"), path.join(links, "d"));
    for (const name of ["b", "c", "d"]) {
      const bytes = execFileSync("tar", ["-cf", "-", "a", name], { cwd: links });
      await expect(unpacked(bytes)).rejects.toThrow(`"${name}" is not a regular file`);
    }
  });
});

describe.skipIf(!python)("Python", () => {
  it("lists it, with empty names of owner and group", () => {
    const script = `
import json, sys, tarfile
with tarfile.open(sys.argv[1], "r:") as tar:
    print(json.dumps([[m.name, m.isdir(), m.isreg(), m.mode, m.uid, m.gid, m.uname, m.gname, m.mtime, m.linkname] for m in tar]))`;
    const members = JSON.parse(execFileSync("python3", ["-c", script, file], { encoding: "utf8" })) as unknown;
    expect(members).toEqual(
      LISTED.map((name) => {
        const directory = name.endsWith("/");
        const mode = isExecutable(name) ? 0o755 : 0o644;
        return [name.replace(/\/$/, ""), directory, !directory, mode, 0, 0, "", "", TIME, ""];
      }),
    );
  });

  it.each(["GNU_FORMAT", "PAX_FORMAT"])("writes what readTar reads: %s", async (format) => {
    const script = `
import os, sys, tarfile
with tarfile.open(fileobj=sys.stdout.buffer, mode="w|", format=tarfile.${format}) as tar:
    for name in sorted(os.listdir(".")): tar.add(name)`;
    expect(await unpacked(execFileSync("python3", ["-c", script], { cwd: source }))).toEqual(expected);
  });
});
