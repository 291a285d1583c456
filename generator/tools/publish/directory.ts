/**
 * Writes the release directory of a registry version from a built dist, completely or not at all.
 * Unless forced, it replaces a release only by the same bytes.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { SUMS_FILE } from "../../../runtime/contract/files.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { PROGRAM } from "../../effects/closure.ts";
import { digestIfFile, type Effects } from "../../effects/effects.ts";
import { type Inputs, listInputs } from "../../effects/inputs.ts";
import { OutputError, replaceDirectory } from "../../effects/output.ts";
import { UsageError } from "../../text/usage-error.ts";
import { hyphenated } from "../../text/hyphenated.ts";
import { releaseFiles } from "./contents.ts";
import { LAYOUT_INDEX, writeImage } from "./oci.ts";
import { writeRelease } from "./release.ts";
import { fileSeconds, type Timestamp } from "./timestamp.ts";

interface Release extends Inputs {
  /** The dist that was built from these inputs. */
  readonly out: string;
  /** The folder of releases. */
  readonly into: string;
  readonly time: Timestamp;
  /** The day of the registry's release, YYYY-MM-DD. */
  readonly day: string | undefined;
  /** How many earlier releases of the registry have the same day. */
  readonly earlier: number;
  /** Whether other bytes under the same name may be replaced. */
  readonly force: boolean;
  /** Whether to write the data as an OCI image too, next to the release. */
  readonly oci: boolean;
}

interface WrittenRelease extends Awaited<ReturnType<typeof writeRelease>> {
  readonly directory: string;
  /** The folder of the OCI layout and the digest of its image. */
  readonly image?: { readonly directory: string; readonly digest: string };
}

/**
 * Writes the release; returns its place and digests. Throws OutputError if a release of the same
 * name has other bytes.
 */
export async function replaceRelease(
  effects: Effects,
  { out, into, time, day, earlier, force, oci, ...inputs }: Release,
): Promise<WrittenRelease> {
  const registry = registryOf(out);
  const name = releaseName(registry);
  const directory = path.join(into, name);
  const mtime = fileSeconds(time, effects.digest(path.join(out, SUMS_FILE)).sha256, earlier);
  const input = {
    name,
    files: releaseFiles(effects, out, { origin: inputs.origin, registry, day }),
    origin: inputs.origin,
    registryVersion: registry.registryVersion,
    inputs: listInputs(effects, inputs),
    lock: readLock(effects),
    time,
    mtime,
  };
  return replaceDirectory(effects, directory, async (output, keep): Promise<WrittenRelease> => {
    const made = await writeRelease(input, output);
    if (!force) assertSame(effects, path.join(directory, SUMS_FILE), made.sha256);
    // Files that the owner added, such as signatures, stay as long as the released files are right.
    if (made.files.every((file) => digestIfFile(effects, path.join(directory, file.path)) === file.sha256)) keep();
    if (!oci) return { directory, ...made };
    // Nested, so that a refused image leaves no release either.
    const layout = `${directory}.oci`;
    const { name: title, registryVersion: version } = registry;
    const digest = await replaceDirectory(effects, layout, async (images) => {
      const image = await writeImage(effects, { dist: out, title, version, time, mtime }, images);
      if (!force) assertSame(effects, path.join(layout, LAYOUT_INDEX), image.index.sha256);
      return image.digest;
    });
    return { directory, ...made, image: { directory: layout, digest } };
  });
}

/**
 * The file that lists all others decides: a folder with the same list is replaced, even if it is
 * damaged.
 */
function assertSame(effects: Effects, file: string, sha256: string): void {
  const directory = path.dirname(file);
  if (effects.kind(directory) === "none" || effects.names(directory).length === 0) return;
  if (digestIfFile(effects, file) === sha256) return;
  throw new OutputError(
    `${directory} is a release with other bytes, so it is not replaced: raise the version, use another --into, or use --force`,
  );
}

function readLock(effects: Effects): unknown {
  const json = parseJson(effects.read(path.join(PROGRAM, "package-lock.json")));
  if (!json.ok) throw new UsageError("package-lock.json is not JSON");
  return json.value;
}

function registryOf(directory: string): Manifest["registry"] {
  const release = openRelease(directory);
  release.close();
  return release.manifest.registry;
}

/** The name of a release, from its registry: `starter-registry-2026.11.1`. */
function releaseName({ name, registryVersion }: Manifest["registry"]): string {
  const readable = hyphenated(name);
  // A name in another script still needs a folder of its own.
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${readable === "" ? `registry-${digest}` : readable.slice(0, NAME_MAX)}-${registryVersion}`;
}

const NAME_MAX = 64;
