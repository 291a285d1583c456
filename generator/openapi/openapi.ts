/**
 * `/openapi.json`: OpenAPI 3.1.0 of the contract (V03 to V06), from the schemas that validate
 * requests.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { product } from "../../runtime/contract/product.ts";
import { responseHeaders } from "../contract/headers.ts";
import { JSON_SCHEMA } from "../contract/published.ts";
import type { Examples } from "../view/examples.ts";
import { urlOf, type View, withScope } from "../view/view.ts";
import { componentSchemas } from "./components.ts";
import type { Described } from "./document-operations.ts";
import { operations } from "./operations.ts";

export type OpenApi = ReturnType<typeof openApi>;

const TAGS = {
  Resolution: "From an exact expression to a ConceptCode, or an abstention",
  Registry: "Published concepts and their status",
  Discovery: "Documents for agents",
  Integration: "Readiness, studio and client kits",
  Representations: "Deterministic representations with validators and content negotiation",
  Deployment: "Identity of the running sources",
  MCP: "The same resolver over the Model Context Protocol",
};

/** `table` lists the documents that are read. */
export function openApi(view: View, examples: Examples, table: readonly Described[]) {
  return {
    openapi: "3.1.0",
    info: {
      title: view.about.name,
      version: product.apiVersion,
      summary: "A stable ConceptCode for an exact expression, or an abstention",
      description: withScope(
        view,
        `Release ${product.packageVersion} (${product.classification}), updated ${product.updated}. Read-only. ` +
          "HTTP 200 is not success, a candidate is not an assignment, a code grants no permission.",
      ),
      ...contactOf(view),
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    jsonSchemaDialect: JSON_SCHEMA,
    servers: [{ url: view.origin, description: "The canonical origin of this release" }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: operations(examples, table),
    components: { schemas: componentSchemas(), headers: responseHeaders },
  };
}

/** For a contact on another host only the name is given: machine documents name no other host. */
function contactOf(view: View): { readonly contact?: Readonly<Record<string, string>> } {
  const { publisher, contact = "" } = view.about;
  const [, email] = /^mailto:([^?]+)/.exec(contact) ?? [];
  const said = {
    ...(publisher !== undefined && { name: publisher }),
    ...(contact.startsWith("/") && { url: urlOf(view, contact) }),
    ...(email !== undefined && { email }),
  };
  return Object.keys(said).length === 0 ? {} : { contact: said };
}

/** The one operation of a kit as a separate description, with the components it refers to. */
export function openApiFragment(whole: OpenApi) {
  const operation = whole.paths[paths.resolve];
  const tag = operation?.post?.tags[0];
  return {
    ...whole,
    tags: whole.tags.filter(({ name }) => name === tag),
    paths: { [paths.resolve]: operation },
    components: referred(whole.components, operation),
  };
}

/** By kind and name. */
type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The components that a value refers to, directly or through others, in their given order. */
function referred(components: Components, value: unknown): Components {
  const found = new Set<string>();
  const visit = (inner: unknown): void => {
    for (const [, kind = "", name = ""] of JSON.stringify(inner).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      if (found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      visit(components[kind]?.[name]);
    }
  };
  visit(value);
  return Object.fromEntries(
    Object.entries(components).map(([kind, members]) => [
      kind,
      Object.fromEntries(Object.entries(members).filter(([name]) => found.has(`${kind}/${name}`))),
    ]),
  );
}
