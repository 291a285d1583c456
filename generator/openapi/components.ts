/**
 * The component schemas of OpenAPI: the contract's schema values under their names. If one schema
 * contains another that has a name, the published form refers to it.
 */
import { contract } from "../contract/schemas.ts";

const NAMES = [
  "ResolveRequest", "ResolveEnvelope", "ResolutionData", "ResolvedConcept", "Candidate", "EmbeddingProfile",
  "ErrorEnvelope", "Error", "ConceptList", "ConceptSummary", "ConceptDetail", "ConceptExpression",
  "ConceptRendering", "ConceptNotFound", "StatusEnvelope", "Status", "RetiredCodes", "RetiredCode",
  "RegistryHistory", "RegistryRelease", "Coverage", "LanguageCoverage", "AmbiguousExpression", "AgentTool",
  "AgentConnect", "Capabilities", "AdoptionGuide", "Answers", "Answer", "ApiReference", "Operation", "Discovery",
  "InventoryRoute", "Linkset", "NotAcceptable", "DeploymentIdentity", "DeploymentIdentityUnavailable",
  "MCPJsonRpcRequest", "MCPRequestMeta", "MCPJsonRpcResponse", "MCPJsonRpcSuccess", "MCPJsonRpcError",
  "MCPConnectionManifest", "ReleaseLabel", "Readiness", "Outcome", "IntegrationReadiness", "IntegrationReport",
  "IntegrationStudio", "RecipeSummary", "ProvenFixture", "ClassifierRule", "Handoff", "OpenApiDescription",
] as const; // prettier-ignore
export type ComponentName = (typeof NAMES)[number];

export function refTo(name: ComponentName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Every component; inside it, other components are references. */
export function componentSchemas(): Record<string, unknown> {
  const names = new Map(NAMES.map((name) => [JSON.stringify(contract[name]), name]));
  const refer = (value: unknown, self: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const name = value === self ? undefined : names.get(JSON.stringify(value));
    if (name !== undefined) return refTo(name);
    if (Array.isArray(value)) return value.map((item) => refer(item, self));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, refer(item, self)]));
  };
  return Object.fromEntries(NAMES.map((name) => [name, refer(contract[name], contract[name])]));
}
