/** Registries that have nothing, are at a limit, or have what the illustrations have. */
import { describe, expect, it } from "vitest";
import type { CheckedRegistry } from "../../../../generator/registry/checked.ts";
import type { ResolveEnvelope } from "../../../../runtime/contract/resolution.ts";
import { RECIPES } from "../../../support/documents.ts";
import { LONGEST, LONGEST_ASTRAL } from "../../../support/nasty.ts";
import { checkedRegistry, concept, expression } from "../../../support/registry.ts";
import {
  ANSWERED,
  codesIn,
  draw,
  expectLive,
  fixture,
  fixturesOf,
  integrations,
} from "../../../support/integration.ts";
import { note } from "../../../support/integration-registries.ts";

const { all } = integrations(["empty"]);

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
