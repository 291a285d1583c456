/**
 * The kits as people unpack them: by Info-ZIP, libarchive, Python, 7-Zip, the JDK and BusyBox, none
 * of which is the library that wrote them. Each must find nothing to complain of, and give every
 * file back, with its mode where the reader has modes.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import { kitPath } from "../../runtime/contract/policy.ts";
import { readZip, type ZipEntry } from "../support/kits.ts";
import { empty, nasty } from "../support/nasty.ts";
import { execute, type Outcome } from "../support/npx.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";

interface Reader {
  readonly name: string;
  /** Programs that are this reader, the first that runs; each with its leading arguments. */
  readonly programs: readonly (readonly [command: string, ...before: string[]])[];
  /** A run that shows that the program is there. */
  readonly probe: readonly string[];
  /** Looks whether a ZIP is whole; not every reader can. */
  readonly check?: (zip: string) => readonly string[];
  /** Unpacks into the folder it runs in. */
  readonly unpack: (zip: string) => readonly string[];
  /** Whether it gives files the modes that the ZIP says. */
  readonly modes: boolean;
  readonly install: string;
}

const readers: readonly Reader[] = [
  {
    name: "Info-ZIP",
    programs: [["unzip"]],
    probe: ["-v"],
    check: (zip) => ["-t", zip],
    unpack: (zip) => ["-q", zip],
    modes: true,
    install: "unzip",
  },
  {
    name: "libarchive",
    programs: [["bsdtar"]],
    probe: ["--version"],
    check: (zip) => ["-t", "-v", "-f", zip],
    unpack: (zip) => ["-x", "-f", zip],
    modes: true,
    install: "libarchive-tools",
  },
  {
    name: "Python",
    programs: [["python3"], ["python"]],
    probe: ["-c", "import zipfile, zlib"],
    check: (zip) => ["-m", "zipfile", "-t", zip],
    unpack: (zip) => ["-m", "zipfile", "-e", zip, "."],
    modes: false,
    install: "python3",
  },
  {
    name: "7-Zip",
    programs: [["7zz"], ["7z"], ["7za"]],
    probe: ["i"],
    check: (zip) => ["t", zip],
    unpack: (zip) => ["x", "-y", zip],
    modes: true,
    install: "7zip",
  },
  {
    name: "the JDK",
    programs: [["jar"]],
    probe: ["--version"],
    check: (zip) => ["tf", zip],
    unpack: (zip) => ["xf", zip],
    modes: false,
    install: "openjdk-17-jdk-headless",
  },
  {
    name: "BusyBox",
    programs: [["busybox", "unzip"], ["busybox.static", "unzip"]],
    // Without an archive it has nothing to list; with one that is none it says so and ends.
    probe: ["-l", "/dev/null"],
    unpack: (zip) => ["-q", zip],
    modes: true,
    install: "busybox",
  },
]; // prettier-ignore

/** The same for everybody: files with modes 644 and 755, and messages in English. */
function run(command: readonly string[], cwd: string): Promise<Outcome> {
  const env = { LC_ALL: "C", UMASK: "022" };
  return execute("sh", ["-c", 'umask 022; exec "$@"', "sh", ...command], { cwd, env, timeout: 600_000 });
}

async function findProgram({ name, programs, probe, install }: Reader): Promise<readonly string[] | undefined> {
  for (const program of programs) {
    const { code, stderr } = await run([...program, ...probe], tmpdir());
    // The shell ends with 126 or 127 where there is nothing to run.
    const ran = program.length > 1 ? code === 1 && /unzip/.test(stderr) : code === 0;
    if (ran) return program;
  }
  console.warn(
    `Skipped, ${name} is not here: ${programs.map(([command]) => command).join(", ")} not found. ` +
      `Install it with \`apt-get install --no-install-recommends ${install}\`.`,
  );
  return undefined;
}

const found = await Promise.all(readers.map(async (reader) => ({ ...reader, program: await findProgram(reader) })));

interface KitOnDisk {
  readonly name: string;
  readonly zip: string;
  readonly entries: readonly ZipEntry[];
}

