/**
 * The operations that read documents: about the registry (O-57), discovery, integration,
 * representations (contract §4.4, §4.5).
 */
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import { paths } from "../../runtime/contract/policy.ts";
import type { ComponentName } from "./components.ts";
import {
  type Body,
  header,
  negotiated,
  type Parameter,
  type Paths,
  readable,
  refused,
  represented,
  respond,
} from "./operation.ts";

export function aboutRegistry(): Paths {
  return {
    ...document(paths.retired, "getRetiredCodes", [
      "Codes that are never used again",
      "Each retired code with its last name and version and, if it has one, its successor.",
      json("RetiredCodes"),
      "Registry",
    ]),
    ...document(paths.history, "getHistory", [
      "Releases and their content digests",
      "Each recorded release of the registry with the digest of its content, oldest first.",
      json("RegistryHistory"),
      "Registry",
    ]),
    ...document(paths.coverage, "getCoverage", [
      "Concepts by language and domain, and ambiguous expressions",
      "How many concepts each language covers, which ones it lacks, and which expressions several concepts have.",
      json("Coverage"),
      "Registry",
    ]),
  };
}

export function discovery(): Paths {
  return {
    ...document(paths.connect, "connectAgent", [
      "Directions for an agent's first call",
      "The canonical first request, the answer to expect and how to read any answer. Reading it registers nothing.",
      json("AgentConnect"),
    ]),
    ...document(paths.capabilities, "getCapabilities", [
      "The agent contract",
      "When to call, what to send, how to read an answer, and the address of every endpoint.",
      json("Capabilities"),
    ]),
    ...document(paths.wellKnownCapabilities, "getWellKnownCapabilities", [
      "The agent contract at its well-known address",
      `The same document as ${paths.capabilities}.`,
      json("Capabilities"),
    ]),
    ...document(paths.agentTool, "getAgentTool", [
      "The tool descriptor",
      "The one tool with its schemas, invocation policy and data handling. It has no side effects.",
      json("AgentTool"),
    ]),
    ...document(paths.agentInstructions, "getAgentInstructions", [
      "Operating rules as plain text",
      "The rules of use with the readiness of this release, for the instructions of an agent.",
      { policy: "text" },
    ]),
    ...document(paths.adoptionGuide, "getAdoptionGuide", [
      "How to adopt the service",
      "Value, placement in a workflow, use cases, stages and safety boundaries.",
      json("AdoptionGuide"),
    ]),
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
        description: "Select one recipe, run its six fixtures, and assign an identity only to a valid resolved result.",
      },
      represented("The checklist", [json("IntegrationReadiness")]),
    ),
    [`${paths.readinessReports}/{recipeId}`]: readable(
      {
        tags: ["Integration"],
        operationId: "getReadinessReport",
        summary: "The report of one recipe",
        description:
          "The results of the published classifier for the fixtures of one recipe. It does not prove a deployment.",
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
        description: "The steps of the studio, its recipes, and every file of every kit with its digest.",
      },
      represented("The studio", [json("IntegrationStudio")]),
    ),
    [`${paths.kits}/{recipeId}.zip`]: readable(
      {
        tags: ["Integration"],
        operationId: "getKit",
        summary: "A reproducible client handoff",
        description: "A ZIP with the programs, fixtures, report and checksums of one recipe.",
        parameters: [recipeId],
      },
      { ...represented("The kit", [{ policy: "zip" }]), "404": refused("recipe_not_found: no recipe has this id") },
    ),
  };
}

const html: Body = { policy: "html" };
const markdown: Body = { policy: "markdown" };

/** The ten routes of the inventory. */
const INVENTORY: readonly [path: string, said: [string, string, string], bodies: readonly Body[]][] = [
  [
    paths.apiCatalog,
    ["getApiCatalog", "RFC 9727 API catalog", "Links both APIs to their descriptions, directions and metadata."],
    [{ policy: "linkset", schema: "Linkset" }],
  ],
  [
    paths.discovery,
    [
      "getDiscovery",
      "Inventory of the ten routes, with its receipt",
      "Media types, locations and cache policy of each route. The receipt detects only drift.",
    ],
    [json("Discovery")],
  ],
  [
    paths.answers,
    ["getAnswers", "Canonical answers", "Questions about the service with answers and evidence, in three forms."],
    [json("Answers"), html, markdown],
  ],
  [
    paths.answersJson,
    ["getAnswersJson", "Canonical answers as JSON", `The JSON form of ${paths.answers}.`],
    [json("Answers")],
  ],
  [
    paths.answersMarkdown,
    ["getAnswersMarkdown", "Canonical answers as Markdown", `The Markdown form of ${paths.answers}.`],
    [markdown],
  ],
  [
    paths.apiReference,
    ["getApiReference", "API reference", "Every operation, field, error, limit and rule, in three forms."],
    [json("ApiReference"), html, markdown],
  ],
  [
    paths.apiReferenceJson,
    ["getApiReferenceJson", "API reference as JSON", `The JSON form of ${paths.apiReference}.`],
    [json("ApiReference")],
  ],
  [
    paths.apiReferenceMarkdown,
    ["getApiReferenceMarkdown", "API reference as Markdown", `The Markdown form of ${paths.apiReference}.`],
    [markdown],
  ],
  [
    paths.openapi,
    ["getOpenapi", "This description", "OpenAPI 3.1.0 of every operation."],
    [json("OpenApiDescription")],
  ],
  [
    paths.mcpServer,
    ["getMcpServer", "The MCP connection manifest", "Endpoint, protocol, methods and settings of known MCP clients."],
    [json("MCPConnectionManifest")],
  ],
];

export function representations(): Paths {
  return {
    ...Object.fromEntries(INVENTORY.flatMap((one) => Object.entries(route(...one)))),
    [paths.mcpGuide]: readable(
      {
        tags: ["Representations"],
        operationId: "getMcpGuide",
        summary: "The MCP guide for people",
        description: "How to connect an agent, what an answer allows, and how to recover the deployment identity.",
      },
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
  [summary, description, body, tag = "Discovery"]: [string, string, Body, string?],
): Paths {
  const head = { tags: [tag] as const, operationId, summary, description };
  return { [path]: readable(head, represented("The document", [body])) };
}

function json(schema: ComponentName): Body {
  return { policy: "json", schema };
}

/** One of the ten routes of the inventory. */
function route(
  path: string,
  [operationId, summary, description]: [string, string, string],
  bodies: readonly Body[],
): Paths {
  const links = path === paths.apiCatalog || bodies.some(({ policy }) => policy === "html");
  const tags = ["Representations"] as const;
  const head = { tags, operationId, summary, description, parameters: [header("Accept")] };
  return { [path]: readable(head, negotiated(bodies, links ? ["Link"] : [])) };
}
