/** Kits as an integrator has them: built, and unpacked by another library than wrote them. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import yauzl from "yauzl";
import type { Classification } from "../../generator/contract/integration.ts";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { RECIPE_IDS, type RecipeId } from "../../runtime/contract/recipe.ts";
import { kitPath } from "../../runtime/contract/policy.ts";
import { buildRelease } from "./release.ts";

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
  /** The external attributes' upper half: a Unix mode. */
  readonly mode: number;
}

/** Every entry of a ZIP in its order. */
export async function readZip(bytes: Buffer): Promise<ZipEntry[]> {
  const zip = await yauzl.fromBufferPromise(bytes, { strictFileNames: true });
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    entries.push({ name: entry.fileName, bytes: content, mode: entry.externalFileAttributes >>> 16 });
  }
  return entries;
}

export interface UnpackedKit {
  readonly recipeId: RecipeId;
  readonly zip: Buffer;
  /** The kit's root on disk: the folder that manifest.json lies in. */
  readonly root: string;
}

/** Builds a release of `registry` for `origin`, and unpacks its five kits into a new folder. */
export async function unpackKits(
  registry: CheckedRegistry,
  origin: string,
): Promise<{ readonly kits: readonly UnpackedKit[]; remove(): void }> {
  const dist = await buildRelease(registry, origin);
  const folder = mkdtempSync(path.join(tmpdir(), "kits-"));
  const kits: UnpackedKit[] = [];
  for (const recipeId of RECIPE_IDS) {
    const zip = readFileSync(dist + kitPath(recipeId));
    for (const { name, bytes, mode } of await readZip(zip)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      chmodSync(file, mode & 0o777);
    }
    kits.push({ recipeId, zip, root: path.join(folder, `service-semantics-${recipeId}`) });
  }
  return {
    kits,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** An outcome as people read it, with the code that it carries. */
export function describeResult(result: Classification): string {
  return "code" in result ? `${result.outcome} ${result.code} ${result.registryVersion}` : result.outcome;
}
