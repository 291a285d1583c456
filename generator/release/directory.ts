/** The release directory of this version, made of a built dist at once or not at all. */
import path from "node:path";
import { product } from "../../runtime/contract/product.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { parseJson } from "../../runtime/text/json.ts";
import { PROGRAM } from "../effects/closure.ts";
import type { Effects } from "../effects/effects.ts";
import { type Inputs, listInputs } from "../effects/inputs.ts";
import { replaceDirectory } from "../effects/output.ts";
import { UsageError } from "../text/usage-error.ts";
import { releaseFiles } from "./contents.ts";
import { writeRelease } from "./release.ts";
import type { Timestamp } from "./timestamp.ts";

interface Release extends Inputs {
  /** The dist that was built of these inputs. */
  readonly out: string;
  /** The folder of releases. */
  readonly into: string;
  readonly time: Timestamp;
}

/** Where this version is written. */
export function releaseDirectory(into: string): string {
  return path.join(into, product.packageVersion);
}

export async function replaceRelease(
  effects: Effects,
  { out, into, time, ...inputs }: Release,
): ReturnType<typeof writeRelease> {
  const input = {
    files: releaseFiles(effects, out, inputs.origin),
    origin: inputs.origin,
    registryVersion: registryVersionOf(out),
    inputs: listInputs(effects, inputs),
    lock: readLock(effects),
    time,
  };
  return replaceDirectory(effects, releaseDirectory(into), (output) => writeRelease(input, output));
}

function readLock(effects: Effects): unknown {
  const json = parseJson(effects.read(path.join(PROGRAM, "package-lock.json")));
  if (!json.ok) throw new UsageError("package-lock.json is not JSON");
  return json.value;
}

function registryVersionOf(directory: string): string {
  const release = openRelease(directory);
  release.close();
  return release.manifest.registry.registryVersion;
}
