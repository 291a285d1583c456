/**
 * One resolver behind three ways in: `POST /api/v1/resolve`, the MCP tool and `npm run resolve`
 * give the same data, and it is the same text, byte for byte. Malformed input is refused by the
 * same rules on each.
 */
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../../../generator/program.ts";
import { answerOffline } from "../../../generator/tools/query/commands/resolve.ts";
import type { CheckedRegistry } from "../../../generator/registry/checked.ts";
import { tagOf } from "../../../generator/registry/concept.ts";
import { ErrorEnvelope, ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import { type Outcome, run, runHere } from "../../support/command.ts";
import { DOCUMENTS, getJson, type Member, members, starterRegistry } from "../../support/documents.ts";
import { type McpRequest, post, resultOf, TOOL, toolCall } from "../../support/mcp.ts";
import { empty, LONGEST, LONGEST_ASTRAL, nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { REQUESTS } from "../../support/requests.ts";
import { type RawReply, sendMany } from "../../support/resolve-many.ts";
import { expectSchema } from "../../support/schemas.ts";
import { type Service, serviceFor, startService } from "../../support/service.ts";

interface Request {
  readonly expression: string;
  readonly language?: string;
}

interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

type Answer = Pick<RawReply, "status" | "body">;

function jsonOf({ body }: Answer): unknown {
  return JSON.parse(body.toString());
}

function toolResultOf(answer: Answer): ToolResult {
  return (jsonOf(answer) as { result: ToolResult }).result;
}

const STRUCTURED = Buffer.from('"structuredContent":');

/** How the answer of the tool differs from that of REST; empty where it does not. */
function differences(rest: Answer, mcp: Answer): string[] {
  if (rest.status !== 200 || mcp.status !== 200) return [`HTTP ${rest.status} and ${mcp.status}`];
  // REST ends its body with a line feed; what stands before it is the answer.
  const answer = rest.body.subarray(0, -1);
  const { content, structuredContent, isError } = toolResultOf(mcp);
  const [block] = content;
  // No other place of the body can hold these bytes: inside a string their quotes are escaped.
  const at = mcp.body.indexOf(STRUCTURED) + STRUCTURED.length;
  const faults = {
    "no line feed at the end of REST's body": rest.body.at(-1) === 0x0a,
    "is an error": !isError,
    "other data": isDeepStrictEqual(structuredContent, jsonOf(rest)),
    "not one text block": content.length === 1 && block?.type === "text",
    "another text": Buffer.from(block?.text ?? "").equals(answer),
    "other bytes": mcp.body.subarray(at, at + answer.length).equals(answer),
    "more bytes": [",", "}"].includes(String.fromCodePoint(mcp.body[at + answer.length] ?? 0)),
  };
  return Object.entries(faults).flatMap(([fault, holds]) => (holds ? [] : [fault]));
}

/** A request on a connection that is kept. */
function wireOf(target: string, { headers, body }: McpRequest): string {
  const fields = Object.entries({ Host: "127.0.0.1", ...headers, "Content-Length": Buffer.byteLength(body) });
  return `POST ${target} HTTP/1.1\r\n${fields.map((field) => `${field.join(": ")}\r\n`).join("")}\r\n${String(body)}`;
}

/** Asks both ways, expects one answer, and counts the answers by status or reason. */
async function expectSame(service: Service, requests: readonly Request[]): Promise<Map<string, number>> {
  const found: unknown[] = [];
  const counts = new Map<string, number>();
  const compare = (request: Request, [rest, mcp]: readonly (Answer | undefined)[]): void => {
    if (rest === undefined || mcp === undefined) return void found.push([request, "no answer"]);
    const faults = differences(rest, mcp);
    const offline = answerOffline(service.release.index, request);
    if (`${offline.text}\n` !== rest.body.toString() || offline.code !== 0) faults.push("another answer offline");
    const { data } = jsonOf(rest) as ResolveEnvelope;
    // An abstention comes without a concept.
    if (data.status !== "resolved" && data.concept !== null) faults.push("a concept");
    if (faults.length > 0) found.push([request, faults]);
    const outcome = data.reason ?? data.status;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  };
  const format = (i: number): string => {
    const request = requests[i >> 1];
    const rest = { headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) };
    return i % 2 === 0 ? wireOf("/api/v1/resolve", rest) : wireOf("/mcp", toolCall(request));
  };
  const answers = await sendMany<Answer>(service.port, { count: 2 * requests.length, format, read: (reply) => reply });
  requests.forEach((request, i) => compare(request, answers.slice(2 * i, 2 * i + 2)));
  expect(found).toEqual([]);
  return counts;
}

function entriesOf({ concepts }: CheckedRegistry): Required<Request>[] {
  return [...concepts].flatMap(({ expressions }) =>
    expressions.map((entry) => ({ expression: entry.expression, language: tagOf(entry) })),
  );
}

/** Each expression once, without a language. */
function alone(entries: readonly Request[]): Request[] {
  return [...new Set(entries.map(({ expression }) => expression))].map((expression) => ({ expression }));
}

/** Every `step`-th item, so that a sample is spread over all domains and languages. */
function every<T>(step: number, items: readonly T[]): T[] {
  return items.filter((_, i) => i % step === 0);
}

/** What is nearly the same request. Some of it is the same still: NFD, or a longer tag. */
function nearMisses({ expression, language }: Required<Request>): Request[] {
  const characters = Array.from(expression);
  const texts = [
    expression.toUpperCase(),
    expression.toLowerCase(),
    `${expression} `,
    ` ${expression}`,
    expression.normalize("NFD"),
    expression.normalize("NFKC"),
    characters.slice(0, -1).join(""),
    `${expression}s`,
    ["q", ...characters.slice(1)].join(""),
    `${expression}\u200B`,
  ];
  const tags = [language.startsWith("de") ? "fr" : "de", "tlh", `${language}-x-test`, language.toUpperCase()];
  return [
    ...texts.filter((text) => text !== "" && text !== expression).map((text) => ({ expression: text, language })),
    ...tags.map((tag) => ({ expression, language: tag })),
  ];
}

/** Expressions of several concepts, with each of their languages and without. */
function ambiguous({ concepts }: CheckedRegistry): Request[] {
  const meanings = new Map<string, { codes: Set<string>; tags: Set<string> }>();
  for (const { code, expressions } of concepts) {
    for (const entry of expressions) {
      const key = entry.expression.normalize("NFC");
      const meaning = meanings.get(key) ?? { codes: new Set(), tags: new Set() };
      meanings.set(key, meaning);
      meaning.codes.add(code);
      meaning.tags.add(tagOf(entry));
    }
  }
  return [...meanings]
    .filter(([, { codes }]) => codes.size > 1)
    .flatMap(([expression, { tags }]) => [
      { expression },
      ...Array.from(tags, (language) => ({ expression, language })),
    ]);
}

/** The folder that the service was opened from. */
function outOf(service: Service): string {
  return service.release.directory;
}

function argumentsOf(service: Service, { expression, language }: Request): string[] {
  return ["--out", outOf(service), ...(language === undefined ? [] : ["--language", language]), "--", expression];
}

/**
 * Runs the command in this process. Each run opens the release anew and checks every digest of it,
 * and a process of its own starts Node before that, which takes long. So samples run here, a
 * handful as processes, and for every expression expectSame asks the function that the command
 * prints from.
 */
function runOffline(service: Service, request: Request): Promise<Outcome> {
  return runHere(["resolve", ...argumentsOf(service, request)], { program: runProgram });
}

async function expectOffline(service: Service, requests: readonly Request[]): Promise<void> {
  for (const request of requests) {
    const { body } = await service.resolve(request);
    expect([request, await runOffline(service, request)]).toEqual([
      request,
      { code: 0, stdout: body.toString(), stderr: "" },
    ]);
  }
}

const registry = starterRegistry();
const entries = entriesOf(registry);
const starter = serviceFor(() => registry);

describe("the starter registry over REST and MCP", () => {
  // Every one of them is resolved, and every near miss, in test/unit/starter.test.ts: here it is
  // the ways in that differ.
  it("A13 M20: answers expressions with their languages alike", async () => {
    const requests = every(20, entries);
    const counts = await expectSame(starter, requests);
    expect(requests.length).toBeGreaterThan(650);
    expect(counts.get("resolved")).toBeGreaterThan(requests.length * 0.95);
    expect(counts.get("no_reviewed_exact_match")).toBeUndefined();
    expect(counts.get("language_not_matched")).toBeUndefined();
  });

  it("A13 M20: answers expressions without a language alike", async () => {
    const requests = every(20, alone(entries));
    const counts = await expectSame(starter, requests);
    expect(counts.get("resolved")).toBeGreaterThan(requests.length * 0.9);
    expect(counts.get("no_reviewed_exact_match")).toBeUndefined();
  });

  it("A13 M20 M21: answers near misses alike", async () => {
    const counts = await expectSame(starter, every(94, entries).flatMap(nearMisses));
    for (const outcome of ["resolved", "no_reviewed_exact_match", "language_not_matched"])
      expect([outcome, (counts.get(outcome) ?? 0) > 100]).toEqual([outcome, true]);
  });

  it("A13 M20 M21: answers every ambiguous expression alike, as an abstention and no error", async () => {
    const counts = await expectSame(starter, ambiguous(registry));
    expect(counts.get("ambiguous_expression")).toBeGreaterThan(15);
  });
});

describe("other registries over REST and MCP", () => {
  const texts = [
    LONGEST,
    LONGEST_ASTRAL,
    'say "hi" \\ </script>',
    '"structuredContent":{"data":null},',
    "\u0000\u001F\u007F",
    "\b\f\n\r\t",
    "\u2028\u2029\uFEFF",
    "\u200Fשלום\u200E",
    "cafe\u0301",
    "__proto__",
    "many",
    "unheard of",
    "one in review",
    " ",
  ].map((expression) => ({ expression }));

  // In memory, and read by position.
  for (const memoryMaxBytes of [undefined, 1000]) {
    it(`A13 M20 M21: answer alike, whatever the reason and the characters (memory ${memoryMaxBytes ?? "whole"})`, async () => {
      const hostile = checkedRegistry(nasty);
      const service = await startService(hostile, memoryMaxBytes);
      try {
        const own = entriesOf(hostile);
        const requests = [...own, ...alone(own), ...ambiguous(hostile), ...texts];
        // The longest have no room for one character more.
        const near = own.filter(({ expression }) => expression.length < 1000).flatMap(nearMisses);
        const counts = await expectSame(service, [...requests, ...near]);
        expect(new Set(counts.keys())).toEqual(
          new Set([
            "resolved",
            "no_reviewed_exact_match",
            "language_not_matched",
            "ambiguous_expression",
            "equivalence_not_exact",
          ]),
        );
        expect(service.faults).toEqual([]);
        // No argument of a process can hold U+0000, but one of this process can.
        if (memoryMaxBytes === undefined) await expectOffline(service, [...every(12, own), ...texts]);
      } finally {
        await service.close();
      }
    });
  }

  it("A13 M20 M21: answer alike where nothing is published", async () => {
    const service = await startService(checkedRegistry(empty));
    try {
      const requests = [{ expression: "x" }, { expression: "x", language: "en" }];
      expect(await expectSame(service, requests)).toEqual(new Map([["registry_empty", 2]]));
      await expectOffline(service, requests);
    } finally {
      await service.close();
    }
  });
});

describe("the offline command", () => {
  it("A13: prints the bytes of REST, for a sample of every kind", async () => {
    const step = Math.ceil(entries.length / 8);
    const sample = every(step, entries);
    const near = every(Math.ceil(step * 3.7), entries).flatMap(nearMisses);
    const several = ambiguous(registry);
    await expectOffline(starter, [
      ...sample,
      ...every(4, alone(sample)),
      ...every(6, near),
      ...every(Math.ceil(several.length / 4), several),
    ]);
  });

  it("A13: as a process prints the bytes of REST and exits 0", async () => {
    const request = entries.find(({ language }) => language.startsWith("ar")) ?? { expression: "taxi" };
    const outcome = await run("lib/generator/main.js", ["resolve", ...argumentsOf(starter, request)]);
    const { body } = await starter.resolve(request);
    expect(outcome).toEqual({ code: 0, stdout: body.toString(), stderr: "" });
  });
});

describe("malformed input", () => {
  /** What no transport may take. */
  const malformed: readonly (readonly [what: string, given: object])[] = [
    ...REQUESTS.flatMap(([what, body, isTaken]) =>
      isTaken || typeof body !== "object" || body === null || Array.isArray(body) ? [] : [[what, body] as const],
    ),
    ["an empty expression in a language", { expression: "", language: "en" }],
    ["a language with _", { expression: "ciao", language: "en_US" }],
    ["a language of one letter", { expression: "ciao", language: "e" }],
    ["a language for all", { expression: "ciao", language: "*" }],
    ["a language with a space", { expression: "ciao", language: "en US" }],
    ["a lone high surrogate", { expression: "a\uD800" }],
    ["lone surrogates in the wrong order", { expression: "\uDC00\uD800" }],
    ["a lone surrogate in the language", { expression: "ciao", language: "e\uDC00" }],
    ["a member of the call", { expression: "ciao", name: TOOL }],
    ["metadata", { expression: "ciao", _meta: {} }],
    ["several faults", { expression: 5, language: null, extra: true }],
  ];

  /** Whether the command can say it too: an empty language is none for it. */
  const isSayable = (given: object): given is Request => {
    const { expression, language = "none", ...more } = given as Partial<Record<string, unknown>>;
    const isText = typeof expression === "string" && typeof language === "string" && language !== "";
    return isText && Reflect.ownKeys(more).length === 0;
  };

  it.each(malformed)("M22 O-52 A13: %s is refused for the same reason everywhere", async (_what, given) => {
    const rest = await starter.resolve(given);
    expect(rest.status).toBe(400);
    const { error } = expectSchema(ErrorEnvelope, rest.json());
    expect(["invalid_request", "invalid_language"]).toContain(error.code);

    const mcp = await post(starter, toolCall(given));
    const { content, isError, structuredContent } = toolResultOf(mcp);
    expect([mcp.status, isError, structuredContent]).toEqual([200, true, undefined]);
    expect(content.map(({ type }) => type)).toEqual(["text"]);
    expect(content[0]?.text).toContain(error.message);
    expect(mcp.body.includes("structuredContent")).toBe(false);

    if (!isSayable(given)) return;
    expect(await runOffline(starter, given)).toEqual({ code: 1, stdout: rest.body.toString(), stderr: "" });
  });

  it("M22: the bounds themselves are inside on both", async () => {
    const counts = await expectSame(starter, [
      { expression: "x" },
      { expression: "a".repeat(1000) },
      { expression: "😀".repeat(1000) },
      { expression: "ciao", language: "it" },
      { expression: "ciao", language: "en-x-aaaaaaaa-bbbbbbbb-cccccccc-ddd" },
    ]);
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(5);
  });
});

describe("one registry", () => {
  interface Facts {
    readonly registryVersion: string;
    readonly publishedConcepts: number;
    readonly reviewedExactExpressions: number;
  }
  let facts: Facts;
  beforeAll(() => {
    facts = {
      registryVersion: registry.registryVersion,
      publishedConcepts: registry.concepts.length,
      reviewedExactExpressions: [...registry.concepts].flatMap(({ expressions }) =>
        expressions.filter(({ equivalenceStrength }) => equivalenceStrength === 1),
      ).length,
    };
  });

  interface Resource {
    readonly uri: string;
    readonly mimeType: string;
    readonly text: string;
  }

  async function readResources(): Promise<Resource[]> {
    const { resources } = await resultOf(starter, "resources/list");
    return Promise.all(
      (resources as { uri: string }[]).map(async ({ uri }) => {
        const { contents } = await resultOf(starter, "resources/read", { uri });
        expect(contents).toHaveLength(1);
        return (contents as [Resource])[0];
      }),
    );
  }

  /** Every statement of a fact in a JSON value, by its name. */
  function stated(value: unknown): Member[] {
    return [...members(value)].filter(({ name }) => name in facts);
  }

  it("A14: has one version and one set of counts in status, capabilities, the agent's documents and MCP", async () => {
    const resources = await readResources();
    const json = resources.filter(({ mimeType }) => mimeType === "application/json");
    expect(json.length).toBeGreaterThanOrEqual(2);
    const sources: [string, unknown][] = json.map(({ uri, text }) => [`MCP ${uri}`, JSON.parse(text)]);
    for (const { path: target } of DOCUMENTS) sources.push([target, await getJson(starter, target)]);
    const names = new Map<string, Set<string>>();
    for (const [source, value] of sources) {
      for (const { name, value: said } of stated(value)) {
        expect([source, name, said]).toEqual([source, name, facts[name as keyof Facts]]);
        names.set(source, (names.get(source) ?? new Set()).add(name));
      }
    }
    // Each of these states all three, so that none of them can agree by saying nothing.
    for (const source of [
      ...json.map(({ uri }) => `MCP ${uri}`),
      "/api/v1/status",
      "/api/v1/capabilities",
      "/.well-known/service-semantics.json",
      "/api/v1/agent/connect",
      "/agent-tool.json",
      "/mcp-server.json",
    ]) {
      expect([source, names.get(source)]).toEqual([source, new Set(Object.keys(facts))]);
    }
  });

  it("A14: says the same in the operating rules, as text", async () => {
    const rules = (await readResources()).find(({ uri }) => uri.endsWith("/agent-instructions.txt"));
    expect(rules?.text).toContain(`\nRegistry version: ${facts.registryVersion}\n`);
    expect(rules?.text).toContain(
      `${facts.publishedConcepts} concepts, ${facts.reviewedExactExpressions} reviewed exact expressions`,
    );
  });
});
