/** The schemas of the contract by name; OpenAPI's components have the same names. */
import * as concept from "../../runtime/contract/concept.ts";
import * as head from "../../runtime/contract/document.ts";
import * as identity from "../../runtime/contract/identity.ts";
import * as mcp from "../../runtime/contract/mcp.ts";
import * as representation from "../../runtime/contract/representation.ts";
import * as resolution from "../../runtime/contract/resolution.ts";
import { open } from "../../runtime/contract/schema.ts";
import * as Type from "../../runtime/contract/type.ts";
import * as agent from "./agent.ts";
import * as coverage from "./coverage.ts";
import * as history from "./history.ts";
import * as integration from "./integration.ts";
import * as reference from "./reference.ts";
import * as status from "./status.ts";

/** Their modules' other exports are in it too. */
export const contract = {
  ...agent,
  ...concept,
  ...coverage,
  ...head,
  ...history,
  ...identity,
  ...integration,
  ...mcp,
  ...reference,
  ...representation,
  ...resolution,
  ...status,
  Error: resolution.ErrorEnvelope.properties.error,
  /** The description itself, judged by OpenAPI's own schema. */
  OpenApiDescription: open({ openapi: Type.Literal("3.1.0") }),
};
