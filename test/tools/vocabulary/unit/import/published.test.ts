import { expect, it } from "vitest";
import type { Source } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import type { Plan } from "../../../../../generator/tools/vocabulary/import/plan.ts";
import { readSource } from "../../../../../generator/tools/vocabulary/import/read-source.ts";
import { writeTbx } from "../../../../../generator/tools/vocabulary/formats/tbx-write.ts";
import { EMPTY, label, planImport, REVIEWED, SETTINGS, source, thing } from "../../../../support/import.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";

/** A reviewed concept with a label that waits, and a concept that waits. */
function half(): Plan {
  const lion = thing("lion", [label("en", "lion"), label("en", "big cat", { type: "alternate" })]);
  const first = planImport(source(lion), EMPTY, REVIEWED).after;
  const more = { ...lion, expressions: [label("en", "king", { type: "alternate" }), ...lion.expressions] };
  return planImport(source(more, thing("bear", [label("en", "bear")])), first, SETTINGS);
}

async function published({ verdict: { registry } }: Plan, languages: readonly string[] = []): Promise<Source> {
  if (registry === undefined) throw new Error("No registry");
  const text = [...writeTbx(registry, { origin: "https://e.org", languages })].join("");
  const files = { format: "tbx", from: ["a.tbx"], languages, language: undefined } as const;
  const read = await readSource(memoryEffects({ "a.tbx": text }), files, () => undefined);
  if (!read.ok) throw new Error(read.message);
  return read.source;
}

const said = ({ after }: Plan): string[] =>
  after.concepts.flatMap(({ record }) =>
    record.expressions.map(({ expression, reviewStatus }) => `${expression} ${reviewStatus}`),
  );

it("what waits for review is not gone from a file of what is published alone", async () => {
  const first = half();
  const [from, before] = [await published(first), first.after];
  const again = planImport(from, before, REVIEWED);
  expect(said(again).sort()).toEqual(["bear in_review", "big cat reviewed", "king in_review", "lion reviewed"]);
  expect(said(again)).toEqual(said(first));
  expect(again.after.retired).toEqual([]);
  const less = from.concepts.map((one) => ({ ...one, expressions: one.expressions.slice(0, 1) }));
  expect(said(planImport({ ...from, concepts: less }, before, REVIEWED))).toContain("big cat retired");
});

it("a concept without a label in the languages that are asked for is not gone from a term base of these", async () => {
  const [lion, bear] = [
    thing("lion", [label("en", "lion"), label("de", "Löwe")]),
    thing("bear", [label("en", "bear")]),
  ];
  const first = planImport(source(lion, bear), EMPTY, REVIEWED);
  const from = await published(first, ["de"]);
  // Nor where it had one, and has others.
  const more = { ...bear, expressions: [...bear.expressions, label("de", "Bär")] };
  const { after } = planImport(source(lion, more), first.after, REVIEWED);
  expect(planImport(from, after, REVIEWED).after.retired).toEqual([]);
  // The file says itself which languages it has.
  for (const languages of [["de"], []]) {
    const again = planImport(from, first.after, { ...REVIEWED, languages });
    expect(said(again).sort()).toEqual(["Löwe reviewed", "bear reviewed", "lion reviewed"]);
  }
});
