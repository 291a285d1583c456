/** The recipes, and the fixtures that show them. */
import { describe, expect, it } from "vitest";
import type { Fixture, IntegrationReport, ProvenFixture } from "../../../../generator/contract/integration.ts";
import { EXPRESSION_MAX_LENGTH, LANGUAGE_MAX_LENGTH } from "../../../../runtime/contract/limits.ts";
import { strings, RECIPES } from "../../../support/documents.ts";
import { publishedSchema } from "../../../support/schemas.ts";
import {
  ANSWERED,
  codesIn,
  envelopeOf,
  expectLive,
  fixture,
  fixturesOf,
  integrations,
  OUTCOMES,
} from "../../../support/integration.ts";
import { HOSTILE, isWhole, type Name, NAMES, SHARED, TAG_35 } from "../../../support/integration-registries.ts";

const { all, drawnOf } = integrations(NAMES);

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
      expect(abstained).toMatchObject({ status: "abstained", reason: "no_reviewed_exact_match", concept: null, confidence: null }); // prettier-ignore
      // O-26: near in form, and unknown all the same.
      expect(abstained.candidates.length).toBeGreaterThanOrEqual(1);
      expect([id, unknown.expected.outcome]).toEqual([id, "unknown"]);
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
    const shown = new Set([...fixturesOf(all.hostile)].map(({ request }) => request.expression.replace(/ $/, "")));
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
});
