import { Parser, Store, Writer } from "n3";
import { describe, expect, it } from "vitest";
import { MATCHES } from "../../../../../runtime/contract/concept.ts";
import { ExportError } from "../../../../../generator/text/export-error.ts";
import { readSkos } from "../../../../../generator/tools/vocabulary/formats/skos-read.ts";
import { type SkosWriting, writeSkos } from "../../../../../generator/tools/vocabulary/formats/skos-write.ts";
import type {
  Source,
  SourceConcept,
  SourceExpression,
} from "../../../../../generator/tools/vocabulary/formats/source.ts";
import { partTag } from "../../../../../generator/tools/vocabulary/import/text.ts";
import { compareCodePoints } from "../../../../../generator/text/order.ts";
import type { RegistrySource } from "../../../../../generator/registry/read.ts";
import type { DomainLine } from "../../../../../generator/registry/vocabulary-file.ts";
import type { ConceptRecord, ExpressionRecord, RetiredRecord } from "../../../../../generator/registry/record.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";
import { random } from "../../../../support/random.ts";
import { expressionOf, hiddenOf, retiredOf } from "./records.ts";

type Registry = Pick<RegistrySource, "registry" | "concepts" | "retired" | "history"> & {
  readonly vocabularies: readonly DomainLine[];
};

function registryOf(records: readonly ConceptRecord[], retired: RetiredRecord = []): Registry {
  return {
    registry: {
      name: 'A "registry" \\ 🍍',
      registryVersion: "2026.11.1",
      languages: ["en", "zh-Hant"],
      license: "CC-BY-4.0",
    },
    concepts: records.map((record) => ({ file: "concepts/test.ndjson", record })),
    retired,
    history: [],
    vocabularies: [
      { domain: "a domain", subject: "http://example.org/scheme", source: ['<http://example.org/says> "it"@en'] },
      { domain: "b", subject: "_:x1", source: [] },
    ],
  };
}

function concept(code: string, more: Partial<ConceptRecord> = {}): ConceptRecord {
  const definition = "A \"definition\"\nwith \\ two lines, 'quotes' and\ta tab.";
  return { code, name: `Name of ${code}`, definition, domain: "test", provenance: null, expressions: [], ...more };
}

function expression(language: string, text: string, more: Partial<ExpressionRecord> = {}): ExpressionRecord {
  return {
    language,
    expression: text,
    type: "preferred",
    equivalenceStrength: 1,
    reviewStatus: "reviewed",
    ...more,
  };
}

const PROVENANCE = {
  source: "A vocabulary",
  license: "CC-BY-4.0",
  sourceId: "http://example.org/concept/1?a=ü#b",
  reviewedBy: null,
  reviewedAt: "2026-11-21",
};

