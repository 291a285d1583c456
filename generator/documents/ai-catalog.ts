/**
 * `/.well-known/ai-catalog.json`: what agents find at this domain, the MCP server and the skill,
 * each by the address of its own description. Source: AI Catalog 0.9.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { policies } from "../../runtime/contract/policy.ts";
import type { AiCatalog } from "../contract/agent-discovery.ts";
import { urlOf, type View } from "../view/view.ts";
import { skillPath } from "./agent-skills.ts";

/** A card has its own name and description; a skill names itself only in its text. */
export function aiCatalog(view: View): AiCatalog {
  const { about } = view;
  const identifier = (kind: "mcp" | "skill"): string => `urn:air:${about.domain}:${about.serverName}:${kind}`;
  return {
    specVersion: "0.9",
    host: {
      displayName: about.publisher ?? about.name,
      identifier: about.domain,
      documentationUrl: urlOf(view, paths.mcpGuide),
    },
    entries: [
      {
        identifier: identifier("mcp"),
        type: policies.serverCard.mediaType,
        url: urlOf(view, paths.serverCard),
      },
      {
        identifier: identifier("skill"),
        type: "application/agent-skills+md",
        displayName: `${about.name}: operating rules`,
        description: about.vocabulary,
        url: urlOf(view, skillPath(view)),
      },
    ],
  };
}
