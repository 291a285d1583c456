/** Reads the registry that an import changes; an empty one if there is none yet. */
import { type Effects, isVisible } from "../../../effects/effects.ts";
import { findingsOf } from "../../../registry/check.ts";
import {
  CODE_MAP_FILE,
  readRegistry,
  REGISTRY_FILE,
  type RegistrySource,
  RETIRED_FILE,
  stampsOf,
} from "../../../registry/read.ts";
import type { Finding } from "../../../text/finding.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { areMoving } from "./moving.ts";

export type Before =
  | { readonly ok: true; readonly registry: RegistrySource }
  /** Its own findings, which must be repaired first. */
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Throws UsageError for a path that is neither a registry nor a place for a new one. */
export function readBefore(effects: Effects, into: string, progress: (text: string) => void): Before {
  const kind = effects.kind(into);
  if (kind === "file") throw new UsageError(`--into ${into} is a file, not a directory`);
  if (kind === "none" || effects.kind(`${into}/${REGISTRY_FILE}`) === "none") {
    if (kind === "directory" && !isBegun(effects, into))
      throw new UsageError(`--into ${into} holds files but no ${REGISTRY_FILE}: name a registry, or a new folder`);
    const stamps = stampsOf(effects, into);
    const isNew = (): boolean => effects.kind(`${into}/${REGISTRY_FILE}`) === "none";
    const isAsRead = (): boolean => isNew() && stampsOf(effects, into) === stamps;
    return { ok: true, registry: { ...EMPTY, budget: effects, isAsRead } };
  }
  const registry = readRegistry(effects, into, (done) => {
    if (done % 5000 === 0) progress(`Reading ${into}: ${done} concepts`);
  });
  const findings = findingsOf(registry);
  const isUsable = findings.every(({ severity, rule }) => severity !== "error" || UNFINISHED.has(rule));
  if (!isUsable || !areMoving(registry.concepts)) return { ok: false, findings };
  return { ok: true, registry };
}

/**
 * Errors that an interrupted import can leave: codes are retired and mapped before concepts change,
 * and a concept that moves is in its new file before it leaves the old one. The same import does
 * the rest, and the complete registry is checked after it.
 */
const UNFINISHED: ReadonlySet<string> = new Set([
  "code-map-dangling",
  "code-retired",
  "replaced-by-dangling",
  "code-duplicate",
]);

/**
 * Whether it holds only files that a first import can leave if it is interrupted before it writes
 * registry.yaml.
 */
function isBegun(effects: Effects, into: string): boolean {
  return effects.list(into).every((name) => !isVisible(name) || name === RETIRED_FILE || name === CODE_MAP_FILE);
}

/** The start of an import into a new registry. */
export const EMPTY: Omit<RegistrySource, "budget"> = {
  registry: undefined,
  concepts: [],
  retired: [],
  history: [],
  codeMap: [],
  findings: [],
};
