/** The published schemas by name in `/schemas/<name>.v1.json` (O-39); the project uses them too. */
import type * as Type from "../../runtime/contract/type.ts";
import type { SchemaName } from "../../runtime/contract/policy.ts";
import { AdoptionGuide, AgentConnect, AgentTool, Capabilities } from "./agent.ts";
import { ConceptDetail, ConceptList } from "../../runtime/contract/concept.ts";
import { Coverage } from "./coverage.ts";
import { RegistryHistory, RetiredCodes } from "./history.ts";
import { DeploymentIdentity, DeploymentIdentityUnavailable } from "../../runtime/contract/identity.ts";
import { IntegrationKit, IntegrationReadiness, IntegrationReport, IntegrationStudio } from "./integration.ts";
import { MCPConnectionManifest } from "../../runtime/contract/mcp.ts";
import { Answers, ApiReference, Discovery } from "./reference.ts";
import { Linkset, NotAcceptable } from "../../runtime/contract/representation.ts";
import { ErrorEnvelope, ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { StatusEnvelope } from "./status.ts";

/** The dialect of every schema here. */
export const JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema";

export const publishedSchemas: Readonly<Record<SchemaName, Type.TSchema>> = {
  "adoption-guide": AdoptionGuide,
  "agent-connect": AgentConnect,
  "agent-tool": AgentTool,
  answers: Answers,
  "api-catalog": Linkset,
  "api-reference": ApiReference,
  capabilities: Capabilities,
  "concept-detail": ConceptDetail,
  "concept-list": ConceptList,
  deployment: DeploymentIdentity,
  "deployment-unavailable": DeploymentIdentityUnavailable,
  discovery: Discovery,
  error: ErrorEnvelope,
  "integration-kit": IntegrationKit,
  "integration-readiness": IntegrationReadiness,
  "integration-report": IntegrationReport,
  "integration-studio": IntegrationStudio,
  "mcp-server": MCPConnectionManifest,
  "not-acceptable": NotAcceptable,
  "registry-coverage": Coverage,
  "registry-history": RegistryHistory,
  "registry-retired": RetiredCodes,
  "resolve-request": ResolveRequest,
  "resolve-response": ResolveEnvelope,
  status: StatusEnvelope,
};
