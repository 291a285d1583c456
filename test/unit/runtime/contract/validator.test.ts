/** What is said about a value of a union: its fault, and not the types that nobody meant. */
import { describe, expect, it } from "vitest";
import { compileSchema } from "../../../../generator/text/compile-schema.ts";
import * as Type from "../../../../runtime/contract/type.ts";

const dated = Type.Object({ on: Type.String({ pattern: "^[0-9]+$" }), by: Type.Union([Type.String(), Type.Null()]) });
const read = compileSchema(
  Type.Object(
    { it: Type.Union([dated, Type.Null()]), all: Type.Optional(Type.Array(Type.Union([dated, Type.Null()]))) },
    { additionalProperties: false },
  ),
);

function faultsOf(value: unknown): string[] {
  const reading = read(value);
  return reading.ok ? [] : reading.violations.map(({ pointer, reasons }) => `${pointer}: ${reasons.join("; ")}`);
}

describe("a value that may be null", () => {
  it.each<[string, unknown, string[]]>([
    ["of the wrong type", { it: 1 }, ["/it: must be an object or a null"]],
    ["that lacks a member", { it: { on: "1" } }, ['/it: lacks the property "by"']],
    ["with a fault in a member", { it: { on: "x", by: null } }, ['/it/on: must match pattern "^[0-9]+$"']],
    ["with a member of no type of its union", { it: { on: "1", by: 2 } }, ["/it/by: must be a string or a null"]],
    [
      "next to others of its kind",
      { it: null, all: [{ on: "x", by: "" }, 3, { on: "y", by: 4 }] },
      [
        '/all/0/on: must match pattern "^[0-9]+$"',
        "/all/1: must be an object or a null",
        '/all/2/on: must match pattern "^[0-9]+$"',
        "/all/2/by: must be a string or a null",
      ],
    ],
  ])("%s", (_what, value, faults) => expect(faultsOf(value)).toEqual(faults));
});
