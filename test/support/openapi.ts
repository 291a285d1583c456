/** The served OpenAPI description, and its component schemas compiled with their references. */
import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import { getJson } from "./documents.ts";
import { makeAjv } from "./schemas.ts";
import type { Service } from "./service.ts";

export interface Media {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export interface ApiDescription {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly unknown[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, { readonly schema: Readonly<Record<string, unknown>> }>>;
  };
}

export interface ServedApi {
  readonly api: ApiDescription;
  /** Compiles a component schema by its name. */
  readonly component: (name: string) => ValidateFunction;
  /** Compiles a schema that stands in the description, references and all. */
  readonly compile: (schema: Readonly<Record<string, unknown>>) => ValidateFunction;
}

const KEY = "https://api.test/openapi.json";

/** Fetches /openapi.json; references inside it are resolved against the served document itself. */
export async function servedApi(service: Service): Promise<ServedApi> {
  const api = await getJson<ApiDescription>(service, "/openapi.json");
  const ajv: Ajv2020 = makeAjv();
  // The members around the schemas are not keywords; the schemas are held to strict JSON Schema.
  ajv.addVocabulary(Object.keys(api));
  ajv.addSchema(api, KEY, false, false);
  const compiled = new Map<string, ValidateFunction>();
  const compile: ServedApi["compile"] = (schema) => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${KEY}#/`);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Record<string, unknown>);
    compiled.set(text, validate);
    return validate;
  };
  return { api, compile, component: (name) => compile({ $ref: `#/components/schemas/${name}` }) };
}
