/** `/agent-tool.json`: the tool descriptor (contract §2; B44 to B52; ruling O-61). */
import type { AgentTool } from "../contract/agent.ts";
import { JSON_SCHEMA } from "../contract/published.ts";
import { TOOL_NAME } from "../../runtime/contract/mcp.ts";
import { ABSTENTION_REASONS, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { RESOLVE_BODY_MAX_BYTES } from "../../runtime/contract/limits.ts";
import { schemaConstant } from "../../runtime/contract/document.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { product } from "../../runtime/contract/product.ts";
import { ACCEPTANCE_RULE, inShort, MCP_ACCEPTANCE } from "../view/rules.ts";
import { schemaUrl, urlOf, type View } from "../view/view.ts";

/** The descriptor's own version (semver), raised whenever its text changes (O-61). */
const DESCRIPTOR_VERSION = "1.4.0";

/** Often the only text that a model sees about the service; MCP lists it with the tool. */
const DESCRIPTION =
  "Gives the stable ConceptCode of an exact expression from a reviewed multilingual registry, or abstains; it never guesses. " +
  "Call it before an expression becomes durable: memory, records, routing inputs, handoffs between languages, evidence. " +
  "Exact means that case, spaces and punctuation count. " +
  `${ACCEPTANCE_RULE} ${MCP_ACCEPTANCE} An abstention is a valid answer and assigns nothing. ` +
  "The tool has no side effects; it and its answers grant neither semantic authority nor permission to execute an action.";

export function agentTool(view: View): AgentTool {
  const rules = urlOf(view, paths.capabilities);
  return {
    schema: schemaConstant("agent-tool"),
    version: DESCRIPTOR_VERSION,
    name: TOOL_NAME,
    title: `${view.about.name}: resolve an exact expression to a ConceptCode`,
    description: `Vocabulary: ${view.about.name}. ${view.about.vocabulary} ${DESCRIPTION}`,
    sideEffects: "none",
    authorizationGranted: "none",
    transport: {
      direct: {
        method: "POST",
        url: urlOf(view, paths.resolve),
        contentType: "application/json",
        maximumBodyBytes: RESOLVE_BODY_MAX_BYTES,
      },
      mcp: { method: "POST", url: urlOf(view, paths.mcp), manifest: urlOf(view, paths.mcpServer) },
      authentication: "none",
    },
    invocationPolicy: { intendedUse: inShort.intendedUse, rules },
    inputSchema: { $schema: JSON_SCHEMA, ...ResolveRequest },
    dataHandling: {
      minimumData: inShort.minimumData,
      comparison: inShort.comparison,
      retention: "The service stores and logs no expression; it echoes only input.expression in the answer",
    },
    outputContract: {
      schema: schemaUrl(view, "resolve-response"),
      errorSchema: schemaUrl(view, "error"),
      acceptanceRule: ACCEPTANCE_RULE,
      abstentionReasons: [...ABSTENTION_REASONS],
      otherwise: inShort.otherwise,
    },
    discovery: {
      connect: urlOf(view, paths.connect),
      capabilities: rules,
      instructions: urlOf(view, paths.agentInstructions),
      openapi: urlOf(view, paths.openapi),
      apiCatalog: urlOf(view, paths.apiCatalog),
      descriptorSchema: schemaUrl(view, "agent-tool"),
      release: product,
      readiness: view.readiness,
    },
  };
}
