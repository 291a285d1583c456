/** `npm run release`: check, build, verify with a rebuild, and only then the release directory, at once or not at all. */
import path from "node:path";
import { parseJson } from "../../runtime/text/json.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { product } from "../../runtime/contract/product.ts";
import { PROGRAM, PROJECT } from "../effects/closure.ts";
import type { Console, Effects } from "../effects/effects.ts";
import { listInputs } from "../effects/inputs.ts";
import { type Options } from "./options.ts";
import { UsageError } from "../text/usage-error.ts";
import { replaceDirectory } from "../effects/output.ts";
import { releaseFiles } from "../release/contents.ts";
import { writeRelease } from "../release/release.ts";
import type { Timestamp } from "../release/timestamp.ts";
import { runBuild } from "./build.ts";
import { runVerify } from "./verify.ts";

/** Exit code 1 where a step fails; nothing of an earlier release is touched then. */
export async function runRelease(
  effects: Effects,
  console: Console,
  { time, ...options }: Options & { readonly time: Timestamp },
): Promise<number> {
  if (!options.checked && !(await passesCheck(effects, console))) return 1;
  if ((await runBuild(effects, console, options)) !== 0) return 1;
  if ((await runVerify(effects, console, { ...options, rebuild: true })) !== 0) return 1;
  const { out, origin, into = "release" } = options;
  const directory = path.join(into, product.packageVersion);
  console.progress(`Writing ${directory}`);
  const input = {
    files: releaseFiles(effects, out, origin),
    origin,
    registryVersion: registryVersionOf(out),
    inputs: listInputs(effects, options),
    lock: readLock(effects),
    time,
  };
  const { sha256, tar } = await replaceDirectory(effects, directory, (output) => writeRelease(input, output));
  console.progress("");
  console.print(
    `Released ${directory} for ${origin}: ${sha256} is the digest of its SHA256SUMS, ${tar.sha256} that of ${tar.path}`,
  );
  return 0;
}

async function passesCheck(effects: Effects, console: Console): Promise<boolean> {
  const { code } = await effects.run({ program: "npm", args: ["run", "check"], directory: PROJECT, shown: true });
  if (code !== 0) console.error("npm run check failed, so there is no release (where it has just passed: --checked)");
  return code === 0;
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