/** Every kind of record that a registry can hold, also some that its check would refuse. */
const CONCEPTS: readonly ConceptRecord[] = [
  concept("C-PLAIN", {
    provenance: { ...PROVENANCE, exactMatch: ["http://b/", "no IRI", "http://a/", "skos:x"], closeMatch: ["urn:c"] },
    expressions: [
      expression("de", "schlicht"),
      expression("de", "einfach", { locale: "de-AT", type: "alternate" }),
      expression("en", "plain"),
      expression("en", "plain \\ \"old\" 'text'", { type: "alternate" }),
      expression("en", "simple 🍍\u{2F800}", { type: "alternate" }),
      expression("zh-Hant", "簡單", { locale: "zh-Hant-TW" }),
    ],
    renderings: [{ type: "emoji", descriptor: "a pineapple", unicodeSequence: "🍍", confidence: 0.5 }],
    hiddenLabels: [
      { language: "en", label: "palin" },
      { language: "en", label: "plian" },
    ],
  }),
  concept("C-ODD", {
    name: "half \uD800 of a pair",
    definition: "",
    domain: "other\u0000control\u0007",
    provenance: { ...PROVENANCE, sourceId: "not an IRI" },
    expressions: [
      expression("zh", "last first"),
      expression("en", "ABC", { type: "abbreviation" }),
      expression("en", "℃", { type: "symbol" }),
      expression("en", "near", { type: "alternate", equivalenceStrength: 0.7 }),
      expression("en", "its own", { type: "alternate", provenance: PROVENANCE }),
      expression("en", "nobody's", { type: "alternate", provenance: null }),
      expression("en", "null locale", { locale: null }),
      expression("en", "second preferred"),
      expression("en", "null locale", { type: "alternate" }),
      expression("en", "twice", { type: "alternate" }),
      expression("en", "twice", { type: "alternate" }),
      expression("en", "twice", { type: "abbreviation" }),
      expression("fr", "cafe\u0301 not composed", { reviewStatus: "draft" }),
      expression("fr", " spaces ", { reviewStatus: "in_review" }),
      expression("fr", "rejected", { reviewStatus: "rejected" }),
      expression("fr", "rejected", { reviewStatus: "retired" }),
      expression("fr", ""),
      expression("ar", "مرحبا \u202E بك"),
      expression("en", "private", { locale: "en-x-ours" }),
      expression("x-private", "all private"),
      expression("i-klingon", "old"),
      expression("zh", "extended", { locale: "zh-cmn-Hans" }),
      expression("EN", "case"),
      expression("en", "case", { locale: "en-us" }),
      expression("zh_CN", "no tag"),
      expression("pt-BR", "locale as language", { locale: null, reviewStatus: "draft" }),
      expression("en", "half \uDC00 of a pair", { type: "alternate" }),
      expression("en", "line\r\nends\u2028\u0085", { type: "alternate" }),
    ],
    renderings: [],
    hiddenLabels: [
      { language: "en", label: "b" },
      { language: "en", label: "a" },
      { language: "en", label: "a" },
      { language: "en", label: "null locale" },
      { language: "und_X", label: "ill-formed" },
    ],
  }),
  concept("C-WAITS", { expressions: [expression("en", "x", { reviewStatus: "draft" }), expression("en", "x")] }),
  concept("C-0", { definition: "None of its own." }),
  concept("C-RICH", {
    provenance: { ...PROVENANCE, broadMatch: ["http://b/2"], narrowMatch: ["http://n/"], relatedMatch: ["http://r/"] },
    notations: [
      { notation: "1.2" },
      { notation: "A", datatype: "http://example.org/udc" },
      { notation: "half \uD800" },
    ],
    notes: {
      title: [{ language: "en", text: "A title" }],
      definition: [{ language: "de", text: "Mehr" }, { text: "published otherwise" }],
      scopeNote: [{ language: "zh_CN", text: "no tag" }],
      example: [],
    },
    broader: ["C-PLAIN", "C-GONE"],
    narrower: [],
    related: ["C-0"],
    source: ['_:b0 <http://example.org/p> "x"', "<http://example.org/p> _:b0"],
    unsaid: ['<http://www.w3.org/2004/02/skos/core#altLabel> "x"@en'],
  }),
];

const RETIRED: RetiredRecord = [
  { code: "C-OLD", retiredIn: "2026.10.1", replacedBy: "C-OLDER", name: "Old \uD800", reason: "Said so\ntwice" },
  { code: "C-OLDER", retiredIn: "2026.11.1", replacedBy: "C-PLAIN", sourceId: "http://example.org/older" },
  { code: "C-OLDEST", retiredIn: "2026.09.1", replacedBy: null },
  { code: "C-AWAY", retiredIn: "2026.09.1", replacedBy: "C-GONE" },
];

const ORIGIN = "https://registry.example";
const written = (registry: Registry, format: SkosWriting["format"]): string =>
  [...writeSkos(registry, { format, origin: ORIGIN })].join("");

function read(name: string, text: string): Promise<Source> {
  return readSkos(memoryEffects({ [name]: text }), [name]);
}

function recordOf(source: SourceConcept): ConceptRecord {
  const { code = "", name = "", domain = "", definitions, renderings } = source;
  const matches = MATCHES.map((match) => [match, source[match] ?? []] as const).filter(([, iris]) => iris.length > 0);
  return {
    code,
    name,
    ...(definitions[0] && { definition: definitions[0].text }),
    domain,
    provenance: source.provenance ? { ...source.provenance, ...Object.fromEntries(matches) } : null,
    expressions: source.expressions.map((one) => expressionOf(one, partTag)),
    ...(source.vocabulary?.kind === "fields" && source.vocabulary.fields),
    ...(renderings && { renderings }),
    ...hiddenOf(source),
  };
}

const byCode = (a: { code: string }, b: { code: string }): number => compareCodePoints(a.code, b.code);

/** What a registry comes to when it is read back. */
function contentOf({ concepts, registry, vocabulary }: Source): unknown {
  return {
    registry,
    vocabularies: vocabulary
      ?.map(({ file: _file, line: _line, ...said }) => said)
      .sort((a, b) => compareCodePoints(a.subject, b.subject)),
    concepts: concepts
      .filter(({ retired }) => retired === undefined)
      .map(recordOf)
      .sort(byCode),
    retired: concepts
      .filter(({ retired }) => retired !== undefined)
      .map(retiredOf)
      .sort(byCode),
  };
}

function expected({ registry, concepts, retired, vocabularies }: Registry): unknown {
  return {
    registry,
    vocabularies: vocabularies.toSorted((a, b) => compareCodePoints(a.subject, b.subject)),
    concepts: concepts.map(({ record }) => record).sort(byCode),
    retired: retired.toSorted(byCode),
  };
}

