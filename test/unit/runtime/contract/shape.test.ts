import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { checkOf } from "../../../../runtime/contract/shape.ts";

const root = path.resolve(import.meta.dirname, "../../../..");
const ajv = new Ajv2020({ strict: false, strictNumbers: true, allErrors: true, validateFormats: false });

const VALUES: readonly unknown[] = [
  null, true, false, 0, -0, 1, 1.5, -1, "", "a", "ab", "abc", "😀", "😀😀", "\ud83d", "é", "1",
  [], [1], ["a"], ["a", 1], [[]], {}, { a: 1 }, { a: "a" }, { a: "a", b: 1 }, { b: null }, { a: { a: "a" } },
  { toString: 1 }, JSON.parse('{"__proto__":1}'),
]; // prettier-ignore

const SCHEMAS: readonly object[] = [
  {},
  ...["null", "boolean", "integer", "number", "string", "array", "object"].map((type) => ({ type })),
  { const: "a" }, { const: null }, { const: 0 }, { enum: ["a", 1, null] },
  { minimum: 0 }, { maximum: 1 }, { minLength: 2 }, { maxLength: 1 }, { pattern: "^a" }, { pattern: "^.$" },
  { minItems: 1 }, { maxItems: 1 }, { items: { type: "string" } }, { items: { items: {} } },
  { anyOf: [{ type: "string" }, { type: "null" }] },
  { required: ["a"] },
  { properties: { a: { type: "string" } } },
  { properties: { a: {} }, additionalProperties: false },
  { properties: { a: {} }, additionalProperties: true },
  { type: "object", required: ["a"], properties: { a: { type: "string", minLength: 1 } }, additionalProperties: false },
  { title: "T", description: "D", format: "uri", type: "string" },
]; // prettier-ignore

/** What the check does not know, at the top and inside. */
const UNKNOWN: readonly unknown[] = [
  true, false, null, "string", { type: ["string", "null"] }, { const: {} }, { enum: [[]] }, { not: {} },
  { oneOf: [{}] }, { allOf: [{}] }, { $ref: "#" }, { prefixItems: [{}] }, { uniqueItems: true }, { multipleOf: 2 },
  { patternProperties: { a: {} } }, { additionalProperties: {} }, { exclusiveMinimum: 0 }, { type: "unheard of" },
  { patternProperties: { "^x": {} }, additionalProperties: false },
  { items: { not: {} } }, { anyOf: [{}, { not: {} }] }, { properties: { a: { not: {} } } },
]; // prettier-ignore

function schemasOf(exported: Readonly<Record<string, unknown>>): [string, object][] {
  const isSchema = (value: unknown): value is object =>
    typeof value === "object" && value !== null && ["type", "anyOf", "enum"].some((name) => name in value);
  return Object.entries(exported).flatMap(([name, value]) => (isSchema(value) ? [[name, value]] : []));
}

/** A document, and many that differ from it in one place: taken away, added, or of another kind. */
function* variants(value: unknown): Generator {
  yield value;
  yield* [null, 0, "", [], {}, "x".repeat(3000)];
  if (Array.isArray(value)) {
    yield [...value, 0];
    for (const [i, member] of value.slice(0, 3).entries())
      for (const other of variants(member)) yield value.with(i, other);
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, more: 1 };
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _taken, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const other of variants(member)) yield { ...value, [name]: other };
    }
  }
}

describe("the check of a shape", () => {
  it("agrees with Ajv, for every keyword it knows", () => {
    let yes = 0;
    for (const schema of SCHEMAS) {
      const [check, validate] = [checkOf(schema), ajv.compile(schema)];
      for (const value of VALUES) {
        expect([schema, value, check?.(value)]).toEqual([schema, value, validate(value)]);
        if (check?.(value) === true) yes++;
      }
    }
    expect(yes).toBeGreaterThan(200);
  });

  it.each(UNKNOWN)("leaves what it does not know to Ajv: %j", (schema) => {
    expect(checkOf(schema)).toBeUndefined();
  });

  it("agrees with Ajv over the documents of a start, whole and with anything in them changed", async () => {
    const dist = path.join(root, "test/golden/dist");
    const read = (name: string): unknown => JSON.parse(readFileSync(path.join(dist, name), "utf8"));
    const { Manifest } = await import("../../../../runtime/release/manifest.ts");
    const { MCPDefinition } = await import("../../../../runtime/contract/mcp.ts");
    const { DeploymentIdentity } = await import("../../../../runtime/contract/identity.ts");
    const { ResolveRequest } = await import("../../../../runtime/contract/resolution.ts");
    for (const [schema, document, fewest] of [
      [Manifest, read("manifest.json"), 100],
      [MCPDefinition, read("mcp.json"), 300],
      [DeploymentIdentity, read(".well-known/service-semantics-deployment.json"), 100],
      [ResolveRequest, { expression: "a", language: "en-GB" }, 20],
    ] as const) {
      const [check, validate] = [checkOf(schema), ajv.compile(schema)];
      expect(check?.(document)).toBe(true);
      let [count, refused] = [0, 0];
      for (const value of variants(document)) {
        const expected = validate(value);
        if (check?.(value) !== expected) expect([value, check?.(value)]).toEqual([value, expected]);
        count++;
        if (!expected) refused++;
      }
      expect(count).toBeGreaterThan(fewest);
      expect(refused).toBeGreaterThan(fewest / 2);
    }
  });

  it("never says yes where Ajv says no, for any schema of the contract", async () => {
    const folder = path.join(root, "runtime/contract");
    let known = 0;
    for (const file of readdirSync(folder)) {
      const exported = (await import(path.join(folder, file))) as Record<string, unknown>;
      for (const [name, schema] of schemasOf(exported)) {
        const check = checkOf(schema);
        if (check === undefined) continue;
        known++;
        const validate = ajv.compile(schema);
        for (const value of [...VALUES, Infinity]) {
          if (check(value)) expect([name, value, validate(value)]).toEqual([name, value, true]);
        }
      }
    }
    expect(known).toBeGreaterThan(30);
  });
});
