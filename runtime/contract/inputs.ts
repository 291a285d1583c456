/**
 * The schemas of everything that the runtime validates: messages, and the JSON files of a release
 * that it reads itself. Ajv writes the validators from them, when lib/ is made.
 */
import { FileDigest, ReleaseLabel, schemaConstant, Sha256, Text, Url } from "./document.ts";
import { MCPJsonRpcRequest, MCPRequestMeta, RequestId, TOOL_NAME } from "./mcp.ts";
import { closed, open } from "./schema.ts";
import * as Type from "./type.ts";

const { productVersion, packageVersion, classification } = ReleaseLabel.properties;

/** dist/manifest.json: label, origin and registry of the release, digests of its files (O-35). */
export const Manifest = closed({
  schema: Type.Literal("service-semantics.manifest.v1"),
  productVersion,
  packageVersion,
  classification,
  origin: Url,
  registry: closed({ name: Type.String(), registryVersion: Type.String(), contentSha256: Sha256 }),
  /** Digest of everything the build read, so that a start knows whether to rebuild. */
  inputsSha256: Sha256,
  /** Every file except this one, the deployment identity and SHA256SUMS, in byte order of paths. */
  files: Type.Array(FileDigest),
});
export type Manifest = Type.Static<typeof Manifest>;

/**
 * The members of the deployment identity that are checked first; the whole document is then rebuilt
 * and compared.
 */
export const Closure = open({
  schema: Type.Literal(schemaConstant("deployment")),
  closure: open({ treeDigest: Sha256, files: Type.Array(FileDigest) }),
});
export type Closure = Type.Static<typeof Closure>;

/** The members of an MCPDefinition (mcp.ts) that the runtime uses; the manifest has its digest. */
export const Definition = open({
  schema: Type.Literal("service-semantics.mcp.v1"),
  serverInfo: open({}),
  instructions: Text,
  tools: Type.Array(open({ name: Type.Literal(TOOL_NAME) }), { minItems: 1, maxItems: 1 }),
  resources: Type.Array(open({ uri: Text, mimeType: Text })),
  prompts: Type.Array(
    open({ name: Text, text: Text, arguments: Type.Array(open({ name: Text, required: Type.Boolean() })) }),
  ),
});

/** INTERFACE_FILE: the texts of rendered pages; interface.ts checks that they are complete. */
export const Interface = open({
  /** What concept pages say of the transparency log; only if the owner names its address. */
  log: Type.Optional(
    open({
      /** Without a slash at its end. */
      address: Type.String({ pattern: "^https?://" }),
      /** The paths of what proves on the page, for a log of the same origin. */
      script: Type.Optional(Text),
      verifier: Type.Optional(Text),
    }),
  ),
  languages: Type.Array(
    open({
      language: Text,
      /** The shell of its pages; English has SHELL_FILE instead. */
      shell: Type.Optional(Type.String()),
      /** HTML fragments by key; `{name}` is a placeholder for a value. */
      texts: Type.Record(Type.String(), Type.String()),
    }),
  ),
  /** Where the owner takes proposals, with `{expression}` and `{language}` for what was asked. */
  proposals: Type.Optional(Type.String({ pattern: "^(?:/(?!/)|https:|mailto:|tel:)" })),
});
export type Interface = Type.Static<typeof Interface>;

/**
 * The contract's message without its rules for method and metadata, which have their own errors.
 */
export const Message = closed({
  ...MCPJsonRpcRequest.properties,
  method: Type.String(),
  params: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: "object" })),
});
export type Message = Type.Static<typeof Message>;

/** A message whose id is readable, even if the rest is wrong. */
export const Identified = open({ id: RequestId });
export type Identified = Type.Static<typeof Identified>;

/** The parameters of lists, `tools/call`, `resources/read` and `prompts/get`. */
export const Page = open({ cursor: Type.Optional(Type.String()) });
export type Page = Type.Static<typeof Page>;
export const Call = open({ name: Type.String(), arguments: Type.Optional(open({})) });
export type Call = Type.Static<typeof Call>;
export const Address = open({ uri: Type.String() });
export type Address = Type.Static<typeof Address>;
export const Prompt = open({
  name: Type.String(),
  arguments: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type Prompt = Type.Static<typeof Prompt>;

/** The keys are the names of the validators. */
export const inputs = {
  Manifest,
  Closure,
  Definition,
  Interface,
  MCPRequestMeta,
  Message,
  Identified,
  Page,
  Call,
  Address,
  Prompt,
};
