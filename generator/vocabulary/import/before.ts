/** The registry that an import changes, as it is: an empty one where there is none yet. */
import type { Effects } from "../../effects/effects.ts";
import { checkRegistry } from "../../registry/check.ts";
import { readReleased } from "../release/released.ts";
import { readRegistry, REGISTRY_FILE, type RegistrySource, RELEASED_FILE } from "../../registry/read.ts";
import type { Finding } from "../../text/finding.ts";
import { UsageError } from "../../text/usage-error.ts";

export interface RegistryBefore extends RegistrySource {
  /** The codes of its last release, as far as it is recorded. */
  readonly released?: readonly string[];
}

export type Before =
  | { readonly ok: true; readonly registry: RegistryBefore }
  /** Its own findings, which must be repaired first. */
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Throws UsageError for what is neither a registry nor a place for a new one. */
export function readBefore(effects: Effects, into: string, progress: (text: string) => void): Before {
  const kind = effects.kind(into);
  if (kind === "file") throw new UsageError(`--into ${into} is a file, not a directory`);
  if (kind === "none" || effects.kind(`${into}/${REGISTRY_FILE}`) === "none") {
    if (kind === "directory" && effects.names(into).length > 0)
      throw new UsageError(`--into ${into} holds files but no ${REGISTRY_FILE}: name a registry, or a new folder`);
    return { ok: true, registry: { ...EMPTY, room: effects } };
  }
  const registry = readRegistry(effects, into, (done) => {
    if (done % 5000 === 0) progress(`Reading ${into}: ${done} concepts`);
  });
  const { findings } = checkRegistry(registry);
  const isWhole = findings.every(({ severity, rule }) => severity !== "error" || rule === UNFINISHED);
  if (!isWhole) return { ok: false, findings };
  const last = registry.history.at(-1);
  const released = last && readReleased(effects, `${into}/${RELEASED_FILE}`, last);
  return { ok: true, registry: { ...registry, released: Array.from(released ?? [], ({ code }) => code) } };
}

/** What an import leaves that was stopped after it had mapped codes; the same import brings their concepts. */
const UNFINISHED = "code-map-dangling";

const EMPTY: Omit<RegistrySource, "room"> = {
  registry: undefined,
  concepts: [],
  retired: [],
  history: [],
  codeMap: [],
  findings: [],
};
