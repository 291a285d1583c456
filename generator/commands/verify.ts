/** `npm run verify`: is the built dist whole, and does a build elsewhere give the same bytes? */
import path from "node:path";
import { MANIFEST_FILE, parseManifest } from "../../runtime/release/manifest.ts";
import { parseJson } from "../../runtime/text/json.ts";
import type { Console, Effects } from "../effects/effects.ts";
import { digestInputs } from "../effects/inputs.ts";
import { type Options, requireDirectory } from "./options.ts";
import { UsageError } from "../text/usage-error.ts";
import { compareRebuild } from "../release/rebuild.ts";
import { verifyRelease } from "../verify/verify.ts";

/** Exit code 1 when something is wrong. */
export async function runVerify(effects: Effects, console: Console, options: Options): Promise<number> {
  const directory = directoryOf(options);
  requireDirectory(effects, "out", directory);
  console.progress(`Checking ${directory}`);
  const faults = await verifyRelease(effects, directory);
  if (options.rebuild) {
    console.progress("Building it again elsewhere");
    faults.push(...(await checkRebuild(effects, options, directory)));
  }
  console.progress("");
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) {
    console.error(`${faults.length} fault${faults.length === 1 ? "" : "s"} in ${directory}`);
    return 1;
  }
  console.print(`${directory} is whole: every digest, concept, document, link and kit checked`);
  if (options.rebuild) console.print("Built again in another place, time zone, locale and umask: the same bytes");
  return 0;
}

function directoryOf({ out, given, positionals: [named] }: Options): string {
  if (named === undefined) return out;
  if (given.has("out")) throw new UsageError("Name the release once: as an argument or by --out");
  return named;
}

async function checkRebuild(effects: Effects, { registry, content }: Options, directory: string): Promise<string[]> {
  requireDirectory(effects, "registry", registry);
  requireDirectory(effects, "content", content);
  const manifest = readManifest(effects, path.join(directory, MANIFEST_FILE));
  // What is wrong with it has been told.
  if (manifest === undefined) return [`${MANIFEST_FILE}: without it there is nothing to build again`];
  const { origin, inputsSha256 } = manifest;
  const differing = await compareRebuild(effects, { directory, origin, registry, content });
  if (differing.length === 0 || inputsSha256 === digestInputs(effects, { registry, content, origin })) return differing;
  return [
    `${MANIFEST_FILE}: it was built from other inputs than these; --registry and --content name them, and its own revision has the sources`,
    ...differing,
  ];
}

function readManifest(effects: Effects, file: string) {
  const json = parseJson(effects.kind(file) === "file" ? effects.read(file) : new Uint8Array());
  const reading = json.ok ? parseManifest(json.value) : undefined;
  return reading?.ok === true ? reading.value : undefined;
}
