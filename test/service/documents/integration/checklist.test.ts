/** The checklist, and the five recipes and six fixtures wherever they are listed. */
import { describe, expect, it } from "vitest";
import type { AdoptionGuide } from "../../../../generator/contract/agent.ts";
import type { Classification, IntegrationKit, ProvenFixture } from "../../../../generator/contract/integration.ts";
import { resources } from "../../../../runtime/contract/policy.ts";
import { getJson, members, strings, RECIPES } from "../../../support/documents.ts";
import type { ApiDescription } from "../../../support/openapi.ts";
import { ORIGIN } from "../../../support/release.ts";
import {
  ACCEPTANCE,
  codesIn,
  documentsOf,
  envelopeOf,
  FILES,
  fixturesOf,
  integrations,
  OUTCOMES,
  UNASSIGNED,
} from "../../../support/integration.ts";
import { NAMES, REGISTRIES, WHOLE } from "../../../support/integration-registries.ts";

const { all, drawnOf } = integrations(NAMES);

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
      // Candidates name concepts, as evidence: in the answer, and in what the classifier hands on.
      const { response: _sent, request: _asked, ...judged } = each;
      const [expected, result] = [each.expected, each.result].map(withoutCandidates);
      const carried = [...members({ ...judged, expected, result })].filter(({ name: member }) =>
        /^(?:code|registryVersion|conceptCode)$/.test(member),
      );
      const said = strings({ ...judged, expected, result });
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
        expect([what, each.result]).toEqual([what, each.expected]);
        expect([what, expected]).toEqual([what, { outcome: each.id, ...reasonOf(each) }]);
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

function withoutCandidates(result: Classification): object {
  const { candidates: _named, ...others } = { candidates: [], ...result };
  return others;
}

/** What an abstention has besides its outcome; its candidates are those of the answer. */
function reasonOf(each: ProvenFixture): { reason?: string | null } {
  if (each.id !== "unknown" && each.id !== "ambiguous") return {};
  const { reason, candidates } = envelopeOf(each).data;
  expect(each.expected).toHaveProperty(
    "candidates",
    candidates.map(({ code, name }) => ({ code, name })),
  );
  return { reason };
}

/** Every array in a JSON value. */
function* arraysOf(value: unknown): Generator<readonly unknown[], void> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) yield value as unknown[];
  for (const inner of Object.values(value)) yield* arraysOf(inner);
}
