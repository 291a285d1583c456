/** An attacker's tools: change a release, then make digests, lists, identity and sums fit again. */
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { archive } from "../../generator/archives/archive.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { openDist } from "../../generator/verify/audit/dist.ts";
import { checkSums } from "../../generator/verify/audit/sums.ts";
import { verifyRelease } from "../../generator/verify/verify.ts";
import { readZip } from "./kits.ts";
import { sha256 } from "./sha256.ts";
import { namesIn } from "./files.ts";

export const MANIFEST = "manifest.json";
export const SUMS = "SHA256SUMS";
export const IDENTITY = ".well-known/service-semantics-deployment.json";
export const STUDIO = "api/v1/integration-studio/index.json";

/** A value as it is read; a test knows what it changes. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

/** Copies of this test file, removed when its process ends. */
const copies = mkdtempSync(path.join(tmpdir(), "tampered-"));
process.on("exit", () => rmSync(copies, { recursive: true, force: true }));

/** Digests of the files of a release that no copy has changed, by their names. */
const untouched = new Map<string, Map<string, string>>();

/**
 * A release of one's own to break. Its files are hard links to those of the release, so it is made
 * in a moment: replace a file with `write`, and never write into one in place.
 */
export class Copy {
  readonly directory = path.join(mkdtempSync(path.join(copies, "x")), "dist");
  readonly #digests: Map<string, string>;

  constructor(dist: string) {
    this.#digests = new Map(untouched.get(dist));
    for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      const name = path.relative(dist, path.join(entry.parentPath, entry.name));
      if (entry.isDirectory()) continue;
      mkdirSync(path.dirname(this.at(name)), { recursive: true });
      linkSync(path.join(dist, name), this.at(name));
      if (!untouched.has(dist)) this.#digests.set(name, sha256(this.read(name)));
    }
    if (!untouched.has(dist)) untouched.set(dist, new Map(this.#digests));
  }

  at(name: string): string {
    return path.join(this.directory, name);
  }

  /** Regular files, by their names below the folder. */
  names(): string[] {
    return namesIn(this.directory);
  }

  read(name: string): Buffer {
    return readFileSync(this.at(name));
  }

  write(name: string, bytes: Uint8Array | string): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    rmSync(this.at(name), { force: true });
    writeFileSync(this.at(name), bytes);
    this.#digests.delete(name);
  }

  digest(name: string): string {
    return this.#digests.get(name) ?? sha256(this.read(name));
  }

  /** Every occurrence; throws where there is none, so that a test cannot change nothing. */
  replace(name: string, from: string | RegExp, to: string): void {
    const before = this.read(name).toString();
    const after = typeof from === "string" ? before.replaceAll(from, () => to) : before.replace(from, () => to);
    if (after === before) throw new Error(`${name} has no ${String(from)}`);
    this.write(name, after);
  }

  edit(name: string, change: (value: Loose) => void): void {
    const value = JSON.parse(this.read(name).toString());
    change(value);
    this.write(name, `${JSON.stringify(value, null, 2)}\n`);
  }

  /** Changes the files of a kit, and makes its lists, the studio and the studio's page fit. */
  async kit(id: string, change: (files: Map<string, Buffer>) => void): Promise<void> {
    const name = `api/v1/integration-studio/kit/${id}.zip`;
    const root = `service-semantics-${id}/`;
    const files = new Map(
      (await readZip(this.read(name))).map((entry) => [entry.name.slice(root.length), entry.bytes]),
    );
    change(files);
    const list = (without: string[]) =>
      [...files]
        .filter(([file]) => !without.includes(file))
        .map(([file, bytes]) => ({ path: file, bytes: bytes.length, sha256: sha256(bytes) }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    const manifest = JSON.parse(files.get(MANIFEST)?.toString() ?? "");
    manifest.files = list([MANIFEST, SUMS]);
    files.set(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    files.set(SUMS, Buffer.from(list([SUMS]).map((file) => `${file.sha256}  ${file.path}\n`).join(""))); // prettier-ignore
    const packed = new Map(
      [...files].map(([file, bytes]) => [root + file, { bytes, executable: file.endsWith(".sh") }]),
    );
    this.rawKit(id, Buffer.from(await archive(packed)), list([]));
  }

  /** Puts any bytes in the place of a kit, and makes the studio and its page fit. */
  rawKit(id: string, zip: Buffer, files?: unknown[]): void {
    const name = `api/v1/integration-studio/kit/${id}.zip`;
    const before = this.read(name);
    this.write(name, zip);
    this.edit(STUDIO, (studio) => {
      const recipe = studio.recipes.find((one: Loose) => one.id === id);
      Object.assign(recipe.archive as object, { bytes: zip.length, sha256: sha256(zip) });
      if (files !== undefined) recipe.files = files;
    });
    const page = this.read("integration-studio.html").toString();
    const row = (bytes: Buffer) => `<td>${bytes.length}</td><td><code>${sha256(bytes)}</code>`;
    const changed = page.replaceAll(row(before), row(zip)).replaceAll(sha256(before), sha256(zip));
    this.write("integration-studio.html", changed);
  }

  /** Corrects every list of digests and sizes: mcp.json, manifest, identity, SHA256SUMS. */
  resign(): void {
    const names = this.names();
    const size = (name: string): number => statSync(this.at(name)).size;
    this.edit("mcp.json", (mcp) => {
      for (const resource of mcp.resources as Loose[]) {
        const name = new URL(resource.uri as string).pathname.slice(1);
        if (names.includes(name)) resource.size = size(name);
      }
    });
    const unlisted = [MANIFEST, SUMS, IDENTITY];
    const entry = (name: string) => ({ path: name, bytes: size(name), sha256: this.digest(name) });
    this.edit(MANIFEST, (manifest) => {
      manifest.files = names.filter((name) => !unlisted.includes(name)).map(entry);
    });
    this.resignIdentity();
  }

  /** The same, with the manifest as it is. */
  resignIdentity(): void {
    this.edit(IDENTITY, (identity) => {
      const { closure } = identity;
      const own = closure.files.find((file: Loose) => file.path === `dist/${MANIFEST}`);
      Object.assign(own as object, { bytes: this.read(MANIFEST).length, sha256: this.digest(MANIFEST) });
      closure.treeDigest = sha256(closure.files.map((file: Loose) => `${file.sha256}  ${file.path}\n`).join(""));
    });
    this.resignSums();
  }

  resignSums(): void {
    const listed = this.names().filter((name) => name !== SUMS);
    this.write(SUMS, listed.map((name) => `${this.digest(name)}  ${name}\n`).join(""));
  }

  /** What its digests alone give away. */
  sums(): readonly string[] {
    const dist = openDist(fileSystem, this.directory);
    dist.close();
    return [...dist.faults, ...checkSums(dist)];
  }

  verify(): Promise<string[]> {
    return verifyRelease(fileSystem, this.directory);
  }
}

/** Faults of a release after a change, with everything signed again. */
export async function faultsAfter(dist: string, change: (copy: Copy) => void | Promise<void>): Promise<string[]> {
  const copy = new Copy(dist);
  await change(copy);
  copy.resign();
  return copy.verify();
}

/** A change to one file of a release. */
export interface Tampering {
  readonly file: string;
  readonly apply: (copy: Copy) => void | Promise<void>;
}

export const edit = (file: string, change: (value: Loose) => void): Tampering => ({
  file,
  apply: (copy) => copy.edit(file, change),
});

export const swap = (file: string, from: string | RegExp, to: string): Tampering => ({
  file,
  apply: (copy) => copy.replace(file, from, to),
});
