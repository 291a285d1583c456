/** A small registry made to be nasty: everything the starter is too well-behaved to hold. */
import type { ConceptRecord } from "../../generator/registry/record.ts";
import { concept, expression, type RegistryFiles } from "./registry.ts";

export const LONGEST = "語".repeat(1000);
export const LONGEST_ASTRAL = "😀".repeat(1000);

const many: ConceptRecord[] = Array.from({ length: 12 }, (_, i) =>
  concept(`N-MANY-${String.fromCharCode(65 + i)}`, [expression("en", "many")]),
);

const concepts: ConceptRecord[] = [
  concept("N-MONEY", [expression("en", "bank"), expression("de", "Bank"), expression("en", "only money")]),
  concept("N-RIVER", [expression("en", "bank"), expression("de", "Ufer")]),
  concept("N-POISON", [expression("de", "Gift"), expression("en", "poison")]),
  concept("N-PRESENT", [expression("en", "Gift"), expression("de", "Geschenk")]),
  concept("N-TAXI", [expression("en", "taxi"), expression("de", "taxi"), expression("fr", "taxi")]),
  concept("N-REVIEW", [
    expression("en", "reviewed one"),
    expression("en", "one in review", { reviewStatus: "in_review" }),
    expression("en", "drafted one", { reviewStatus: "draft" }),
    expression("en", "rejected one", { reviewStatus: "rejected" }),
    expression("en", "retired one", { reviewStatus: "retired" }),
  ]),
  concept("N-DRAFT", [expression("en", "nothing reviewed", { reviewStatus: "draft" })]),
  concept("N-NEAR", [
    expression("en", "sort of", { equivalenceStrength: 0.8 }),
    expression("en", "shared", { equivalenceStrength: 0.8 }),
    expression("en", "both near", { equivalenceStrength: 0.4 }),
    expression("de", "both near", { equivalenceStrength: 0.25 }),
  ]),
  concept("N-EXACT", [expression("en", "shared"), expression("en", "both near", { equivalenceStrength: 0.9 })]),
  concept("N-ACCENTS", [
    expression("fr", "café"),
    expression("fr", "Å"),
    expression("ko", "한국어"),
    expression("vi", "tiếng Việt"),
    expression("fr", "ﬁ"),
  ]),
  concept("N-RTL", [expression("ar", "مرحبا بالعالم"), expression("he", "שלום עולם"), expression("fa", "می‌خواهم")]),
  concept("N-EMOJI", [
    expression("en", "👩‍💻", { type: "symbol" }),
    expression("en", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", { type: "symbol" }),
    expression("en", "❤️", { type: "symbol" }),
  ]),
  concept("N-LONG", [expression("zh-Hant", LONGEST), expression("en", LONGEST_ASTRAL)]),
  concept("N-SHORT", [expression("en", "x"), expression("fr", "é"), expression("en", "😀")]),
  concept("N-PHONE", [
    expression("pt", "telefone", { type: "preferred" }),
    expression("pt", "celular", { locale: "pt-BR", type: "preferred" }),
    expression("pt", "telemóvel", { locale: "pt-PT" }),
  ]),
  concept("N-LEVEL-AT", [expression("de", "Stufe", { locale: "de-AT", equivalenceStrength: 0.8 })]),
  concept("N-LEVEL-DE", [expression("de", "Stufe")]),
  concept("N-QUOTES", [expression("en", 'say "hi" \\ </script>')], {
    name: 'Quotes " and \\',
    definition: "Line separators and <tags> & ampersands: \u00E9, ζ, Größe, İstanbul.",
    domain: "quotes",
    provenance: { source: "test", license: "CC0-1.0", sourceId: "urn:x", reviewedBy: "role", reviewedAt: "2026-11-21" },
    renderings: [
      { type: "text", descriptor: "no sequence", unicodeSequence: null, confidence: 0 },
      { type: "emoji", descriptor: "technologist", unicodeSequence: "👩‍💻", confidence: 0.5 },
    ],
  }),
  ...many,
];

export const nasty: RegistryFiles = {
  concepts,
  registry: {
    name: "Nasty",
    languages: ["en", "de", "fr", "pt", "ko", "vi", "ar", "he", "fa", "zh-Hant"],
  },
  retired: [{ code: "N-RETIRED", retiredIn: "2026.10.1", replacedBy: "N-MONEY" }],
};

export const empty: RegistryFiles = { concepts: [] };
