/**
 * Checks that the API description gives each answer the schema of its body: to a document the one
 * that is published for it, to a refusal that of refusals.
 */
import { isDeepStrictEqual } from "node:util";
import { folderFile, paths, policies, reportPath } from "../../../runtime/contract/policy.ts";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import { publishedSchemas } from "../../contract/published.ts";
import { contract } from "../../contract/schemas.ts";
import { schemaOf } from "../integrity/documents.ts";
import { asObject, memberAt, textAt } from "../integrity/json.ts";
import type { Faults } from "../integrity/parts.ts";

/** The faults of one operation. */
export function checkBodies(path: string, operation: unknown): Faults {
  const answers = Object.entries(asObject(memberAt(operation, "responses")) ?? {});
  return answers.flatMap(([status, answer]) =>
    Object.entries(asObject(memberAt(answer, "content")) ?? {})
      .filter(([type, body]) => !isRight(path, status, { type, schema: memberAt(body, "schema") }))
      .map(([type]) => `${path}: its ${type} of status ${status} has not the schema of that answer`),
  );
}

function isRight(path: string, status: string, { type, schema }: { type: string; schema: unknown }): boolean {
  if (type === policies.zip.mediaType) return schema === undefined;
  if (!type.endsWith("json")) return isDeepStrictEqual(schema, { type: "string" });
  const name = textAt(schema, "$ref").replace("#/components/schemas/", "");
  return memberAt(contract, name) === (path === paths.mcp ? contract.MCPJsonRpcResponse : schemaDue(path, status));
}

const CONCEPT = `${paths.concepts}/{code}`;
const REPORT = `${paths.readinessReports}/{recipeId}`;

/** Answers that are not files with a schema of their own. */
const COMPUTED: ReadonlyMap<string, object> = new Map<string, object>([
  [`${paths.resolve} 200`, contract.ResolveEnvelope],
  [`${paths.concepts} 200`, contract.ConceptList],
  [`${CONCEPT} 200`, contract.ConceptDetail],
  [`${CONCEPT} 404`, contract.ConceptNotFound],
  [`${paths.deployment} 200`, contract.DeploymentIdentity],
  [`${paths.deployment} 503`, contract.DeploymentIdentityUnavailable],
  [`${paths.openapi} 200`, contract.OpenApiDescription],
]);

function schemaDue(path: string, status: string): object | undefined {
  const computed = COMPUTED.get(`${path} ${status}`);
  if (computed !== undefined) return computed;
  if (status !== "200") return status === "406" ? contract.NotAcceptable : contract.ErrorEnvelope;
  const place = path === REPORT ? reportPath(RECIPE_IDS[0]) : path;
  const [name] = [place, folderFile(place), `${place}.json`].flatMap((file) => schemaOf.get(file) ?? []);
  return name && publishedSchemas[name];
}
