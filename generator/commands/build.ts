/** `npm run build`: registry and content to dist, or findings and an untouched dist. */
import type { Manifest } from "../../runtime/manifest.ts";
import { openRelease, ReleaseError } from "../../runtime/release.ts";
import { build } from "../build.ts";
import type { Console, Effects } from "../effects.ts";
import { digestInputs } from "../inputs.ts";
import { type Options, requireDirectory } from "../options.ts";
import { recoverDirectory, replaceDirectory } from "../output.ts";
import { loadRegistry, reportVerdict } from "./registry.ts";

/** Builds; returns the exit code. */
export function runBuild(effects: Effects, console: Console, options: Options): number {
  requireDirectory(effects, "registry", options.registry);
  requireDirectory(effects, "content", options.content);
  const verdict = loadRegistry(effects, console, options.registry);
  const registry = reportVerdict(console, options.registry, verdict);
  if (registry === undefined) return 1;
  const { origin, out } = options;
  console.progress(`Writing ${out}`);
  const inputs = digestInputs(effects, options);
  const manifest = replaceDirectory(effects, out, (output) => build({ registry, origin }, inputs, output));
  console.progress("");
  const expressions = registry.concepts.reduce((sum, concept) => sum + concept.expressions.length, 0);
  const notices = verdict.findings.length === 0 ? "" : `; ${verdict.findings.length} notices (npm run lint:registry)`;
  console.print(
    `Built ${out}: ${registry.concepts.length} concepts, ${expressions} reviewed expressions, ` +
      `registry ${manifest.registry.registryVersion}, origin ${origin}${notices}`,
  );
  return 0;
}

/** Builds only when dist is missing, damaged, or was made from other inputs. */
export function runBuildIfStale(effects: Effects, console: Console, options: Options): number {
  requireDirectory(effects, "registry", options.registry);
  requireDirectory(effects, "content", options.content);
  recoverDirectory(effects, options.out);
  const inputs = digestInputs(effects, options);
  return builtManifest(options.out)?.inputsSha256 === inputs ? 0 : runBuild(effects, console, options);
}

/** The manifest of a release that is whole. */
function builtManifest(directory: string): Manifest | undefined {
  try {
    const release = openRelease(directory);
    release.close();
    return release.manifest;
  } catch (error) {
    if (error instanceof ReleaseError) return undefined;
    throw error;
  }
}
