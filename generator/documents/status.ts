/** The status document: a function of the registry release only, no clock and no probes (T-06). */
import { BUNDLE_VERSION, type StatusEnvelope } from "../contract/status.ts";
import { paths } from "../../runtime/contract/policy.ts";
import { urlOf, type View } from "../view/view.ts";

export function statusDocument(view: View, bundleSha256: string): StatusEnvelope {
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
        sha256: bundleSha256,
        url: urlOf(view, paths.bundle),
      },
    },
    error: null,
  };
}
