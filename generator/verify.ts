/**
 * Checks a dist by itself, from its bytes alone: sums, manifest, index against its documents. Imports nothing of the
 * builder. Names every fault it finds, one line each.
 */
import path from "node:path";
import { type ConceptDetail } from "../runtime/contract/concept.ts";
import { ConceptDetail as ConceptDetailSchema } from "../runtime/contract/concept.ts";
import { StatusEnvelope } from "../runtime/contract/status.ts";
import { sha256, sha256Of } from "../runtime/digest.ts";
import { pieces } from "../runtime/byte-source.ts";
import { type Manifest, MANIFEST_FILE, SUMS_FILE } from "../runtime/manifest.ts";
import { paths } from "../runtime/policy.ts";
import type { RegistryIndex } from "../runtime/registry-index.ts";
import { openRelease, type Release, ReleaseError } from "../runtime/release.ts";
import { resolve } from "../runtime/resolver.ts";
import { compileSchema } from "../runtime/validator.ts";
import type { Effects } from "./effects.ts";

const parseDetail = compileSchema(ConceptDetailSchema);
const parseStatus = compileSchema(StatusEnvelope);

/** Faults of the release in `directory`; none when it is whole. */
export function verifyRelease(effects: Effects, directory: string): string[] {
  let release: Release;
  try {
    release = openRelease(directory);
  } catch (error) {
    if (error instanceof ReleaseError) return [error.message, ...checkSums(effects, directory)];
    throw error;
  }
  try {
    return [
      ...checkSums(effects, directory),
      ...checkFiles(effects, directory, release.manifest),
      ...checkConcepts(release.index),
      ...checkStatus(release),
    ];
  } finally {
    release.close();
  }
}

/** Every line of SHA256SUMS holds, and every file but SHA256SUMS has a line. */
function checkSums(effects: Effects, directory: string): string[] {
  if (effects.kind(path.join(directory, SUMS_FILE)) !== "file") return [`${SUMS_FILE}: missing`];
  const lines = new TextDecoder().decode(effects.read(path.join(directory, SUMS_FILE))).split("\n");
  const sums = new Map(lines.filter((line) => line !== "").map((line) => [line.slice(66), line.slice(0, 64)]));
  const faults = effects
    .list(directory)
    .filter((name) => name !== SUMS_FILE && !sums.has(name))
    .map((name) => `${name}: not listed in ${SUMS_FILE}`);
  for (const [name, expected] of sums) {
    const file = path.join(directory, name);
    if (effects.kind(file) !== "file") faults.push(`${name}: listed in ${SUMS_FILE} but missing`);
    else if (sha256(effects.read(file)) !== expected) faults.push(`${name}: differs from its digest in ${SUMS_FILE}`);
  }
  return faults;
}

/** The manifest lists exactly the files there are, with their sizes. */
function checkFiles(effects: Effects, directory: string, manifest: Manifest): string[] {
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  const faults: string[] = [];
  for (const name of effects.list(directory)) {
    const file = listed.get(name);
    if (file === undefined && name !== MANIFEST_FILE && name !== SUMS_FILE)
      faults.push(`${name}: not in ${MANIFEST_FILE}`);
    if (file !== undefined && effects.read(path.join(directory, name)).length !== file.bytes) {
      faults.push(`${name}: its size differs from ${MANIFEST_FILE}`);
    }
  }
  return faults;
}

/** Each concept is found by its code, has its schema and digest, and each of its expressions leads back to it. */
function checkConcepts(index: RegistryIndex): string[] {
  const faults: string[] = [];
  let previous = "";
  for (let id = 0; id < index.conceptCount; id++) {
    const parts = index.concept(id);
    const bytes = index.read(parts.detail);
    const reading = parseDetail(JSON.parse(new TextDecoder().decode(bytes)));
    if (!reading.ok) {
      faults.push(`concept ${id}: ${reading.violations.map(({ pointer, text }) => `${pointer} ${text}`).join("; ")}`);
      continue;
    }
    const { code } = reading.value;
    if (sha256(bytes) !== Buffer.from(parts.detailDigest).toString("hex"))
      faults.push(`${code}: its detail differs from its digest`);
    if (index.conceptId(code) !== id) faults.push(`${code}: not found by its code`);
    if (code <= previous) faults.push(`${code}: not in code order`);
    previous = code;
    faults.push(...checkExpressions(index, id, reading.value));
  }
  return faults;
}

function checkExpressions(index: RegistryIndex, id: number, { code, expressions }: ConceptDetail): string[] {
  return expressions
    .filter((expression) => {
      const tag = expression.locale ?? expression.language;
      const resolution = resolve(index, expression.expression, tag);
      return resolution.status === "resolved"
        ? expression.equivalenceStrength === 1 && resolution.conceptId !== id
        : !resolution.candidates.some(({ conceptId }) => conceptId === id) && resolution.candidates.length < 10;
    })
    .map(({ expression }) => `${code}: ${JSON.stringify(expression)} does not lead back to it`);
}

function checkStatus({ index, documents, manifest }: Release): string[] {
  const bytes = documents.get(paths.status);
  if (bytes === undefined) return [`${paths.status}: missing`];
  const reading = parseStatus(JSON.parse(new TextDecoder().decode(bytes)));
  if (!reading.ok) return reading.violations.map(({ pointer, text }) => `${paths.status}${pointer}: ${text}`);
  const { publishedConcepts, publicBundle } = reading.value.data;
  const faults: string[] = [];
  if (publishedConcepts !== index.conceptCount)
    faults.push(`${paths.status}: publishedConcepts is not the index's count`);
  if (publicBundle.registryVersion !== manifest.registry.registryVersion)
    faults.push(`${paths.status}: another registryVersion`);
  if (publicBundle.sha256 !== sha256Of(pieces(index.source, index.sections.bundle))) {
    faults.push(`${paths.status}: the public bundle differs from its digest`);
  }
  return faults;
}
