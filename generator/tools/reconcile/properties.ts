/**
 * The properties of concepts, which a data extension gives and a query may ask for in addition to
 * an expression. Values are those of the published concept, in its order; nothing is derived.
 */
import { type ConceptDetail, type ConceptExpression, EXACT_STRENGTH } from "../../../runtime/contract/concept.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { tagOf } from "../../registry/concept.ts";

export interface Property {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  valuesOf(concept: ConceptDetail): readonly Value[];
}

export interface Value {
  readonly text: string;
  /** The language of the text, if it is known. */
  readonly language?: string;
}

/**
 * In queries of version 0.2, which have no field for it, this property is the language of the
 * expression.
 */
export const LANGUAGE = "language";

/** All properties by id: those of every concept, then two for each language of the registry. */
export function propertiesOf({ meta }: Pick<RegistryIndex, "meta">): ReadonlyMap<string, Property> {
  const all = [...COMMON, ...meta.languages.toSorted().flatMap(ofLanguage)];
  return new Map(all.map((property) => [property.id, property]));
}

/**
 * A tag in an id may be in any case (RFC 5646 §2.1.1), such as the one that the rest of the service
 * writes.
 */
export function propertyOf(properties: ReadonlyMap<string, Property>, id: string): Property | undefined {
  return properties.get(id) ?? properties.get(id.replace(/:.*/s, (tag) => tag.toLowerCase()));
}

/** Properties of which a concept has one text, in a member of the same name. */
const TEXTS = [
  { id: "name", name: "Name", description: "The name of the concept" },
  { id: "definition", name: "Definition", description: "What the concept means" },
  { id: "domain", name: "Domain", description: "The domain of the concept" },
  { id: "registryVersion", name: "Registry version", description: "To be recorded with the code" },
] as const;

const COMMON: readonly Property[] = [
  ...TEXTS.map((one) => ({ ...one, valuesOf: (concept: ConceptDetail) => [{ text: concept[one.id] }] })),
  {
    id: LANGUAGE,
    name: "Language",
    description: "Languages of the expressions; in a query, the BCP 47 tag of the expression",
    valuesOf: (concept) => [...new Set(exact(concept).map(tagOf))].map((text) => ({ text })),
  },
  {
    id: "expression",
    name: "Expressions",
    description: "Every exact expression, in all languages",
    valuesOf: (concept) => exact(concept).map(valueOf),
  },
  ...(["exactMatch", "closeMatch"] as const).map((id) => ({
    id,
    name: id === "exactMatch" ? "Exact match" : "Close match",
    description: "Concepts of other vocabularies, as the source maps them",
    valuesOf: ({ provenance }: ConceptDetail) => (provenance?.[id] ?? []).map((text) => ({ text })),
  })),
];

/** The index has tags in lower case, and so do the ids. */
function ofLanguage(tag: string): Property[] {
  const inLanguage = (concept: ConceptDetail): ConceptExpression[] =>
    exact(concept).filter((expression) => tagOf(expression).toLowerCase() === tag);
  return [
    {
      id: `preferred:${tag}`,
      name: `Preferred expression (${tag})`,
      description: `The preferred expression in ${tag}`,
      valuesOf: (concept) => inLanguage(concept).filter(({ type }) => type === "preferred").map(valueOf), // prettier-ignore
    },
    {
      id: `expression:${tag}`,
      name: `Expressions (${tag})`,
      description: `Every exact expression in ${tag}`,
      valuesOf: (concept) => inLanguage(concept).map(valueOf),
    },
  ];
}

/** The expressions that resolve, unless another concept has them too. */
function exact({ expressions }: ConceptDetail): ConceptExpression[] {
  return expressions.filter(({ equivalenceStrength }) => equivalenceStrength === EXACT_STRENGTH);
}

function valueOf(expression: ConceptExpression): Value {
  return { text: expression.expression, language: tagOf(expression) };
}
