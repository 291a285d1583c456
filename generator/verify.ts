/**
 * Checks a dist by itself, from its bytes alone: sums, manifest, index against its documents. Imports nothing of the
 * builder. Names every fault it finds, one line each.
 */
import path from "node:path";
import {
  type ConceptDetail,
  ConceptDetail as ConceptDetailSchema,
  EXACT_STRENGTH,
} from "../runtime/contract/concept.ts";
import { StatusEnvelope } from "../runtime/contract/status.ts";
import { sha256, sha256Of } from "../runtime/digest.ts";
import { pieces } from "../runtime/byte-source.ts";
import { type Manifest, MANIFEST_FILE, SUMS_FILE } from "../runtime/manifest.ts";
import { paths } from "../runtime/policy.ts";
import type { RegistryIndex } from "../runtime/registry-index.ts";
import { openRelease, type Release, ReleaseError } from "../runtime/release.ts";
import { resolve } from "../runtime/resolver.ts";
import { CANDIDATES_MAX } from "../runtime/limits.ts";
import { formatSums } from "../runtime/sums.ts";
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

/** SHA256SUMS is, to the byte, what the files give; where it is not, the lines say which file differs. */
function checkSums(effects: Effects, directory: string): string[] {
  const sums = path.join(directory, SUMS_FILE);
  if (effects.kind(sums) !== "file") return [`${SUMS_FILE}: missing`];
  const names = effects.list(directory).filter((name) => name !== SUMS_FILE);
  const odd = names.filter((name) => effects.kind(path.join(directory, name)) !== "file");
  const files = names
    .filter((name) => !odd.includes(name))
    .map((name) => ({ path: name, sha256: effects.digest(path.join(directory, name)).sha256 }));
  const text = new TextDecoder().decode(effects.read(sums));
  const faults = odd.map((name) => `${name}: not a regular file`);
  if (text === formatSums(files)) return faults;
  const listed = new Map(text.split("\n").map((line) => [line.slice(66), line.slice(0, 64)]));
  for (const file of files) {
    const expected = listed.get(file.path);
    if (expected === undefined) faults.push(`${file.path}: not listed in ${SUMS_FILE}`);
    else if (expected !== file.sha256) faults.push(`${file.path}: differs from its digest in ${SUMS_FILE}`);
    listed.delete(file.path);
  }
  listed.delete("");
  faults.push(...[...listed.keys()].map((name) => `${name}: listed in ${SUMS_FILE} but missing`));
  return faults.length > 0
    ? faults
    : [`${SUMS_FILE}: its digests hold, but its form is not that of sha256sum in byte order`];
}

/** The manifest lists exactly the files there are, with their sizes. */
function checkFiles(effects: Effects, directory: string, manifest: Manifest): string[] {
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  const faults: string[] = [];
  for (const name of effects.list(directory)) {
    const file = listed.get(name);
    if (file === undefined && ![MANIFEST_FILE, SUMS_FILE, paths.deployment.slice(1)].includes(name)) {
      faults.push(`${name}: not in ${MANIFEST_FILE}`);
    }
    if (file !== undefined && effects.digest(path.join(directory, name)).bytes !== file.bytes) {
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
      faults.push(
        `concept ${id}: ${reading.violations.map(({ pointer, faults: wrong }) => `${pointer} ${wrong.join("; ")}`).join("; ")}`,
      );
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
      const resolution = resolve(index, expression.expression, expression.locale ?? expression.language);
      const exact = expression.equivalenceStrength === EXACT_STRENGTH;
      if (resolution.status === "resolved") return exact && resolution.conceptId !== id;
      const { reason, candidates } = resolution;
      const decided = reason === (exact ? "ambiguous_expression" : "equivalence_not_exact");
      // Beside entries of strength 1 a weaker one is silent; a list of candidates may be cut.
      if (!decided) return exact || reason !== "ambiguous_expression";
      return candidates.length < CANDIDATES_MAX && !candidates.some(({ conceptId }) => conceptId === id);
    })
    .map(({ expression }) => `${code}: ${JSON.stringify(expression)} does not lead back to it`);
}

function checkStatus({ index, documents, manifest }: Release): string[] {
  const bytes = documents.get(paths.status);
  if (bytes === undefined) return [`${paths.status}: missing`];
  const reading = parseStatus(JSON.parse(new TextDecoder().decode(bytes)));
  if (!reading.ok)
    return reading.violations.map(({ pointer, faults: wrong }) => `${paths.status}${pointer}: ${wrong.join("; ")}`);
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
