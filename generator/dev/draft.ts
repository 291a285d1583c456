/**
 * One build for a preview. Content that differs from the record of its version is a draft: it gets
 * the version after the last recorded one, in memory only, so that it can be seen before anybody
 * raises the version. Nothing is recorded.
 */
import { ReleaseError } from "../../runtime/release/plain-file.ts";
import { build, type BuildOutcome, type BuildRequest } from "../build.ts";
import type { Effects } from "../effects/effects.ts";
import { OutputError } from "../effects/output.ts";
import { checkAmbiguity } from "../registry/ambiguity.ts";
import { judge, type Loaded } from "../registry/load.ts";
import { type Finding, formatFinding } from "../text/finding.ts";
import { checkDraft, isRecorded } from "../vocabulary/release/promise.ts";
import { nextVersion } from "../text/version.ts";

export interface Draft {
  /** The name of the build, for people; missing if nothing could be built. */
  readonly built?: string;
  /**
   * Errors, which stop a build, and notices, which are worth knowing; each is a text for people.
   */
  readonly errors: readonly string[];
  readonly notices: readonly string[];
}

/** Builds the current registry and content. */
export async function buildDraft(
  effects: Effects,
  request: Omit<BuildRequest, "settle" | "check">,
  progress: (text: string) => void,
): Promise<Draft> {
  let recorded: string | undefined;
  const settle = (loaded: Loaded): Loaded => {
    const draft = draftOf(loaded);
    recorded = draft && loaded.source.registry?.registryVersion;
    return draft ?? loaded;
  };
  const check = (loaded: Loaded): readonly Finding[] => [
    ...checkAmbiguity(loaded),
    ...checkDraft(effects, request.registry, loaded),
  ];
  try {
    return describe(await build(effects, { ...request, settle, check }, progress), request, recorded);
  } catch (error) {
    // A file may disappear while it is read, or the disk may be full: the next change builds again.
    const isExpected = error instanceof OutputError || error instanceof ReleaseError;
    if (!isExpected && !(error instanceof Error && "syscall" in error)) throw error;
    return { errors: [error.message], notices: [] };
  }
}

/**
 * The registry under the version after the last recorded one; undefined if its content is as
 * recorded, or its version is not recorded.
 */
function draftOf({ source, findings }: Loaded): Loaded | undefined {
  const last = source.history.at(-1);
  const isOther = findings.some(({ rule }) => rule === "version-content-changed");
  if (!isOther || source.registry === undefined || last === undefined) return undefined;
  const registryVersion = nextVersion(last.registryVersion);
  return judge({ ...source, registry: { ...source.registry, registryVersion } });
}

/** `recorded` is the version whose content differs. */
function describe(outcome: BuildOutcome, { registry }: Pick<BuildRequest, "registry">, recorded?: string): Draft {
  if (outcome.status === "unprintable") return { errors: [outcome.message], notices: [] };
  if (outcome.status === "built") {
    const notices = outcome.notices.map((finding) => `${registry}/${formatFinding(finding)}`);
    return { built: nameOf(outcome.registry, recorded), errors: [], notices };
  }
  const texts = (severity: Finding["severity"]): string[] =>
    outcome.faulty.flatMap(({ directory, findings }) =>
      findings.flatMap((one) => (one.severity === severity ? [`${directory}/${formatFinding(one)}`] : [])),
    );
  return { errors: texts("error"), notices: texts("notice") };
}

function nameOf(registry: Parameters<typeof isRecorded>[0], recorded?: string): string {
  const { name, registryVersion } = registry;
  if (recorded !== undefined)
    return `${name}, a draft: it differs from the recorded ${recorded}, and is shown as ${registryVersion}`;
  return `${name} ${registryVersion}${isRecorded(registry) ? ", as recorded" : ", a draft: it is not recorded"}`;
}
