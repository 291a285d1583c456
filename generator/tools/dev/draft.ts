/** One build for a preview. Nothing is recorded. */
import { ReleaseError } from "../../../runtime/release/plain-file.ts";
import { build, type BuildOutcome, type BuildRequest } from "../../build.ts";
import type { Effects } from "../../effects/effects.ts";
import { OutputError } from "../../effects/output.ts";
import { checkAmbiguity } from "../../registry/ambiguity.ts";
import { isRecorded } from "../../registry/checked.ts";
import type { Loaded } from "../../registry/load.ts";
import { type Finding, formatFinding } from "../../text/finding.ts";
import { checkDraft } from "../../promise/promise.ts";

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
  request: Omit<BuildRequest, "check">,
  progress: (text: string) => void,
): Promise<Draft> {
  const check = (loaded: Loaded): readonly Finding[] => [
    ...checkAmbiguity(loaded),
    ...checkDraft(request.registry, loaded),
  ];
  try {
    return describe(await build(effects, { ...request, check }, progress), request);
  } catch (error) {
    // A file may disappear while it is read, or the disk may be full: the next change builds again.
    const isExpected = error instanceof OutputError || error instanceof ReleaseError;
    if (!isExpected && !(error instanceof Error && "syscall" in error)) throw error;
    return { errors: [error.message], notices: [] };
  }
}

function describe(outcome: BuildOutcome, { registry }: Pick<BuildRequest, "registry">): Draft {
  if (outcome.status === "unprintable") return { errors: [outcome.message], notices: [] };
  if (outcome.status === "built") {
    const notices = outcome.notices.map((finding) => `${registry}/${formatFinding(finding)}`);
    const { name, registryVersion } = outcome.registry;
    const what = isRecorded(outcome.registry) ? "as recorded" : "not recorded";
    return { built: `${name} ${registryVersion}, ${what}`, errors: [], notices };
  }
  const texts = (severity: Finding["severity"]): string[] =>
    outcome.faulty.flatMap(({ directory, findings }) =>
      findings.flatMap((one) => (one.severity === severity ? [`${directory}/${formatFinding(one)}`] : [])),
    );
  return { errors: texts("error"), notices: texts("notice") };
}
