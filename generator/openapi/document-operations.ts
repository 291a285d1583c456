/** The operations that read documents: about the registry (O-57), discovery, integration, representations (contract §4.4, §4.5). */
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import { paths } from "../../runtime/contract/policy.ts";
import type { ComponentName } from "./components.ts";
import { header, type Parameter, type Paths, readable } from "./operation.ts";
import { type Body, negotiated, refused, represented, respond } from "./responses.ts";

export function aboutRegistry(): Paths {
  return {
    ...document(paths.retired, "getRetiredCodes", [
      "Codes that are never used again",
      json("RetiredCodes"),
      "Registry",
    ]),
    ...document(paths.history, "getHistory", [
      "Releases and their content digests",
      json("RegistryHistory"),
      "Registry",
    ]),
    ...document(paths.coverage, "getCoverage", [
      "Concepts by language and domain, and ambiguous expressions",
      json("Coverage"),
      "Registry",
    ]),
  };
}

export function discovery(): Paths {
  return {
    ...document(paths.connect, "connectAgent", ["Directions for an agent's first call", json("AgentConnect")]),
    ...document(paths.capabilities, "getCapabilities", ["The agent contract", json("Capabilities")]),
    ...document(paths.wellKnownCapabilities, "getWellKnownCapabilities", [
      "The agent contract at its well-known address",
      json("Capabilities"),
    ]),
    ...document(paths.agentTool, "getAgentTool", ["The tool descriptor", json("AgentTool")]),
    ...document(paths.agentInstructions, "getAgentInstructions", ["Operating rules as plain text", { policy: "text" }]),
    ...document(paths.adoptionGuide, "getAdoptionGuide", ["How to take the service up", json("AdoptionGuide")]),
  };
}

export function integration(): Paths {
  const recipeId: Parameter = {
    name: "recipeId",
    in: "path",
    required: true,
    description: "One of the five canonical recipes",
    schema: { type: "string", enum: [...RECIPE_IDS] },
  };
  return {
    [paths.readiness]: readable(
      {
        tags: ["Integration"],
        operationId: "getIntegrationReadiness",
        summary: "The provider-neutral readiness checklist",
      },
      represented("The checklist", [json("IntegrationReadiness")]),
    ),
    [`${paths.readinessReports}/{recipeId}`]: readable(
      {
        tags: ["Integration"],
        operationId: "getReadinessReport",
        summary: "The report of one recipe",
        parameters: [recipeId],
      },
      {
        ...represented("The report", [json("IntegrationReport")]),
        "404": refused("recipe_not_found: no recipe has this id"),
      },
    ),
    [paths.studio]: readable(
      {
        tags: ["Integration"],
        operationId: "getIntegrationStudio",
        summary: "The journey from understanding to download",
      },
      represented("The studio", [json("IntegrationStudio")]),
    ),
    [`${paths.kits}/{recipeId}.zip`]: readable(
      {
        tags: ["Integration"],
        operationId: "getKit",
        summary: "A reproducible client handoff",
        parameters: [recipeId],
      },
      { ...represented("The kit", [{ policy: "zip" }]), "404": refused("recipe_not_found: no recipe has this id") },
    ),
  };
}

export function representations(): Paths {
  const answers: Body = { policy: "json", schema: "Answers" };
  const reference: Body = { policy: "json", schema: "ApiReference" };
  const [html, markdown]: Body[] = [{ policy: "html" }, { policy: "markdown" }] as const;
  return {
    ...route(paths.apiCatalog, ["getApiCatalog", "RFC 9727 API catalog"], [{ policy: "linkset", schema: "Linkset" }]),
    ...route(
      paths.discovery,
      ["getDiscovery", "Inventory of the ten routes, with its receipt"],
      [{ policy: "json", schema: "Discovery" }],
    ),
    ...route(paths.answers, ["getAnswers", "Canonical answers"], [answers, html, markdown]),
    ...route(paths.answersJson, ["getAnswersJson", "Canonical answers as JSON"], [answers]),
    ...route(paths.answersMarkdown, ["getAnswersMarkdown", "Canonical answers as Markdown"], [markdown]),
    ...route(paths.apiReference, ["getApiReference", "API reference"], [reference, html, markdown]),
    ...route(paths.apiReferenceJson, ["getApiReferenceJson", "API reference as JSON"], [reference]),
    ...route(paths.apiReferenceMarkdown, ["getApiReferenceMarkdown", "API reference as Markdown"], [markdown]),
    ...route(paths.openapi, ["getOpenapi", "This description"], [{ policy: "json", schema: "OpenAPI" }]),
    ...route(
      paths.mcpServer,
      ["getMcpServer", "The MCP connection manifest"],
      [{ policy: "json", schema: "MCPConnectionManifest" }],
    ),
    [paths.mcpGuide]: readable(
      { tags: ["Representations"], operationId: "getMcpGuide", summary: "The MCP guide for people" },
      {
        "200": respond(
          "The guide; its bytes carry a nonce and are never stored",
          [html],
          ["Content-Location", "ETag", "Repr-Digest", "X-Content-SHA256", "Link"],
        ),
      },
    ),
  };
}

function document(
  path: string,
  operationId: string,
  [summary, body, tag = "Discovery"]: [string, Body, string?],
): Paths {
  return { [path]: readable({ tags: [tag], operationId, summary }, represented("The document", [body])) };
}

function json(schema: ComponentName): Body {
  return { policy: "json", schema };
}

/** One of the ten routes of the inventory. */
function route(path: string, [operationId, summary]: [string, string], bodies: readonly Body[]): Paths {
  const links = path === paths.apiCatalog || bodies.some(({ policy }) => policy === "html");
  const head = { tags: ["Representations"] as const, operationId, summary, parameters: [header("Accept")] };
  return { [path]: readable(head, negotiated("The selected representation", bodies, links ? ["Link"] : [])) };
}
