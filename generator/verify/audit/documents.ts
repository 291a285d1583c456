/**
 * Checks the JSON documents of a release: each matches its schema and its form, and the schemas are
 * those of this release.
 */
import { isDeepStrictEqual } from "node:util";
import type * as Type from "../../../runtime/contract/type.ts";
import { schemaConstant } from "../../../runtime/contract/document.ts";
import { Interface } from "../../../runtime/contract/inputs.ts";
import { interfaceFault, isShell } from "../../../runtime/contract/interface.ts";
import {
  CHANGES_SCHEMA,
  COLLECTIONS_PATH,
  prefixesIn,
  SEARCH_PATH,
} from "../../../runtime/contract/added-resources.ts";
import { Collections } from "../../../runtime/contract/collection.ts";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import { MCPDefinition } from "../../../runtime/contract/mcp.ts";
import { AiCatalog, ServerCard, SkillsIndex } from "../../contract/agent-discovery.ts";
import { REGISTRY_CHANGES, RegistryChanges } from "../../contract/changes.ts";
import { SearchDocument } from "../../contract/search.ts";
import { JSON_SCHEMA, publishedSchemas } from "../../contract/published.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import {
  folderFile,
  INTERFACE_FILE,
  MCP_FILE,
  reportPath,
  type SchemaName,
  schemaNames,
  schemaPath,
  SHELL_FILE,
} from "../../../runtime/contract/policy.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { formatJson, readAs, readJson, toJson } from "./json.ts";
import type { Dist, Documents, Faults } from "./parts.ts";

/** The published schema of each document. */
export const schemaOf: ReadonlyMap<string, SchemaName> = new Map<string, SchemaName>([
  [paths.status, "status"],
  [paths.retired, "registry-retired"],
  [paths.history, "registry-history"],
  [paths.coverage, "registry-coverage"],
  [paths.apiCatalog, "api-catalog"],
  [paths.discovery, "discovery"],
  [paths.answersJson, "answers"],
  [paths.apiReferenceJson, "api-reference"],
  [paths.mcpServer, "mcp-server"],
  [paths.connect, "agent-connect"],
  [paths.capabilities, "capabilities"],
  [paths.wellKnownCapabilities, "capabilities"],
  [paths.agentTool, "agent-tool"],
  [paths.adoptionGuide, "adoption-guide"],
  [folderFile(paths.readiness), "integration-readiness"],
  ...RECIPE_IDS.map((id) => [reportPath(id), "integration-report"] as const),
  [folderFile(paths.studio), "integration-studio"],
]);

/** The change documents of a release, in code-point order. */
export function changesIn({ names }: Dist): readonly string[] {
  return names.filter((name) => name.startsWith(`${paths.changes.slice(1)}/`));
}

/** Reads every JSON document of a release. */
export function readDocuments(dist: Dist, origin: string): { readonly documents: Documents; readonly faults: Faults } {
  const faults: Faults = [];
  const values = new Map<string, unknown>();
  const read = (place: string, schema?: Type.TSchema): void => {
    const bytes = dist.read(place.slice(1));
    // A missing file is reported with the manifest.
    if (bytes === undefined) return;
    const json = schema === undefined ? readJson(bytes) : readAs(bytes, compileSchema(schema));
    if (json.ok) values.set(place, json.value);
    else faults.push(`${place.slice(1)}: ${json.fault}`);
    if (json.value !== undefined && new TextDecoder().decode(bytes) !== formatJson(json.value))
      faults.push(`${place.slice(1)}: not in the form of a release`);
  };
  for (const [place, name] of schemaOf) read(place, publishedSchemas[name]);
  for (const name of changesIn(dist)) read(`/${name}`, RegistryChanges);
  const schemas = new Map<string, object>([
    ...schemaNames.map(
      (name) => [schemaPath(name), { title: schemaConstant(name), ...publishedSchemas[name] }] as const,
    ),
    [CHANGES_SCHEMA, { title: REGISTRY_CHANGES, ...RegistryChanges }],
  ]);
  for (const place of schemas.keys()) read(place);
  read(MCP_FILE, MCPDefinition);
  read(paths.serverCard, ServerCard);
  read(paths.aiCatalog, AiCatalog);
  read(paths.skillsIndex, SkillsIndex);
  read(paths.openapi);
  read(SEARCH_PATH, SearchDocument);
  if (!dist.files.includes(SEARCH_PATH)) faults.push(`${SEARCH_PATH.slice(1)}: missing`);
  read(COLLECTIONS_PATH, Collections);
  read(INTERFACE_FILE, Interface);
  const texts = values.get(INTERFACE_FILE) as Interface | undefined;
  const lacking = texts && interfaceFault(texts, prefixesIn(dist.files));
  if (!isShell(dist.text(SHELL_FILE.slice(1)) ?? "")) faults.push(`${SHELL_FILE.slice(1)}: has no place for a page`);
  if (lacking !== undefined) faults.push(`${INTERFACE_FILE.slice(1)}: ${lacking}`);
  for (const [place, schema] of schemas) {
    const published = values.get(place);
    const expected = toJson({ $schema: JSON_SCHEMA, $id: origin + place, ...schema });
    if (published !== undefined && !isDeepStrictEqual(published, expected))
      faults.push(`${place.slice(1)}: not the schema of this release`);
  }
  return { documents: values, faults };
}
