/** Answers, API reference, discovery receipt. Source: contract §4.5; rulings O-09, O-46, O-59. */
import * as Type from "../../runtime/contract/type.ts";
import { endSchema, headSchema, Sha256, Text, Texts, Url } from "../../runtime/contract/document.ts";
import { ABSTENTION_REASONS } from "../../runtime/contract/resolution.ts";
import { closed } from "../../runtime/contract/schema.ts";

/** The link of the API catalog to the transparency log, by which verify finds its address again. */
export const LOG_TITLE = "Transparency log";

export const AUDIENCES = ["newcomer", "agent", "release", "audit", "vocabulary"] as const;

/** An answer: its id is stable, its text is Markdown (CommonMark with tables). */
export const Answer = closed({
  id: Type.String({ pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$" }),
  question: Text,
  audience: Type.Enum([...AUDIENCES]),
  answer: Text,
  url: Url,
  evidence: Type.Array(closed({ title: Text, url: Url }), { minItems: 1 }),
});
export type Answer = Type.Static<typeof Answer>;

export const Answers = closed({
  ...headSchema("answers"),
  acceptanceRule: Text,
  answers: Type.Array(Answer, { minItems: 1 }),
  ...endSchema,
});
export type Answers = Type.Static<typeof Answers>;

export const Operation = closed({
  id: Text,
  method: Text,
  path: Text,
  summary: Text,
  description: Type.String(),
  parameters: Type.Array(
    closed({
      name: Text,
      in: Type.Enum(["path", "query", "header", "body"]),
      required: Type.Boolean(),
      description: Type.String(),
    }),
  ),
  responses: Type.Array(
    closed({ status: Type.Integer(), mediaTypes: Type.Array(Text), headers: Type.Array(Text), description: Text }),
  ),
});
export type Operation = Type.Static<typeof Operation>;

export const ApiReference = closed({
  ...headSchema("api-reference"),
  acceptanceRule: Text,
  operations: Type.Array(Operation),
  fields: Type.Array(closed({ name: Text, direction: Type.Enum(["request", "response"]), description: Text })),
  errors: Type.Array(closed({ code: Text, status: Type.Integer(), message: Text })),
  limits: Type.Array(closed({ name: Text, value: Type.Integer(), unit: Text, description: Text })),
  reasons: Type.Array(closed({ reason: Type.Enum([...ABSTENTION_REASONS]), meaning: Text })),
  sections: Type.Array(closed({ id: Text, title: Text, text: Text })),
  ...endSchema,
});
export type ApiReference = Type.Static<typeof ApiReference>;

const RouteRepresentation = { mediaType: Text, contentLocation: Url, cachePolicy: Text };

/**
 * One of the ten routes. Its own members describe the answer to a GET without Accept;
 * `representations` lists them all.
 */
export const InventoryRoute = closed({
  path: Text,
  url: Url,
  methods: Texts,
  ...RouteRepresentation,
  representations: Type.Array(closed(RouteRepresentation), { minItems: 1 }),
});
export type InventoryRoute = Type.Static<typeof InventoryRoute>;

export const Discovery = closed({
  ...headSchema("discovery"),
  routes: Type.Array(InventoryRoute, { minItems: 10, maxItems: 10 }),
  routeInventorySha256: Sha256,
  routeInventoryRule: Text,
  detects: Text,
  publisherAuthenticity: Type.Literal(false),
  ...endSchema,
});
export type Discovery = Type.Static<typeof Discovery>;
