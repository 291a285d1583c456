/** What a query costs, whatever a stranger writes into it. */
import { expect, it } from "vitest";
import { match } from "../../../../generator/tools/reconcile/match.ts";
import { propertiesOf } from "../../../../generator/tools/reconcile/properties.ts";
import { openRelease } from "../../../../runtime/release/release.ts";
import { nasty } from "../../../support/nasty.ts";
import { checkedRegistry } from "../../../support/registry.ts";
import { buildRelease } from "../../../support/release.ts";

it("reads a candidate and its values once, however many conditions a query has", async () => {
  const release = openRelease(await buildRelease(checkedRegistry(nasty)));
  const { index } = release;
  const [property] = propertiesOf(index).values();
  if (property === undefined) throw new Error("There is no property");
  const read = { concepts: 0, values: 0 };
  const counted = { ...index, read: (...of: Parameters<typeof index.read>) => (read.concepts++, index.read(...of)) };
  const valuesOf: typeof property.valuesOf = (concept) => (read.values++, property.valuesOf(concept));
  const constraint = { property: { ...property, valuesOf }, values: ["nothing"], quantifier: "none" } as const;
  const query = { expression: "taxi", language: "en", types: undefined, limit: undefined };
  const cost = (count: number) => {
    Object.assign(read, { concepts: 0, values: 0 });
    expect(match(counted, { ...query, constraints: Array.from({ length: count }, () => constraint) })).toHaveLength(1);
    return { ...read };
  };
  expect(cost(1000)).toEqual(cost(1));
  release.close();
});
