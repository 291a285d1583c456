/**
 * `/mcp/server-card`: what an MCP server is and how to connect, for clients that are not connected
 * yet. It says what `server/discover` says. A card lists no tools; the digests of ours are in
 * `_meta`, for hosts that ask again when a tool has changed. Source: SEP-2127.
 */
import { MCP_PROTOCOL_VERSION } from "../../runtime/contract/mcp.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { type ServerCard, TOOLS_KEY, VOCABULARY_KEY } from "../contract/agent-discovery.ts";
import { urlOf, type View } from "../view/view.ts";
import { serverInfo, toolDigests } from "./mcp.ts";

export function serverCard(view: View): ServerCard {
  const { about, summary, registry } = view;
  const { name, title, version, websiteUrl } = serverInfo(view);
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name,
    version,
    title,
    description: about.summary,
    websiteUrl,
    remotes: [
      { type: "streamable-http", url: urlOf(view, paths.mcp), supportedProtocolVersions: [MCP_PROTOCOL_VERSION] },
    ],
    _meta: {
      [VOCABULARY_KEY]: {
        description: about.vocabulary,
        registryVersion: registry.registryVersion,
        publishedConcepts: summary.publishedConcepts,
        languages: [...summary.languages],
        domains: [...summary.domains],
      },
      [TOOLS_KEY]: toolDigests(view),
    },
  };
}
