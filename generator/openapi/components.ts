/**
 * The component schemas of OpenAPI: the contract's schema values under their names. Where one schema holds another that
 * has a name, the published form refers to it.
 */
import { open } from "../../runtime/contract/schema.ts";
import * as Type from "../../runtime/contract/type.ts";
import * as agent from "../contract/agent.ts";
import * as concept from "../../runtime/contract/concept.ts";
import * as coverage from "../contract/coverage.ts";
import * as head from "../../runtime/contract/document.ts";
import * as history from "../contract/history.ts";
import * as identity from "../../runtime/contract/identity.ts";
import * as integration from "../contract/integration.ts";
import * as mcp from "../../runtime/contract/mcp.ts";
import * as reference from "../contract/reference.ts";
import * as representation from "../../runtime/contract/representation.ts";
import * as resolution from "../../runtime/contract/resolution.ts";
import * as status from "../contract/status.ts";

/** The schemas of the contract by the names they have in OpenAPI. */
export const named = {
  ResolveRequest: resolution.ResolveRequest,
  ResolveEnvelope: resolution.ResolveEnvelope,
  ResolutionData: resolution.ResolutionData,
  ResolvedConcept: concept.ResolvedConcept,
  Candidate: resolution.Candidate,
  EmbeddingProfile: resolution.EmbeddingProfile,
  ErrorEnvelope: resolution.ErrorEnvelope,
  Error: resolution.ErrorEnvelope.properties.error,
  ConceptList: concept.ConceptList,
  ConceptSummary: concept.ConceptSummary,
  ConceptDetail: concept.ConceptDetail,
  ConceptExpression: concept.ConceptExpression,
  ConceptRendering: concept.ConceptRendering,
  ConceptNotFound: concept.ConceptNotFound,
  StatusEnvelope: status.StatusEnvelope,
  Status: status.Status,
  RetiredCodes: history.RetiredCodes,
  RetiredCode: history.RetiredCode,
  RegistryHistory: history.RegistryHistory,
  RegistryRelease: history.RegistryRelease,
  Coverage: coverage.Coverage,
  LanguageCoverage: coverage.LanguageCoverage,
  AmbiguousExpression: coverage.AmbiguousExpression,
  AgentTool: agent.AgentTool,
  AgentConnect: agent.AgentConnect,
  Capabilities: agent.Capabilities,
  AdoptionGuide: agent.AdoptionGuide,
  Answers: reference.Answers,
  Answer: reference.Answer,
  ApiReference: reference.ApiReference,
  Operation: reference.Operation,
  Discovery: reference.Discovery,
  InventoryRoute: reference.InventoryRoute,
  Linkset: representation.Linkset,
  NotAcceptable: representation.NotAcceptable,
  DeploymentIdentity: identity.DeploymentIdentity,
  DeploymentIdentityUnavailable: identity.DeploymentIdentityUnavailable,
  MCPJsonRpcRequest: mcp.MCPJsonRpcRequest,
  MCPRequestMeta: mcp.MCPRequestMeta,
  MCPJsonRpcResponse: mcp.MCPJsonRpcResponse,
  MCPJsonRpcSuccess: mcp.MCPJsonRpcSuccess,
  MCPJsonRpcError: mcp.MCPJsonRpcError,
  MCPConnectionManifest: mcp.MCPConnectionManifest,
  ReleaseLabel: head.ReleaseLabel,
  Readiness: head.Readiness,
  Outcome: head.Outcome,
  IntegrationReadiness: integration.IntegrationReadiness,
  IntegrationReport: integration.IntegrationReport,
  IntegrationStudio: integration.IntegrationStudio,
  RecipeSummary: integration.RecipeSummary,
  ProvenFixture: integration.ProvenFixture,
  ClassifierRule: integration.ClassifierRule,
  Handoff: integration.Handoff,
  /** This description itself, judged by OpenAPI's own schema. */
  OpenAPI: open({ openapi: Type.Literal("3.1.0") }),
} satisfies Record<string, Type.TSchema>;

export type ComponentName = keyof typeof named;

export function refTo(name: ComponentName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Every component; inside it, other components are references. */
export function componentSchemas(): Record<string, unknown> {
  const names = new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name as ComponentName]));
  const refer = (value: unknown, self: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const name = value === self ? undefined : names.get(JSON.stringify(value));
    if (name !== undefined) return refTo(name);
    if (Array.isArray(value)) return value.map((item) => refer(item, self));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, refer(item, self)]));
  };
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, refer(schema, schema)]));
}
