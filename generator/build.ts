/**
 * Builds a dist. The order is: registry and content, view, documents, index, manifest, identity,
 * sums. Reads neither the clock nor the environment.
 */
import type { FileDigest } from "../runtime/contract/document.ts";
import { paths } from "../runtime/contract/policy.ts";
import { product } from "../runtime/contract/product.ts";
import { CLOSURE_MANIFEST, formatIdentity } from "../runtime/release/identity.ts";
import type { Manifest } from "../runtime/contract/inputs.ts";
import {
  BLOCKS_FILE,
  BUNDLE_FILE,
  formatSums,
  INDEX_FILE,
  MANIFEST_FILE,
  ROOT_FILE,
  SUMS_FILE,
} from "../runtime/release/manifest.ts";
import { formatDocument } from "../runtime/text/json.ts";
import type { Asset } from "./content/content.ts";
import type { Interface } from "./content/interface.ts";
import { readContent } from "./content/read.ts";
import { TemplateError } from "./content/renderer.ts";
import { assetsOf, type Authored, type Documents, printDocuments, readAuthored } from "./documents/documents.ts";
import { statusDocument } from "./documents/registry.ts";
import { digestSources } from "./effects/closure.ts";
import type { Effects, Scratch } from "./effects/effects.ts";
import { digestInputs, type Inputs } from "./effects/inputs.ts";
import { type Output, replaceDirectory } from "./effects/output.ts";
import { overlaid } from "./effects/overlay.ts";
import { compileRegistry } from "./index/compile.ts";
import { beginLookups, type BegunLookups } from "./index/lookup-sections.ts";
import { ProofError } from "./integration/classifier.ts";
import type { Verdict } from "./registry/check.ts";
import { type CheckedRegistry, shown } from "./registry/checked.ts";
import { type Loaded, loadRegistry, withFindings } from "./registry/load.ts";
import type { Finding } from "./text/finding.ts";
import { compareCodePoints } from "./text/order.ts";
import { makeView, type View } from "./view/view.ts";

/** The inputs of a build, and the folder that it replaces. */
export interface BuildRequest extends Inputs {
  readonly out: string;
  /** Returns additional findings in the registry, such as a broken promise. */
  readonly check?: (loaded: Loaded) => readonly Finding[];
}

/** The result of a build. The folder is unchanged unless the status is `built`. */
export type BuildOutcome =
  | {
      readonly status: "built";
      readonly registry: CheckedRegistry;
      /** Findings that do not stop a build. */
      readonly notices: readonly Finding[];
      /** Page languages that lack some texts; those texts appear in English. */
      readonly untranslated: readonly Interface[];
    }
  | { readonly status: "findings"; readonly faulty: readonly FaultyFolder[] }
  | { readonly status: "unprintable"; readonly message: string };

/** A folder with findings, of which at least one is an error. */
export interface FaultyFolder {
  readonly directory: string;
  readonly findings: readonly Finding[];
}

/**
 * Builds a dist. `progress` receives the current step, and an empty text when a step ends. Do not
 * read the concepts of the returned registry: scratch files, which hold what did not fit in memory,
 * are closed by then.
 */
export async function build(
  effects: Effects,
  request: BuildRequest,
  progress: (text: string) => void,
): Promise<BuildOutcome> {
  const opened: Scratch[] = [];
  const scratch = (): Scratch => {
    const made = effects.scratch();
    opened.push(made);
    return made;
  };
  try {
    return await buildWith({ ...effects, scratch }, request, progress);
  } finally {
    for (const one of opened) one.close();
  }
}

