/**
 * Answers and API reference: one content in three forms, complete, and with evidence that is there.
 */
import { describe, expect, it } from "vitest";
import type { Answers, ApiReference } from "../../../generator/contract/reference.ts";
import { ABSTENTION_REASONS } from "../../../runtime/contract/resolution.ts";
import * as constants from "../../../runtime/contract/limits.ts";
import { REFERENCE_AREAS, referencePath } from "../../../runtime/contract/policy.ts";
import { problems } from "../../../runtime/contract/problem.ts";
import { getJson, getText, HTML, MARKDOWN, starterRegistry } from "../../support/documents.ts";
import { idsOf, textOf, wordsOf, wordsOfMarkdown } from "../../support/markup.ts";
import { servedApi } from "../../support/openapi.ts";
import { ORIGIN } from "../../support/release.ts";
import { serviceFor } from "../../support/service.ts";

const limits: Readonly<Record<string, number>> = { ...constants };

const service = serviceFor(starterRegistry);

/** The three forms of a route, each by negotiation. */
async function formsOf(path: string): Promise<{ json: unknown; html: string; markdown: string }> {
  const reply = await service.send("GET", path, { headers: { accept: "application/json" } });
  expect([reply.status, reply.headers["content-type"]]).toEqual([200, "application/json"]);
  const [html, markdown] = await Promise.all([getText(service, path, HTML), getText(service, path, MARKDOWN)]);
  return { json: reply.json(), html, markdown };
}

type Forms<T> = Promise<{ json: T; html: string; markdown: string }>;
const answersForms = () => formsOf("/answers") as Forms<Answers>;

/** The page is an overview, which keeps every anchor, and a page for each area. */
async function referenceForms(): Promise<Awaited<Forms<ApiReference>> & { overview: string }> {
  const { json, html: overview, markdown } = await formsOf("/api-reference");
  const areas = await Promise.all(REFERENCE_AREAS.map((area) => getText(service, referencePath(area), HTML)));
  return { json: json as ApiReference, html: areas.join("\n"), markdown, overview };
}

/** The markup of an element up to its closing tag; our pages do not nest such elements. */
function elementOf(page: string, name: string, id: string): string {
  const [element] = new RegExp(`<${name}[^>]* id="${id}"[^>]*>[\\s\\S]*?</${name}>`).exec(page) ?? [""];
  return element;
}

/** Ids that others may have linked or cited: none of them may go. */
const STABLE_IDS = [
  "what-is-it", "first-request", "what-exact-means", "language-matching", "search-by-meaning", "authentication",
  "when-to-call", "success-rule", "abstention-reasons", "after-abstention", "candidates", "authorization",
  "minimum-data", "api-or-mcp", "representations", "errors-and-abstentions", "caching", "reproduce-build",
  "static-hosting", "identity-unavailable", "what-to-record", "verify-digests", "deployment-identity",
  "discovery-receipt", "logging", "what-reviewed-means", "code-stability", "registry-version", "add-a-concept",
  "own-vocabulary", "ambiguous-expression", "empty-registry", "report-a-problem",
]; // prettier-ignore

