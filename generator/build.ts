/**
 * Builds a dist. The order is: registry and content, bundle and index, the documents that ask the
 * index, manifest, identity, sums. Reads neither the clock nor the environment.
 */
import type { FileDigest } from "../runtime/contract/document.ts";
import { paths } from "../runtime/contract/paths.ts";
import {
  BLOCKS_FILE,
  BUNDLE_FILE,
  INDEX_FILE,
  MANIFEST_FILE,
  ROOT_FILE,
  SUMS_FILE,
} from "../runtime/contract/files.ts";
import { product } from "../runtime/contract/product.ts";
import { CLOSURE_MANIFEST, formatIdentity } from "../runtime/release/identity.ts";
import type { Manifest } from "../runtime/contract/inputs.ts";
import { formatSums } from "../runtime/release/manifest.ts";
import { openRegistryFiles, type RegistryFiles } from "../runtime/release/registry-files.ts";
import { formatDocument } from "../runtime/text/json.ts";
import type { Interface } from "./content/interface.ts";
import { readContent } from "./content/read.ts";
import { TemplateError } from "./content/renderer.ts";
import { assetsOf, type Authored, printDocuments, readAuthored } from "./documents/documents.ts";
import { digestSources } from "./effects/closure.ts";
import type { Effects, Scratch } from "./effects/effects.ts";
import { digestInputs, type Inputs } from "./effects/inputs.ts";
import { type Output, replaceDirectory } from "./effects/output.ts";
import { overlaid } from "./effects/overlay.ts";
import { type Facts, gatherFacts } from "./facts/facts.ts";
import { compileRegistry } from "./index/compile.ts";
import { ProofError } from "./integration/classifier.ts";
import type { Verdict } from "./registry/check.ts";
import { type CheckedRegistry, shown } from "./registry/checked.ts";
import { type Keys, keysOf } from "./registry/keys.ts";
import { type Loaded, loadRegistry, withFindings } from "./registry/load.ts";
import { readVocabularies } from "./registry/vocabulary-file.ts";
import { collectionsIn } from "./skos/collections.ts";
import type { Finding } from "./text/finding.ts";
import { compareCodePoints } from "./text/order.ts";
import { makeView } from "./view/view.ts";

type Progress = (text: string) => void;

/** The inputs of a build, and the folder that it replaces. */
export interface BuildRequest extends Inputs {
  readonly out: string;
  /** Returns additional findings in the registry, such as a broken promise. */
  readonly check?: (loaded: Loaded) => readonly Finding[];
}

/** The result of a build. The folder is unchanged unless the status is `built`. */
export type BuildOutcome =
  | Built
  | { readonly status: "findings"; readonly faulty: readonly FaultyFolder[] }
  | { readonly status: "unprintable"; readonly message: string };

