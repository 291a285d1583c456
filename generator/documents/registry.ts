/**
 * The documents about a registry release: its status, its retired codes and its history, and
 * nothing that can be derived from them (O-16, O-57).
 */
import { paths } from "../../runtime/contract/paths.ts";
import type { RegistryHistory, RetiredCodes } from "../contract/history.ts";
import { BUNDLE_VERSION, type StatusEnvelope } from "../contract/status.ts";
import { documentEnd, documentHead, urlOf, type View } from "../view/view.ts";

/** `/api/v1/status`: depends only on the registry release, with no clock and no probes (T-06). */
export function statusDocument(view: View): StatusEnvelope {
  const { publishedConcepts, reviewedExactExpressions, languages, domains } = view.summary;
  return {
    data: {
      publishedConcepts,
      reviewedExactExpressions,
      languages: [...languages],
      domains: [...domains],
      activeEmbeddingProfiles: 0,
      semanticRuntimeConfigured: false,
      productionResolver: "reviewed_exact_registry_first",
      arbitraryQuerySemanticResolution: "disabled",
      publicBundle: {
        version: BUNDLE_VERSION,
        registryVersion: view.registry.registryVersion,
        sha256: view.index.meta.bundleSha256,
        url: urlOf(view, paths.bundle),
      },
    },
    error: null,
  };
}

/** `/registry/retired.json` */
export function retiredCodes(view: View): RetiredCodes {
  return {
    ...documentHead(view, "registry-retired", {
      title: "Retired codes",
      description: "Codes that were published once and are no longer, in code order.",
    }),
    rule: "A retired code is never used again: reading it gives 404, and its expressions abstain. replacedBy is the successor that the registry names, for people; nothing follows it automatically.",
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

/** `/registry/history.json` */
export function registryHistory(view: View): RegistryHistory {
  const { registryVersion, contentSha256, history } = view.registry;
  return {
    ...documentHead(view, "registry-history", {
      title: "Release history",
      description:
        "The releases of this registry that are recorded, oldest first, each with the digest of its content.",
    }),
    rule: "Content that is recorded under a version never changes. reassigned lists the expressions that led to another code in the release before, and acknowledgement gives the reason for that decision. log is what the transparency log committed to before the release was in it: a log that contradicts it was rewritten.",
    current: {
      registryVersion,
      contentSha256,
      recorded: history.some((release) => release.registryVersion === registryVersion),
    },
    releases: history.map((release) => ({
      registryVersion: release.registryVersion,
      contentSha256: release.contentSha256,
      reassigned: release.reassigned ?? [],
      acknowledgement: release.acknowledgement ?? null,
      log: release.log ?? null,
    })),
    ...documentEnd,
  };
}
