/**
 * The pages of the API reference: the operations and rules of each area, and for each operation its
 * fields and a request with the answer of this release. The JSON and Markdown forms have all of it
 * in one document; HEAD is described with its GET.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { REFERENCE_AREAS, type ReferenceArea, referencePath } from "../../runtime/contract/policy.ts";
import type { SectionSource } from "../content/content.ts";
import { renderMarkdown } from "../content/markdown.ts";
import type { ApiReference } from "../contract/reference.ts";
import type { OpenApi } from "../openapi/openapi.ts";
import type { Examples } from "../view/examples.ts";
import type { View } from "../view/view.ts";
import { examplesOf } from "./reference-examples.ts";
import { fieldsOf } from "./reference-fields.ts";

const ABOUT: Readonly<Record<ReferenceArea, readonly [title: string, about: string]>> = {
  resolve: ["Resolve", "From an exact expression to the ConceptCode of its meaning, or an abstention."],
  concepts: ["Concepts", "The published concepts: list, filter, read one by its code."],
  registry: ["Registry", "The contents of the registry, its versions and gaps, and the digests that prove them."],
  agents: ["Agents", "MCP, directions for agents, and recipes that prove an integration."],
  discovery: ["Discovery", "The catalog, the documents in their forms, and the identity of the running sources."],
  rules: ["Rules", "Requests, caching, errors, limits and hosting: rules for every operation."],
};

const OF_TAG: Readonly<Record<string, ReferenceArea>> = {
  Resolution: "resolve",
  Discovery: "agents",
  Integration: "agents",
  MCP: "agents",
  Representations: "discovery",
  Deployment: "discovery",
};

export interface ReferenceInputs {
  readonly reference: ApiReference;
  readonly description: OpenApi;
  readonly examples: Examples;
  readonly sections: readonly SectionSource[];
  /** Texts of documents by their path. */
  readonly texts: ReadonlyMap<string, string>;
}

type Operation = ApiReference["operations"][number];

export function referenceAreas(view: View, inputs: ReferenceInputs) {
  const { reference, description, sections } = inputs;
  const operations = reference.operations.filter(({ method }) => method !== "HEAD");
  const areaOf = ({ method, path }: Operation): ReferenceArea => {
    const item = description.paths[path];
    const [tag = ""] = (method === "POST" ? item?.post : item?.get)?.tags ?? [];
    return OF_TAG[tag] ?? (path.startsWith(paths.concepts) ? "concepts" : "registry");
  };
  return REFERENCE_AREAS.map((id) => {
    const [title, about] = ABOUT[id];
    return {
      id,
      title,
      about,
      path: referencePath(id),
      // In the other areas rules come first: they say more than the many routes of documents.
      isCall: id === "resolve" || id === "concepts",
      operations: operations
        .filter((operation) => areaOf(operation) === id)
        .map((operation) => operationView(view, operation, inputs)),
      sections: sections
        .filter(({ area = "rules" }) => area === id)
        .map((section) => ({ id: section.id, title: section.title, html: renderMarkdown(section.markdown) })),
    };
  });
}

function operationView(view: View, operation: Operation, inputs: ReferenceInputs) {
  const { description, reference } = inputs;
  const { path, method } = operation;
  const head = reference.operations.find((other) => other.path === path && other.method === "HEAD");
  return {
    ...operation,
    parameters: operation.parameters.filter((parameter) => parameter.in !== "body"),
    head: head?.id ?? null,
    fields: fieldsOf(description, path, method.toLowerCase()),
    examples: examplesOf(view, operation, inputs),
  };
}