/** The statements in another order, without prefixes, as another tool would hand them on. */
function shuffled(turtle: string): string {
  const quads = new Parser({ format: "Turtle" }).parse(turtle);
  return new Writer({ format: "N-Triples" })
    .quadsToString(quads)
    .split(/(?<=\n)/)
    .map((line, i) => [line, (i * 7919) % quads.length] as const)
    .sort(([, a], [, b]) => a - b)
    .map(([line]) => line)
    .join("");
}

describe("a registry as SKOS", () => {
  const registry = registryOf(CONCEPTS, RETIRED);

  it("comes back whole from Turtle, and from its statements in any order", async () => {
    const turtle = written(registry, "turtle");
    const source = await read("a.ttl", turtle);
    expect(source.faults).toEqual([]);
    expect(contentOf(source)).toEqual(expected(registry));
    expect(source).toMatchObject({ title: 'A "registry" \\ 🍍', license: "CC-BY-4.0" });
    expect(contentOf(await read("a.nt", shuffled(turtle)))).toEqual(expected(registry));
  });

  it("comes back whole from JSON-LD, which says the same", async () => {
    const jsonLd = written(registry, "jsonld");
    const source = await read("a.jsonld", jsonLd);
    expect(source.faults).toEqual([]);
    expect(contentOf(source)).toEqual(expected(registry));
    expect(JSON.parse(jsonLd)).toHaveProperty("@graph.length", 1 + CONCEPTS.length + RETIRED.length);
    expect(source.concepts.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it("comes back as it went, for hundreds of made-up concepts", async () => {
    const next = random(1);
    const pick = <T>(values: readonly T[]): T => values[next(values.length)] as T;
    const many = Array.from({ length: 300 }, (_, n) =>
      concept(`C-${n}`, {
        provenance: pick([null, PROVENANCE, { ...PROVENANCE, sourceId: null }]),
        expressions: Array.from({ length: next(6) }, () =>
          expression(pick(["en", "en", "de", "zh-Hant"]), pick(["a", "b", "A", "é"]), {
            type: pick(["preferred", "alternate", "abbreviation", "symbol"]),
            equivalenceStrength: pick([1, 1, 1, 0.5]),
            reviewStatus: pick(["reviewed", "reviewed", "reviewed", "draft", "rejected"]),
          }),
        ),
        ...(next(3) === 0 && {
          hiddenLabels: Array.from({ length: 1 + next(3) }, () => ({ language: "en", label: pick(["a", "b", "c"]) })),
        }),
      }),
    );
    const all = registryOf(many);
    const turtle = written(all, "turtle");
    expect(contentOf(await read("a.ttl", turtle))).toEqual(expected(all));
    expect(contentOf(await read("a.nt", shuffled(turtle)))).toEqual(expected(all));
    expectIntegrity(turtle);
  });

  it("has the same bytes whatever the order of its files", () => {
    const reversed = { ...registry, concepts: registry.concepts.toReversed(), retired: registry.retired.toReversed() };
    expect(written(reversed, "turtle")).toBe(written(registry, "turtle"));
    expect(written(reversed, "jsonld")).toBe(written(registry, "jsonld"));
  });

  it("is said in the words of SKOS alone, as far as they go", () => {
    const [plain] = CONCEPTS;
    const { provenance: _, ...record } = plain as ConceptRecord;
    expect(written(registryOf([{ ...record, provenance: null }]), "turtle").split("\n\n")[2]).toMatchInlineSnapshot(`
      "<https://registry.example/api/v1/concepts/C-PLAIN>
          a skos:Concept ;
          skos:inScheme <https://registry.example/api/v1/concepts> ;
          skos:notation "C-PLAIN"^^srs:ConceptCode ;
          srs:name "Name of C-PLAIN" ;
          srs:domain "test" ;
          skos:prefLabel
              "schlicht"@de ,
              "plain"@en ,
              "簡單"@zh-Hant-TW ;
          skos:altLabel
              "einfach"@de-AT ,
              "plain \\\\ \\"old\\" 'text'"@en ,
              "simple 🍍丽"@en ;
          skos:hiddenLabel
              "palin"@en ,
              "plian"@en ;
          skos:definition "A \\"definition\\"\\nwith \\\\ two lines, 'quotes' and\\ta tab." ;
          srs:renderings "[{\\"type\\":\\"emoji\\",\\"descriptor\\":\\"a pineapple\\",\\"unicodeSequence\\":\\"🍍\\",\\"confidence\\":0.5}]"^^rdf:JSON .
      "
    `);
  });

  it("leaves out the other languages when some are chosen", async () => {
    const text = [...writeSkos(registry, { format: "turtle", origin: ORIGIN, languages: ["zh"] })].join("");
    const { concepts } = await read("a.ttl", text);
    const tags = new Set(concepts.flatMap(({ expressions }) => expressions.map(({ tag }) => tag)));
    expect(tags).toEqual(new Set(["zh", "zh-Hant-TW", "zh-cmn-Hans", "zh_CN"]));
  });

  it("is refused where two records have one code", () => {
    expect(() => written(registryOf([concept("C-1"), concept("C-1")]), "turtle")).toThrow(ExportError);
  });
});

/** SKOS S13 and S14 for every concept, S9 for every subject. */
function expectIntegrity(turtle: string): void {
  const store = new Store(new Parser({ format: "Turtle" }).parse(turtle));
  const skos = (name: string): string => `http://www.w3.org/2004/02/skos/core#${name}`;
  for (const subject of store.getSubjects(null, null, null)) {
    const [preferred = [], ...others] = ["prefLabel", "altLabel", "hiddenLabel"].map((name) =>
      store.getObjects(subject, skos(name), null).map(({ id }) => id),
    );
    const all = [preferred, ...others].flat();
    expect(new Set(all).size).toBe(all.length);
    const tags = preferred.map((id) => id.replace(/^.*@/, ""));
    expect(new Set(tags).size).toBe(tags.length);
    expect(store.getObjects(subject, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", null)).toHaveLength(1);
  }
}

describe("an export that another tool changed", () => {
  const before = written(registryOf([CONCEPTS[0] as ConceptRecord, CONCEPTS[1] as ConceptRecord], RETIRED), "turtle");

  async function edited(...edits: readonly (readonly [string, string])[]): Promise<Source> {
    let text = before;
    for (const [from, to] of edits) {
      expect(text.split(from)).toHaveLength(2);
      text = text.replace(from, () => to);
    }
    return read("a.ttl", text);
  }

  const expressionsOf = ({ concepts }: Source, code: string): readonly SourceExpression[] =>
    concepts.find((one) => one.code === code)?.expressions ?? [];

  it("has the new labels, claimed as reviewed, and not the old ones", async () => {
    const source = await edited(['"einfach"@de-AT', '"simpel"@de-AT, "leicht"@de']);
    const texts = expressionsOf(source, "C-PLAIN").map(({ text, reviewStatus }) => [text, reviewStatus]);
    expect(texts).toContainEqual(["simpel", "reviewed"]);
    expect(texts).toContainEqual(["leicht", "reviewed"]);
    expect(texts).not.toContainEqual(["einfach", "reviewed"]);
  });

  it("has no more what its plain label said, with all that our record added", async () => {
    const source = await edited(['        "ABC"@en ,\n', ""], ['"℃"@en', '"K"@en']);
    const texts = expressionsOf(source, "C-ODD").map(({ text, type }) => [text, type]);
    expect(texts).not.toContainEqual(["ABC", "abbreviation"]);
    expect(texts).not.toContainEqual(["℃", "symbol"]);
    // What is new has no position, so it stands behind what has one.
    expect(texts.at(-1)).toEqual(["K", "alternate"]);
    expect(texts).toContainEqual(["near", "alternate"]);
  });

  it("has the new definition, matches, hidden labels and retirement", async () => {
    const source = await edited(
      ["<http://a/> ;", "<http://new/> ;"],
      ['"plian"@en', '"plane"@en'],
      [`skos:definition "" ;`, `skos:definition "Said."@en ; owl:deprecated true ;`],
    );
    const [odd, plain] = ["C-ODD", "C-PLAIN"].map((code) => source.concepts.find((one) => one.code === code));
    expect(plain?.exactMatch).toEqual(["http://b/", "no IRI", "skos:x", "http://new/"]);
    expect(plain?.hiddenLabels.map(({ text }) => text)).toEqual(["palin", "plane"]);
    expect(odd).toMatchObject({ definitions: [{ tag: "en", text: "Said." }], retired: { replacedBy: [] } });
  });

  it("has no place for a match that is a text", async () => {
    const { faults } = await edited(["<http://a/> ;", '"http://a/" ;']);
    expect(faults).toMatchObject([{ rule: "reference-not-iri", outcome: "left out" }]);
  });

  it("is read without the records that are broken, and says which", async () => {
    const source = await edited([
      'srs:provenance "{\\"source\\":\\"A vocabulary\\",\\"license\\":\\"CC-BY-4.0\\",\\"sourceId\\":\\"not',
      'srs:provenance "{\\"sauce\\":\\"A vocabulary\\",\\"license\\":\\"CC-BY-4.0\\",\\"sourceId\\":\\"not',
    ]);
    expect(source.faults).toMatchObject([{ rule: "export-record", concept: `${ORIGIN}/api/v1/concepts/C-ODD` }]);
    expect(source.faults[0]?.text).toMatch(/^srs:provenance is not one of our records: it /);
  });
});
