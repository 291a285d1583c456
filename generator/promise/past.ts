/**
 * What a release says about the past of its registry: its versions, the codes that are published no
 * longer, and what each recorded release changed. Documents that contradict the history of the
 * release are refused: those of another registry, for example.
 */
import { changesPath } from "../../runtime/contract/added-resources.ts";
import { paths } from "../../runtime/contract/paths.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { ReleaseError } from "../../runtime/release/plain-file.ts";
import { firstViolation, type Reader } from "../../runtime/contract/validator.ts";
import { parseJson } from "../../runtime/text/json.ts";
import { RegistryChanges } from "../contract/changes.ts";
import { RegistryHistory, RetiredCodes } from "../contract/history.ts";
import { compileSchema } from "../text/compile-schema.ts";

/** What is needed of a release, wherever it is. */
export interface Source {
  /** For messages: a folder or an origin. */
  readonly name: string;
  readonly index: RegistryIndex;
  /** By path; a missing document is undefined. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
}

/** A code that was published. */
export interface Retired {
  readonly retiredIn: string;
  readonly replacedBy: string | null;
  readonly reason: string | null;
  readonly name: string | null;
}

export interface Past {
  readonly origin: string;
  /** The digest of the published content. */
  readonly contentSha256: string;
  /** The version of the release, which may be a draft. */
  readonly current: string;
  /** Every version that this registry had, and that of the release. */
  readonly versions: ReadonlySet<string>;
  readonly retired: ReadonlyMap<string, Retired>;
  /**
   * The changes from release to release, newest first, as far as they are without a gap: the first
   * leads to the current release. Empty for a draft.
   */
  readonly changes: readonly RegistryChanges[];
}

const parseHistory = compileSchema(RegistryHistory);
const parseRetired = compileSchema(RetiredCodes);
const parseChanges = compileSchema(RegistryChanges);

/** Throws ReleaseError if a document is missing, damaged or of another registry. */
export function readPast(source: Source): Past {
  const { canonicalOrigin, current, releases } = required(source, paths.history, parseHistory);
  const list = required(source, paths.retired, parseRetired).retired;
  const version = source.index.meta.registryVersion;
  if (current.registryVersion !== version)
    throw foreign(source, paths.history, `it is about ${current.registryVersion}`);
  const all = releases.flatMap(({ registryVersion }) => changesOf(source, registryVersion) ?? []);
  for (const change of all) requireOwn(source, releases, change);
  const retired = new Map<string, Retired>();
  for (const { registryVersion, concepts } of all) {
    for (const { code, change, replacedBy, name } of concepts) {
      if (change === "retired") retired.set(code, { retiredIn: registryVersion, replacedBy, reason: null, name });
      else retired.delete(code);
    }
  }
  for (const { code, ...record } of list) retired.set(code, record);
  return {
    origin: canonicalOrigin,
    contentSha256: current.contentSha256,
    current: version,
    versions: new Set([...releases.map(({ registryVersion }) => registryVersion), version]),
    retired,
    changes: current.recorded ? unbroken(version, all) : [],
  };
}

/** The changes that lead to a version, from release to release, as long as none is missing. */
function unbroken(version: string, all: readonly RegistryChanges[]): RegistryChanges[] {
  const byVersion = new Map(all.map((change) => [change.registryVersion, change]));
  const found: RegistryChanges[] = [];
  for (let next = byVersion.get(version); next !== undefined; next = byVersion.get(next.previous)) found.push(next);
  return found;
}

function changesOf(source: Source, version: string): RegistryChanges | undefined {
  const path = changesPath(version);
  return source.documents.has(path) ? required(source, path, parseChanges) : undefined;
}

/** Its digest and its predecessor must be those of the history, so that no cycle is possible. */
function requireOwn(
  source: Source,
  releases: RegistryHistory["releases"],
  { registryVersion, previous, contentSha256 }: RegistryChanges,
): void {
  const at = releases.findIndex((release) => release.registryVersion === registryVersion);
  const isOwn = releases[at]?.contentSha256 === contentSha256 && releases[at - 1]?.registryVersion === previous;
  if (!isOwn) throw foreign(source, changesPath(registryVersion), `${paths.history} does not have this release`);
}

function required<T>(source: Source, path: string, parse: Reader<T>): T {
  const bytes = source.documents.get(path);
  if (bytes === undefined) throw foreign(source, path, "it is missing");
  return parseDocument(source.name + path, bytes, parse);
}

/** The value of a JSON document at a place, which is named in errors. Throws ReleaseError. */
export function parseDocument<T>(place: string, bytes: Uint8Array, parse: Reader<T>): T {
  const json = parseJson(bytes);
  const reading = json.ok ? parse(json.value) : undefined;
  if (reading?.ok === true) return reading.value;
  throw unusable(place, reading === undefined ? "it is not JSON" : firstViolation(reading.violations, "", "it"));
}

function foreign({ name }: Source, path: string, why: string): ReleaseError {
  return unusable(name + path, why);
}

export function unusable(place: string, why: string): ReleaseError {
  return new ReleaseError(`${place} cannot be used: ${why}`);
}
