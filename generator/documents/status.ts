/** The status document: a function of the registry release only, no clock and no probes (T-06). */
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import type { StatusEnvelope } from "../../runtime/contract/status.ts";
import { paths } from "../../runtime/policy.ts";
import { compareCodePoints } from "../order.ts";
import type { View } from "./view.ts";

/** Version of the bundle's format: one ConceptDetail a line, in code order. */
export const BUNDLE_VERSION = "1.0.0";

export function statusDocument(view: View, bundleSha256: string): StatusEnvelope {
  const { concepts, registryVersion } = view.registry;
  const languages = new Set<string>();
  let exact = 0;
  for (const { language, equivalenceStrength } of concepts.flatMap(({ expressions }) => expressions)) {
    languages.add(language);
    if (equivalenceStrength === EXACT_STRENGTH) exact++;
  }
  const url = `${view.origin}${paths.bundle}`;
  return {
    data: {
      publishedConcepts: concepts.length,
      reviewedExactExpressions: exact,
      languages: [...languages].sort(compareCodePoints),
      domains: [...new Set(concepts.map(({ domain }) => domain))].sort(compareCodePoints),
      activeEmbeddingProfiles: 0,
      semanticRuntimeConfigured: false,
      productionResolver: "reviewed_exact_registry_first",
      arbitraryQuerySemanticResolution: "disabled",
      publicBundle: { version: BUNDLE_VERSION, registryVersion, sha256: bundleSha256, url },
    },
    error: null,
  };
}
