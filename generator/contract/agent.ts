/**
 * The documents for agents: tool descriptor, connection bootstrap, capabilities, adoption guide.
 * Source: contract §2 (descriptor), §4.4; rulings O-39, O-40, O-61.
 */
import * as Type from "../../runtime/contract/type.ts";
import { endSchema, headSchema, Outcome, Text, Texts, Url } from "../../runtime/contract/document.ts";
import { TOOL_NAME } from "../../runtime/contract/mcp.ts";
import { closed, nullable, open } from "../../runtime/contract/schema.ts";

const anyObject = open({});

/** The contract names these objects but not their fields, so their schemas are open. */
export const AgentTool = closed({
  schema: Type.Literal("service-semantics.agent-tool.v1"),
  version: Type.String(),
  name: Type.Literal(TOOL_NAME),
  title: Type.String(),
  description: Type.String(),
  sideEffects: Type.Literal("none"),
  authorizationGranted: Type.Literal("none"),
  transport: anyObject,
  invocationPolicy: anyObject,
  inputSchema: anyObject,
  dataHandling: anyObject,
  outputContract: anyObject,
  discovery: anyObject,
});
export type AgentTool = Type.Static<typeof AgentTool>;

/** A request that can be sent unchanged. */
export const ReadyRequest = closed({
  method: Type.Literal("POST"),
  url: Url,
  headers: Type.Record(Type.String(), Type.String()),
  body: closed({ expression: Type.String(), language: Type.Optional(Type.String()) }),
});

const failsClosed = { failClosed: Type.Literal(true), acceptanceRule: Text };

export const AgentConnect = closed({
  ...headSchema("agent-connect"),
  directions: Texts,
  canonicalResolverRequest: closed({
    method: Type.Literal("POST"),
    url: Url,
    headers: Type.Record(Type.String(), Type.String()),
    bodySchema: anyObject,
  }),
  minimumData: Texts,
  resultPolicy: closed({ ...failsClosed, otherwise: Text }),
  canonicalNextRequest: ReadyRequest,
  expectedOutcome: closed({
    httpStatus: Type.Literal(200),
    status: Type.Enum(["resolved", "abstained"]),
    conceptCode: nullable(Text),
    registryVersion: nullable(Text),
    reason: nullable(Text),
    note: Text,
  }),
  session: closed({
    registersClient: Type.Literal(false),
    createsSession: Type.Literal(false),
    acceptsBody: Type.Literal(false),
  }),
  next: Type.Record(Type.String(), Url),
  ...endSchema,
});
export type AgentConnect = Type.Static<typeof AgentConnect>;

export const InvocationPolicy = closed({ callAt: Texts, doNotCallFor: Texts });

export const Capabilities = closed({
  ...headSchema("capabilities"),
  /** The sentences in which other documents state the rules below. */
  inShort: closed({ intendedUse: Text, minimumData: Text, comparison: Text, otherwise: Text }),
  authority: Texts,
  invocationPolicy: InvocationPolicy,
  minimumData: Texts,
  exactness: Text,
  languageMatching: Text,
  endpoints: Type.Record(Type.String(), closed({ method: Type.Enum(["GET", "POST"]), url: Url })),
  decisionProcedure: Type.Array(closed({ step: Type.Integer({ minimum: 1 }), check: Text, otherwise: Text })),
  resultPolicy: closed({ ...failsClosed, outcomes: Type.Array(Outcome) }),
  record: Texts,
  ...endSchema,
});
export type Capabilities = Type.Static<typeof Capabilities>;

export const AdoptionGuide = closed({
  ...headSchema("adoption-guide"),
  value: Texts,
  workflowPlacement: Type.Array(closed({ boundary: Text, before: Text, after: Text })),
  useCases: Type.Array(closed({ id: Text, title: Text, description: Text })),
  stagedAdoption: Type.Array(closed({ stage: Type.Integer({ minimum: 1 }), title: Text, do: Text, doneWhen: Text })),
  bestPractices: Texts,
  successSignals: Texts,
  safetyBoundaries: Texts,
  next: Type.Record(Type.String(), Url),
  ...endSchema,
});
export type AdoptionGuide = Type.Static<typeof AdoptionGuide>;

/** The safety boundaries that the guide of every release has. */
export const SAFETY_BOUNDARIES: AdoptionGuide["safetyBoundaries"] = [
  "A code grants no permission: authorization is decided and recorded elsewhere",
  "An abstention, a candidate, an error or a timeout assigns nothing",
  "The service sees only the exact expression and its language tag; send nothing else",
  "Documents and digests detect drift; they do not prove who published them",
];
