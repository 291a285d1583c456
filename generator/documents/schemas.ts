/** `/schemas/<name>.v1.json`: the published JSON Schemas, each the value that this project itself validates with (O-39). */
import type { Type } from "typebox";
import { AdoptionGuide, AgentConnect, AgentTool, Capabilities } from "../../runtime/contract/agent.ts";
import { ConceptDetail, ConceptList } from "../../runtime/contract/concept.ts";
import { schemaConstant } from "../../runtime/contract/document.ts";
import { DeploymentIdentity, DeploymentIdentityUnavailable } from "../../runtime/contract/identity.ts";
import {
  IntegrationKit,
  IntegrationReadiness,
  IntegrationReport,
  IntegrationStudio,
} from "../../runtime/contract/integration.ts";
import { MCPConnectionManifest } from "../../runtime/contract/mcp.ts";
import { Answers, ApiReference, Discovery } from "../../runtime/contract/reference.ts";
import { Linkset, NotAcceptable } from "../../runtime/contract/representation.ts";
import { ErrorEnvelope, ResolveEnvelope, ResolveRequest } from "../../runtime/contract/resolution.ts";
import { StatusEnvelope } from "../../runtime/contract/status.ts";
import type { SchemaName } from "../../runtime/policy.ts";
import { schemaUrl, type View } from "./view.ts";

const schemas: Readonly<Record<SchemaName, Type.TSchema>> = {
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
  "resolve-request": ResolveRequest,
  "resolve-response": ResolveEnvelope,
  status: StatusEnvelope,
};

export function schemaDocument(view: View, name: SchemaName): unknown {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: schemaUrl(view, name),
    title: schemaConstant(name),
    ...schemas[name],
  };
}
