/**
 * Checks the stability promise: compares what is recorded of the last release with what would
 * resolve now. It writes nothing; release:registry records.
 * Source: registry/README.md, "The stability promise".
 */
import type { ResolutionChange } from "../../diff/comparison.ts";
import { groupBy } from "../../../runtime/text/group-by.ts";
import type { Effects } from "../../effects/effects.ts";
import type { CheckedRegistry } from "../../registry/checked.ts";
import type { Loaded } from "../../registry/load.ts";
import { HISTORY_FILE, REGISTRY_FILE, RELEASED_FILE, type RegistryStream, RETIRED_FILE } from "../../registry/read.ts";
import { errorAt, type Finding, noticeAt, type Place, placeOf } from "../../text/finding.ts";
import { invocation } from "../../text/invocation.ts";
import { quote } from "../../text/printable.ts";
import { shellPath } from "../../text/shell.ts";
import { type Before, changesSince, lostCodes, unacknowledged } from "./registry-release.ts";
import { readReleased, type Release } from "../../registry/released.ts";

/** The rule of findings that release:registry accepts with --acknowledge. */
export const REASSIGNED = "expression-reassigned";
/** How many expressions of a concept a finding names. */
const SHOWN = 5;

/** A registry that passed its checks, and where it was read. */
interface Examined {
  readonly directory: string;
  readonly source: RegistryStream;
  readonly registry: CheckedRegistry;
}

/**
 * Returns the findings against the last release; none if the registry did not pass its own checks.
 */
export function checkPromise(effects: Effects, directory: string, { source, registry }: Loaded): Finding[] {
  if (registry === undefined) return [];
  const examined = { directory, source, registry };
  const before = releaseBefore(effects, examined);
  if (before === "none") return [];
  if (before === "unreadable") return [unreadable(source)];
  const changes = changesSince(before, registry, () => undefined);
  const lost = lostCodes(before.concepts, examined);
  return [
    ...lost.map((code) => goneFinding(code, before.release)),
    ...reassignedFindings(examined, before.release, changes),
    ...abstainingFindings(examined, before.release, changes),
    ...countFinding(before.release, changes),
  ];
}

/**
 * The same for a draft. A version that is not recorded may be built and looked at, and a
 * reassignment can be acknowledged only when the version is recorded, so it is only a notice here.
 */
export function checkDraft(effects: Effects, directory: string, loaded: Loaded): Finding[] {
  const findings = checkPromise(effects, directory, loaded);
  if (loaded.registry === undefined || isRecorded(loaded.registry)) return findings;
  return findings.map((finding) => (finding.rule === REASSIGNED ? { ...finding, severity: "notice" } : finding));
}

/** The same for a release, whose version must also be recorded. */
export function checkReleasable(effects: Effects, directory: string, loaded: Loaded): Finding[] {
  const { registry } = loaded;
  if (registry === undefined) return [];
  const findings = checkPromise(effects, directory, loaded);
  if (isRecorded(registry)) return findings;
  const { registryVersion } = registry;
  const finding = errorAt({ file: HISTORY_FILE }, "", {
    rule: "version-unrecorded",
    text: `${registryVersion} is not recorded, so its content could still change under the same version`,
    remedy: `Record it: ${invocation("release-registry", `--registry ${shellPath(directory)} --version ${registryVersion}`)}`,
  });
  return [...findings, finding];
}

/**
 * Whether the history has the version. Its content is then the recorded one: checkContent refuses
 * any other.
 */
export function isRecorded({ history, registryVersion }: CheckedRegistry): boolean {
  return history.some((entry) => entry.registryVersion === registryVersion);
}

/**
 * The release to compare the registry with: the last one. If that is the current version and its
 * released.ndjson was never written, it is the release before it, because those two have not been
 * compared yet.
 */
function releaseBefore(effects: Effects, { directory, registry }: Examined): Before | "none" | "unreadable" {
  const { history, registryVersion } = registry;
  const last = history.at(-1);
  if (last === undefined) return "none";
  const isLast = last.registryVersion === registryVersion;
  if (!isLast && isRecorded(registry)) return "none";
  const read = (release: Release | undefined): Before | undefined => {
    const concepts = release && readReleased(effects, `${directory}/${RELEASED_FILE}`, release);
    return release && concepts && { release, concepts };
  };
  const before = read(last);
  if (!isLast) return before ?? "unreadable";
  return before === undefined ? (read(history.at(-2)) ?? "unreadable") : "none";
}

