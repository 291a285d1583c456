/**
 * The whole exchanges of the recipe that asks a person: each call is asked of the service again,
 * each question of the published concepts, and the code is that of the second call alone.
 */
import { describe, expect, it } from "vitest";
import type { ClarifiedExchange } from "../../../../generator/contract/integration.ts";
import type { ResolveEnvelope } from "../../../../runtime/contract/resolution.ts";
import { RECIPES, strings } from "../../../support/documents.ts";
import { type Drawn, integrations } from "../../../support/integration.ts";
import { NAMES, WHOLE } from "../../../support/integration-registries.ts";

const { all, drawnOf } = integrations(NAMES);
const exchangesOf = ({ reports }: Drawn): readonly ClarifiedExchange[] => reports["clarification"].exchanges;

describe("the exchanges", () => {
  it("A25: are of the recipe that asks a person, one about several meanings and one about a near form", () => {
    const outcomes = RECIPES.map((id) =>
      all.starter.reports[id].exchanges.map(({ sent }) => sent.classification.outcome),
    );
    expect(Object.fromEntries(RECIPES.map((id, i) => [id, outcomes[i]]))).toEqual({
      "multilingual-memory": [],
      "workflow-routing": [],
      "api-event-interoperability": [],
      clarification: ["ambiguous", "unknown"],
      "audit-provenance": [],
    });
    expect(exchangesOf(all.starter).map(({ drawnFrom }) => drawnFrom)).toEqual(["registry", "registry"]);
  });

  it.each(NAMES)("A25: with the %s registry take a code from the second call alone, and say who chose", (name) => {
    expect(exchangesOf(drawnOf[name]).length).toBeGreaterThan(0);
    for (const { sent, question, chosen, sentAgain, record } of exchangesOf(drawnOf[name])) {
      expect(Object.keys(sent.classification)).toEqual(["outcome", "reason", "candidates"]);
      const { outcome, ...assigned } = sentAgain.classification;
      expect(outcome).toBe("resolved-valid");
      expect(record).toMatchObject({ chosenBy: chosen.by, assigned: true, meaning: assigned });
      expect(strings(record)).toEqual(expect.arrayContaining([sent.request.expression, sentAgain.request.expression]));
      const choice = question.choices.findLast(({ resolvesBy }) => resolvesBy !== null);
      expect([choice?.name, choice?.resolvesBy]).toEqual([chosen.name, sentAgain.request]);
      expect(question.choices.map(({ name: named }) => named)).not.toContain(question.none);
    }
  });

  it.each(NAMES)(
    "A24: with the %s registry are what the service answers, where it has the expression",
    async (name) => {
      const { concepts } = drawnOf[name];
      for (const { drawnFrom, sent, question, sentAgain } of exchangesOf(drawnOf[name])) {
        if (drawnFrom === "illustration") continue;
        const answers = await Promise.all([sent, sentAgain].map(({ request }) => drawnOf[name].ask(request)));
        const [first, second] = answers.map(({ body }) => (JSON.parse(body) as ResolveEnvelope).data);
        const named = first?.candidates.map(({ code, name: known }) => ({ code, name: known }));
        expect(sent.classification).toMatchObject({ reason: first?.reason, candidates: named });
        expect(sentAgain.classification).toMatchObject({ code: second?.concept?.code });
        // Every candidate is asked about, in the order of the answer, as its concept is published.
        const published = named?.map(({ code }) => concepts.find((concept) => concept.code === code));
        expect(question.choices.map(({ name: known, definition }) => ({ name: known, definition }))).toEqual(
          published?.map((concept) => ({ name: concept?.name, definition: concept?.definition })),
        );
      }
    },
  );

  it.each(WHOLE)("F25: with the %s registry are in the kit's README, and in no other kit's", (name) => {
    for (const id of RECIPES) {
      const text = all[name].kits[id].text("README.md");
      expect([id, text.includes("## A whole exchange: ambiguous")]).toEqual([id, id === "clarification"]);
      if (id !== "clarification") continue;
      const calls = exchangesOf(all[name]).flatMap(({ sent, sentAgain }) => [sent, sentAgain]);
      const said = calls.flatMap<unknown>(({ request, classification }) => [request, classification]);
      const records = exchangesOf(all[name]).map(({ record }) => record);
      for (const part of [...said, ...records]) expect(text).toContain(`       ${JSON.stringify(part)}\n`);
    }
  });
});