async function buildWith(
  effects: Effects,
  request: BuildRequest,
  progress: (text: string) => void,
): Promise<BuildOutcome> {
  const { registry, findings } = examine(effects, request, progress);
  const { content, findings: faults } = readContent(overlaid(effects, request.content), request.content);
  if (registry === undefined || content === undefined) {
    const ofRegistry = registry === undefined ? [{ directory: request.registry, findings }] : [];
    const ofContent = content === undefined ? [{ directory: request.content, findings: faults }] : [];
    return { status: "findings", faulty: [...ofRegistry, ...ofContent] };
  }
  const lookups = beginLookups(effects, registry.concepts);
  try {
    const inputsSha256 = digestInputs(effects, request);
    progress("Printing documents");
    const view = makeView(registry, request.origin, content.site);
    const authored = readAuthored(effects, content);
    const documents = await printOrRefuse(view, authored);
    progress("");
    if (documents instanceof Error) {
      const place = documents instanceof TemplateError ? `${request.content}/` : "";
      return { status: "unprintable", message: place + documents.message };
    }
    progress(`Writing ${request.out}`);
    const sources = digestSources(effects);
    const dist = { view, lookups: lookups.made, documents, assets: assetsOf(authored), inputsSha256, sources };
    await replaceDirectory(effects, request.out, (output) => writeDist(dist, output));
    progress("");
    const untranslated = content.languages.filter(({ missing }) => missing > 0);
    return { status: "built", registry, notices: findings, untranslated };
  } finally {
    await lookups.end();
  }
}

/** Drops the source records: only the checked registry is kept. */
function examine(effects: Effects, request: BuildRequest, progress: (text: string) => void): Verdict {
  const loaded = loadRegistry(effects, request.registry, progress);
  const { registry, findings } = withFindings(loaded, request.check?.(loaded) ?? []);
  return { registry: registry && shown(registry), findings };
}

async function printOrRefuse(view: View, authored: Authored): Promise<Documents | TemplateError | ProofError> {
  try {
    return await printDocuments(view, authored);
  } catch (error) {
    if (error instanceof TemplateError || error instanceof ProofError) return error;
    throw error;
  }
}

/** Everything that a dist is written from. */
export interface Dist {
  readonly view: View;
  readonly lookups: BegunLookups["made"];
  readonly documents: Documents;
  readonly assets: Readonly<Record<string, Asset>>;
  /** The digest of the inputs of the release. */
  readonly inputsSha256: string;
  /** The source files that the release is meant to run from. */
  readonly sources: readonly FileDigest[];
}

/**
 * Writes the files of a dist: the files that the resolver reads, documents, assets, and the files
 * that list them.
 */
export async function writeDist(
  { view, lookups, documents, assets, inputsSha256, sources }: Dist,
  output: Output,
): Promise<void> {
  const { bundle, index, blocks, root } = compileRegistry(view);
  const bundleDigest = await output.writeStream(BUNDLE_FILE, bundle);
  const compiled = { [INDEX_FILE]: index(await lookups()), [BLOCKS_FILE]: blocks, [ROOT_FILE]: root };
  const files = [bundleDigest];
  for (const [name, bytes] of Object.entries(compiled)) files.push(await output.writeStream(name, bytes));
  const write = (place: string, content: string | Uint8Array): FileDigest => {
    const digest = output.write(place.slice(1), [content]);
    files.push(digest);
    return digest;
  };
  write(paths.status, formatDocument(statusDocument(view, bundleDigest.sha256)));
  for (const [place, body] of documents) write(place, body);
  for (const { name, bytes } of Object.values(assets)) write(`${paths.assets}/${name}`, bytes);
  const listed = write(`/${MANIFEST_FILE}`, formatDocument(manifestOf(view, inputsSha256, files)));
  write(paths.deployment, formatIdentity(view.origin, [...sources, { ...listed, path: CLOSURE_MANIFEST }]));
  output.write(SUMS_FILE, formatSums(files));
}

function manifestOf({ origin, registry }: View, inputsSha256: string, files: readonly FileDigest[]): Manifest {
  const { name, registryVersion, contentSha256 } = registry;
  return {
    schema: "service-semantics.manifest.v1",
    productVersion: product.productVersion,
    packageVersion: product.packageVersion,
    classification: product.classification,
    origin,
    registry: { name, registryVersion, contentSha256 },
    inputsSha256,
    files: files.toSorted((a, b) => compareCodePoints(a.path, b.path)),
  };
}
