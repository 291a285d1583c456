/**
 * Integration: the checklist, the reports, the studio and what is in the kits, on registries of every kind. What they must
 * be is written down here once more, from the contract and not from the generator; what they show is asked of the service.
 */
import { createHash } from "node:crypto";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOffline } from "../../../generator/commands/resolve.ts";
import { agentTool } from "../../../generator/documents/agent-tool.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { compileIndex } from "../../../generator/index/compile.ts";
import { prove } from "../../../generator/integration/classifier.ts";
import { printIntegration } from "../../../generator/integration/documents.ts";
import { readHandoffs } from "../../../generator/integration/handoffs.ts";
import { openApi, openApiFragment } from "../../../generator/openapi/openapi.ts";
import { findExamples } from "../../../generator/view/examples.ts";
import { makeSamplePool } from "../../../generator/view/samples.ts";
import { makeView } from "../../../generator/view/view.ts";
import type { CheckedRegistry } from "../../../generator/registry/checked.ts";
import type { AdoptionGuide, AgentTool } from "../../../generator/contract/agent.ts";
import type { ConceptDetail } from "../../../runtime/contract/concept.ts";
import type {
  Fixture,
  IntegrationKit,
  IntegrationReadiness,
  IntegrationReport,
  IntegrationStudio,
  ProvenFixture,
} from "../../../generator/contract/integration.ts";
import type { ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import {
  EXPRESSION_MAX_LENGTH,
  EXPRESSION_MIN_LENGTH,
  LANGUAGE_MAX_LENGTH,
  LANGUAGE_MIN_LENGTH,
  RESOLVE_BODY_MAX_BYTES,
} from "../../../runtime/contract/limits.ts";
import { reportPath, resources } from "../../../runtime/contract/policy.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { openIndex } from "../../../runtime/registry/index.ts";
import { formatDocument } from "../../../runtime/text/json.ts";
import { starterContent } from "../../support/build.ts";
import { getJson, members, publishedConcepts, starterRegistry, strings, RECIPES } from "../../support/documents.ts";
import { readZip } from "../../support/kits.ts";
import { empty, LONGEST, LONGEST_ASTRAL, nasty } from "../../support/nasty.ts";
import type { ApiDescription, ApiOperation } from "../../support/openapi.ts";
import { compileSchema, expectValid, makeAjv, publishedSchema } from "../../support/schemas.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { type Service, startService } from "../../support/service.ts";

type RecipeId = (typeof RECIPES)[number];
const OUTCOMES = ["resolved-valid", "unknown", "ambiguous", "malformed", "request-error", "service-error"];
const UNASSIGNED = OUTCOMES.slice(1);
/** What a kit has below its root (O-41), in byte order. */
const FILES = [
  "README.md",
  "SHA256SUMS",
  "curl/classify.awk",
  "curl/handoff.sh",
  ...OUTCOMES.toSorted().map((id) => `fixtures/${id}.json`),
  "instructions.txt",
  "manifest.json",
  "node/classify.mjs",
  "node/handoff.mjs",
  "openapi.json",
  "powershell/handoff.ps1",
  "python/handoff.py",
  "registry-excerpt.ndjson",
  "report.json",
  "tool.json",
];

const TAG_35 = "en-x-aaaaaaaa-bbbbbbbb-cccccccc-ddd";

/** Texts that mean something to a program they pass through, in the languages that the recipes look for first. */
const HOSTILE: Readonly<Record<string, string>> = {
  hi: String.raw`"quoted" \ \"twice\" \u0041 \n`,
  fr: "</script><script>alert(1)</script>",
  sv: "a|b||c",
  vi: "`tick` ```fence```",
  nl: "$(id) ${HOME} %PATH%",
  ru: "<!-- x --> ]]> &amp; &#0;",
  de: "@ORIGIN@ @RECIPE_ID@ @RESOLVE_URL@",
  tr: "{{ 7*7 }} {% raw %}",
  zh: "' OR '1'='1' --",
  uk: "--live",
  ar: "مرحبا | بالعالم",
  pl: "😀 𠮷 👩‍💻",
  pt: "../../etc/passwd",
  id: "null",
  ja: "𠮷野家",
  ko: '{"code":"X"}',
  "zh-Hant": "=cmd|' /C calc'!A0",
  it: "\\",
  he: "שלום <b>",
  es: "data:text/html,<b>",
  "zh-Hans": "`",
};

/** One that several of them have. */
const SHARED = `"|\`</script>'\\`;

const note = (code: string, text: string, more = {}) => concept(code, [expression("en", text)], more);

const REGISTRIES = {
  starter: starterRegistry,
  nasty: () => checkedRegistry(nasty),
  small: () =>
    checkedRegistry({
      concepts: [
        concept("S-NOTE", [expression("en", "note"), expression("de", "Notiz"), expression("en", "memo")]),
        concept("S-BANKNOTE", [expression("en", "note"), expression("de", "Geldschein")]),
      ],
    }),
  empty: () => checkedRegistry(empty),
  "only near": () =>
    checkedRegistry({ concepts: [concept("NEAR", [expression("en", "nearly", { equivalenceStrength: 0.5 })])] }),
  "one language": () =>
    checkedRegistry({
      concepts: [
        concept("D-A", [expression("de", "Bank"), expression("de", "Geldhaus")]),
        concept("D-B", [expression("de", "Bank"), expression("de", "Sitzbank")]),
      ],
      registry: { languages: ["de"] },
    }),
  "no ambiguity": () =>
    checkedRegistry({ concepts: [concept("U-A", [expression("de", "eins")]), concept("U-B", [expression("fr", "deux")])] }), // prettier-ignore
  "no unique": () => checkedRegistry({ concepts: [note("Q-A", "the same"), note("Q-B", "the same")] }),
  "a long definition": () =>
    checkedRegistry({ concepts: [note("L-LONG", "hello", { definition: "d".repeat(300_000) })] }),
  hostile: () =>
    checkedRegistry({
      concepts: Object.entries(HOSTILE).map(([language, text], i) =>
        concept(
          `H-${language.toUpperCase()}`,
          // Three concepts share one: more than ten would be too many to show.
          i < 3 ? [expression(language, text), expression(language, SHARED)] : [expression(language, text)],
          {
            name: `"Name" | \`${language}\` </script>`,
            definition: 'Two lines,\nwith "quotes", \\ and </script>.',
          },
        ),
      ),
      registry: { languages: Object.keys(HOSTILE) },
    }),
  exclamations: () =>
    checkedRegistry({
      concepts: [
        concept("X-A", ["stop", "stop!", "stop!!", "stop!!!"].map((text) => expression("en", text))),
        concept("X-B", [expression("de", "halt!"), expression("de", "halt!!", { equivalenceStrength: 0.5 })]),
      ],
    }), // prettier-ignore
  "tags of 35 characters": () =>
    checkedRegistry({ concepts: [concept("T-TAG", [expression("en", "tagged", { locale: TAG_35 })])] }),
  "a draft": () =>
    checkedRegistry({ concepts: [concept("DRAFT", [expression("en", "drafted", { reviewStatus: "draft" })])] }),
} satisfies Record<string, () => CheckedRegistry>;
type Name = keyof typeof REGISTRIES;
const NAMES = Object.keys(REGISTRIES) as Name[];
/** Those whose releases are built whole. Of the others everything is printed alike: they differ in what is drawn from them. */
const WHOLE = ["starter", "nasty", "small", "empty", "hostile"] as const;
type Whole = (typeof WHOLE)[number];

interface Kit {
  readonly zip: Buffer;
  /** Every name in the ZIP. */
  readonly names: readonly string[];
  /** A file below the root. */
  file(path: string): Buffer;
  text(path: string): string;
  json(path: string): unknown;
}

interface Reply {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** What is drawn from a registry, and how requests about it are answered. */
interface Drawn {
  readonly reports: Readonly<Record<RecipeId, IntegrationReport>>;
  readonly concepts: readonly ConceptDetail[];
  ask(request: Fixture["request"]): Promise<Reply>;
}

interface Integration extends Drawn {
  readonly service: Service;
  readonly readiness: IntegrationReadiness;
  readonly studio: IntegrationStudio;
  readonly kits: Readonly<Record<RecipeId, Kit>>;
}

/** Without a release: the reports alone, and the answers from the index in memory. */
async function draw(registry: CheckedRegistry): Promise<Drawn> {
  const view = makeView(registry, ORIGIN, starterContent().site);
  const pool = makeSamplePool(registry);
  const openapi = formatDocument(openApiFragment(openApi(view, findExamples(view, pool))));
  const parts = { pool, openapi, sources: readHandoffs(fileSystem), tool: formatDocument(agentTool(view)) };
  const { documents } = await printIntegration(view, parts);
  const index = openIndex(memorySource(Buffer.concat([...compileIndex({ registry, origin: ORIGIN })])));
  const bundle = Buffer.from(index.read(index.sections.bundle)).toString().split("\n").slice(0, -1);
  return {
    reports: await ofEach((id) =>
      Promise.resolve(JSON.parse(documents.get(reportPath(id)) ?? "") as IntegrationReport),
    ),
    concepts: bundle.map((line) => JSON.parse(line) as ConceptDetail),
    ask(request) {
      const { text, code } = answerOffline(index, request);
      return Promise.resolve({ status: code === 0 ? 200 : 400, contentType: "application/json", body: `${text}\n` });
    },
  };
}

async function kitOf(service: Service, recipeId: RecipeId): Promise<Kit> {
  const reply = await service.send("GET", `/api/v1/integration-studio/kit/${recipeId}.zip`);
  expect([recipeId, reply.status]).toEqual([recipeId, 200]);
  const files = new Map((await readZip(reply.body)).map(({ name, bytes }) => [name, bytes]));
  const file = (path: string): Buffer => {
    const bytes = files.get(`service-semantics-${recipeId}/${path}`);
    if (bytes === undefined) throw new Error(`The kit of ${recipeId} has no ${path}`);
    return bytes;
  };
  return {
    zip: reply.body,
    names: [...files.keys()],
    file,
    text: (path) => new TextDecoder("utf-8", { fatal: true }).decode(file(path)),
    json: (path) => JSON.parse(file(path).toString()) as unknown,
  };
}

async function ofEach<T>(make: (recipeId: RecipeId) => Promise<T>): Promise<Record<RecipeId, T>> {
  const made = await Promise.all(RECIPES.map(async (id) => [id, await make(id)] as const));
  return Object.fromEntries(made) as Record<RecipeId, T>;
}

async function open(registry: CheckedRegistry): Promise<Integration> {
  const service = await startService(registry);
  return {
    service,
    readiness: await getJson(service, "/api/v1/integration-readiness"),
    studio: await getJson(service, "/api/v1/integration-studio"),
    reports: await ofEach((id) => getJson(service, `/api/v1/integration-readiness/report/${id}`)),
    kits: await ofEach((id) => kitOf(service, id)),
    concepts: (await service.send("GET", "/registry/bundle.ndjson")).body.length === 0 ? [] : await publishedConcepts(service),
    async ask(request) {
      const { status, headers, body } = await service.resolve(request);
      return { status, contentType: headers["content-type"], body: body.toString() };
    },
  }; // prettier-ignore
}

const isWhole = (name: Name): name is Whole => (WHOLE as readonly string[]).includes(name);
let all: Readonly<Record<Whole, Integration>>;
let drawnOf: Readonly<Record<Name, Drawn>>;
beforeAll(async () => {
  const opened: [string, Drawn][] = [];
  // One after the other: a build is all computation.
  for (const name of NAMES) opened.push([name, await (isWhole(name) ? open : draw)(REGISTRIES[name]())]);
  drawnOf = Object.fromEntries(opened) as Record<Name, Drawn>;
  all = Object.fromEntries(opened.filter(([name]) => isWhole(name as Name))) as Record<Whole, Integration>;
});
afterAll(() => Promise.all(Object.values(all).map(({ service }) => service.close())));

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The documents of one release, by what they are called in a failure. */
function documentsOf({ readiness, studio, reports, kits }: Integration): [string, unknown][] {
  return [
    ["readiness", readiness],
    ["studio", studio],
    ...RECIPES.map((id): [string, unknown] => [`report ${id}`, reports[id]]),
    ...RECIPES.map((id): [string, unknown] => [`manifest ${id}`, kits[id].json("manifest.json")]),
  ];
}

function* fixturesOf({ reports }: Pick<Drawn, "reports">): Generator<ProvenFixture, void> {
  for (const id of RECIPES) yield* reports[id].fixtures;
}

function fixture({ fixtures }: IntegrationReport, id: string): ProvenFixture {
  const found = fixtures.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no fixture ${id}`);
  return found;
}

/** The body of a fixture as an envelope. */
function envelopeOf({ response }: Fixture): ResolveEnvelope {
  return JSON.parse(response?.body ?? "") as ResolveEnvelope;
}

/** Every code that a fixture's body names, as concept or as candidate. */
function codesIn({ response }: Fixture): string[] {
  if (response === null || response.contentType !== "application/json") return [];
  return [...members(JSON.parse(response.body))].flatMap(({ pointer, name, value }) =>
    name === "code" && pointer.startsWith("/data/") ? [String(value)] : [],
  );
}

const ACCEPTANCE = /data\.status is "resolved" and data\.concept\.code is present.*HTTP 200 alone is not success/;
const VENDORS =
  /\b(?:OpenAI|ChatGPT|GPT-?\d|Anthropic|Claude|Google|Gemini|Vertex|Azure|Microsoft|Copilot|AWS|Amazon|Bedrock|LangChain|LangGraph|LlamaIndex|Llama|Mistral|Cohere|Hugging ?Face|DeepSeek|Qwen|Grok|Salesforce|Slack|Zapier|Notion|Pinecone|Weaviate|CrewAI|AutoGen|Dify|n8n)\b/i;

describe("the checklist", () => {
  it.each(WHOLE)("F11 F30: with the %s registry selects one recipe, has six fixtures, assigns by one alone", (name) => {
    const { readiness } = all[name];
    expect(readiness.selection.exactly).toBe(1);
    expect(readiness.selection.of.map(({ id }) => id)).toEqual(RECIPES);
    expect(readiness.fixtures).toEqual(OUTCOMES.map((id) => ({ id, assigns: id === "resolved-valid" })));
    expect(readiness.assignmentRule).toMatch(ACCEPTANCE);
    expect(readiness.canonicalOrigin).toBe(ORIGIN);
    const { checklist } = readiness;
    expect(checklist.map(({ step }) => step)).toEqual(checklist.map((_step, i) => i + 1));
    // The five demands of the contract, in its order.
    expect(checklist.map(({ title }) => title).join("\n")).toMatch(
      /exactly one recipe\n.*six fixed local fixtures\n.*only to a valid resolved result\n.*without an assignment\n.*authorization separately/i,
    );
  });

  it("F11 V14: preserves each outcome that assigns nothing, and wants authorization recorded apart", () => {
    const { readiness } = all.starter;
    const kept = readiness.noAssignment.join("\n");
    for (const outcome of UNASSIGNED) expect(kept).toContain(outcome);
    expect(kept).toMatch(/without a code/);
    expect(kept).toMatch(/candidate is evidence/i);
    expect(readiness.authorizationRecord.separate).toBe(true);
    expect(readiness.authorizationRecord.rule).toMatch(
      /grants no permission.*decided elsewhere.*recorded in a field of its own/,
    );
    for (const { id, handling, recorded } of readiness.selection.of) {
      expect([id, handling.map(({ outcome }) => outcome)]).toEqual([id, OUTCOMES]);
      // Each recipe says where its own authorization is kept.
      const place = recorded.map(({ what, where }) => `${what}: ${where}`).join("\n");
      expect([id, /who may|who approved|who allowed|permission|may act/i.test(place)]).toEqual([id, true]);
    }
  });

  it("F11: is provider-neutral, as are studio, reports and all that a kit says by itself", () => {
    const { starter } = all;
    const texts = documentsOf(starter).map(([what, value]): [string, string] => [what, JSON.stringify(value)]);
    for (const id of RECIPES) {
      for (const file of FILES.filter((path) => !/registry-excerpt|^fixtures/.test(path))) {
        texts.push([`${id} ${file}`, starter.kits[id].text(file)]);
      }
    }
    expect(texts.flatMap(([what, text]) => (VENDORS.test(text) ? [[what, VENDORS.exec(text)?.[0]]] : []))).toEqual([]);
  });

  it("F11: leads on to documents of this origin, each of which is there", async () => {
    const { service, readiness } = all.small;
    const named = [
      ...readiness.selection.of.flatMap(({ report, kit }) => [report, kit]),
      ...Object.values(readiness.next),
    ];
    expect(named.length).toBeGreaterThanOrEqual(14);
    for (const url of named.filter((each) => each !== `${ORIGIN}/integration-studio`)) {
      expect(url.startsWith(`${ORIGIN}/`)).toBe(true);
      const { status } = await service.send("GET", url.slice(ORIGIN.length));
      expect([url, status]).toEqual([url, 200]);
    }
  });
});

describe("the five recipes and the six fixtures", () => {
  it("F16: are the same five in the same order wherever they are listed", async () => {
    const { service, readiness, studio, reports, kits } = all.starter;
    const guide = await getJson<AdoptionGuide>(service, "/api/v1/adoption-guide");
    const api = await getJson<ApiDescription>(service, "/openapi.json");
    const parameters = Object.entries(api.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { parameters: own = [] }]) =>
        own.flatMap(({ name, schema }) => (name === "recipeId" ? [[`${method} ${path}`, schema["enum"]]] : [])),
      ),
    );
    expect(parameters.map(([where]) => where)).toEqual([
      "get /api/v1/integration-readiness/report/{recipeId}",
      "head /api/v1/integration-readiness/report/{recipeId}",
      "get /api/v1/integration-studio/kit/{recipeId}.zip",
      "head /api/v1/integration-studio/kit/{recipeId}.zip",
    ]);
    const lists: [unknown, unknown][] = [
      ["readiness", readiness.selection.of.map(({ id }) => id)],
      ["studio", studio.recipes.map(({ id }) => id)],
      ["guide", guide.useCases.map(({ id }) => id)],
      ["reports", RECIPES.map((id) => reports[id].recipe.id)],
      ["manifests", RECIPES.map((id) => (kits[id].json("manifest.json") as IntegrationKit).recipeId)],
      ...parameters.map(([where, listed]): [unknown, unknown] => [where, listed]),
    ];
    for (const [where, listed] of lists) expect([where, listed]).toEqual([where, RECIPES]);
    // A recipe reads the same in every document.
    for (const [i, id] of RECIPES.entries()) {
      const { report, kit, ...recipe } = readiness.selection.of[i] ?? { report: "", kit: "" };
      expect(reports[id].recipe).toEqual(recipe);
      expect(studio.recipes[i]).toMatchObject({ ...recipe, report, kit });
      expect(guide.useCases[i]).toMatchObject({
        title: reports[id].recipe.title,
        description: reports[id].recipe.purpose,
      });
      expect([report, kit]).toEqual([
        `${ORIGIN}/api/v1/integration-readiness/report/${id}`,
        `${ORIGIN}/api/v1/integration-studio/kit/${id}.zip`,
      ]);
    }
  });

  it("F16: are never listed but whole and in order, in any JSON document of the service", async () => {
    const { service } = all.small;
    const paths = resources.flatMap(({ variants }) =>
      variants.filter(({ policy }) => policy === "json" || policy === "linkset").map(({ location }) => location),
    );
    let seen = 0;
    for (const path of new Set(paths)) {
      for (const list of arraysOf(await getJson(service, path))) {
        const named = list.map((item) => {
          const { id, recipeId } = (item ?? {}) as { id?: unknown; recipeId?: unknown };
          return String(id ?? recipeId ?? item);
        });
        if (named.some((id) => (RECIPES as readonly string[]).includes(id))) {
          expect([path, named]).toEqual([path, RECIPES]);
          seen++;
        }
        if (named.some((id) => OUTCOMES.includes(id)) && named.includes("resolved-valid")) {
          expect([path, named]).toEqual([path, OUTCOMES]);
        }
      }
    }
    expect(seen).toBeGreaterThan(10);
  });

  it.each(NAMES)("A24 F16: the %s registry's reports have exactly the six outcomes, each once, in order", (name) => {
    for (const id of RECIPES) {
      const { fixtures, recipe } = drawnOf[name].reports[id];
      expect(new Set(fixtures.map((each) => each.expected.outcome))).toEqual(new Set(OUTCOMES));
      expect(fixtures.map((each) => each.id)).toEqual(OUTCOMES);
      expect(fixtures.map((each) => each.expected.outcome)).toEqual(OUTCOMES);
      expect(fixtures.map((each) => each.result.outcome)).toEqual(OUTCOMES);
      expect(fixtures.map((each) => each.recipeId)).toEqual(OUTCOMES.map(() => id));
      expect(recipe.handling.map(({ outcome }) => outcome)).toEqual(OUTCOMES);
      // What the fixture says is to be done is what the recipe says.
      expect(fixtures.map(({ handling }) => handling)).toEqual(recipe.handling.map(({ action }) => action));
    }
  });

  it.each(NAMES)("A25 V14: with the %s registry resolved-valid alone carries a code and registryVersion", (name) => {
    const versions = new Set([REGISTRIES[name]().registryVersion]);
    const published = drawnOf[name].concepts.map(({ code }) => code);
    for (const each of fixturesOf(drawnOf[name])) {
      const what = `${each.recipeId} ${each.id}`;
      const carried = [...members(each)].filter(({ name: member }) =>
        /^(?:code|registryVersion|conceptCode)$/.test(member),
      );
      const said = strings({ ...each, response: null, request: null });
      if (each.id === "resolved-valid") {
        const { concept: resolved } = envelopeOf(each).data;
        const assigned = { code: resolved?.code, registryVersion: resolved?.registryVersion };
        expect([what, each.expected]).toEqual([what, { outcome: "resolved-valid", ...assigned }]);
        expect([what, each.result]).toEqual([what, each.expected]);
        expect(versions).toContain(assigned.registryVersion);
        // Expected, result and record: each has the pair.
        expect([what, carried.length]).toEqual([what, 6]);
        expect(strings(each.record)).toEqual(expect.arrayContaining(Object.values(assigned)));
      } else {
        expect([what, carried]).toEqual([what, []]);
        expect([what, each.expected, each.result]).toEqual([what, { outcome: each.id }, { outcome: each.id }]);
        // Nor under another name, or inside a text.
        const codes = [...published, ...codesIn(each), ...versions];
        expect([what, said.filter((text) => codes.some((code) => text.includes(code)))]).toEqual([what, []]);
      }
    }
  });

  it.each(WHOLE)("V14 F14: with the %s registry every flag denies, in documents, records and manifests", (name) => {
    const denials: Readonly<Record<string, unknown>> = {
      sideEffects: "none",
      authorizationGranted: "none",
      isDeploymentProof: false,
      isAuthorization: false,
    };
    const isFlag = ({ name: member }: { name: string }) =>
      /^(?:is[A-Z]|downstream|semanticAssignment)|sideEffect|authoriz|grant|permi|approv/.test(member);
    for (const [what, document] of documentsOf(all[name])) {
      const flags = [...members(document)].filter(isFlag);
      for (const { pointer, name: member, value } of flags) {
        // Where authorization is recorded is no flag, and says that it is recorded elsewhere.
        if (member === "authorizationRecord")
          expect(strings(value).join("\n")).toMatch(/recorded (?:separately|in a field)/);
        else expect([what, pointer, member, value]).toEqual([what, pointer, member, denials[member]]);
      }
      const top = flags.filter(({ pointer }) => pointer === "").map(({ name: member }) => member);
      expect([what, top]).toEqual([what, expect.arrayContaining(["sideEffects", "authorizationGranted"])]);
    }
    for (const { recipeId, id, record } of fixturesOf(all[name])) {
      const granted = strings(record).filter((text) => /\b(?:authorized|approved|permitted|allowed)\b/i.test(text));
      expect([recipeId, id, granted]).toEqual([recipeId, id, []]);
    }
  });
});

/** Every array in a JSON value. */
function* arraysOf(value: unknown): Generator<readonly unknown[], void> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) yield value as unknown[];
  for (const inner of Object.values(value)) yield* arraysOf(inner);
}

describe("the recipes", () => {
  /** Members and their types, without values: what a record looks like. */
  function shapeOf(value: unknown): unknown {
    if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
  }

  /** What must differ between any two recipes, each as a text. */
  function tellsApart(report: IntegrationReport): Record<string, string> {
    const { recipe, fixtures } = report;
    const { scenario, purpose, title, placement, recorded, never, handling } = recipe;
    const [malformed, refused, failed] = ["malformed", "request-error", "service-error"].map((id) =>
      fixture(report, id),
    );
    const answerOf = (each: ProvenFixture | undefined) => {
      const { status, contentType, body = "" } = each?.response ?? {};
      return [status ?? "none", contentType ?? "none", /"code":"(\w+_\w+)","message":"[^"]*"|<title>.*/.exec(body)?.[0] ?? ""].join(" "); // prettier-ignore
    };
    return {
      title,
      purpose,
      scenario,
      never: never.join("\n"),
      placement: JSON.stringify(placement),
      recorded: JSON.stringify(recorded),
      record: JSON.stringify(shapeOf(fixture(report, "resolved-valid").record)),
      abstention: JSON.stringify(shapeOf(fixture(report, "unknown").record)),
      languages: JSON.stringify(fixtures.map(({ request }) => request.language ?? "")),
      malformed: malformed?.title ?? "",
      "request-error": refused?.title ?? "",
      refusal: answerOf(refused),
      "service-error": failed?.title ?? "",
      failure: answerOf(failed),
      ...Object.fromEntries(handling.map(({ outcome, action }) => [`handling of ${outcome}`, action])),
    };
  }

  it("F16 F11: really differ, each from each, in all that they say and show", () => {
    const told = RECIPES.map((id) => [id, tellsApart(all.starter.reports[id])] as const);
    for (const [i, [one, mine]] of told.entries()) {
      for (const [other, theirs] of told.slice(i + 1)) {
        const same = Object.keys(mine).filter((what) => mine[what] === theirs[what]);
        expect([one, other, same]).toEqual([one, other, []]);
      }
      expect([one, Object.keys(mine).filter((what) => mine[what] === "")]).toEqual([one, []]);
    }
  });

  it("share no sentence of what never to do, and no two handlings of one recipe are alike", () => {
    const sentences = RECIPES.flatMap((id) => all.starter.reports[id].recipe.never);
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const id of RECIPES) {
      const actions = all.starter.reports[id].recipe.handling.map(({ action }) => action);
      expect([id, new Set(actions).size]).toEqual([id, 6]);
    }
  });

  it("show fixtures in several languages each, and together in many", () => {
    const languages = (fixtures: Iterable<Fixture>) =>
      new Set([...fixtures].flatMap(({ request }) => request.language ?? []));
    for (const id of RECIPES) expect(languages(all.starter.reports[id].fixtures).size).toBeGreaterThanOrEqual(4);
    expect(languages(fixturesOf(all.starter)).size).toBeGreaterThanOrEqual(20);
  });

  it("show each outcome by a request of its own, where the registry has as many", () => {
    for (const id of RECIPES) {
      const sent = all.starter.reports[id].fixtures.map(({ request }) => JSON.stringify(request));
      expect([id, new Set(sent).size]).toEqual([id, 6]);
    }
  });

  it("keep what was sent in every record, unless it is the expression that was empty", () => {
    for (const each of fixturesOf(all.starter)) {
      expect([each.recipeId, each.id, strings(each.record).includes(each.request.expression)]).toEqual([
        each.recipeId,
        each.id,
        true,
      ]);
    }
  });
});

/** Kinds of fixture whose answer is the service's own, and must be what it answers. */
const ANSWERED = ["resolved-valid", "unknown", "ambiguous"];

/** Sends a fixture's request and holds the answer against what the fixture says came back. */
async function expectLive(one: Drawn, each: Fixture): Promise<void> {
  const { status, contentType, body } = await one.ask(each.request);
  const { recipeId, id, response } = each;
  expect([recipeId, id, status, contentType, body]).toEqual([
    recipeId,
    id,
    response?.status,
    response?.contentType,
    response?.body,
  ]);
}

describe("the fixtures", () => {
  it.each(NAMES)(
    "F16 A25: drawn from the %s registry are what the running service answers, to the byte",
    async (name) => {
      const { concepts } = drawnOf[name];
      const codes = new Set(concepts.map(({ code }) => code));
      for (const each of fixturesOf(drawnOf[name])) {
        const { recipeId, id, drawnFrom, request } = each;
        if (drawnFrom === "illustration") {
          for (const code of codesIn(each))
            expect([recipeId, id, code, codes.has(code)]).toEqual([recipeId, id, code, false]);
        } else {
          if (ANSWERED.includes(id)) await expectLive(drawnOf[name], each);
          for (const code of codesIn(each))
            expect([recipeId, id, code, codes.has(code)]).toEqual([recipeId, id, code, true]);
        }
        // A refusal of content depends on no registry.
        if (each.response?.status === 400) await expectLive(drawnOf[name], each);
        if (ANSWERED.includes(id)) expect(request.expression).toBe(envelopeOf(each).data.input.expression);
      }
      if (isWhole(name)) expect(all[name].service.faults).toEqual([]);
    },
  );

  it("F16: say how they are drawn: from the registry where it has an expression of that kind", () => {
    const kindsOf = (name: Name) =>
      RECIPES.map((id) => drawnOf[name].reports[id].fixtures.filter(({ drawnFrom }) => drawnFrom === "registry").map(({ id: kind }) => kind)); // prettier-ignore
    const unique = OUTCOMES.filter((id) => id !== "ambiguous");
    const expected: Readonly<Record<Name, readonly string[]>> = {
      starter: OUTCOMES,
      nasty: OUTCOMES,
      small: OUTCOMES,
      empty: [],
      "only near": [],
      "one language": OUTCOMES,
      "no ambiguity": unique,
      "no unique": ["ambiguous"],
      "a long definition": [],
      hostile: OUTCOMES,
      exclamations: unique,
      "tags of 35 characters": unique,
      "a draft": [],
    };
    for (const name of NAMES) expect([name, kindsOf(name)]).toEqual([name, RECIPES.map(() => expected[name])]);
  });

  it.each(NAMES)("C14 A24: with the %s registry resolve, abstain and break as they are called", (name) => {
    for (const id of RECIPES) {
      const report = drawnOf[name].reports[id];
      const [resolved, unknown] = [fixture(report, "resolved-valid"), fixture(report, "unknown")];
      const [ambiguous, malformed] = [fixture(report, "ambiguous"), fixture(report, "malformed")];
      expect(envelopeOf(resolved).data).toMatchObject({ status: "resolved", reason: null, confidence: 1 });
      expect(resolved.request.language?.length).toBeGreaterThan(0);
      const { data: abstained } = envelopeOf(unknown);
      expect(abstained).toMatchObject({ status: "abstained", reason: "no_reviewed_exact_match", concept: null, candidates: [] }); // prettier-ignore
      const { data: several } = envelopeOf(ambiguous);
      expect(several).toMatchObject({ status: "abstained", reason: "ambiguous_expression", concept: null });
      expect(several.candidates.length).toBeGreaterThanOrEqual(2);
      expect(ambiguous.request).toEqual({ expression: ambiguous.request.expression });
      // The whole point of this one: HTTP 200 and JSON, and still nothing to use.
      expect(malformed.response).toMatchObject({ status: 200, contentType: "application/json" });
      const refused = fixture(report, "request-error").response?.status ?? 0;
      expect([id, refused >= 400 && refused <= 499]).toEqual([id, true]);
      const failed = fixture(report, "service-error").response?.status;
      expect([id, failed === undefined || failed >= 500 || failed === 302]).toEqual([id, true]);
    }
  });

  it("C14: of malformed answers show five ways to be HTTP 200 and no success", async () => {
    const validate = await publishedSchema(all.starter.service, "resolve-response");
    const verdicts = RECIPES.map((id) => {
      const each = fixture(all.starter.reports[id], "malformed");
      const { data } = envelopeOf(each);
      return {
        id,
        schema: validate(envelopeOf(each)),
        status: data.status,
        code: data.concept?.code === undefined ? "none" : "there",
        echo: data.input.expression === each.request.expression,
      };
    });
    expect(verdicts).toEqual([
      { id: "multilingual-memory", schema: true, status: "resolved", code: "there", echo: false },
      { id: "workflow-routing", schema: false, status: "resolved", code: "none", echo: true },
      { id: "api-event-interoperability", schema: false, status: "resolved", code: "there", echo: true },
      { id: "clarification", schema: true, status: "abstained", code: "there", echo: true },
      { id: "audit-provenance", schema: false, status: "resolved", code: "there", echo: true },
    ]);
  });

  it.each(NAMES)(
    "V10: with the %s registry are refused only where they say so: no request is beyond a limit",
    (name) => {
      for (const each of fixturesOf(drawnOf[name])) {
        const { expression: text, language } = each.request;
        const within = text !== "" && Array.from(text).length <= EXPRESSION_MAX_LENGTH && (language ?? "en") !== "" && (language ?? "").length <= LANGUAGE_MAX_LENGTH; // prettier-ignore
        const may = each.id === "request-error" && each.response?.status === 400;
        expect([each.recipeId, each.id, within || may]).toEqual([each.recipeId, each.id, true]);
      }
    },
  );

  it("show every hostile text as it is, in every file that has it", () => {
    const shown = new Set([...fixturesOf(all.hostile)].map(({ request }) => request.expression.replace(/!$/, "")));
    expect([SHARED, ...Object.values(HOSTILE)].filter((text) => !shown.has(text))).toEqual([]);
    for (const id of RECIPES) {
      for (const kind of OUTCOMES) {
        const { request } = all.hostile.kits[id].json(`fixtures/${kind}.json`) as Fixture;
        expect(request).toEqual(fixture(all.hostile.reports[id], kind).request);
      }
    }
  });

  it("ask for a tag of 35 characters as it stands", () => {
    for (const id of RECIPES) {
      const { request } = fixture(drawnOf["tags of 35 characters"].reports[id], "resolved-valid");
      expect([id, request]).toEqual([id, { expression: "tagged", language: TAG_35 }]);
    }
  });

  it("step over near-misses that the registry holds, at whatever strength", () => {
    for (const id of RECIPES) {
      const { request } = fixture(drawnOf.exclamations.reports[id], "unknown");
      expect([id, ["stop!!!!", "halt!!!"].includes(request.expression)]).toEqual([id, true]);
    }
  });
});

describe("the reports", () => {
  it.each(WHOLE)("F14: with the %s registry say that they are no deployment proof and no authorization", (name) => {
    for (const id of RECIPES) {
      const report = all[name].reports[id];
      expect(report).toMatchObject({ passed: true, isDeploymentProof: false, isAuthorization: false });
      const said = report.statements.join("\n");
      expect(said).toMatch(/not a proof of deployment/);
      expect(said).toMatch(/not an authorization/);
      expect(said).toMatch(/illustration.*in no registry.*must not be recorded/);
      expect(report.fixtures.map(({ asDeclared }) => asDeclared)).toEqual(OUTCOMES.map(() => true));
      const kit = all[name].kits[id];
      expect(kit.text("README.md")).toMatch(/does not show that a service is deployed[\s\S]*authorizes nothing/);
      expect(kit.text("instructions.txt")).toMatch(/grant no authorization/);
    }
    expect(all[name].readiness.isDeploymentProof).toBe(false);
  });

  it.each(WHOLE)(
    "F24 F32: with the %s registry are what the classifier makes of the kit's fixtures, and lie in it",
    async (name) => {
      const { service, reports, kits } = all[name];
      for (const id of RECIPES) {
        const kit = kits[id];
        const served = await service.send("GET", `/api/v1/integration-readiness/report/${id}`);
        expect([id, kit.file("report.json").equals(served.body)]).toEqual([id, true]);
        const packed = OUTCOMES.map((kind) => kit.json(`fixtures/${kind}.json`) as Fixture);
        expect(prove(packed)).toEqual(reports[id].fixtures);
        // Six and no more, and each the report's own without the verdict.
        expect(kit.names.filter((file) => file.includes("/fixtures/")).length).toBe(6);
        for (const [i, { result: _result, asDeclared: _asDeclared, ...declared }] of reports[id].fixtures.entries()) {
          expect(packed[i]).toEqual(declared);
          expect(Object.keys(packed[i] ?? {})).toEqual(Object.keys(declared));
        }
      }
    },
  );

  it.each(RECIPES)(
    "F24: name the classifier by its file in the kit and its digest, and it judges so: %s",
    async (id) => {
      const { classifier, fixtures } = all.small.reports[id];
      const source = all.small.kits[id].file(classifier.file);
      expect([id, classifier.sha256]).toEqual([id, sha256(source)]);
      const { classify } = (await import(`data:text/javascript;base64,${source.toString("base64")}`)) as {
        classify: (expression: string, response: unknown) => unknown;
      };
      for (const { request, response, result } of fixtures) {
        const answer = response && { ...response, body: new TextEncoder().encode(response.body) };
        expect(classify(request.expression, answer)).toEqual(result);
      }
    },
  );

  it("C14: the packed classifier takes no code from HTTP 200 alone: status and code must both be right", async () => {
    const source = all.small.kits["clarification"].file("node/classify.mjs");
    const { classify } = (await import(`data:text/javascript;base64,${source.toString("base64")}`)) as {
      classify: (expression: string, response: unknown) => { outcome: string };
    };
    const each = fixture(all.small.reports["clarification"], "resolved-valid");
    const judge = (change: (envelope: Record<string, Record<string, unknown>>) => void) => {
      const envelope = JSON.parse(each.response?.body ?? "") as Record<string, Record<string, unknown>>;
      change(envelope);
      const body = new TextEncoder().encode(JSON.stringify(envelope));
      return classify(each.request.expression, { status: 200, contentType: "application/json", body });
    };
    expect(judge(() => undefined)).toEqual(each.expected);
    const conceptOf = ({ data }: Record<string, Record<string, unknown>>) =>
      data?.["concept"] as Record<string, unknown>;
    const spoil: ((envelope: Record<string, Record<string, unknown>>) => void)[] = [
      (envelope) => delete conceptOf(envelope)["code"],
      (envelope) => (conceptOf(envelope)["code"] = ""),
      (envelope) => (conceptOf(envelope)["code"] = 7),
      (envelope) => delete conceptOf(envelope)["registryVersion"],
      (envelope) => (conceptOf(envelope)["registryVersion"] = ""),
      ({ data }) => Object.assign(data ?? {}, { status: "abstained" }),
      ({ data }) => Object.assign(data ?? {}, { status: "Resolved" }),
      ({ data }) => Object.assign(data ?? {}, { concept: null }),
      ({ data }) => Object.assign(data ?? {}, { reason: "ambiguous_expression" }),
      ({ data }) => Object.assign(data ?? {}, { input: { expression: "another" } }),
      (envelope) => Object.assign(envelope, { error: { code: "x", message: "y" } }),
      (envelope) => Object.assign(envelope, { data: null }),
    ];
    for (const change of spoil)
      expect([String(change), judge(change)]).toEqual([String(change), { outcome: "malformed" }]);
  });
});

describe("the studio", () => {
  it("F17: leads through understand, select, prove, generate, inspect, download", () => {
    for (const name of WHOLE) {
      const { journey } = all[name].studio;
      expect(journey.map(({ id }) => id)).toEqual(["understand", "select", "prove", "generate", "inspect", "download"]);
      expect(journey.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  it("F18: proves locally, by the six fixed fixtures and the rules of the checklist", () => {
    for (const name of WHOLE) {
      const { studio, readiness, reports } = all[name];
      expect(studio.localProof).toEqual({ fixtures: OUTCOMES, network: "none", rules: readiness.classifier });
      for (const id of RECIPES) expect(reports[id].classifier.rules).toEqual(readiness.classifier);
    }
    const { classifier } = all.starter.readiness;
    expect(classifier.map(({ rule }) => rule)).toEqual(classifier.map((_rule, i) => i + 1));
    expect(classifier.filter(({ outcome }) => outcome === "resolved-valid").length).toBe(1);
    expect(new Set(classifier.map(({ outcome }) => outcome))).toEqual(new Set(OUTCOMES));
  });

  it("F19: its adapters need nothing from outside: the sources import the standard library and their own files", () => {
    const { studio, kits } = all.starter;
    expect(studio.adapters.dependencies).toEqual([]);
    const standard = /^(?:argparse|codecs|hashlib|http(?:\.client)?|io|json|math|os|pathlib|re|socket|ssl|struct|sys|threading|time|types|typing|urllib(?:\.\w+)?|unicodedata)$/; // prettier-ignore
    for (const id of RECIPES) {
      const kit = kits[id];
      expect((kit.json("manifest.json") as IntegrationKit).dependencies).toEqual([]);
      const imported = ["node/handoff.mjs", "node/classify.mjs"].flatMap((file) =>
        [...kit.text(file).matchAll(/(?:from|import\(?|require\()\s*["']([^"']+)["']/g)].map(([, from = ""]) => from),
      );
      expect(imported.length).toBeGreaterThan(2);
      expect([id, imported.filter((from) => !/^node:|^\.\//.test(from))]).toEqual([id, []]);
      const modules = [...kit.text("python/handoff.py").matchAll(/^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w., ]+))/gm)] // prettier-ignore
        .flatMap(([, from, names = ""]) => (from === undefined ? names.split(",").map((one) => one.trim().split(" ")[0] ?? "") : [from])); // prettier-ignore
      expect(modules.length).toBeGreaterThan(2);
      expect([id, modules.filter((from) => !standard.test(from))]).toEqual([id, []]);
      expect(kit.text("powershell/handoff.ps1")).not.toMatch(/Import-Module|Install-|#Requires\s+-Modules|Invoke-Expression|\biex\b/i); // prettier-ignore
      expect(kit.text("curl/handoff.sh").replaceAll(/^#.*$/gm, "")).not.toMatch(
        /\b(?:jq|python3?|node|perl|wget|npm|pip)\b/,
      );
      expect(kit.names.filter((file) => /package(?:-lock)?\.json|requirements|node_modules|\.psd1|pyproject/.test(file))).toEqual([]); // prettier-ignore
    }
  });

  it("F20: leaves live resolution off, in words, flags and commands", () => {
    const { studio, kits } = all.starter;
    expect(studio.liveResolution.default).toBe("off");
    for (const id of RECIPES) {
      const { liveResolution, handoffs } = kits[id].json("manifest.json") as IntegrationKit;
      expect(liveResolution).toMatchObject({ default: "off", url: `${ORIGIN}/api/v1/resolve` });
      expect(handoffs).toEqual(studio.handoffs);
      for (const { prove: proof, resolve } of handoffs) {
        expect([proof.includes(liveResolution.flag), resolve.includes(liveResolution.flag)]).toEqual([false, true]);
      }
    }
    expect(studio.liveResolution.turnOn).toContain("--live");
  });

  it("F23 F17: offers handoffs in Python, Node.js, PowerShell and curl, whose programs are in every kit", () => {
    const { studio, kits } = all.starter;
    expect(studio.handoffs.map(({ language }) => language)).toEqual(["python", "node", "powershell", "curl"]);
    for (const { language, prove: proof, resolve, requires } of studio.handoffs) {
      expect(requires.length).toBeGreaterThan(5);
      const [program] = proof.filter((word) => word.includes("/"));
      expect(program?.startsWith(`${language}/`)).toBe(true);
      expect(resolve).toContain(program);
      for (const id of RECIPES) expect(kits[id].file(program ?? "").length).toBeGreaterThan(500);
    }
  });

  it.each(WHOLE)(
    "O-41 F26: with the %s registry lists the files of each kit and the ZIP, sizes and digests right",
    (name) => {
      const { studio, kits } = all[name];
      for (const { id, archive, files, kit: url } of studio.recipes) {
        const kit = kits[id];
        expect([id, files]).toEqual([
          id,
          FILES.map((path) => ({ path, bytes: kit.file(path).length, sha256: sha256(kit.file(path)) })),
        ]);
        expect(archive).toEqual({
          path: url.slice(ORIGIN.length),
          bytes: kit.zip.length,
          sha256: sha256(kit.zip),
          mediaType: "application/zip",
        });
      }
    },
  );
});

describe("a kit", () => {
  it.each(WHOLE)("O-41 F23 F24: of the %s registry has its root, its files and nothing else", (name) => {
    for (const id of RECIPES) {
      const expected = FILES.map((file) => `service-semantics-${id}/${file}`);
      expect([id, all[name].kits[id].names.toSorted()]).toEqual([id, expected.toSorted()]);
    }
  });

  it.each(WHOLE)("F26: of the %s registry has the digest of every other file in SHA256SUMS, sorted", (name) => {
    for (const id of RECIPES) {
      const kit = all[name].kits[id];
      const others = FILES.filter((path) => path !== "SHA256SUMS");
      const lines = others.map((path) => `${sha256(kit.file(path))}  ${path}\n`);
      expect([id, kit.text("SHA256SUMS")]).toEqual([id, lines.join("")]);
      const { files } = kit.json("manifest.json") as IntegrationKit;
      const listed = others.filter((path) => path !== "manifest.json");
      expect(files).toEqual(
        listed.map((path) => ({ path, bytes: kit.file(path).length, sha256: sha256(kit.file(path)) })),
      );
    }
  });

  it.each(WHOLE)(
    "O-39 F30: the %s registry's documents and manifests are valid by the schemas they name",
    async (name) => {
      const { service } = all[name];
      const validators = new Map<string, ValidateFunction>();
      const constants: string[] = [];
      for (const [what, document] of documentsOf(all[name])) {
        const { schema, $schema } = document as { schema: string; $schema: string };
        constants.push(schema);
        const kind = /^service-semantics\.([\w-]+)\.v1$/.exec(schema)?.[1] ?? "";
        expect([what, $schema]).toEqual([what, `${ORIGIN}/schemas/${kind}.v1.json`]);
        const validate = validators.get(kind) ?? (await publishedSchema(service, kind));
        validators.set(kind, validate);
        expectValid(validate, document, what);
        // A schema that takes anything judges nothing.
        expect([what, validate({ ...(document as object), more: 1 })]).toEqual([what, false]);
      }
      const of = (kind: string) => `service-semantics.${kind}.v1`;
      expect(constants).toEqual([
        of("integration-readiness"),
        of("integration-studio"),
        ...RECIPES.map(() => of("integration-report")),
        ...RECIPES.map(() => of("integration-kit")),
      ]);
    },
  );

  it("O-39 F16: the schemas hold to five recipes, six fixtures and the verdicts that pass", async () => {
    const { service, readiness, studio, reports } = all.small;
    const report = reports["clarification"];
    const manifest = all.small.kits["clarification"].json("manifest.json") as IntegrationKit;
    const [first, second] = report.fixtures;
    const spoiled: [string, unknown][] = [
      ["integration-readiness", { ...readiness, fixtures: readiness.fixtures.slice(1) }],
      ["integration-readiness", { ...readiness, fixtures: [...readiness.fixtures, readiness.fixtures[0]] }],
      ["integration-readiness", { ...readiness, selection: { ...readiness.selection, exactly: 2 } }],
      ["integration-readiness", { ...readiness, selection: { exactly: 1, of: readiness.selection.of.slice(1) } }],
      ["integration-readiness", { ...readiness, authorizationGranted: "some" }],
      ["integration-readiness", { ...readiness, authorizationRecord: { separate: false, rule: "x" } }],
      ["integration-studio", { ...studio, journey: studio.journey.slice(1) }],
      ["integration-studio", { ...studio, recipes: studio.recipes.slice(1) }],
      ["integration-studio", { ...studio, liveResolution: { ...studio.liveResolution, default: "on" } }],
      ["integration-studio", { ...studio, adapters: { ...studio.adapters, dependencies: ["left-pad"] } }],
      ["integration-report", { ...report, passed: false }],
      ["integration-report", { ...report, isAuthorization: true }],
      ["integration-report", { ...report, fixtures: report.fixtures.slice(1) }],
      ["integration-report", { ...report, recipe: { ...report.recipe, id: "other" } }],
      // A code with an outcome that has none, and an assignment without one.
      ["integration-report", { ...report, fixtures: report.fixtures.map((each) => (each === second ? { ...each, result: { ...each.result, code: "X", registryVersion: "1" } } : each)) }], // prettier-ignore
      ["integration-report", { ...report, fixtures: report.fixtures.map((each) => (each === first ? { ...each, expected: { outcome: "resolved-valid" } } : each)) }], // prettier-ignore
      ["integration-kit", { ...manifest, dependencies: ["left-pad"] }],
      ["integration-kit", { ...manifest, recipeId: "other" }],
      ["integration-kit", { ...manifest, liveResolution: { ...manifest.liveResolution, default: "on" } }],
    ];
    for (const [i, [kind, document]] of spoiled.entries()) {
      const validate = await publishedSchema(service, kind);
      expect([i, kind, validate(document)]).toEqual([i, kind, false]);
    }
  });

  it.each(WHOLE)(
    "F25: of the %s registry has the tool definition of the service, valid by its schema, to the byte",
    async (name) => {
      const { service, kits } = all[name];
      const served = await service.send("GET", "/agent-tool.json");
      const validate = await publishedSchema(service, "agent-tool");
      for (const id of RECIPES) {
        expect([id, kits[id].file("tool.json").equals(served.body)]).toEqual([id, true]);
        expectValid(validate, kits[id].json("tool.json"), id);
      }
    },
  );

  it.each(WHOLE)(
    "F25 V10: of the %s registry has an OpenAPI 3.1 fragment of the one operation, whole and as served",
    async (name) => {
      const { service, kits } = all[name];
      const api = await getJson<ApiDescription & Record<string, unknown>>(service, "/openapi.json");
      for (const id of RECIPES) {
        const fragment = kits[id].json("openapi.json") as ApiDescription & Record<string, unknown>;
        const { openapi, info, jsonSchemaDialect, servers, security, tags, paths, components, ...more } = fragment;
        expect([openapi, more]).toEqual(["3.1.0", {}]);
        expect([info, jsonSchemaDialect, servers, security]).toEqual([api.info, api["jsonSchemaDialect"], api.servers, api.security]); // prettier-ignore
        expect([typeof info.title, info.version]).toEqual(["string", "1.7.0"]);
        expect(Object.keys(paths)).toEqual(["/api/v1/resolve"]);
        expect(Object.keys(paths["/api/v1/resolve"] ?? {})).toEqual(["post"]);
        expect(paths["/api/v1/resolve"]).toEqual(api.paths["/api/v1/resolve"]);
        const operation = paths["/api/v1/resolve"]?.["post"] as ApiOperation;
        expect(tags.map((tag) => tag.name)).toEqual(operation.tags);
        // Every reference leads somewhere inside, every component is led to, and each is the service's own.
        const kinds = components as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
        const pointers = Object.entries(kinds).flatMap(([kind, held]) => Object.keys(held).map((one) => `#/components/${kind}/${one}`)); // prettier-ignore
        const referred = [...members(fragment)]
          .filter((member) => member.name === "$ref")
          .map(({ value }) => String(value));
        expect(new Set(referred)).toEqual(new Set(pointers));
        for (const [kind, held] of Object.entries(kinds)) {
          const whole = api.components[kind as "schemas"];
          for (const [one, value] of Object.entries(held)) expect([kind, one, value]).toEqual([kind, one, whole[one]]);
        }
        expectCompiles(fragment);
      }
    },
  );

  it("F25 V10: repeats the limits that the service keeps, in tool, fragment and instructions", async () => {
    const { service, kits } = all.small;
    const limits = { expression: [EXPRESSION_MIN_LENGTH, EXPRESSION_MAX_LENGTH], language: [LANGUAGE_MIN_LENGTH, LANGUAGE_MAX_LENGTH] }; // prettier-ignore
    expect(limits).toEqual({ expression: [1, 1000], language: [1, 35] });
    const longTag = (length: number) => "en-x-aaaaaaaa-bbbbbbbb-cccccccc-dddddddd".slice(0, length);
    const asked: [unknown, number][] = [
      [{ expression: "" }, 400],
      [{ expression: "x" }, 200],
      [{ expression: "x".repeat(1000) }, 200],
      [{ expression: "😀".repeat(1000) }, 200],
      [{ expression: "x".repeat(1001) }, 400],
      [{ expression: "😀".repeat(1001) }, 400],
      [{ expression: "x", language: "" }, 400],
      [{ expression: "x", language: longTag(35) }, 200],
      [{ expression: "x", language: longTag(36) }, 400],
      [{ expression: "x", more: 1 }, 400],
    ];
    for (const [request, status] of asked)
      expect([request, (await service.resolve(request)).status]).toEqual([request, status]);
    const padded = (bytes: number) => `{"expression":"x"}${" ".repeat(bytes - 18)}`;
    expect((await service.resolve(padded(RESOLVE_BODY_MAX_BYTES))).status).toBe(200);
    expect((await service.resolve(padded(RESOLVE_BODY_MAX_BYTES + 1))).status).toBe(413);
    for (const id of RECIPES) {
      const tool = kits[id].json("tool.json") as AgentTool;
      const { components } = kits[id].json("openapi.json") as ApiDescription;
      for (const schema of [tool.inputSchema, components.schemas["ResolveRequest"] as Record<string, unknown>]) {
        const validate = compileSchema(schema);
        for (const [request, status] of asked) expect([id, request, validate(request)]).toEqual([id, request, status === 200]); // prettier-ignore
      }
      expect(tool.transport).toMatchObject({ direct: { maximumBodyBytes: RESOLVE_BODY_MAX_BYTES, url: `${ORIGIN}/api/v1/resolve` } }); // prettier-ignore
      expect(kits[id].text("instructions.txt")).toMatch(/exact expression .*\b1 to 1000 characters/);
    }
  });

  it.each(WHOLE)("F25: of the %s registry has machine instructions: how to ask, to read, to act, to record", (name) => {
    for (const id of RECIPES) {
      const text = all[name].kits[id].text("instructions.txt");
      const { recipe, classifier } = all[name].reports[id];
      expect(text).toMatch(/^Recipe [\w-]+: operating rules\n/);
      expect(text).toMatch(ACCEPTANCE);
      expect(text).toContain(`POST ${ORIGIN}/api/v1/resolve\nContent-Type: application/json\n`);
      for (const rule of [/only the exact expression/, /no conversation/, /no secrets/, /NFC/, /RFC 4647/])
        expect(text).toMatch(rule);
      const said = [
        recipe.id,
        recipe.purpose,
        ...Object.values(recipe.placement),
        ...recipe.never,
        ...recipe.recorded.flatMap(({ what, where }) => [what, where]),
        ...recipe.handling.flatMap(({ outcome, action }) => [outcome, action]),
        ...classifier.rules.map(({ rule, when, outcome }) => `${rule}. ${when}: ${outcome}.`),
      ];
      expect([id, said.filter((each) => !text.includes(each))]).toEqual([id, []]);
      const { registryVersion, status } = all[name].readiness.readiness;
      expect(text).toContain(`Registry version: ${registryVersion} (${status})`);
    }
  });

  it("F24 F25: explains itself in its README: proof, files, outcomes, exit codes, what it is not", () => {
    const { kits, reports, studio } = all.hostile;
    for (const id of RECIPES) {
      const text = kits[id].text("README.md");
      const { recipe, fixtures } = reports[id];
      const said = [
        "sha256sum -c SHA256SUMS",
        ...studio.handoffs.flatMap(({ prove: proof, resolve }) => [proof.join(" "), resolve.join(" ")]),
        recipe.scenario,
        ...recipe.never,
        ...recipe.handling.map(({ action }) => action),
        ...fixtures.map(({ title }) => title),
        ...studio.exitCodes.resolve.map(({ code, means }) => `| ${code} | ${means} |`),
      ];
      expect([id, said.filter((each) => !text.includes(each))]).toEqual([id, []]);
      // A table whose rows have cells of their own number is none.
      const rows = text.split("\n").filter((line) => line.startsWith("|"));
      for (const row of rows) expect([row, [3, 4].includes(row.split("|").length - 1)]).toEqual([row, true]);
      const files = new Set(FILES.map((path) => path.replace(/\/.*/, "/")));
      expect([...files].filter((path) => !text.includes(`\`${path}\``) && path !== "README.md")).toEqual([]);
    }
  });

  it.each(WHOLE)(
    "F24: of the %s registry has, as excerpt, lines of the public bundle: all concepts that are shown",
    async (name) => {
      const { service, kits, reports } = all[name];
      const bundle = (await service.send("GET", "/registry/bundle.ndjson")).body.toString();
      const published = new Set(bundle.split("\n").slice(0, -1));
      for (const id of RECIPES) {
        const text = kits[id].text("registry-excerpt.ndjson");
        const lines = text.split("\n");
        expect(lines.pop()).toBe("");
        expect([id, lines.filter((line) => !published.has(line)).map((line) => line.slice(0, 80))]).toEqual([id, []]);
        const excerpt = lines.map((line) => (JSON.parse(line) as ConceptDetail).code);
        expect(excerpt).toEqual([...new Set(excerpt)].sort());
        const drawn = reports[id].fixtures.filter(({ drawnFrom }) => drawnFrom === "registry");
        const named = new Set(drawn.flatMap((each) => codesIn(each)));
        expect([id, [...named].filter((code) => !excerpt.includes(code))]).toEqual([id, []]);
        // And whoever looks for an expression that was sent finds it there.
        const held = lines.flatMap((line) =>
          (JSON.parse(line) as ConceptDetail).expressions.map((each) => each.expression),
        );
        for (const each of drawn.filter(({ id: kind }) =>
          ["resolved-valid", "ambiguous", "malformed"].includes(kind),
        )) {
          expect([id, each.id, held.includes(each.request.expression)]).toEqual([id, each.id, true]);
        }
      }
    },
  );

  it.each(WHOLE)(
    "V11 V13: of the %s registry is bound to this origin alone, and has no mark or placeholder left",
    (name) => {
      for (const id of RECIPES) {
        const kit = all[name].kits[id];
        for (const file of FILES) {
          const text = kit.text(file);
          const own = /^(?:fixtures|report|registry-excerpt|openapi)/.test(file);
          if (!own)
            expect([id, file, text.match(/@[A-Z_]+@|\{base_url\}|\bundefined\b(?=\n)/g)]).toEqual([id, file, null]);
          const foreign = (text.match(/https?:\/\/[^\s"'`)<>\\|,]+/g) ?? []).filter(
            (url) => !url.startsWith(ORIGIN) && !url.startsWith("https://json-schema.org/"),
          );
          expect([id, file, foreign]).toEqual([id, file, []]);
          if (text !== "")
            expect([id, file, text.endsWith("\n"), text.includes("\r")]).toEqual([id, file, true, false]);
        }
      }
    },
  );
});