let folder: string;
const kits: KitOnDisk[] = [];
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "readers-"));
  for (const [registry, files] of Object.entries({ nasty, empty })) {
    const dist = await buildRelease(checkedRegistry(files));
    for (const recipeId of RECIPE_IDS) {
      const bytes = readFileSync(dist + kitPath(recipeId));
      const zip = path.join(folder, `${registry}-${recipeId}.zip`);
      writeFileSync(zip, bytes);
      kits.push({ name: `${registry} ${recipeId}`, zip, entries: await readZip(bytes) });
    }
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Every file below a folder with its mode, by its place. */
function filesBelow(directory: string): Map<string, { readonly bytes: Buffer; readonly mode: number }> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    names
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(directory, file), { bytes: readFileSync(file), mode: statSync(file).mode }]),
  );
}

function freshFolder(): string {
  const made = mkdtempSync(path.join(folder, "unpacked-"));
  mkdirSync(made, { recursive: true });
  return made;
}

/**
 * Lines that speak of something wrong; names of files and the word that nothing is wrong do not.
 */
function complaintsIn(output: string): string[] {
  const lines = output.split("\n").filter((line) => !/No errors detected/.test(line));
  return lines.filter((line) => /warning|error|caution|mismatch/i.test(line.replaceAll(/fixtures\/\S+/g, "")));
}

for (const { name, program = [], check, unpack, modes } of found) {
  describe.skipIf(program.length === 0)(`read by ${name}`, () => {
    it.skipIf(check === undefined)("finds every kit whole", async () => {
      for (const kit of kits) {
        const { code, stdout, stderr } = await run([...program, ...(check?.(kit.zip) ?? [])], folder);
        expect([kit.name, code, stderr]).toEqual([kit.name, 0, ""]);
        expect([kit.name, complaintsIn(stdout)]).toEqual([kit.name, []]);
      }
    });

    it(`gives every file back to the byte${modes ? ", with its mode" : ""}, and nothing else`, async () => {
      for (const kit of kits) {
        const place = freshFolder();
        const { code, stderr } = await run([...program, ...unpack(kit.zip)], place);
        expect([kit.name, code, stderr]).toEqual([kit.name, 0, ""]);
        const files = filesBelow(place);
        expect([kit.name, [...files.keys()].sort()]).toEqual([
          kit.name,
          kit.entries.map((entry) => entry.name).toSorted(),
        ]);
        for (const entry of kit.entries) {
          const file = files.get(entry.name);
          expect([kit.name, entry.name, file?.bytes.equals(entry.bytes)]).toEqual([kit.name, entry.name, true]);
          if (modes) {
            const mode = entry.name.endsWith(".sh") ? "100755" : "100644";
            expect([kit.name, entry.name, file?.mode.toString(8)]).toEqual([kit.name, entry.name, mode]);
          }
        }
      }
    });

    it("leaves files that sha256sum finds to be those of SHA256SUMS", async () => {
      for (const kit of kits) {
        const place = freshFolder();
        await run([...program, ...unpack(kit.zip)], place);
        const [root = ""] = readdirSync(place);
        const { code, stdout, stderr } = await run(["sha256sum", "-c", "SHA256SUMS"], path.join(place, root));
        expect([kit.name, code, stderr]).toEqual([kit.name, 0, ""]);
        expect(stdout.trim().split("\n").length).toBe(kit.entries.length - 1);
      }
    });

    it("notices a kit whose bytes were changed: the check can fail", async () => {
      const [kit] = kits;
      const bytes = readFileSync(kit?.zip ?? "");
      // Into the content of a file, far from every header.
      const at = bytes.indexOf("An integration kit".toLowerCase()) + 3;
      expect(at).toBeGreaterThan(3);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      const zip = path.join(folder, "changed.zip");
      writeFileSync(zip, bytes);
      const place = freshFolder();
      const told = await run([...program, ...unpack(zip)], place);
      const [root = ""] = readdirSync(place);
      const sums = await run(["sha256sum", "-c", "--strict", "SHA256SUMS"], path.join(place, root));
      expect([told.code === 0, sums.code === 0]).not.toEqual([true, true]);
    });
  });
}