export interface Built {
  readonly status: "built";
  readonly registry: CheckedRegistry;
  readonly facts: Facts;
  /** Findings that do not stop a build. */
  readonly notices: readonly Finding[];
  /** When the contact of security.txt expires, as the content says. */
  readonly expires: string;
  /** Page languages that lack some texts; those texts appear in English. */
  readonly untranslated: readonly Interface[];
}

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
export async function build(effects: Effects, request: BuildRequest, progress: Progress): Promise<BuildOutcome> {
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

async function buildWith(effects: Effects, request: BuildRequest, progress: Progress): Promise<BuildOutcome> {
  const { registry, findings } = examine(effects, request, progress);
  const { content, findings: faults } = readContent(overlaid(effects, request.content), request.content);
  if (registry === undefined || content === undefined) {
    const ofRegistry = registry === undefined ? [{ directory: request.registry, findings }] : [];
    const ofContent = content === undefined ? [{ directory: request.content, findings: faults }] : [];
    return { status: "findings", faulty: [...ofRegistry, ...ofContent] };
  }
  const inputsSha256 = digestInputs(effects, request);
  const authored = readAuthored(effects, content);
  const dist = { registry, origin: request.origin, authored, inputsSha256, sources: digestSources(effects) };
  progress(`Writing ${request.out}`);
  let facts: Facts;
  try {
    facts = await replaceDirectory(effects, request.out, (output) => writeDist(dist, output, progress));
  } catch (error) {
    if (!(error instanceof TemplateError || error instanceof ProofError)) throw error;
    const place = error instanceof TemplateError ? `${request.content}/` : "";
    return { status: "unprintable", message: place + error.message };
  } finally {
    progress("");
  }
  const untranslated = content.languages.filter(({ missing }) => missing > 0);
  const { expires } = content.site.security;
  return { status: "built", registry, facts, notices: findings, expires, untranslated };
}

/** Drops the source records: only the checked registry and its collections are kept. */
function examine(effects: Effects, request: BuildRequest, progress: Progress): Verdict {
  const loaded = loadRegistry(effects, request.registry, progress);
  const { lines, findings: more } = readVocabularies(effects, request.registry);
  const { registry, findings } = withFindings(loaded, [...(request.check?.(loaded) ?? []), ...more]);
  if (registry === undefined) return { registry, findings };
  return { registry: { ...shown(registry), collections: collectionsIn(lines, registry.concepts) }, findings };
}

/** Everything that a dist is written from. */
export interface Dist {
  readonly registry: CheckedRegistry;
  readonly origin: string;
  readonly authored: Authored;
  /** The digest of the inputs of the release. */
  readonly inputsSha256: string;
  /** The source files that the release is meant to run from. */
  readonly sources: readonly FileDigest[];
}

/**
 * Writes the files of a dist: the files that the resolver reads, the documents that quote its
 * answers, assets, and the files that list them. Returns the facts of the registry. Throws
 * TemplateError if a page cannot be rendered, ProofError if a fixture is not as declared.
 */
export async function writeDist(dist: Dist, output: Output, progress: Progress = () => undefined): Promise<Facts> {
  const { registry, origin, authored, inputsSha256, sources } = dist;
  const keys = keysOf(registry.concepts);
  const files = await writeRegistry(dist, keys, output);
  const facts = gatherFacts(registry.concepts, keys);
  const write = (place: string, content: string | Uint8Array): FileDigest => {
    const digest = output.write(place.slice(1), [content]);
    files.push(digest);
    return digest;
  };
  const opened = openWritten(output, files);
  try {
    progress("Printing documents");
    const view = makeView({ registry, origin, index: opened.index, facts }, authored.content.site);
    for (const [place, body] of await printDocuments(view, authored)) write(place, body);
  } finally {
    opened.close();
  }
  for (const { name, bytes } of Object.values(assetsOf(authored))) write(`${paths.assets}/${name}`, bytes);
  const listed = write(`/${MANIFEST_FILE}`, formatDocument(manifestOf(dist, inputsSha256, files)));
  write(paths.deployment, formatIdentity(origin, [...sources, { ...listed, path: CLOSURE_MANIFEST }]));
  output.write(SUMS_FILE, formatSums(files));
  return facts;
}

/** Writes the files that the resolver reads. */
async function writeRegistry(dist: Dist, keys: Keys, output: Output): Promise<FileDigest[]> {
  const { bundle, index, blocks, root } = compileRegistry(dist, keys);
  const compiled = { [BUNDLE_FILE]: bundle, [INDEX_FILE]: index, [BLOCKS_FILE]: blocks, [ROOT_FILE]: root };
  const files: FileDigest[] = [];
  for (const [name, bytes] of Object.entries(compiled)) files.push(await output.writeStream(name, bytes));
  return files;
}

/** Opens them as the service opens them. */
function openWritten(output: Output, files: readonly FileDigest[]): RegistryFiles {
  const digests = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  return openRegistryFiles(output.directory, undefined, { digests, blocks: output.read(BLOCKS_FILE) });
}

function manifestOf({ origin, registry }: Dist, inputsSha256: string, files: readonly FileDigest[]): Manifest {
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
