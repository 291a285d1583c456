/**
 * The identifiers elsewhere of published concepts: that of the concept in its source, which is an
 * exact match, and the matches that the source states. What is not an IRI names no entity, and is
 * left out.
 */
import { MATCHES, type Match as Predicate, type Provenance } from "../../../../runtime/contract/concept.ts";
import { compareCodePoints } from "../../../text/order.ts";
import type { CodeList } from "./code-list.ts";

export interface Match {
  readonly code: string;
  readonly name: string;
  readonly predicate: Predicate;
  readonly iri: string;
  readonly provenance: Provenance;
}

/** By code, then predicate and object. */
export function* matchesIn(list: CodeList): Generator<Match, void> {
  for (const { code, name, concept } of list) {
    const provenance = concept?.provenance ?? null;
    if (provenance === null) continue;
    const stated = MATCHES.flatMap((predicate) =>
      (provenance[predicate] ?? []).map((iri) => [predicate, iri] as const),
    );
    if (provenance.sourceId !== null) stated.push(["exactMatch", provenance.sourceId]);
    const each = new Map(stated.filter(([, iri]) => IRI.test(iri)).map((one) => [one.join(" "), one]));
    for (const [, [predicate, iri]] of [...each].sort(([a], [b]) => compareCodePoints(a, b)))
      yield { code, name, predicate, iri, provenance };
  }
}

const IRI = /^(?:https?:\/\/|urn:)[^\s<>"{}|\\^`]+$/u;

/** The namespace ends with the last separator that something follows. */
export function splitIri(iri: string): readonly [namespace: string, local: string] {
  const [, namespace = "", local = ""] = /^(.*[/#:])([^/#:]+[/#:]*)$/u.exec(iri) ?? [];
  return [namespace, local];
}
