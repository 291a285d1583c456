/** A published registry as its public bundle: the very bytes of `/registry/bundle.ndjson`, one concept a line. */
import { conceptDetail } from "../../registry/published-concept.ts";
import type { View } from "../../view/view.ts";

export function* writeJson(view: View): Generator<string, void> {
  for (const concept of view.registry.concepts) yield `${JSON.stringify(conceptDetail(view, concept))}\n`;
}
