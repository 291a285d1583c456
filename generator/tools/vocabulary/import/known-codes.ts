/** The known codes before an import, and the code map for the next one. */
import { isConceptCode } from "../../../../runtime/contract/code.ts";
import { stateOf } from "../../../registry/memory.ts";
import type { CodeMapLine } from "../../../registry/record.ts";
import { compareCodePoints } from "../../../text/order.ts";
import type { Source, SourceConcept } from "../formats/source.ts";
import type { RegistrySource } from "../../../registry/read.ts";
import { compareVersions } from "../../../text/version.ts";

/** The codes that are known before the import. */
export interface KnownCodes {
  /** The code of each sourceId. */
  readonly bySource: ReadonlyMap<string, string>;
  /** The codes of each sourceId that several active concepts share. */
  readonly shared: ReadonlyMap<string, readonly string[]>;
  /** The sourceId of each active code; null if it has none. */
  readonly active: ReadonlyMap<string, string | null>;
  /** Codes that must never be used again. */
  readonly retired: ReadonlySet<string>;
  /**
   * Codes retired since the last release, with their sourceIds. Nobody has seen that yet, so their
   * concepts may come back.
   */
  readonly retiring: ReadonlyMap<string, string | undefined>;
  /** Codes that were assigned before, whatever became of their concepts. */
  readonly given: Iterable<string>;
}

export function knownCodes(before: RegistrySource): KnownCodes {
  const remembered = new Map(Array.from(before.memory?.codes ?? [], (line) => [line.code, stateOf(line)]));
  const bySource = new Map<string, string>();
  const active = new Map<string, string | null>();
  for (const { code, sourceId } of before.retired) if (sourceId !== undefined) bySource.set(sourceId, code);
  for (const { sourceId, code } of before.codeMap) bySource.set(sourceId, code);
  const shared = new Map<string, readonly string[]>();
  const owners = before.concepts.map(({ record }) => [record.provenance?.sourceId ?? null, record.code] as const);
  for (const [sourceId, code] of owners) active.set(code, sourceId);
  for (const [sourceId, [code = "", ...others]] of codesBySource(owners)) {
    if (others.length === 0) bySource.set(sourceId, code);
    else shared.set(sourceId, [code, ...others].sort(compareCodePoints));
  }
  const entriesOf = (isGone: boolean): [code: string, sourceId: string | undefined][] =>
    before.retired
      .filter(({ code }) => (remembered.get(code) === "retired") === isGone)
      .map(({ code, sourceId }) => [code, sourceId]);
  return {
    bySource,
    shared,
    active,
    retired: new Set(entriesOf(true).map(([code]) => code)),
    retiring: new Map(entriesOf(false)),
    given: [...remembered.keys(), ...before.codeMap.map(({ code }) => code)],
  };
}

/** Several concepts may share a sourceId: people may use it for just the name of a book. */
function codesBySource(owners: readonly (readonly [string | null, string])[]): ReadonlyMap<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const [sourceId, code] of owners) {
    if (sourceId !== null) codes.set(sourceId, (codes.get(sourceId) ?? new Set()).add(code));
  }
  return codes;
}

/**
 * Identifies a concept within its source: the code it names, since several concepts may share a
 * sourceId.
 */
export function identityOf({ sourceId, code }: SourceConcept): string {
  return code ?? sourceId ?? "";
}

/**
 * Adds a sourceId, if it needs one, to a concept that its file names only by code: that of our
 * concept with this code, if the domain `isOurs`; else the code, if the concept cannot have it as
 * its own, because the next import would otherwise treat it as a new concept.
 */
export function withSourceId(
  concept: SourceConcept,
  { active, retired }: KnownCodes,
  isOurs: (code: string) => boolean,
): SourceConcept {
  const { code, provenance } = concept;
  if (concept.sourceId !== null || code === undefined) return concept;
  const known = active.get(code) ?? undefined;
  const isFree = known === undefined && !(retired.has(code) && concept.retired === undefined);
  if (isConceptCode(code) && isFree) return concept;
  const sourceId = known !== undefined && isOurs(code) ? known : code;
  return { ...concept, sourceId, provenance: provenance && { ...provenance, sourceId } };
}

/**
 * `code-map.ndjson` after the import: the existing lines, the file's lines about codes that it
 * brings, and its concepts.
 */
export function mapCodes(
  before: RegistrySource,
  { concepts, codeMap = [] }: Pick<Source, "concepts" | "codeMap">,
  codes: ReadonlyMap<string, string>,
): CodeMapLine[] {
  const map = new Map(before.codeMap.map(({ sourceId, code }) => [sourceId, code]));
  const mapped = new Set(map.values());
  const brought = new Set(codes.values());
  for (const { sourceId, code } of codeMap) {
    if (map.has(sourceId) || mapped.has(code) || !brought.has(code)) continue;
    map.set(sourceId, code);
    mapped.add(code);
  }
  // A concept that came back after a release without it has the sourceId of its retired code: the
  // last one counts.
  const last = new Map<string | null, string>();
  for (const concept of concepts) {
    const end = endOf(concept);
    if (compareVersions(last.get(concept.sourceId) ?? "0", end) <= 0) last.set(concept.sourceId, end);
  }
  const owners = concepts
    .filter((concept) => endOf(concept) === last.get(concept.sourceId))
    .map((concept) => [concept.sourceId, codes.get(identityOf(concept)) ?? ""] as const);
  // A code keeps its line even if its concept now has another sourceId.
  for (const [sourceId, [code = "", ...others]] of codesBySource(owners))
    if (others.length === 0 && !mapped.has(code)) map.set(sourceId, code);
  return [...map]
    .map(([sourceId, code]) => ({ sourceId, code }))
    .sort((a, b) => compareCodePoints(a.sourceId, b.sourceId));
}

/** The version in which a concept was retired; higher than any other for an active one. */
function endOf({ retired }: SourceConcept): string {
  return retired === undefined ? "9999" : (retired.retiredIn ?? "0");
}