function unreadable({ history }: RegistryStream): Finding {
  const version = history.at(-1)?.registryVersion ?? "";
  return noticeAt({ file: RELEASED_FILE }, "", {
    rule: "released-unreadable",
    text: `It is missing or not that of ${version}, so it is not known what would resolve differently`,
    remedy: `Restore it, or run ${invocation("release-registry", `--version ${version}`)} on the registry as it was released`,
  });
}

function goneFinding(code: string, { registryVersion }: Release): Finding {
  return errorAt({ file: RETIRED_FILE }, "", {
    rule: "concept-gone",
    text: `${quote(code)} was published in ${registryVersion} and is neither in the registry nor retired`,
    remedy: "Restore the concept, or list its code in retired.yaml",
  });
}

/** One finding per expression, however many languages it is requested in. */
function reassignedFindings(
  { directory, source, registry }: Examined,
  { registryVersion: version }: Release,
  changes: readonly ResolutionChange[],
): Finding[] {
  const entry = source.history.find(({ registryVersion }) => registryVersion === registry.registryVersion);
  const groups = groupBy(unacknowledged(changes, entry), ({ expression, from, to }) =>
    JSON.stringify([expression, from, to]),
  );
  const args = `--registry ${shellPath(directory)} --version ${registry.registryVersion} --acknowledge WHY`;
  const places = placesOf(source, new Set([...groups.values()].map(([{ to }]) => to)));
  return [...groups.values()].map((group) => {
    const [{ expression, from, to }] = group;
    return errorAt(places(to), "", {
      rule: REASSIGNED,
      text: `${requestOf(expression, group)} resolved to ${from} in ${version} and would resolve to ${to}`,
      remedy: `Undo that, or record why: ${invocation("release-registry", args)}`,
    });
  });
}

/** One finding per concept: all expressions of a retired concept abstain. */
function abstainingFindings(
  { source }: Examined,
  { registryVersion }: Release,
  changes: readonly ResolutionChange[],
): Finding[] {
  const abstaining = changes.flatMap(({ expression, language, before, after }) =>
    "code" in before && "reason" in after ? [{ expression, language, code: before.code, reason: after.reason }] : [],
  );
  const byCode = groupBy(abstaining, ({ code }) => code);
  const places = placesOf(source, new Set(byCode.keys()));
  return [...byCode].map(([code, group]) => {
    const requests = [...groupBy(group, ({ expression, reason }) => JSON.stringify([expression, reason])).values()];
    const some = requests
      .slice(0, SHOWN)
      .map((same) => `${requestOf(same[0].expression, same)}: ${same[0].reason}`)
      .join("; ");
    const more = requests.length > SHOWN ? `; and ${requests.length - SHOWN} more` : "";
    return noticeAt(places(code), "", {
      rule: "expression-abstains",
      text: `Resolved to ${code} in ${registryVersion} and would abstain: ${some}${more}`,
      remedy: "Nothing needs to be done if that is meant",
    });
  });
}

/** Harmless changes are only counted: a new dump of a vocabulary has thousands. */
function countFinding({ registryVersion }: Release, changes: readonly ResolutionChange[]): Finding[] {
  const count = (kind: ResolutionChange["kind"]): number => changes.filter((change) => change.kind === kind).length;
  const [resolving, otherwise] = [count("now_resolves"), count("reason_changed")];
  if (resolving + otherwise === 0) return [];
  return [
    noticeAt({ file: REGISTRY_FILE }, "", {
      rule: "answers-change",
      text: `Requests that abstained in ${registryVersion}: ${resolving} would resolve, ${otherwise} would abstain for another reason`,
      remedy: `Nothing needs to be done: ${invocation("release-registry")} lists them when it records the version`,
    }),
  ];
}

/** An expression with the languages of its requests. */
function requestOf(expression: string, group: readonly { readonly language: string | null }[]): string {
  return `${quote(expression)} (${group.map(({ language }) => language ?? "no language").join(", ")})`;
}

/** The places of these codes' records; the list of retired codes for a record that is gone. */
function placesOf({ concepts }: RegistryStream, codes: ReadonlySet<string>): (code: string) => Place {
  const places = new Map<string, Place>();
  for (const located of codes.size === 0 ? [] : concepts) {
    const { code } = located.record;
    if (codes.has(code)) places.set(code, placeOf(located));
  }
  return (code) => places.get(code) ?? { file: RETIRED_FILE };
}
