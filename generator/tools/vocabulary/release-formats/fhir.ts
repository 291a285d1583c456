/**
 * Writes codes as a bundle of FHIR R5 resources (5.0.0): the code system, in which a retired code
 * is inactive and names its successor, its mappings to identifiers elsewhere, and its naming
 * system. That must have a date: the year and the month of the version.
 * The mappings are held in memory, because they are grouped by the namespace of their targets.
 */
import { createHash } from "node:crypto";
import { MAPPINGS_PATH } from "../../../../runtime/contract/added-resources.ts";
import { EXACT_STRENGTH, type Match as Predicate } from "../../../../runtime/contract/concept.ts";
import { type Concept, tagOf } from "../../../registry/concept.ts";
import { paths } from "../../../../runtime/contract/paths.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { printableJson } from "../../../text/printable.ts";
import { type CodeList, type ListedCode, retirementOf } from "./code-list.ts";
import { matchesIn, splitIri } from "./matches.ts";

export function* writeFhir(list: CodeList): Generator<string, void> {
  yield '{\n"resourceType":"Bundle","type":"collection","entry":[\n';
  yield* entry(list, "CodeSystem", codeSystem(list));
  yield ",\n";
  yield* entry(list, "ConceptMap", conceptMap(list));
  yield ",\n";
  yield* entry(list, "NamingSystem", namingSystem(list));
  yield "\n]}\n";
}

function* entry({ contentSha256 }: CodeList, type: string, members: Iterable<string>): Generator<string, void> {
  yield `{"fullUrl":"${uuidOf(`${type} ${contentSha256}`)}","resource":{"resourceType":"${type}",`;
  yield* members;
  yield "}}";
}

/** RFC 9562 §5.8: a UUID of version 8 has its own rule, here that of a digest. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join("-")}`;
}

const systemOf = ({ origin }: CodeList): string => origin + paths.concepts;

function head(list: CodeList, name: string): object {
  const status = list.registryVersion.endsWith("-draft") ? "draft" : "active";
  const [year = "", month = ""] = list.registryVersion.split(".");
  return { version: list.registryVersion, name, status, date: `${year}-${month}` };
}

const PROPERTIES = [
  { code: "status", uri: "http://hl7.org/fhir/concept-properties#status", type: "code" },
  { code: "inactive", uri: "http://hl7.org/fhir/concept-properties#inactive", type: "boolean" },
  { code: "comment", uri: "http://hl7.org/fhir/concept-properties#comment", type: "string" },
  { code: "replacedBy", description: "The code that replaces a retired one", type: "code" },
  { code: "domain", description: "The domain of the concept", type: "string" },
];

function* codeSystem(list: CodeList): Generator<string, void> {
  const members = {
    url: systemOf(list),
    ...head(list, "ConceptCodes"),
    title: `Codes of ${list.origin}`,
    description: `Content SHA-256 ${list.contentSha256}`,
    caseSensitive: true,
    content: "complete",
    count: list.publishedCount + list.retiredCount,
    property: PROPERTIES,
  };
  yield inner(members);
  let isOpen = false;
  for (const one of list) {
    yield `${isOpen ? "," : ',"concept":['}\n${printableJson(conceptOf(one))}`;
    isOpen = true;
  }
  if (isOpen) yield "\n]";
}

function conceptOf({ code, name, concept, retired }: ListedCode): object {
  if (retired !== undefined) {
    const { replacedBy } = retired;
    const property = [
      { code: "status", valueCode: "retired" },
      { code: "inactive", valueBoolean: true },
      { code: "comment", valueString: retirementOf(retired) },
      ...(replacedBy === null ? [] : [{ code: "replacedBy", valueCode: replacedBy }]),
    ];
    return { code, display: name, property };
  }
  const designation = designationsOf(concept);
  return {
    code,
    display: name,
    definition: concept.definition,
    ...(designation.length > 0 && { designation }),
    property: [
      { code: "status", valueCode: "active" },
      { code: "domain", valueString: concept.domain },
    ],
  };
}

/** Only what means exactly the concept. */
function designationsOf({ expressions }: Concept): object[] {
  return expressions
    .filter(({ equivalenceStrength }) => equivalenceStrength === EXACT_STRENGTH)
    .map((one) => ({ language: tagOf(one), value: one.expression }));
}

const RELATIONSHIPS: Readonly<Record<Predicate, string>> = {
  exactMatch: "equivalent",
  closeMatch: "related-to",
  broadMatch: "source-is-narrower-than-target",
  narrowMatch: "source-is-broader-than-target",
  relatedMatch: "related-to",
};

function* conceptMap(list: CodeList): Generator<string, void> {
  yield inner({ url: list.origin + MAPPINGS_PATH, ...head(list, "ConceptMappings") });
  const groups = new Map<string, Map<string, object[]>>();
  for (const { code, predicate, iri } of matchesIn(list)) {
    const [namespace, local] = splitIri(iri);
    const elements = groups.get(namespace) ?? new Map<string, object[]>();
    groups.set(namespace, elements);
    const targets = elements.get(code) ?? [];
    elements.set(code, [...targets, { code: local, relationship: RELATIONSHIPS[predicate] }]);
  }
  let isOpen = false;
  for (const [target, elements] of [...groups].sort(([a], [b]) => compareCodePoints(a, b))) {
    const element = [...elements].map(([code, targets]) => ({ code, target: targets }));
    yield `${isOpen ? "," : ',"group":['}\n${printableJson({ source: systemOf(list), target, element })}`;
    isOpen = true;
  }
  if (isOpen) yield "\n]";
}

function* namingSystem(list: CodeList): Generator<string, void> {
  const uniqueId = [{ type: "uri", value: systemOf(list), preferred: true }];
  yield inner({ ...head(list, "ConceptCodes"), kind: "codesystem", uniqueId });
}

/** The members of an object, without its braces. */
function inner(members: object): string {
  return printableJson(members).slice(1, -1);
}
