/**
 * The operations that read documents (contract §4.4, §4.5; O-57), from the table of documents and
 * the resources of the runtime.
 */
import { resources } from "../../runtime/contract/policy.ts";
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
  type Responses,
} from "./operation.ts";

/** How a document is described as an operation. */
export interface DocumentOperation {
  readonly tag: "Registry" | "Discovery" | "Integration" | "Representations";
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Of its JSON. */
  readonly schema?: ComponentName;
  /** What its answer is; left out: the document. */
  readonly answer?: string;
  /** The parameter of a family, which is the end of the path. */
  readonly parameter?: FamilyParameter;
}

interface FamilyParameter extends Parameter {
  /** After the parameter in the path. */
  readonly suffix: string;
  /** When there is no such document. */
  readonly otherwise: string;
}

/** A row of the table of documents, as far as it is described. */
export interface Described {
  readonly path: string;
  readonly operation?: DocumentOperation;
}

/** The operations of one tag, in the order of the table. */
export function documentOperations(table: readonly Described[], tag: DocumentOperation["tag"]): Paths {
  return Object.assign(
    {},
    ...table.map(({ path, operation }) => (operation?.tag === tag ? operationOf(path, operation) : {})),
  ) as Paths;
}

function operationOf(path: string, { tag, id, summary, description, ...rest }: DocumentOperation): Paths {
  const { schema, answer = "The document", parameter } = rest;
  const head = { tags: [tag] as const, operationId: id, summary, description };
  if (parameter !== undefined) {
    const { suffix, otherwise, ...own } = parameter;
    const body: Body = schema === undefined ? { policy: "zip" } : { policy: "json", schema };
    const responses = { ...represented(answer, [body]), "404": refused(otherwise) };
    return { [`${path}/{${own.name}}${suffix}`]: readable({ ...head, parameters: [own] }, responses) };
  }
  const resource = resources.find((one) => one.path === path);
  const bodies = resource?.variants.map(({ policy }): Body => bodyOf(policy, schema)) ?? [];
  const isPage = bodies.some(({ policy }) => policy === "html");
  if (resource?.negotiates === true) {
    const links = isPage || bodies.some(({ policy }) => policy === "linkset");
    return { [path]: readable({ ...head, parameters: [header("Accept")] }, negotiated(bodies, links ? ["Link"] : [])) };
  }
  return { [path]: readable(head, isPage ? pageResponses(answer, bodies) : represented(answer, bodies)) };
}

function bodyOf(policy: Body["policy"], schema: ComponentName | undefined): Body {
  return schema !== undefined && (policy === "json" || policy === "linkset") ? { policy, schema } : { policy };
}

function pageResponses(answer: string, bodies: readonly Body[]): Responses {
  return { "200": respond(answer, bodies, ["Content-Location", "ETag", "Repr-Digest", "X-Content-SHA256", "Link"]) };
}