describe("/answers", () => {
  it("O-59: has at least fifteen answers with unique ids that stay, each with evidence", async () => {
    const { answers } = await getJson<Answers>(service, "/answers.json");
    expect(answers.length).toBeGreaterThanOrEqual(15);
    const ids = answers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(STABLE_IDS.filter((id) => !ids.includes(id))).toEqual([]);
    const questions = answers.map(({ question }) => question);
    expect(new Set(questions).size).toBe(questions.length);
    for (const { id, url, evidence, question, answer } of answers) {
      expect(url).toBe(`${ORIGIN}/answers#${id}`);
      expect([id, evidence.length > 0, question.endsWith("?"), answer.length > 100]).toEqual([id, true, true, true]);
    }
    expect(new Set(answers.map(({ audience }) => audience))).toEqual(
      new Set(["newcomer", "agent", "release", "audit", "vocabulary"]),
    );
  });

  it("G19 O-59: has the same content as JSON, HTML and Markdown, answer by answer", async () => {
    const { json, html, markdown } = await answersForms();
    for (const { id, question, answer, evidence } of json.answers) {
      const page = elementOf(html, "article", id);
      const shown = wordsOf(textOf(page));
      // The whole answer, then the evidence; nothing more, nothing less. Its question opens it.
      const titles = evidence.map(({ title }) => wordsOf(title));
      expect([id, shown]).toEqual([id, [wordsOfMarkdown(answer), "Evidence", ...titles].join(" ")]);
      const opener =
        html
          .slice(0, html.indexOf(`<article id="${id}">`))
          .split("<summary>")
          .at(-1) ?? "";
      expect(wordsOf(textOf(opener))).toBe(wordsOf(question));
      const lines = evidence.map(({ title, url }) => `- [${title}](${url})`).join("\n");
      expect(markdown).toContain(`### ${question}\n\nAddress: ${ORIGIN}/answers#${id}\n\n${answer.trim()}\n\nEvidence:\n\n${lines}\n`); // prettier-ignore
      for (const { url } of evidence) expect(page).toContain(`href="${url.slice(ORIGIN.length)}"`);
    }
    const questions = [...markdown.matchAll(/^### (.*)$/gm)].map(([, text]) => text);
    const asked = json.answers.map(({ question }) => question);
    expect(questions.filter((text) => asked.includes(text ?? "")).length).toBe(asked.length);
    expect([...html.matchAll(/<article id="([^"]*)"/g)].map(([, id = ""]) => id).sort()).toEqual(
      json.answers.map(({ id }) => id).sort(),
    );
  });

  it("O-03: tell the example of a first request as the service answers it", async () => {
    const { answers } = await getJson<Answers>(service, "/answers.json");
    const { answer = "" } = answers.find(({ id }) => id === "first-request") ?? {};
    const body = /-d '([^']+)'/.exec(answer)?.[1] ?? "";
    const shown = /```json\n([\s\S]*?)```/.exec(answer)?.[1] ?? "";
    expect((await service.resolve(body)).json()).toEqual(JSON.parse(shown));
    const exact = answers.find(({ id }) => id === "what-exact-means")?.answer ?? "";
    const rows = [...exact.matchAll(/^\| `(.+?)`[^|]*\| (yes|no)/gm)];
    expect(rows.length).toBeGreaterThanOrEqual(5);
    for (const [, text, matches] of rows) {
      const { data } = (await service.resolve({ expression: text })).json() as { data: { status: string } };
      expect([text, data.status]).toEqual([text, matches === "yes" ? "resolved" : "abstained"]);
    }
  });
});

