/**
 * `/.well-known/api-catalog`: RFC 9727 catalog as an RFC 9264 linkset with the relations of RFC 8631. The catalog names
 * the endpoints as its items; each API names its descriptions, its directions for people and its metadata.
 */
import type { LinkContext, Linkset } from "../../runtime/contract/representation.ts";
import {
  CONCEPT_HISTORY_PATH,
  contextPath,
  DATASET_PATH,
  MAPPINGS_PATH,
  SKOS_JSONLD_PATH,
  SKOS_TURTLE_PATH,
} from "../../runtime/contract/added-resources.ts";
import { paths, policies, type PolicyName } from "../../runtime/contract/policy.ts";
import { urlOf, type View } from "../view/view.ts";

/** `added`: the documents that only some releases have. */
export function apiCatalog(view: View, added: readonly string[]): Linkset {
  const link = (path: string, policy: PolicyName, title: string) => ({
    href: urlOf(view, path),
    type: policies[policy].mediaType,
    title,
  });
  const linked = (path: string, policy: PolicyName, title: string) =>
    added.includes(path) ? [link(path, policy, title)] : [];
  const identity = link(paths.deployment, "json", "Deployment identity");
  const receipt = link(paths.discovery, "json", "Discovery receipt");
  const status = [link(paths.status, "answer", "Registry status")];
  const direct: LinkContext = {
    anchor: urlOf(view, paths.resolve),
    "service-desc": [link(paths.openapi, "json", "OpenAPI description")],
    "service-doc": [
      link(paths.apiReference, "html", "API reference"),
      link(paths.answers, "html", "Answers"),
      link(paths.apiReferenceMarkdown, "markdown", "API reference as Markdown"),
      link(paths.studioPage, "html", "Integration studio"),
      link(paths.coveragePage, "html", "Coverage and ambiguity"),
      ...(added.includes(paths.changesFeed) ? [link(paths.changesPage, "html", "Changes")] : []),
    ],
    "service-meta": [
      receipt,
      identity,
      link(paths.wellKnownCapabilities, "json", "Agent contract"),
      link(paths.connect, "json", "Directions for an agent's first call"),
      link(paths.agentTool, "json", "Agent tool descriptor"),
      link(paths.agentInstructions, "text", "Agent instructions"),
      link(paths.readiness, "json", "Integration readiness"),
      link(paths.studio, "json", "Integration studio"),
      link(paths.retired, "json", "Retired codes"),
      link(paths.history, "json", "Release history"),
      link(paths.coverage, "json", "Coverage and ambiguity"),
      ...linked(paths.changesFeed, "atom", "Changes"),
      ...linked(CONCEPT_HISTORY_PATH, "bundle", "Changes by concept"),
      ...linked(MAPPINGS_PATH, "bundle", "Codes by external identifier"),
      ...linked(contextPath(view.registry.registryVersion), "jsonld", "JSON-LD context of a concept"),
      ...linked(DATASET_PATH, "turtle", "Description of the concepts as a dataset (VoID, DCAT)"),
      ...linked(SKOS_TURTLE_PATH, "turtle", "All concepts as SKOS, in Turtle"),
      ...linked(SKOS_JSONLD_PATH, "jsonld", "All concepts as SKOS, in JSON-LD"),
    ],
    status,
  };
  const mcp: LinkContext = {
    anchor: urlOf(view, paths.mcp),
    "service-desc": [link(paths.mcpServer, "json", "MCP connection manifest")],
    "service-doc": [link(paths.mcpGuide, "html", "MCP guide")],
    "service-meta": [receipt, identity],
    status,
  };
  const items = [
    { href: direct.anchor, title: "Direct API: POST a resolve request" },
    { href: urlOf(view, paths.concepts), type: policies.json.mediaType, title: "Direct API: published concepts" },
    { href: mcp.anchor, title: "MCP endpoint: POST a JSON-RPC request" },
  ];
  return { linkset: [{ anchor: urlOf(view, paths.apiCatalog), item: items }, direct, mcp] };
}
