/**
 * Writes all records of a registry as SKOS, from which reading restores the same registry. The same
 * registry gives the same bytes. Codes must be unique, as the registry's own check demands;
 * anything else that the check refuses is written as it is.
 * Source: SKOS Reference (W3C, 2009); the output meets its integrity conditions.
 */
import { compareCodePoints } from "../../../text/order.ts";
import { chooseLanguages } from "./chosen-languages.ts";
import {
  beginJsonLd,
  beginTurtle,
  endJsonLd,
  formatJsonLd,
  formatTurtle,
  type Node,
  type Property,
} from "../../../skos/rdf-write.ts";
import { conceptProperties, retiredProperties, schemeProperties } from "../../../skos/nodes.ts";
import { type ExportOptions, inCodeOrder, inLanguages, type RegistryRecords, unsaidCodes } from "./writing.ts";
import { conceptIri, schemeIri } from "../../../skos/iris.ts";
import { ExportError } from "../../../text/export-error.ts";

export interface SkosWriting extends ExportOptions {
  readonly format: "turtle" | "jsonld";
}

/**
 * Yields the file in pieces: the scheme, then the concepts and then the retired codes, each in code
 * order.
 */
export function* writeSkos(
  source: RegistryRecords,
  { format, origin, languages }: SkosWriting,
): Generator<string, void> {
  const nodes = describe(source, schemeIri(origin), chooseLanguages(languages));
  switch (format) {
    case "turtle":
      yield beginTurtle();
      for (const node of nodes) yield formatTurtle(node);
      return;
    case "jsonld": {
      yield beginJsonLd();
      let isFirst = true;
      for (const node of nodes) {
        yield `${isFirst ? "" : ",\n"}${formatJsonLd(node)}`;
        isFirst = false;
      }
      yield endJsonLd();
    }
  }
}

function* describe(records: RegistryRecords, scheme: string, takes: (tag: string) => boolean): Generator<Node, void> {
  const { registry, concepts, retired, vocabularies = [] } = records;
  const others = [
    ...unsaidCodes(records).map((json): Property => ["srs:mapped", { json }]),
    ...vocabularies.map((json): Property => ["srs:vocabulary", { json }]),
  ];
  yield { iri: scheme, properties: [...schemeProperties(registry), ...others] };
  const codes = new Set<string>();
  const claim = ({ code }: { readonly code: string }): void => {
    if (codes.has(code)) throw new ExportError(`The registry has the code ${code} twice. Lint the registry first`);
    codes.add(code);
  };
  for (const { record } of inCodeOrder(concepts)) {
    claim(record);
    yield { iri: conceptIri(scheme, record.code), properties: conceptProperties(inLanguages(record, takes), scheme) };
  }
  for (const record of retired.toSorted((a, b) => compareCodePoints(a.code, b.code))) {
    claim(record);
    yield { iri: conceptIri(scheme, record.code), properties: retiredProperties(record, scheme) };
  }
}
