/**
 * Checks the digests of a release: SHA256SUMS, the manifest and the deployment identity, each
 * computed again from the files.
 */
import { hash } from "node:crypto";
import { DeploymentIdentity } from "../../../runtime/contract/identity.ts";
import { type ByteSource, memorySource, pieces } from "../../../runtime/registry/byte-source.ts";
import { BLOCK_BYTES, PIECE_BYTES } from "../../../runtime/registry/index-format.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { IDENTITY_FILE } from "../../../runtime/release/manifest.ts";
import {
  BLOCKS_FILE,
  BUNDLE_FILE,
  INDEX_FILE,
  MANIFEST_FILE,
  ROOT_FILE,
  SUMS_FILE,
} from "../../../runtime/contract/files.ts";
import { addedResources } from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { documentFiles } from "../../../runtime/contract/policy.ts";
import { product } from "../../../runtime/contract/product.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { compareCodePoints } from "../../text/order.ts";
import { formatJson, readAs } from "./json.ts";
import type { Digests, Dist, Faults } from "./parts.ts";

export function checkSums(dist: Dist): Faults {
  const { digests, manifest } = dist;
  const large = [...digests].filter(([, { sha256 }]) => sha256 === "");
  return [
    ...dist.unexpected.map((name) => `${name}: not a regular file, or not one that can be read`),
    ...large.map(([name]) => `${name}: larger than any file of a release, so it was not read`),
    ...checkSumsFile(dist, digests),
    ...(manifest === undefined ? [] : checkManifest(manifest, digests)),
    ...(manifest === undefined ? [] : checkForm(dist, MANIFEST_FILE, manifest)),
    ...checkBlocks(dist),
    ...checkIdentity(dist, digests),
  ];
}

/** The digests by which the runtime checks what it reads from a large registry. */
function checkBlocks(dist: Dist): Faults {
  if (dist.index === undefined) return [];
  const blocks = digestsOf(dist.index.source, BLOCK_BYTES);
  const faults: Faults = [];
  const isFile = (name: string, bytes: Uint8Array): boolean =>
    dist.digests.get(name)?.sha256 === hash("sha256", bytes, "hex");
  if (!isFile(BLOCKS_FILE, blocks))
    faults.push(`${BLOCKS_FILE}: not the digests of the blocks of ${BUNDLE_FILE} and ${INDEX_FILE}`);
  if (!isFile(ROOT_FILE, digestsOf(memorySource(blocks), PIECE_BYTES)))
    faults.push(`${ROOT_FILE}: not the digests of the pieces of ${BLOCKS_FILE}`);
  return faults;
}

function digestsOf(source: ByteSource, size: number): Buffer {
  const parts = pieces(source, { offset: 0, length: source.length }, size);
  return Buffer.concat(Array.from(parts, (part) => hash("sha256", part, "buffer")));
}

function checkForm(dist: Dist, name: string, value: unknown): Faults {
  return dist.text(name) === formatJson(value) ? [] : [`${name}: not in the form of a release`];
}

/**
 * SHA256SUMS must follow byte for byte from the files; if not, its lines say which file differs.
 */
function checkSumsFile(dist: Dist, digests: Digests): Faults {
  const text = dist.text(SUMS_FILE);
  if (text === undefined) return [`${SUMS_FILE}: missing, or not UTF-8`];
  const files = [...digests].filter(([name]) => name !== SUMS_FILE);
  if (text === formatLines(files.map(([name, { sha256 }]) => [name, sha256]))) return [];
  const listed = new Map(text.split("\n").map((line) => [line.slice(66), line.slice(0, 64)]));
  listed.delete("");
  const faults: Faults = [];
  for (const [name, { sha256 }] of files) {
    const expected = listed.get(name);
    if (expected === undefined) faults.push(`${name}: not listed in ${SUMS_FILE}`);
    else if (expected !== sha256) faults.push(`${name}: differs from its digest in ${SUMS_FILE}`);
    listed.delete(name);
  }
  for (const name of listed.keys()) faults.push(`${name}: listed in ${SUMS_FILE} but missing`);
  return faults.length > 0
    ? faults
    : [`${SUMS_FILE}: its digests hold, but its form is not that of sha256sum in byte order`];
}

/**
 * The manifest must list exactly the files that the runtime serves, with sizes and digests, and
 * carry the release label.
 */
