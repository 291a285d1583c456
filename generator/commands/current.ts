/** Finds a dist that is whole and was built from the current inputs: it need not be built again. */
import path from "node:path";
import type { Manifest } from "../../runtime/contract/inputs.ts";
import { IDENTITY_FILE } from "../../runtime/release/manifest.ts";
import { ReleaseError } from "../../runtime/release/plain-file.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { digestIfFile, type Effects } from "../effects/effects.ts";
import { digestInputs, type Inputs } from "../effects/inputs.ts";

/** Its manifest; undefined if it must be built. */
export async function currentManifest(
  effects: Effects,
  directory: string,
  inputs: Inputs,
): Promise<Manifest | undefined> {
  const expected = digestInputs(effects, inputs);
  const manifest = await builtManifest(effects, directory);
  return manifest?.inputsSha256 === expected ? manifest : undefined;
}

/** The manifest of a release; undefined if the release is damaged. */
async function builtManifest(effects: Effects, directory: string): Promise<Manifest | undefined> {
  try {
    const release = openRelease(directory);
    const damage = await release.check();
    release.close();
    if (damage !== undefined) return undefined;
    const identity = digestIfFile(effects, path.join(directory, IDENTITY_FILE));
    return identity === release.identitySha256 ? release.manifest : undefined;
  } catch (error) {
    if (error instanceof ReleaseError) return undefined;
    throw error;
  }
}