const compiled = new Set<string>();

/** Compiles every schema of a description, references and all, strictly; the same components once. */
function expectCompiles(api: ApiDescription): void {
  const components = JSON.stringify(api.components);
  if (compiled.has(components)) return;
  const ajv = makeAjv();
  ajv.addVocabulary(Object.keys(api));
  ajv.addSchema(api, "https://api.test/openapi.json", false, false);
  for (const name of Object.keys(api.components.schemas)) {
    const validate = ajv.compile({ $ref: `https://api.test/openapi.json#/components/schemas/${name}` });
    expect([name, typeof validate]).toEqual([name, "function"]);
  }
  compiled.add(components);
}

describe("an empty registry", () => {
  it("F12 F24: has everything too: all fixtures are illustrations, and nothing of them is published", async () => {
    const { service, readiness, reports, kits } = all.empty;
    expect(readiness.readiness).toMatchObject({ status: "not_ready_empty_registry", publishedConcepts: 0 });
    for (const id of RECIPES) {
      expect(kits[id].file("registry-excerpt.ndjson").length).toBe(0);
      for (const each of reports[id].fixtures) {
        expect([id, each.id, each.drawnFrom]).toEqual([id, each.id, "illustration"]);
        for (const code of codesIn(each)) {
          const reply = await service.send("GET", `/api/v1/concepts/${code}`);
          expect([id, code, reply.status]).toEqual([id, code, 404]);
        }
        // What is made up is not what the service would say.
        if (ANSWERED.includes(each.id)) {
          const { data } = (await service.resolve(each.request)).json() as ResolveEnvelope;
          expect(data.reason).toBe("registry_empty");
        }
      }
    }
  });
});