function checkManifest(manifest: Manifest, digests: Digests): Faults {
  const faults: Faults = [];
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  const unlisted = [MANIFEST_FILE, SUMS_FILE, IDENTITY_FILE];
  for (const [name, { bytes, sha256 }] of digests) {
    const file = listed.get(name);
    if (file === undefined && !unlisted.includes(name)) faults.push(`${name}: not in ${MANIFEST_FILE}`);
    if (file !== undefined && file.bytes !== bytes) faults.push(`${name}: its size differs from ${MANIFEST_FILE}`);
    if (file !== undefined && file.sha256 !== sha256)
      faults.push(`${name}: differs from its digest in ${MANIFEST_FILE}`);
  }
  const required = [
    BLOCKS_FILE,
    BUNDLE_FILE,
    INDEX_FILE,
    ROOT_FILE,
    ...[...documentFiles].map((place) => place.slice(1)),
  ];
  for (const name of new Set([...required, ...listed.keys()])) {
    if (!digests.has(name)) faults.push(`${name}: missing`);
    else if (!required.includes(name) && !isAsset(name) && addedResources([`/${name}`]).length === 0)
      faults.push(`${name}: does not belong in a release`);
    else if (isAsset(name) && !name.includes(`.${digests.get(name)?.sha256.slice(0, 16)}.`)) {
      faults.push(`${name}: its name does not match its bytes`);
    }
  }
  const order = manifest.files.map((file) => file.path);
  if (order.some((name, i) => i > 0 && name <= (order[i - 1] ?? "")))
    faults.push(`${MANIFEST_FILE}: not in byte order`);
  if (labelOf(manifest) !== labelOf(product)) faults.push(`${MANIFEST_FILE}: not the label of this release`);
  return faults;
}

const CLOSURE_PATH = /^(?:runtime\/(?!extras\/).+|package(?:-lock)?\.json|dist\/manifest\.json)$/;
const parseIdentity = compileSchema(DeploymentIdentity);

function isAsset(name: string): boolean {
  return name.startsWith(`${paths.assets.slice(1)}/`);
}

/** The identity must match its own digest, the label, the origin, and the manifest next to it. */
function checkIdentity(dist: Dist, digests: Digests): Faults {
  const bytes = dist.read(IDENTITY_FILE);
  if (bytes === undefined) return [`${IDENTITY_FILE}: missing, or not a regular file`];
  const identity = readAs(bytes, parseIdentity);
  if (!identity.ok) return [`${IDENTITY_FILE}: ${identity.fault}`];
  const { closure, canonicalOrigin } = identity.value;
  const faults = checkForm(dist, IDENTITY_FILE, identity.value);
  const fault = (wrong: boolean, text: string): void => void (wrong && faults.push(`${IDENTITY_FILE}: ${text}`));
  const { files } = closure;
  const tree = hash("sha256", formatLines(files.map((file) => [file.path, file.sha256])));
  fault(tree !== closure.treeDigest, "its tree digest is not that of its files");
  fault(
    files.some(({ path }, i) => i > 0 && path <= (files[i - 1]?.path ?? "")),
    "its files are not in byte order",
  );
  const own = files.find(({ path }) => path === `dist/${MANIFEST_FILE}`);
  const manifest = digests.get(MANIFEST_FILE);
  const agrees = own !== undefined && own.sha256 === manifest?.sha256 && own.bytes === manifest.bytes;
  fault(!agrees, `its dist/${MANIFEST_FILE} is not the one of this release`);
  fault(!files.every(({ path }) => CLOSURE_PATH.test(path)), "it lists a file that does not belong to a closure");
  const needed = ["package-lock.json", "package.json", "runtime/main.js"];
  fault(
    needed.some((name) => !files.some(({ path }) => path === name)),
    `it does not list ${needed.join(", ")}`,
  );
  fault(labelOf(identity.value) !== labelOf(product), "not the label of this release");
  fault(canonicalOrigin !== dist.manifest?.origin, `its origin is not that of ${MANIFEST_FILE}`);
  return faults;
}

type Label = Pick<Manifest, "productVersion" | "packageVersion" | "classification">;

function labelOf({ productVersion, packageVersion, classification }: Label): string {
  return [productVersion, packageVersion, classification].join(" ");
}

/** The format of sha256sum, implemented again here. */
function formatLines(files: readonly (readonly [name: string, sha256: string])[]): string {
  const sorted = files.toSorted(([a], [b]) => compareCodePoints(a, b));
  return sorted.map(([name, sha256]) => `${sha256}  ${name}\n`).join("");
}
