/** `npm run build`: registry and content to dist, or findings and an untouched dist. */
import path from "node:path";
import type { Manifest } from "../../runtime/release/manifest.ts";
import { paths } from "../../runtime/contract/policy.ts";
import { ReleaseError } from "../../runtime/release/plain-file.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { build } from "../build.ts";
import { digestSources } from "../effects/closure.ts";
import { readContent } from "../content/read.ts";
import { assetsOf, type Authored, type Documents, printDocuments } from "../documents/documents.ts";
import { makeView, type View } from "../view/view.ts";
import type { Console, Effects } from "../effects/effects.ts";
import { digestInputs } from "../effects/inputs.ts";
import { ProofError } from "../integration/classifier.ts";
import { readHandoffs } from "../integration/handoffs.ts";
import { type Options, requireDirectory } from "./options.ts";
import { recoverDirectory, replaceDirectory } from "../effects/output.ts";
import { TemplateError } from "../content/renderer.ts";
import { loadRegistry, reportErrors } from "./load-registry.ts";

/** Builds; returns the exit code. */
export async function runBuild(effects: Effects, console: Console, options: Options): Promise<number> {
  requireDirectory(effects, "registry", options.registry);
  requireDirectory(effects, "content", options.content);
  const { registry, findings } = loadRegistry(effects, console, options.registry);
  const { content, findings: faults } = readContent(effects, options.content);
  if (registry === undefined) reportErrors(console, options.registry, findings);
  if (content === undefined) reportErrors(console, options.content, faults);
  if (registry === undefined || content === undefined) return 1;
  const { origin, out } = options;
  const inputsSha256 = digestInputs(effects, options);
  console.progress("Printing documents");
  const view = makeView(registry, origin);
  const authored = { content, handoffs: readHandoffs(effects) };
  const documents = await print(view, authored);
  if (documents instanceof Error) {
    console.progress("");
    const place = documents instanceof TemplateError ? `${options.content}/` : "";
    console.error(`${place}${documents.message}; nothing was written`);
    return 1;
  }
  console.progress(`Writing ${out}`);
  const sources = digestSources(effects);
  const input = { view, documents, assets: assetsOf(authored), inputsSha256, sources };
  const manifest = await replaceDirectory(effects, out, (output) => build(input, output));
  console.progress("");
  const expressions = registry.concepts.reduce((sum, concept) => sum + concept.expressions.length, 0);
  const notices = findings.length === 0 ? "" : `; ${findings.length} notices (npm run lint:registry)`;
  console.print(
    `Built ${out}: ${registry.concepts.length} concepts, ${expressions} reviewed expressions, ` +
      `registry ${manifest.registry.registryVersion}, origin ${origin}${notices}`,
  );
  return 0;
}

async function print(view: View, authored: Authored): Promise<Documents | TemplateError | ProofError> {
  try {
    return await printDocuments(view, authored);
  } catch (error) {
    if (error instanceof TemplateError || error instanceof ProofError) return error;
    throw error;
  }
}

/** Builds only when dist is missing, damaged, or was made from other inputs. */
export async function runBuildIfStale(effects: Effects, console: Console, options: Options): Promise<number> {
  requireDirectory(effects, "registry", options.registry);
  requireDirectory(effects, "content", options.content);
  recoverDirectory(effects, options.out);
  const inputs = digestInputs(effects, options);
  return (await builtManifest(effects, options.out))?.inputsSha256 === inputs ? 0 : runBuild(effects, console, options);
}

/** The manifest of a release that is whole. */
async function builtManifest(effects: Effects, directory: string): Promise<Manifest | undefined> {
  try {
    const release = openRelease(directory);
    const damage = await release.check();
    release.close();
    if (damage !== undefined) return undefined;
    const identity = path.join(directory, paths.deployment);
    const isWhole = effects.kind(identity) === "file" && effects.digest(identity).sha256 === release.identitySha256;
    return isWhole ? release.manifest : undefined;
  } catch (error) {
    if (error instanceof ReleaseError) return undefined;
    throw error;
  }
}