describe("a registry at a limit", () => {
  const LONG: readonly (readonly [string, CheckedRegistry])[] = [
    ["1000 letters", checkedRegistry({ concepts: [note("L", "x".repeat(1000))] })],
    ["1000 astral characters", checkedRegistry({ concepts: [note("L", LONGEST_ASTRAL)] })],
    [
      "1000 ideographs",
      checkedRegistry({
        concepts: [concept("L", [expression("zh-Hant", LONGEST)])],
        registry: { languages: ["zh-Hant"] },
      }),
    ],
    [
      "999 letters and the same with !",
      checkedRegistry({
        concepts: [concept("L", [expression("en", "y".repeat(999)), expression("en", `${"y".repeat(999)}!`)])],
      }),
    ],
  ];

  it.each(LONG)(
    "V10 F24: with an expression of %s asks nothing that the service refuses, and says what it answers",
    async (_name, registry) => {
      const one = await draw(registry);
      for (const id of RECIPES) {
        const answered = one.reports[id].fixtures.filter((each) => ANSWERED.includes(each.id));
        for (const each of answered) {
          const length = Array.from(each.request.expression).length;
          expect([id, each.id, length >= 1 && length <= 1000]).toEqual([id, each.id, true]);
          if (each.drawnFrom === "registry") await expectLive(one, each);
          expect((await one.ask(each.request)).status).toBe(200);
        }
      }
    },
  );

  /** Each has one that can be shown, behind one of the same language and domain that cannot. */
  const BEHIND: readonly (readonly [string, string, CheckedRegistry])[] = [
    [
      "a definition too long to show",
      "resolved-valid",
      checkedRegistry({
        concepts: [note("A-LONG", "hello", { definition: "d".repeat(300_000) }), note("B-SHORT", "good day")],
      }),
    ],
    [
      "an expression too long to show",
      "resolved-valid",
      checkedRegistry({ concepts: [concept("A-LONG", [expression("en", "x".repeat(1000)), expression("en", "y")])] }),
    ],
    [
      "an expression of more concepts than candidates",
      "ambiguous",
      checkedRegistry({
        concepts: [
          ...Array.from({ length: 12 }, (_none, i) => note(`A-MANY-${String.fromCharCode(65 + i)}`, "many")),
          note("B-ONE", "several"),
          note("B-TWO", "several"),
        ],
      }),
    ],
  ];

  it.each(BEHIND)("F24: behind %s draws %s from the next of its language and domain", async (_what, kind, registry) => {
    const one = await draw(registry);
    for (const id of RECIPES) {
      const each = fixture(one.reports[id], kind);
      expect([id, each.drawnFrom]).toEqual([id, "registry"]);
      await expectLive(one, each);
    }
  });

  it("F24: whose tags are all longer than a request can hold is shown by illustrations", async () => {
    const tag = "en-x-aaaaaaaa-bbbbbbbb-cccccccc-dddddddd";
    const concepts = [concept("T-LONG", [expression("en", "tagged", { locale: tag })])];
    for (const each of fixturesOf(await draw(checkedRegistry({ concepts })))) {
      expect([each.recipeId, each.id, each.drawnFrom]).toEqual([each.recipeId, each.id, "illustration"]);
    }
  });
});

