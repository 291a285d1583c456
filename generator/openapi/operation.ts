/** The shape of an OpenAPI operation, and the two methods that go together. */
import { requestHeaders } from "./headers.ts";
import { COMMON_REFUSALS, type Responses } from "./responses.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly tags: readonly [string];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: unknown;
  readonly responses: Responses;
}

/** By path: what it accepts. */
export type Paths = Readonly<Record<string, PathItem>>;

export interface PathItem {
  readonly get?: Operation;
  readonly head?: Operation;
  readonly post?: Operation;
}

/** A request header field as a parameter. */
export function header(name: keyof typeof requestHeaders, required = false): Parameter {
  return { name, in: "header", required, description: requestHeaders[name], schema: { type: "string" } };
}

/** GET and HEAD: the same fields, and with HEAD no body. */
export function readable({ parameters = [], ...head }: Omit<Operation, "responses">, answers: Responses): PathItem {
  const responses: Responses = { ...answers, ...COMMON_REFUSALS };
  const get: Operation = {
    ...head,
    parameters: [...parameters, ...("304" in responses ? [header("If-None-Match")] : [])],
    responses,
  };
  return {
    get,
    head: {
      ...get,
      operationId: `${head.operationId}Head`,
      summary: `${head.summary}: the header fields alone`,
      description: "The status and header fields of GET, without a body.",
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, { content: _none, ...rest }]) => [status, rest]),
      ),
    },
  };
}
