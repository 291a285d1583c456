/**
 * Defines, for generator and runtime, what is published: paths, media types, cache policies, and
 * the table of prerendered resources. A file's path in dist is its path below the origin, plus
 * `.html` for HTML and `/index.json` for a document with other documents below its path.
 * Source: contract §4; rulings O-09, O-10, O-12, O-29, O-30, O-43, O-45, O-57, O-66.
 */
import { paths } from "./paths.ts";
import { RECIPE_IDS, type RecipeId } from "./recipe.ts";

/** How long caches may keep the documents of a release, in seconds. */
export const MAX_AGE_SECONDS = 300;
/**
 * For machine representations. Digests cover the exact bytes, so caches must not transform them.
 */
const CACHE_PUBLIC = `public, max-age=${MAX_AGE_SECONDS}, must-revalidate, no-transform`;
const CACHE_NEVER = "no-store";

export interface Policy {
  readonly mediaType: string;
  readonly cacheControl: string;
}

export const policies = {
  /** Answers that must not be stored: resolve, status, every refusal. */
  answer: { mediaType: "application/json", cacheControl: CACHE_NEVER },
  /** Machine documents and registry documents. */
  json: { mediaType: "application/json", cacheControl: CACHE_PUBLIC },
  /** RFC 9264 §4.2 with the profile of RFC 9727 §4.2. */
  linkset: {
    mediaType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    cacheControl: CACHE_PUBLIC,
  },
  /** MCP Server Cards (SEP-2127). */
  serverCard: { mediaType: "application/mcp-server-card+json", cacheControl: CACHE_PUBLIC },
  aiCatalog: { mediaType: "application/ai-catalog+json", cacheControl: CACHE_PUBLIC },
  /** The public bundle: one JSON value per line. */
  bundle: { mediaType: "application/x-ndjson", cacheControl: CACHE_PUBLIC },
  markdown: { mediaType: "text/markdown; charset=utf-8", cacheControl: CACHE_PUBLIC },
  text: { mediaType: "text/plain; charset=utf-8", cacheControl: CACHE_PUBLIC },
  /** RFC 4287. */
  atom: { mediaType: "application/atom+xml", cacheControl: CACHE_PUBLIC },
  xml: { mediaType: "application/xml", cacheControl: CACHE_PUBLIC },
  turtle: { mediaType: "text/turtle; charset=utf-8", cacheControl: CACHE_PUBLIC },
  jsonld: { mediaType: "application/ld+json", cacheControl: CACHE_PUBLIC },
  zip: { mediaType: "application/zip", cacheControl: CACHE_PUBLIC },
  /** The bytes contain a nonce, so each response has its own (T-01). */
  html: { mediaType: "text/html; charset=utf-8", cacheControl: "private, no-store" },
  /** The refusal of a representation (RFC 9457). */
  problem: { mediaType: "application/problem+json", cacheControl: CACHE_NEVER },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof policies;

/**
 * Asset names contain a digest and their bytes never change, so caches may keep them for a year.
 */
export const ASSET_CACHE_CONTROL = "public, max-age=31536000, immutable, no-transform";

/** Paths that have no prerendered document of their own. */
export const COMPUTED_PATHS: readonly string[] = [
  paths.resolve,
  paths.mcp,
  paths.concepts,
  paths.bundle,
  paths.conceptPages,
  paths.resolvePage,
  paths.deployment,
];

/** The parts of the API reference that have a page of their own. */
export const REFERENCE_AREAS = ["resolve", "concepts", "registry", "agents", "discovery", "rules"] as const;
export type ReferenceArea = (typeof REFERENCE_AREAS)[number];

export function referencePath(area: ReferenceArea): string {
  return `${paths.apiReference}/${area}`;
}

/**
 * The shapes with a published schema, `/schemas/<name>.v1.json`; documents of our own shape name it
 * in their `schema` (O-39).
 */
export const schemaNames = [
  "adoption-guide",
  "agent-connect",
  "agent-tool",
  "answers",
  "api-catalog",
  "api-reference",
  "capabilities",
  "concept-detail",
  "concept-list",
  "deployment",
  "deployment-unavailable",
  "discovery",
  "error",
  "integration-kit",
  "integration-readiness",
  "integration-report",
  "integration-studio",
  "mcp-server",
  "not-acceptable",
  "registry-coverage",
  "registry-history",
  "registry-retired",
  "resolve-request",
  "resolve-response",
  "status",
] as const;
export type SchemaName = (typeof schemaNames)[number];

export function schemaPath(name: SchemaName): string {
  return `${paths.schemas}/${name}.v1.json`;
}

/** The file of a document whose path is a folder in dist, because other documents are below it. */
export function folderFile(path: string): string {
  return `${path}/index.json`;
}

export function reportPath(recipeId: RecipeId): string {
  return `${paths.readinessReports}/${recipeId}`;
}

export function kitPath(recipeId: RecipeId): string {
  return `${paths.kits}/${recipeId}.zip`;
}

/** One representation of a resource. */
export interface Variant {
  /** The path of its file in dist. */
  readonly file: string;
  readonly policy: PolicyName;
  /** The path in Content-Location, which identifies exactly this representation. */
  readonly location: string;
}

/** A prerendered resource, with its variants in the server's order of preference (O-12). */
export interface Resource {
  readonly path: string;
  readonly variants: readonly [Variant, ...Variant[]];
  /** True for the ten routes of the discovery inventory (O-09): they read Accept and answer 406. */
  readonly negotiates: boolean;
}

/** The ten routes of the discovery inventory, in its order. */
export const inventory: readonly Resource[] = [
  negotiating(variant(paths.apiCatalog, "linkset")),
  negotiating(variant(paths.discovery, "json")),
  negotiating(variant(paths.answersJson, "json"), page(paths.answers), variant(paths.answersMarkdown, "markdown")),
  negotiating(variant(paths.answersJson, "json")),
  negotiating(variant(paths.answersMarkdown, "markdown")),
  negotiating(
    variant(paths.apiReferenceJson, "json"),
    page(paths.apiReference),
    variant(paths.apiReferenceMarkdown, "markdown"),
  ),
  negotiating(variant(paths.apiReferenceJson, "json")),
  negotiating(variant(paths.apiReferenceMarkdown, "markdown")),
  negotiating(variant(paths.openapi, "json")),
  negotiating(variant(paths.mcpServer, "json")),
];

export const resources: readonly Resource[] = [
  ...inventory,
  fixed(page(paths.home)),
  ...REFERENCE_AREAS.map((area) => fixed(page(referencePath(area)))),
  fixed(page(paths.mcpGuide)),
  fixed(page(paths.studioPage)),
  fixed(page(paths.coveragePage)),
  fixed(variant(paths.status, "answer")),
  fixed(variant(paths.retired, "json")),
  fixed(variant(paths.history, "json")),
  fixed(variant(paths.coverage, "json")),
  fixed(variant(paths.connect, "json")),
  fixed(variant(paths.capabilities, "json")),
  fixed(variant(paths.wellKnownCapabilities, "json")),
  fixed(variant(paths.agentTool, "json")),
  fixed(variant(paths.agentInstructions, "text")),
  fixed(variant(paths.serverCard, "serverCard")),
  fixed(variant(paths.aiCatalog, "aiCatalog")),
  fixed(variant(paths.skillsIndex, "json")),
  fixed(variant(paths.adoptionGuide, "json")),
  fixed(folder(paths.readiness)),
  ...RECIPE_IDS.map((id) => fixed(variant(reportPath(id), "json"))),
  fixed(folder(paths.studio)),
  ...RECIPE_IDS.map((id) => fixed(variant(kitPath(id), "zip"))),
  ...schemaNames.map((name) => fixed(variant(schemaPath(name), "json"))),
  fixed(variant(paths.llms, "text")),
  fixed(variant(paths.robots, "text")),
  fixed(variant(paths.sitemap, "xml")),
  fixed(variant(paths.securityText, "text")),
];

/** The form of a document by the end of its name; undefined if it has none of these. */
export function formOf(path: string): PolicyName | undefined {
  return FORMS[/\.[a-z]+$/.exec(path)?.[0] ?? ""];
}

const FORMS: Readonly<Record<string, PolicyName>> = {
  ".json": "json",
  ".jsonld": "jsonld",
  ".ndjson": "bundle",
  ".ttl": "turtle",
  ".atom": "atom",
  ".xml": "xml",
  ".txt": "text",
  ".md": "markdown",
};

/** The shell of pages rendered at reply time: the layout with empty `title` and `main`. */
export const SHELL_FILE = "/shell.html";

/** The data from which `POST /mcp` answers, an MCPDefinition. */
export const MCP_FILE = "/mcp.json";

/** The texts of the interface in each language of a release: Interface of inputs.ts. */
export const INTERFACE_FILE = "/interface.json";

/** Every prerendered file of a release except its assets. */
export const documentFiles: ReadonlySet<string> = new Set([
  ...resources.flatMap(({ variants }) => variants.map(({ file }) => file)),
  SHELL_FILE,
  INTERFACE_FILE,
  MCP_FILE,
]);

export function variant(path: string, policy: PolicyName): Variant {
  return { file: path, policy, location: path };
}

function folder(path: string): Variant {
  return { file: folderFile(path), policy: "json", location: path };
}

export function page(path: string): Variant {
  return { file: path === "/" ? "/index.html" : `${path}.html`, policy: "html", location: path };
}

export function fixed(only: Variant): Resource {
  return { path: only.location, variants: [only], negotiates: false };
}

/** If one of the variants is HTML, the resource's path is the path of that page. */
function negotiating(...variants: [Variant, ...Variant[]]): Resource {
  const { location } = variants.find(({ policy }) => policy === "html") ?? variants[0];
  return { path: location, variants, negotiates: true };
}
