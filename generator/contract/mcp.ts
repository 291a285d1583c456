/**
 * The `params._meta` of the requests that this project writes: those it sends and those it shows.
 * Source: contract §4.7.
 */
import { CLIENT_CAPABILITIES_KEY, MCP_PROTOCOL_VERSION, PROTOCOL_VERSION_KEY } from "../../runtime/contract/mcp.ts";

export const REQUEST_META = { [PROTOCOL_VERSION_KEY]: MCP_PROTOCOL_VERSION, [CLIENT_CAPABILITIES_KEY]: {} };
