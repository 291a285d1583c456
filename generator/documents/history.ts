/** `/registry/retired.json` and `/registry/history.json`: what is recorded, and nothing that would follow from it (O-16, O-57). */
import type { RegistryHistory, RetiredCodes } from "../contract/history.ts";
import { documentEnd, documentHead, type View } from "../view/view.ts";

export function retiredCodes(view: View): RetiredCodes {
  return {
    ...documentHead(view, "registry-retired", {
      title: "Retired codes",
      description: "Codes that were published once and are no longer, in code order.",
    }),
    rule: "A retired code is never used again: reading it gives 404, and its expressions abstain. replacedBy is what the registry names as successor, for people; nothing follows it automatically.",
    retired: view.registry.retired.map(({ code, retiredIn, replacedBy, name = null, reason = null }) => ({
      code,
      retiredIn,
      replacedBy,
      name,
      reason,
    })),
    ...documentEnd,
  };
}

export function registryHistory(view: View): RegistryHistory {
  const { registryVersion, contentSha256, history } = view.registry;
  return {
    ...documentHead(view, "registry-history", {
      title: "Release history",
      description:
        "The releases of this registry that are recorded, oldest first, each with the digest of its content.",
    }),
    rule: "Content that is recorded under a version never changes. reassigned lists the expressions that led to another code in the release before, and acknowledgement says why somebody decided so.",
    current: {
      registryVersion,
      contentSha256,
      recorded: history.some((release) => release.registryVersion === registryVersion),
    },
    releases: history.map(({ releasedOn: _day, reassigned = [], acknowledgement = null, ...release }) => ({
      ...release,
      reassigned,
      acknowledgement,
    })),
    ...documentEnd,
  };
}
