/** Properties of any input (fast-check, fixed seed), against other implementations and damage. */
import { lookup } from "bcp-47-match";
import * as fc from "fast-check";
// @ts-expect-error The package brings no types.
import Negotiator from "negotiator";
import { describe, expect, it } from "vitest";
import { isNotModified, isPreconditionFailed } from "../../../runtime/http/conditional.ts";
import { negotiate } from "../../../runtime/http/negotiate.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { openIndex } from "../../../runtime/registry/index.ts";
import { lookupLevels } from "../../../runtime/text/language.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { compileIndex } from "../../../generator/index/compile.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";

/** The same cases in every run. */
function expectAlways<T extends unknown[]>(property: fc.IProperty<T>, numRuns = 1000): void {
  fc.assert(property, { seed: 21, numRuns });
}

describe("negotiation", () => {
  const types = ["application/json", "text/html", "text/markdown"];
  const range = fc.constantFrom(...types, "text/*", "application/*", "*/*", "image/png");
  const weighted = fc.tuple(range, fc.integer({ min: 0, max: 1000 })).map(([type, q]) => `${type};q=${q / 1000}`);

  it("chooses what another implementation chooses, on any list of ranges with weights", () => {
    expectAlways(
      fc.property(fc.uniqueArray(weighted, { minLength: 1, maxLength: 6, selector: (text) => text.split(";")[0] }), (list) => {
        const field = list.join(", ");
        const chosen = negotiate(field, types);
        const theirs = new Negotiator({ headers: { accept: field } }).mediaTypes(types) as string[];
        // A tie is ours to decide (O-12): what we choose has the weight of what they choose.
        if (chosen === undefined) expect(theirs).toEqual([]);
        else expect(new Negotiator({ headers: { accept: field } }).mediaTypes([types[chosen] ?? ""])).toHaveLength(1);
      }),
    );
  }); // prettier-ignore

  it("never fails, and permits everything that no valid range forbids, on any text", () => {
    expectAlways(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 60 }), (field) => {
        const chosen = negotiate(field, types);
        expect([undefined, 0, 1, 2]).toContain(chosen);
        if (!field.includes("/")) expect(chosen).toBe(0);
      }),
    );
  });
});

describe("preconditions", () => {
  const opaque = fc
    .string({ unit: fc.constantFrom("a", ",", "\\", "*", "W", "/", "é"), maxLength: 4 })
    .map((text) => `"${text}"`);
  const tag = fc.tuple(fc.boolean(), opaque).map(([weak, text]) => ({ weak, text }));

  it("find exactly the tags of a list, weak or strong, whatever lies inside the quotes", () => {
    expectAlways(
      fc.property(fc.array(tag, { minLength: 1, maxLength: 5 }), opaque, fc.constantFrom(",", ", ", " ,, "), (tags, current, comma) => {
        const field = tags.map(({ weak, text }) => (weak ? `W/${text}` : text)).join(comma);
        expect(isNotModified(field, current)).toBe(tags.some(({ text }) => text === current));
        expect(isPreconditionFailed(field, current)).toBe(!tags.some(({ weak, text }) => !weak && text === current));
      }),
    );
  }); // prettier-ignore

  it("never take a text that is not a list for a match", () => {
    expectAlways(
      fc.property(fc.string({ unit: fc.constantFrom('"', "a", ",", "W", "/", " ", "\\"), maxLength: 12 }), (field) => {
        if (isNotModified(field, '"a"')) expect(field).toMatch(/"a"/);
      }),
    );
  });
});

describe("language lookup", () => {
  const subtag = fc.string({ unit: fc.constantFrom("a", "b", "X", "1"), minLength: 1, maxLength: 8 });
  const languageTag = fc.array(subtag, { minLength: 1, maxLength: 6 }).map((list) => list.join("-"));

  it("finds what another implementation finds, and never by a tag that is longer than the requested one", () => {
    expectAlways(
      fc.property(languageTag, fc.array(languageTag, { maxLength: 4 }), (requested, published) => {
        const levels = lookupLevels(requested);
        const ours = levels.find((level) => published.some((tag) => tag.toLowerCase() === level));
        expect(ours).toBe(lookup(published, requested)?.toLowerCase());
        expect(levels.every((level) => requested.toLowerCase().startsWith(level))).toBe(true);
      }),
    );
  });
});

describe("strict JSON", () => {
  it("reads what JSON.stringify writes, in any layout, and refuses a name that is there twice", () => {
    const encoder = new TextEncoder();
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, maxKeys: 4 });
    expectAlways(
      fc.property(object, fc.constantFrom(0, 1, "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseJson(encoder.encode(text))).toEqual({ ok: true, value: JSON.parse(text) as unknown });
        const [name = ""] = Object.keys(value);
        const twice = `${text.slice(0, text.lastIndexOf("}"))},${JSON.stringify(name)}:0}`;
        expect(parseJson(encoder.encode(twice))).toEqual({ ok: false, refusal: "duplicate_name" });
      }),
    );
  });

  it("never throws, and reads no bytes that JSON.parse does not", () => {
    expectAlways(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const reading = parseJson(bytes);
        if (reading.ok) expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(reading.value);
      }),
    );
  });
});

describe("an index with damaged bytes", () => {
  const whole = Buffer.concat([...compileIndex({ registry: checkedRegistry(nasty), origin: "https://a.example" })]);
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }); // prettier-ignore
  const footer = damage.map((list) => list.map(([at, byte]) => [whole.length - 1 - (at % 400), byte] as const));

  it("is refused, or answers in time what its bytes say", () => {
    expectAlways(
      fc.property(fc.oneof(damage, footer), fc.nat(20), (list, cut) => {
        const bytes = Buffer.from(whole.subarray(0, whole.length - (cut > 17 ? cut : 0)));
        for (const [at, byte] of list) bytes[at] = byte;
        try {
          const index = openIndex(memorySource(bytes));
          for (const key of ["taxi", "bank", "nobody"]) index.postings(key);
          for (const code of ["N-TAXI", "N-NOBODY"]) {
            const id = index.conceptId(code);
            if (id !== undefined) index.read(index.concept(id).resolved);
          }
        } catch (error) {
          // Who reads a file checks its digests first; nothing here goes on for ever.
          expect(error).toBeInstanceOf(Error);
        }
      }),
      500,
    );
  });
});
