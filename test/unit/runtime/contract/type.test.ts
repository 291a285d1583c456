import { readdirSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Type as Library } from "typebox";
import { describe, expect, it } from "vitest";
import * as own from "../../../../runtime/contract/type.ts";
import { compileSchema } from "../../../../generator/text/compile-schema.ts";

/** The same schemas by the library and by us. */
function schemasBy(type: typeof Library): unknown[] {
  const text = type.String({ minLength: 1, description: "A text" });
  const options = { additionalProperties: false, title: "T" };
  return [
    type.Unknown(),
    type.Unknown({ description: "Anything" }),
    type.Null(),
    type.Boolean({ default: true }),
    type.Integer({ minimum: 1 }),
    type.Number({ minimum: 0, maximum: 1 }),
    text,
    type.Literal("a"),
    type.Literal(1, { description: "One" }),
    type.Literal(true),
    type.Enum(["a", "b"], { description: "One of two" }),
    type.Array(text, { minItems: 1 }),
    type.Union([text, type.Null()], { description: "A text or nothing" }),
    type.Object({}),
    type.Object({ none: type.Optional(text) }),
    type.Object({ b: text, a: type.Optional(type.Object({ c: type.Literal("c") })), __proto__: text }, options),
    type.Object({ all: type.Array(type.Union([type.Integer(), type.Record(type.String(), text)])) }),
    type.Optional(text),
    type.Unsafe<string>({ type: "string", pattern: "^a" }),
    type.Record(type.String(), type.Record(type.String(), text)),
  ];
}

describe("the builders of schemas", () => {
  it("give what TypeBox gives, to the letter", () => {
    const [ours, theirs] = [schemasBy(own as unknown as typeof Library), schemasBy(Library)];
    // As text too: the order of the members is part of every published schema.
    expect(ours).toEqual(theirs);
    expect(ours.map((schema) => JSON.stringify(schema))).toEqual(theirs.map((schema) => JSON.stringify(schema)));
  });

  it("refuse a Record of names that are more than plain text", () => {
    expect(() => own.Record(own.String({ pattern: "^a" }) as never, own.String())).toThrow(/plain text/);
  });

  it("are all compared with those of TypeBox", () => {
    const tested = schemasBy.toString();
    expect(Object.keys(own).filter((name) => !tested.includes(`type.${name}`))).toEqual([]);
  });
});

describe("a schema of the contract", () => {
  it("is JSON Schema 2020-12, which no start checks, and compiles in strict mode", async () => {
    const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false });
    const folder = path.resolve(import.meta.dirname, "../../../..");
    const files = [
      ...["runtime/contract", "generator/contract"].flatMap((part) =>
        readdirSync(path.join(folder, "lib", part)).map((name) => `lib/${part}/${name}`),
      ),
      "lib/runtime/release/manifest.js",
    ];
    let checked = 0;
    for (const file of files) {
      const exported = (await import(path.join(folder, file))) as Record<string, unknown>;
      for (const [name, schema] of Object.entries(exported)) {
        if (!isSchema(schema)) continue;
        expect([file, name, ajv.validateSchema(schema), ajv.errors]).toEqual([file, name, true, null]);
        expect(() => ajv.compile(schema)).not.toThrow();
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(40);
    expect(ajv.validateSchema({ type: "text" })).toBe(false);
  });

  it("is refused when it is first used, not before, if it is none", () => {
    const parse = compileSchema({ type: "unheard of" } as never);
    expect(() => parse(1)).toThrow(/unheard of/);
  });
});

function isSchema(value: unknown): value is object {
  return typeof value === "object" && value !== null && ["type", "anyOf", "enum"].some((name) => name in value);
}
