/**
 * The component schemas of OpenAPI: the contract's schema values under their names. Where one schema holds another that
 * has a name, the published form refers to it.
 */
import * as Type from "../../runtime/contract/type.ts";
import { AdoptionGuide, AgentConnect, AgentTool, Capabilities } from "../contract/agent.ts";
import {
  ConceptDetail,
  ConceptExpression,
  ConceptList,
  ConceptNotFound,
  ConceptRendering,
  ConceptSummary,
  ResolvedConcept,
} from "../../runtime/contract/concept.ts";
import { AmbiguousExpression, Coverage, LanguageCoverage } from "../contract/coverage.ts";
import { Outcome, Readiness, ReleaseLabel } from "../../runtime/contract/document.ts";
import { RegistryHistory, RegistryRelease, RetiredCode, RetiredCodes } from "../contract/history.ts";
import { DeploymentIdentity, DeploymentIdentityUnavailable } from "../../runtime/contract/identity.ts";
import {
  ClassifierRule,
  Handoff,
  IntegrationReadiness,
  IntegrationReport,
  IntegrationStudio,
  ProvenFixture,
  RecipeSummary,
} from "../contract/integration.ts";
import {
  MCPConnectionManifest,
  MCPJsonRpcError,
  MCPJsonRpcRequest,
  MCPJsonRpcResponse,
  MCPJsonRpcSuccess,
  MCPRequestMeta,
} from "../../runtime/contract/mcp.ts";
import { Answer, Answers, ApiReference, Discovery, InventoryRoute, Operation } from "../contract/reference.ts";
import { Linkset, NotAcceptable } from "../../runtime/contract/representation.ts";
import {
  Candidate,
  EmbeddingProfile,
  ErrorEnvelope,
  ResolutionData,
  ResolveEnvelope,
  ResolveRequest,
} from "../../runtime/contract/resolution.ts";
import { open } from "../../runtime/contract/schema.ts";
import { Status, StatusEnvelope } from "../contract/status.ts";

/** The schemas of the contract by the names they have in OpenAPI. */
export const named = {
  ResolveRequest,
  ResolveEnvelope,
  ResolutionData,
  ResolvedConcept,
  Candidate,
  EmbeddingProfile,
  ErrorEnvelope,
  Error: ErrorEnvelope.properties.error,
  ConceptList,
  ConceptSummary,
  ConceptDetail,
  ConceptExpression,
  ConceptRendering,
  ConceptNotFound,
  StatusEnvelope,
  Status,
  RetiredCodes,
  RetiredCode,
  RegistryHistory,
  RegistryRelease,
  Coverage,
  LanguageCoverage,
  AmbiguousExpression,
  AgentTool,
  AgentConnect,
  Capabilities,
  AdoptionGuide,
  Answers,
  Answer,
  ApiReference,
  Operation,
  Discovery,
  InventoryRoute,
  Linkset,
  NotAcceptable,
  DeploymentIdentity,
  DeploymentIdentityUnavailable,
  MCPJsonRpcRequest,
  MCPRequestMeta,
  MCPJsonRpcResponse,
  MCPJsonRpcSuccess,
  MCPJsonRpcError,
  MCPConnectionManifest,
  ReleaseLabel,
  Readiness,
  Outcome,
  IntegrationReadiness,
  IntegrationReport,
  IntegrationStudio,
  RecipeSummary,
  ProvenFixture,
  ClassifierRule,
  Handoff,
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
