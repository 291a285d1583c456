/**
 * All of it to dist, in flow order: registry and content, view, documents, index, manifest, identity, sums. No clock, no
 * environment.
 */
import type { FileDigest } from "../runtime/contract/document.ts";
import { paths } from "../runtime/contract/policy.ts";
import { product } from "../runtime/contract/product.ts";
import { CLOSURE_MANIFEST, formatIdentity } from "../runtime/release/identity.ts";
import {
  BLOCKS_FILE,
  BUNDLE_FILE,
  formatSums,
  INDEX_FILE,
  type Manifest,
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
import { BASE_CONTENT, digestSources } from "./effects/closure.ts";
import type { Effects, Scratch } from "./effects/effects.ts";
import { digestInputs, type Inputs } from "./effects/inputs.ts";
import { type Output, replaceDirectory } from "./effects/output.ts";
import { overlaid } from "./effects/overlay.ts";
import { compileRegistry } from "./index/compile.ts";
import { ProofError } from "./integration/classifier.ts";
import type { Verdict } from "./registry/check.ts";
import type { CheckedRegistry } from "./registry/checked.ts";
import { type Loaded, loadRegistry, withFindings } from "./registry/load.ts";
import type { Finding } from "./text/finding.ts";
import { compareCodePoints } from "./text/order.ts";
import { makeView, type View } from "./view/view.ts";

/** What a build reads, and the folder that it replaces. */
export interface BuildRequest extends Inputs {
  readonly out: string;
  /** Takes the registry for another one, such as a draft of its next version, before it is checked further. */
  readonly settle?: (loaded: Loaded) => Loaded;
  /** What else is to be found in the registry, such as a broken promise. */
  readonly check?: (loaded: Loaded) => readonly Finding[];
}

/** A dist, or why the folder is as it was. */
export type BuildOutcome =
  | {
      readonly status: "built";
      readonly registry: CheckedRegistry;
      /** Findings that do not stop a build. */
      readonly notices: readonly Finding[];
      /** The languages of the pages whose texts are partly in English. */
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
 * Builds a dist; `progress` gets what is being done, and an empty text at the end. Of the registry that it gives back,
 * the concepts are not to be read: what memory did not hold of them is gone.
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
  const { content, findings: faults } = readContent(overlaid(effects, request.content, BASE_CONTENT), request.content);
  if (registry === undefined || content === undefined) {
    const ofRegistry = registry === undefined ? [{ directory: request.registry, findings }] : [];
    const ofContent = content === undefined ? [{ directory: request.content, findings: faults }] : [];
    return { status: "findings", faulty: [...ofRegistry, ...ofContent] };
  }
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
  const dist = { view, documents, assets: assetsOf(authored), inputsSha256, sources };
  await replaceDirectory(effects, request.out, (output) => writeDist(dist, output));
  progress("");
  const untranslated = content.languages.filter(({ missing }) => missing > 0);
  return { status: "built", registry, notices: findings, untranslated };
}

/** Keeps nothing of the records but what is published. */
function examine(effects: Effects, request: BuildRequest, progress: (text: string) => void): Verdict {
  const { registry, settle = (loaded) => loaded, check } = request;
  const loaded = settle(loadRegistry(effects, registry, progress));
  return withFindings(loaded, check?.(loaded) ?? []);
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
  readonly documents: Documents;
  readonly assets: Readonly<Record<string, Asset>>;
  /** Names what the release was made from. */
  readonly inputsSha256: string;
  /** What it is to run from. */
  readonly sources: readonly FileDigest[];
}

/** Writes the files of a dist: what is resolved from, documents, assets, and what lists them. */
export async function writeDist(
  { view, documents, assets, inputsSha256, sources }: Dist,
  output: Output,
): Promise<void> {
  const { bundle, index, blocks, root } = compileRegistry(view);
  const bundleDigest = await output.writeStream(BUNDLE_FILE, bundle);
  const compiled = { [INDEX_FILE]: index, [BLOCKS_FILE]: blocks, [ROOT_FILE]: root };
  const files = [bundleDigest];
  for (const [name, bytes] of Object.entries(compiled)) files.push(await output.writeStream(name, bytes));
  const write = (place: string, bytes: Uint8Array): FileDigest => {
    const digest = output.write(place.slice(1), [bytes]);
    files.push(digest);
    return digest;
  };
  write(paths.status, encoder.encode(formatDocument(statusDocument(view, bundleDigest.sha256))));
  for (const [place, body] of documents) write(place, typeof body === "string" ? encoder.encode(body) : body);
  for (const { name, bytes } of Object.values(assets)) write(`${paths.assets}/${name}`, bytes);
  const manifest = manifestOf(view, inputsSha256, files);
  const listed = write(`/${MANIFEST_FILE}`, encoder.encode(formatDocument(manifest)));
  const identity = formatIdentity(view.origin, [...sources, { ...listed, path: CLOSURE_MANIFEST }]);
  write(paths.deployment, encoder.encode(identity));
  output.write(SUMS_FILE, [encoder.encode(formatSums(files))]);
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

const encoder = new TextEncoder();
