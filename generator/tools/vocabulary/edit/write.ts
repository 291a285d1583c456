/**
 * Writes registry files so that a failure never leaves a half-written one. Each is first written
 * next to its place, under a name that readers ignore. When all are complete, renames put them in
 * place.
 *
 * Several renames are not one atomic step, so their order is fixed (ORDER): codes are retired and
 * mapped, and version and languages raised, before concepts change; the history comes after the
 * content and the memory that it records, and only then the memory of the release before goes.
 * Between any two renames the registry is either refused by the checks or complete with part of the
 * change, and running the same command again does the rest.
 */
import { encoded } from "../../../text/chunks.ts";
import type { Effects } from "../../../effects/effects.ts";
import { matchesOf } from "../../../registry/publish.ts";
import {
  CODE_MAP_FILE,
  HISTORY_FILE,
  REGISTRY_FILE,
  RETIRED_FILE,
  type RegistrySource,
} from "../../../registry/read.ts";
import { vocabularyFields } from "../../../registry/vocabulary-fields.ts";
import { MEMORY_FOLDER } from "../../../registry/read-memory.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { whileClaimed } from "../../../effects/claim.ts";
import { CHANGED } from "./edit-yaml.ts";

/** Stands for every file that ORDER does not name. */
const CONCEPTS = "concepts";
/** Memories of earlier releases, once the history has that of the new one. */
const FORGOTTEN = "forgotten";
const ORDER = [RETIRED_FILE, CODE_MAP_FILE, REGISTRY_FILE, CONCEPTS, HISTORY_FILE, FORGOTTEN];

/**
 * Text, whole or in pieces (or as UTF-8), by path below the registry folder; undefined removes the
 * file. Concept files are written in this map's order: when a concept moves, the file that gains it
 * comes first.
 */
export type RegistryFiles = ReadonlyMap<string, string | Iterable<string | Uint8Array> | undefined>;

interface RegistryPlace extends Pick<RegistrySource, "isAsRead"> {
  readonly directory: string;
}

/**
 * Writes all files, or none if one cannot be written; removes what killed runs left. Throws
 * UsageError if the registry has changed since it was read, or another command is writing it.
 */
export function writeRegistryFiles(effects: Effects, place: RegistryPlace, files: RegistryFiles): void {
  whileClaimed(effects, place.directory, () => writeAll(effects, place, files));
}

function writeAll(effects: Effects, { directory, isAsRead = () => true }: RegistryPlace, files: RegistryFiles): void {
  removeLeftovers(effects, directory);
  const rank = (name: string): number => {
    const isForgotten = name.startsWith(`${MEMORY_FOLDER}/`) && files.get(name) === undefined;
    const known = isForgotten ? FORGOTTEN : name;
    return ORDER.indexOf(ORDER.includes(known) ? known : CONCEPTS);
  };
  const names = [...files.keys()].sort((a, b) => rank(a) - rank(b));
  // A link stays: the file that it leads to is written.
  const placeOf = (name: string): string => {
    const place = `${directory}/${name}`;
    return effects.isLink(place) && files.get(name) !== undefined ? effects.realPath(place) : place;
  };
  const temporary = (name: string): string => temporaryName(placeOf(name), effects.processId);
  try {
    for (const name of names) {
      const text = files.get(name);
      if (text !== undefined) effects.write(temporary(name), encoded(text));
    }
    if (!isAsRead()) throw new UsageError(CHANGED);
    for (const name of names) {
      if (files.get(name) === undefined) effects.remove(placeOf(name));
      else effects.rename(temporary(name), placeOf(name));
    }
  } finally {
    for (const name of names) effects.remove(temporary(name));
  }
}

/**
 * A concept as a line of `concepts/<domain>.ndjson`: fields in the order of the schema, absent ones
 * stay absent.
 */
export function formatConceptLine(record: ConceptRecord): string {
  const { code, name, definition, domain, provenance, expressions, renderings, hiddenLabels } = record;
  return `${JSON.stringify({
    code,
    name,
    definition,
    domain,
    provenance: orderedProvenance(provenance),
    expressions: expressions.map(orderedExpression),
    renderings: renderings?.map(({ type, descriptor, unicodeSequence, confidence }) => {
      return { type, descriptor, unicodeSequence, confidence };
    }),
    hiddenLabels: hiddenLabels?.map(({ language, label }) => ({ language, label })),
    ...vocabularyFields(record),
  })}\n`;
}

function orderedExpression(record: ExpressionRecord): ExpressionRecord {
  const { language, locale, expression, type, equivalenceStrength, reviewStatus } = record;
  const provenance = orderedProvenance(record.provenance);
  const fields = { language, locale, expression, type, equivalenceStrength, reviewStatus, provenance };
  return fields as ExpressionRecord;
}

function orderedProvenance<T extends ExpressionRecord["provenance"]>(provenance: T): T {
  if (provenance === null || provenance === undefined) return provenance;
  const { source, license, sourceId, reviewedBy, reviewedAt } = provenance;
  return { source, license, sourceId, reviewedBy, reviewedAt, ...matchesOf(provenance) } as T;
}

/** `.name.<process>.new`, in the folder of the file. */
function temporaryName(name: string, processId: number): string {
  const at = name.lastIndexOf("/") + 1;
  return `${name.slice(0, at)}.${name.slice(at)}.${processId}.new`;
}

const TEMPORARY = /(?:^|\/)\.[^/]+\.(\d+)\.new$/;

function removeLeftovers(effects: Effects, directory: string): void {
  if (effects.kind(directory) !== "directory") return;
  for (const name of effects.list(directory)) {
    const process = Number(TEMPORARY.exec(name)?.[1]);
    if (process === effects.processId || (process > 0 && !effects.isRunning(process)))
      effects.remove(`${directory}/${name}`);
  }
}