describe("a registry that has what the illustrations have", () => {
  const TAKEN: readonly (readonly [string, CheckedRegistry])[] = [
    ["the codes", checkedRegistry({ concepts: [note("EXAMPLE-1", "real"), note("EXAMPLE-2", "as real")] })],
    ["the codes, nothing exact", checkedRegistry({ concepts: [concept("EXAMPLE-1", [expression("en", "near", { equivalenceStrength: 0.5 })])] })], // prettier-ignore
  ];

  it.each(TAKEN)("F24 F14: %s: an illustration shows no code that is published", async (_name, registry) => {
    const one = await draw(registry);
    const published = one.concepts.map(({ code }) => code);
    const made = [...fixturesOf(one)].filter(({ drawnFrom }) => drawnFrom === "illustration");
    expect(made.length).toBeGreaterThan(0);
    const shown = made.flatMap((each) => codesIn(each).filter((code) => published.includes(code)));
    expect([...new Set(shown)]).toEqual([]);
  });

  it("F24: the expressions, ambiguous or near: everything is still as declared", async () => {
    const text = "illustrative expression";
    const concepts = [
      concept("I-A", [expression("en", text), expression("en", `${text}!`, { equivalenceStrength: 0.5 })]),
      concept("I-B", [
        expression("en", text),
        expression("de", `${text} of several concepts`, { equivalenceStrength: 0.5 }),
      ]),
    ];
    const one = await draw(checkedRegistry({ concepts }));
    for (const each of fixturesOf(one)) {
      if (each.drawnFrom === "registry" && ANSWERED.includes(each.id)) await expectLive(one, each);
      expect(each.result).toEqual(each.expected);
      if (each.drawnFrom === "illustration" && ANSWERED.includes(each.id))
        expect([text, `${text} of several concepts`]).not.toContain(each.request.expression);
    }
  });
});
