/** What the requests have in `params._meta` that this project writes: its own, and those that it shows. Source: contract §4.7. */
import { CLIENT_CAPABILITIES_KEY, MCP_PROTOCOL_VERSION, PROTOCOL_VERSION_KEY } from "../../runtime/contract/mcp.ts";

export const REQUEST_META = { [PROTOCOL_VERSION_KEY]: MCP_PROTOCOL_VERSION, [CLIENT_CAPABILITIES_KEY]: {} };
