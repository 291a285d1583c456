/** `server/discover` and the tool: what they say, and that the tool is the same resolver. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { product } from "../../../runtime/contract/product.ts";
import {
  expectError,
  expectResult,
  expectToolError,
  INVALID_PARAMS,
  type Members,
  mcpRequest,
  post,
  resultOf,
  TOOL,
  toolCall,
  VERSION,
} from "../../support/mcp.ts";
import { starterRegistry } from "../../support/documents.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { serviceFor, startService } from "../../support/service.ts";

const service = serviceFor(() => checkedRegistry(nasty));

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Members;
  readonly outputSchema: Members;
  readonly annotations: Members;
}

async function theTool(): Promise<Tool> {
  const { tools } = await resultOf(service, "tools/list");
  return (tools as [Tool])[0];
}

describe("server/discover", () => {
  it("M17 M15 O-52: names the one version and the three capabilities, none of which can change or be subscribed to", async () => {
    const { supportedVersions, capabilities, instructions } = await resultOf(service, "server/discover");
    expect(supportedVersions).toEqual([VERSION]);
    expect(capabilities).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect(instructions).toMatch(/Do not ask for every utterance/);
    expect(instructions).toMatch(/abstention is a valid answer: no code is assigned/);
    expect(instructions).toMatch(/For example, the arguments \{.*\} give data\.status resolved[\s\S]*$/);
    expect(instructions).toContain("Retry-After");
  });

  it("repeats an id of any characters in front of a result that many answers share", async () => {
    const reply = await post(service, mcpRequest("server/discover", {}, { message: { id: "é😀" } }));
    expectResult(reply, "server/discover", "é😀");
  });

  it("O-52: has only the members of its kind, and says who serves", async () => {
    const result = await resultOf(service, "server/discover");
    expect(Object.keys(result).toSorted()).toEqual([
      "_meta", "cacheScope", "capabilities", "instructions", "resultType", "supportedVersions", "ttlMs",
    ]); // prettier-ignore
    expect(result["_meta"]).toEqual({
      "io.modelcontextprotocol/serverInfo": expect.objectContaining({
        name: "example.registry/semantic-resolution-service",
        version: product.packageVersion,
      }) as unknown,
    });
  });

  it("A23 M12 O-52: like every result is complete, and says who serves", async () => {
    const { _meta: expected } = await resultOf(service, "server/discover");
    for (const reply of [
      await post(service, mcpRequest("tools/list")),
      await post(service, toolCall({ expression: "unheard of" })),
      await post(service, toolCall({})),
      await post(service, mcpRequest("prompts/get", { name: "handle-abstention", arguments: { expression: "x" } })),
    ]) {
      const { result } = reply.json() as { result: Members };
      expect([result["resultType"], result["_meta"]]).toEqual(["complete", expected]);
    }
  });
});

describe("tools/list", () => {
  it("M18 O-52: lists exactly one tool", async () => {
    const result = await resultOf(service, "tools/list");
    expect((result["tools"] as Tool[]).map(({ name }) => name)).toEqual([TOOL]);
    expect(result).not.toHaveProperty("nextCursor");
  });

  it("M19: says that the tool has no side effects and grants no authorization", async () => {
    const { annotations, description, title } = await theTool();
    expect(annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(title).not.toBe("");
    expect(description).toMatch(/grant neither semantic authority nor permission/);
  });

  it("M18: gives schemas that stand alone, of the tool's descriptor", async () => {
    const { inputSchema, outputSchema, title, description } = await theTool();
    const descriptor = (await service.send("GET", "/agent-tool.json")).json() as Record<string, unknown>;
    expect(descriptor).toMatchObject({ name: TOOL, title, description, inputSchema });
    for (const schema of [inputSchema, outputSchema]) {
      expect(schema["$schema"]).toBe("https://json-schema.org/draft/2020-12/schema");
      expect(schema["type"]).toBe("object");
      expect(JSON.stringify(schema)).not.toContain('"$ref"');
    }
    expect(JSON.stringify(inputSchema)).not.toContain("x-mcp-header");
    const ajv = new Ajv2020({ strict: true });
    for (const given of [
      { expression: "taxi", language: "de-AT" },
      { expression: "bank" },
      { expression: "sort of" },
    ]) {
      const answer = (await service.resolve(given)).json();
      expect([ajv.validate(inputSchema, given), ajv.validate(outputSchema, answer)]).toEqual([true, true]);
    }
  });

  it("M18: is the same over another registry, but for what that says of itself", async () => {
    const registry = starterRegistry();
    const other = await startService(registry);
    try {
      const [mine = "", theirs = ""] = await Promise.all([service, other].map(async (one) => (await post(one, mcpRequest("tools/list"))).body.toString())); // prettier-ignore
      expect(theirs).toContain(
        ` ${registry.description?.slice(0, -1)} (${registry.concepts.length} concepts; languages: `,
      );
      const bare = (list: string): string => list.replace(/(?<=Vocabulary: [^.]+\. ).*?(?=Gives the stable)/, "");
      expect(bare(theirs)).toBe(bare(mine));
      const { structuredContent } = await resultOf(other, "tools/call", {
        name: TOOL,
        arguments: { expression: "demande de remboursement", language: "fr" },
      });
      expect(structuredContent).toMatchObject({ data: { status: "resolved", concept: { name: "Refund request" } } });
    } finally {
      await other.close();
    }
  });
});

describe("tools/call", () => {
  // That it gives and refuses what the other transport does: same-answers.test.ts.
  it("M22: without arguments is an error of the tool: the expression is missing", async () => {
    expect(expectToolError(await post(service, mcpRequest("tools/call", { name: TOOL })))).toContain("expression");
  });

  it.each([
    ...[[], null, "x", 5, true, [{ expression: "taxi" }]].map((given) => ({ name: TOOL, arguments: given })),
    ...[undefined, 5, null, true, [], {}].map((name) => ({ name, arguments: { expression: "taxi" } })),
    ...["other", "", "Resolve_service_semantics", `${TOOL} `, "__proto__", "constructor", "日本", "x".repeat(5000)].map(
      (name) => ({ name, arguments: { expression: "taxi" } }),
    ),
  ])(
    "M23 O-52: with arguments that are no object, or a name that is none or of no tool, is -32602: %j",
    async (params) => {
      expectError(await post(service, mcpRequest("tools/call", params)), INVALID_PARAMS);
    },
  );

  it("M07: ignores other parameters, also those of dialogues", async () => {
    const plain = await post(service, toolCall({ expression: "taxi" }));
    for (const more of [
      { extra: 1 },
      { inputResponses: { a: { x: 1 } }, requestState: "s" },
      { task: {} },
      { ["__proto__"]: { name: "x" } },
    ]) {
      const params = { name: TOOL, arguments: { expression: "taxi" }, ...more };
      const reply = await post(service, mcpRequest("tools/call", params));
      expectResult(reply, "tools/call");
      expect(reply.body.equals(plain.body)).toBe(true);
    }
  });
});
