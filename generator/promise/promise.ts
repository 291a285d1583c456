/**
 * Checks the stability promise: compares what is recorded of the last release with what would
 * resolve now. It writes nothing; release:registry records.
 * Source: registry/README.md, "The stability promise".
 */
import type { ResolutionChange } from "../contract/changes.ts";
import { groupBy } from "../../runtime/text/group-by.ts";
import { type CheckedRegistry, isDraft, isRecorded, shown } from "../registry/checked.ts";
import type { Loaded } from "../registry/load.ts";
import { HISTORY_FILE, REGISTRY_FILE, type RegistryStream, RETIRED_FILE } from "../registry/read.ts";
import { errorAt, type Finding, noticeAt, type Location, locationOf } from "../text/finding.ts";
import { invocation } from "../effects/invocation.ts";
import { quote } from "../text/printable.ts";
import { folderArgument } from "../text/shell.ts";
import { changesSince, unacknowledged } from "./changes-since.ts";
import type { Memory, Release } from "../registry/memory.ts";

/** The rule of findings that release:registry accepts with --acknowledge. */
export const REASSIGNED = "expression-reassigned";
/** The rule of the finding that says that this is not a release. */
export const DRAFT = "version-draft";
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
export function checkPromise(directory: string, { source, registry }: Loaded): Finding[] {
  if (registry === undefined) return [];
  const before = releaseBefore(source, registry);
  if (before === undefined) return [];
  const examined = { directory, source, registry };
  const changes = changesSince(before, registry, () => undefined);
  return [
    ...(isDraft(registry) ? [draftFinding(examined)] : []),
    ...reassignedFindings(examined, before.release, changes),
    ...abstainingFindings(examined, before.release, changes),
    ...countFinding(examined, before.release, changes),
  ];
}

/**
 * The same for a draft. A version that is not recorded may be built and looked at, and a
 * reassignment can be acknowledged only when the version is recorded, so it is only a notice here.
 */
export function checkDraft(directory: string, loaded: Loaded): Finding[] {
  const findings = checkPromise(directory, loaded);
  if (loaded.registry === undefined || isRecorded(loaded.registry)) return findings;
  return findings.map((finding) => (finding.rule === REASSIGNED ? { ...finding, severity: "notice" } : finding));
}

/** The same for a release, whose version must also be recorded. */
export function checkReleasable(directory: string, loaded: Loaded): Finding[] {
  const { registry } = loaded;
  if (registry === undefined) return [];
  const findings = checkPromise(directory, loaded).filter(({ rule }) => rule !== DRAFT);
  if (isRecorded(registry)) return findings;
  const { registryVersion } = registry;
  const finding = errorAt({ file: HISTORY_FILE }, "", {
    rule: "version-unrecorded",
    text: `${registryVersion} is not recorded, so its content could still change under the same version`,
    remedy: `Record it: ${invocation("release-registry", `${folderArgument("registry", directory)} --version ${registryVersion}`)}`,
  });
  return [...findings, finding];
}

/** The release to compare with; undefined if there is none, or this is one. */
function releaseBefore({ memory }: RegistryStream, registry: CheckedRegistry): Memory | undefined {
  return isRecorded(registry) ? undefined : memory;
}

function draftFinding({ directory, source, registry }: Examined): Finding {
  const { registryVersion } = registry;
  const given = source.registry?.registryVersion ?? "";
  const why =
    given === registryVersion
      ? `${registryVersion} is not recorded, so this is a draft of it`
      : `The content differs from what was released as ${given}, so this is a draft of ${registryVersion}`;
  const args = `${folderArgument("registry", directory)} --version ${registryVersion}`;
  return noticeAt({ file: REGISTRY_FILE }, "/registryVersion", {
    rule: DRAFT,
    text: `${why}, shown as ${shown(registry).registryVersion}`,
    remedy: `When it is ready, record it: ${invocation("release-registry", args)}`,
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
  const args = `${folderArgument("registry", directory)} --version ${registry.registryVersion} --acknowledge WHY`;
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
function countFinding(
  { directory, registry }: Examined,
  { registryVersion }: Release,
  changes: readonly ResolutionChange[],
): Finding[] {
  const count = (kind: ResolutionChange["kind"]): number => changes.filter((change) => change.kind === kind).length;
  const [resolving, otherwise] = [count("now_resolves"), count("reason_changed")];
  if (resolving + otherwise === 0) return [];
  const args = `${folderArgument("registry", directory)} --version ${registry.registryVersion}`;
  return [
    noticeAt({ file: REGISTRY_FILE }, "", {
      rule: "answers-change",
      text: `Requests that abstained in ${registryVersion}: ${resolving} would resolve, ${otherwise} would abstain for another reason`,
      remedy: `Nothing needs to be done: ${invocation("release-registry", args)} lists them when it records the version`,
    }),
  ];
}

/** An expression with the languages of its requests. */
function requestOf(expression: string, group: readonly { readonly language: string | null }[]): string {
  return `${quote(expression)} (${group.map(({ language }) => language ?? "no language").join(", ")})`;
}

/** The places of these codes' records; the list of retired codes for a record that is gone. */
function placesOf({ concepts }: RegistryStream, codes: ReadonlySet<string>): (code: string) => Location {
  const places = new Map<string, Location>();
  for (const located of codes.size === 0 ? [] : concepts) {
    const { code } = located.record;
    if (codes.has(code)) places.set(code, locationOf(located));
  }
  return (code) => places.get(code) ?? { file: RETIRED_FILE };
}
