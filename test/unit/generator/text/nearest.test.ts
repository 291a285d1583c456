/** What an unknown word may mean, the same for options, commands and keys of files. */
import { expect, it } from "vitest";
import * as Type from "../../../../runtime/contract/type.ts";
import { closed } from "../../../../runtime/contract/schema.ts";
import { compileSchema } from "../../../../generator/text/compile-schema.ts";
import { nearest } from "../../../../generator/text/nearest.ts";

it.each([
  ["regsitry", ["out", "registry"], "registry"],
  ["buidl", ["build", "review"], "build"],
  ["lgeal", ["legal", "logo"], "legal"],
  ["conatct", ["content", "contact"], "contact"],
  // A short word has few letters to be wrong about.
  ["port", ["out", "json"], undefined],
  ["rdf", ["hide", "name"], undefined],
  ["x", [], undefined],
])("the word that %s may mean among %j is %s", (written, words, meant) => {
  expect(nearest(written, words)).toBe(meant);
});

it("the refusal of an unknown property names the one that is near, at any depth, and none if none is", () => {
  const text = Type.Optional(Type.String());
  const read = compileSchema(closed({ security: closed({ contact: text, expires: text }), legal: text }));
  const reading = read({ security: { expirse: "x" }, zebra: 1 });
  expect(reading).toEqual({
    ok: false,
    violations: [
      { pointer: "", reasons: ['has the unknown property "zebra"'] },
      { pointer: "/security", reasons: ['has the unknown property "expirse" (did you mean expires?)'] },
    ],
  });
});