describe("/api-reference", () => {
  const SECTIONS = ["exact-match", "language", "outcomes", "candidates", "minimum-data", "negotiation", "digests", "deployment-identity", "errors", "compatibility"]; // prettier-ignore

  it("G21: lists every operation of OpenAPI, in all three forms", async () => {
    const { json, html, markdown, overview } = await referenceForms();
    const { api } = await servedApi(service);
    const described = Object.entries(api.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    expect(json.operations.map(({ id, method, path }) => `${id} ${method} ${path}`)).toEqual(described);
    const [ids, anchors] = [idsOf(html), new Set(idsOf(overview))];
    for (const { id, method, path, summary, parameters, responses } of json.operations) {
      const anchor = `operation-${id}`;
      expect([id, ids.filter((each) => each === anchor).length, anchors.has(anchor)]).toEqual([id, 1, true]);
      // HEAD is described with the responses of its GET.
      const article = method === "HEAD" ? anchor.replace(/Head$/, "") : anchor;
      const words = wordsOf(textOf(elementOf(html, "article", article)));
      const said = method === "HEAD" ? wordsOf("Responses of GET; HEAD has the same without a body") : `${method} `;
      expect([id, words.includes(said)]).toEqual([id, true]);
      const [, section = ""] = markdown.split(`\n### ${method} ${path}\n`);
      const own = section.split(/\n##+ /)[0] ?? "";
      const names = parameters.filter((parameter) => parameter.in !== "body").map(({ name }) => name);
      for (const text of [summary, ...names, ...responses.map(({ description }) => description)]) {
        expect([id, text, method === "HEAD" || words.includes(wordsOf(text))]).toEqual([id, text, true]);
        expect([id, text, wordsOf(own).includes(wordsOf(text))]).toEqual([id, text, true]);
      }
      for (const { status, mediaTypes } of responses) {
        for (const text of [String(status), ...mediaTypes]) expect(own).toContain(text);
      }
    }
  });

  it("G21: says of each operation the parameters, statuses, media types and headers that OpenAPI says", async () => {
    const { operations } = await getJson<ApiReference>(service, "/api-reference.json");
    const { api } = await servedApi(service);
    for (const { path, method, parameters, responses } of operations) {
      const described = api.paths[path]?.[method.toLowerCase()];
      const named = described?.parameters?.map(({ name, in: place, required }) => [name, place, required]) ?? [];
      const body = described?.requestBody === undefined ? [] : [["body", "body", true]];
      expect(parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([...named, ...body]);
      const single = Object.entries(described?.responses ?? {}).filter(([status]) => !status.endsWith("XX"));
      expect(responses.map(({ status, mediaTypes, headers }) => [status, mediaTypes, headers])).toEqual(
        single.map(([status, { content = {}, headers = {} }]) => [
          Number(status),
          Object.keys(content),
          Object.keys(headers),
        ]),
      );
    }
  });

  it("G21 O-27: lists every error code with its status, in all three forms", async () => {
    const { json, html, markdown } = await referenceForms();
    const catalogue = problems.map(({ code, status, message }) => ({ code, status, message }));
    expect(json.errors).toEqual(expect.arrayContaining(catalogue));
    expect(new Set(json.errors.map(({ code }) => code)).size).toBe(json.errors.length);
    expect(json.errors.map(({ code, status }) => `${status} ${code}`)).toEqual(
      expect.arrayContaining([
        "400 invalid_json",
        "400 invalid_request",
        "400 invalid_language",
        "400 invalid_query",
        "404 not_found",
        "404 concept_not_found",
        "405 method_not_allowed",
        "413 request_too_large",
        "415 unsupported_media_type",
        "500 internal_error",
        "503 registry_unavailable",
        "503 deployment_identity_unavailable",
      ]),
    );
    for (const { code, status, message } of json.errors) {
      const row = wordsOf(textOf(elementOf(html, "tr", `error-${code}`)));
      expect(row).toBe(wordsOf(`${code} ${status} ${message}`));
      expect(wordsOfMarkdown(markdown)).toContain(wordsOf(`${code} ${status} ${message}`));
    }
    // Those that have another form than the envelope are explained beside it.
    const { text = "" } = json.sections.find(({ id }) => id === "errors") ?? {};
    for (const other of ["concept_not_found", "application/problem+json", "JSON-RPC"]) expect(text).toContain(other);
  });

  it("G21 O-07: lists every reason of an abstention with its meaning, in all three forms", async () => {
    const { json, html, markdown } = await referenceForms();
    expect(json.reasons.map(({ reason }) => reason)).toEqual([
      "no_reviewed_exact_match",
      "language_not_matched",
      "ambiguous_expression",
      "equivalence_not_exact",
      "registry_empty",
    ]);
    expect(json.reasons.map(({ reason }) => reason)).toEqual([...ABSTENTION_REASONS]);
    for (const shown of [wordsOf(textOf(html)), wordsOfMarkdown(markdown)]) {
      for (const { reason, meaning } of json.reasons) expect(shown).toContain(wordsOf(`${reason} ${meaning}`));
    }
  });

  it("G21: lists every limit that the service has, in all three forms", async () => {
    const { json, html, markdown } = await referenceForms();
    /** Limits that bind a caller, by the row that says them. */
    const told: Record<string, string> = {
      EXPRESSION_MIN_LENGTH: "expression, minimum",
      EXPRESSION_MAX_LENGTH: "expression, maximum",
      LANGUAGE_MIN_LENGTH: "language, minimum",
      LANGUAGE_MAX_LENGTH: "language, maximum",
      CODE_MAX_LENGTH: "ConceptCode, maximum",
      QUERY_MAX_LENGTH: "q, maximum",
      CANDIDATES_MAX: "candidates, maximum",
      RESOLVE_BODY_MAX_BYTES: "POST /api/v1/resolve body, maximum",
      MCP_BODY_MAX_BYTES: "POST /mcp body, maximum",
      CLIENT_NAME_MIN_LENGTH: "MCP clientInfo.name and version, minimum",
      CLIENT_NAME_MAX_LENGTH: "MCP clientInfo.name and version, maximum",
      RATE_LIMIT_PER_SECOND: "requests to resolve and /mcp, default",
      RATE_LIMIT_BURST: "requests to resolve and /mcp at once, default",
      HEADERS_TIMEOUT_MS: "request header fields, time",
      REQUEST_TIMEOUT_MS: "whole request, time",
      STALL_TIMEOUT_MS: "stalled connection, time",
      KEEP_ALIVE_TIMEOUT_MS: "idle connection, time, default",
    };
    /** Limits of how it works inside; they bind nobody who asks. */
    const own = [
      "DRAIN_GRACE_MS",
      "DRAIN_LIMIT_MS",
      "NAMES_MAX_CONCEPTS",
      "STORE_RETRY_SECONDS",
      "PAGE_CONCEPTS",
      "RATE_LIMIT_CLIENTS_MAX",
    ];
    expect([...Object.keys(told), ...own].sort()).toEqual(Object.keys(limits).sort());
    const rows = new Map(json.limits.map(({ name, value }) => [name, value]));
    for (const [constant, name] of Object.entries(told)) {
      expect([name, rows.get(name)]).toEqual([name, limits[constant]]);
    }
    // The contract's numbers, said by the contract (§8).
    expect([rows.get("expression, maximum"), rows.get("language, maximum")]).toEqual([1000, 35]);
    expect([rows.get("MCP clientInfo.name and version, maximum"), rows.get("recovery steps")]).toEqual([200, 4]);
    expect(rows.get("routes of the discovery inventory")).toBe(10);
    for (const shown of [wordsOf(textOf(html)), wordsOfMarkdown(markdown)]) {
      for (const { name, value, unit, description } of json.limits) {
        expect(shown).toContain(wordsOf(`${name} ${value} ${unit} ${description}`));
      }
    }
  });

  it("G21 O-03: has the sections that integrators are sent to, whole, in all three forms", async () => {
    const { json, html, markdown, overview } = await referenceForms();
    const ids = json.sections.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(SECTIONS));
    expect(new Set(ids).size).toBe(ids.length);
    const [pageIds, anchors] = [idsOf(html), idsOf(overview)];
    const shown = wordsOf(textOf(html));
    for (const { id, title, text } of json.sections) {
      expect([pageIds, anchors].map((all) => all.filter((each) => each === id))).toEqual([[id], [id]]);
      expect([id, shown.includes(`${wordsOf(title)} ${wordsOfMarkdown(text)}`)]).toEqual([id, true]);
      expect(markdown).toContain(`## ${title}\n\n${text.trim()}\n`);
    }
    const exact = json.sections.find(({ id }) => id === "exact-match")?.text ?? "";
    expect(exact).toMatch(/NFC[\s\S]*no case folding/);
  });

  it("G21: lists every field of requests and responses that OpenAPI has, in all three forms", async () => {
    const { json, html, markdown } = await referenceForms();
    const { api } = await servedApi(service);
    const names = (direction: string): string[] =>
      json.fields.filter((field) => field.direction === direction).map(({ name }) => name);
    expect(names("response")).toEqual(expect.arrayContaining(Object.keys(api.components.headers)));
    const asked = Object.values(api.paths).flatMap((item) =>
      Object.values(item).flatMap(({ parameters = [] }) => parameters.filter((each) => each.in === "header")),
    );
    expect(names("request")).toEqual(expect.arrayContaining(asked.map(({ name }) => name)));
    for (const shown of [wordsOf(textOf(html)), wordsOfMarkdown(markdown)]) {
      for (const { name, direction, description } of json.fields) {
        expect(shown).toContain(wordsOf(`${name} ${direction} ${description}`));
      }
    }
  });
});
