/** The concepts as linked data, for those who collect vocabularies: context, files and their description (O-70). */
import {
  contextPath,
  DATASET_PATH,
  SKOS_JSONLD_PATH,
  SKOS_TURTLE_PATH,
} from "../../runtime/contract/added-resources.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import type { View } from "../view/view.ts";
import { conceptContext } from "./context.ts";
import { printDataset } from "./dataset.ts";
import { printSkos } from "./skos-files.ts";

/** By path; none without concepts, and no files where they would be too long. */
export function linkedData(view: View): [path: string, body: string | Uint8Array][] {
  const { registryVersion, concepts } = view.registry;
  if (concepts.length === 0) return [];
  const context: [string, string] = [contextPath(registryVersion), formatDocument(conceptContext(view))];
  const files = view.rdf ? printSkos(view) : undefined;
  if (files === undefined) return [context];
  return [
    context,
    [SKOS_TURTLE_PATH, files.turtle],
    [SKOS_JSONLD_PATH, files.jsonld],
    [DATASET_PATH, printDataset(view, files)],
  ];
}
