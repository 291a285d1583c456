/**
 * The seven methods over one release. Discovery and the lists are built once; a call looks up its
 * resource or prompt, or asks the resolver. Source: contract §4.7; rulings O-52, O-53.
 */
import type { Address, Call, Page, Prompt } from "../contract/inputs.ts";
import { MCP_CAPABILITIES, MCP_PROTOCOL_VERSION, type MCPDefinition, TOOL_NAME } from "../contract/mcp.ts";
import { documentText, type Served } from "../release/served.ts";
import { answerRequest } from "../registry/answer.ts";
import { readerOf } from "../contract/validator.ts";
import { validators } from "../contract/validators.js";
import type { McpMethod } from "./request.ts";
import { invalidParams, type Method, type MethodAnswer, Results, takes } from "./result.ts";

const parsePage = readerOf<Page>(validators.Page);
const parseCall = readerOf<Call>(validators.Call);
const parseAddress = readerOf<Address>(validators.Address);
const parsePrompt = readerOf<Prompt>(validators.Prompt);

export function makeMethods(release: Served): Readonly<Record<McpMethod, Method>> {
  const { mcp } = release;
  const results = new Results(mcp);
  const discovery = results.cacheable({
    supportedVersions: [MCP_PROTOCOL_VERSION],
    capabilities: MCP_CAPABILITIES,
    instructions: mcp.instructions,
  });
  return {
    "server/discover": () => discovery,
    "tools/list": listed(results.cacheable({ tools: mcp.tools })),
    "tools/call": toolsCall(results, release),
    "resources/list": listed(results.cacheable({ resources: mcp.resources })),
    "resources/read": resourcesRead(results, release),
    "prompts/list": listed(results.cacheable({ prompts: mcp.prompts.map(({ text: _text, ...prompt }) => prompt) })),
    "prompts/get": promptsGet(results, mcp),
  };
}

/** A list of one page. It issues no cursor, so any cursor that a client sends is invalid. */
function listed(list: MethodAnswer): Method {
  return takes(parsePage, ({ cursor }) =>
    cursor === undefined ? list : invalidParams("params.cursor is not a cursor of this list, which has one page"),
  );
}

/**
 * Every resolution is a success, including an abstention. Invalid arguments are an error of the
 * tool, not of the protocol.
 */
function toolsCall(results: Results, { index }: Served): Method {
  return takes(parseCall, ({ name, arguments: given = {} }) => {
    if (name !== TOOL_NAME) return invalidParams("There is no tool of this name");
    const answer = answerRequest(index, given);
    if (!answer.ok) return results.complete(`${content(answer.problem.message)},"isError":true`);
    return results.complete(`${content(answer.envelope)},"structuredContent":${answer.envelope},"isError":false`);
  });
}

function content(text: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
}

function resourcesRead(results: Results, { mcp, documents, manifest }: Served): Method {
  const readings = new Map(
    mcp.resources.map(({ uri, mimeType }): [string, MethodAnswer] => {
      const text = documentText({ documents }, uri.slice(manifest.origin.length));
      return [uri, results.cacheable({ contents: [{ uri, mimeType, text }] })];
    }),
  );
  return takes(parseAddress, ({ uri }) => readings.get(uri) ?? invalidParams("There is no such resource", { uri }));
}

function promptsGet(results: Results, { prompts }: MCPDefinition): Method {
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  return takes(parsePrompt, ({ name, arguments: values = {} }) => {
    const prompt = byName.get(name);
    if (prompt === undefined) return invalidParams("There is no prompt of this name");
    const missing = prompt.arguments.find((argument) => argument.required && !Object.hasOwn(values, argument.name));
    if (missing !== undefined) return invalidParams(`params.arguments lacks ${missing.name}`);
    const unexpected = Object.keys(values).find((sent) => prompt.arguments.every((argument) => argument.name !== sent));
    if (unexpected !== undefined)
      return invalidParams(
        `params.arguments may have only ${prompt.arguments.map((argument) => argument.name).join(", ")}`,
      );
    // Appended as JSON, so that the arguments stay data and cannot be read as part of the prompt.
    const text = `${prompt.text}\n\n${JSON.stringify(values, null, 2)}\n`;
    const message = { role: "user", content: { type: "text", text } };
    return results.complete(JSON.stringify({ description: prompt.description, messages: [message] }).slice(1, -1));
  });
}
