/** The one operation of a kit as an OpenAPI description of its own, with the components it refers to. */
import { paths } from "../../runtime/contract/policy.ts";
import type { OpenApi } from "./openapi.ts";

export function openApiFragment({
  openapi,
  info,
  jsonSchemaDialect,
  servers,
  security,
  tags,
  paths: all,
  components,
}: OpenApi) {
  const operation = all[paths.resolve];
  const tag = operation?.post?.tags[0];
  return {
    openapi,
    info,
    jsonSchemaDialect,
    servers,
    security,
    tags: tags.filter(({ name }) => name === tag),
    paths: { [paths.resolve]: operation },
    components: referred(components, operation),
  };
}

/** The components that a value refers to, and those they refer to, in the order they have. */
function referred(components: OpenApi["components"], value: unknown): OpenApi["components"] {
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
