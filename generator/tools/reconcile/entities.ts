/**
 * Concepts as the entities of the Reconciliation API: the id is the code, the type is the domain.
 */
import type { ConceptDetail, ResolvedConcept } from "../../../runtime/contract/concept.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { readDetail } from "../../../runtime/registry/read-concept.ts";

export interface Type {
  readonly id: string;
  readonly name: string;
}

export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: readonly [Type];
}

/** The entity of a concept id of the index. */
export function entityAt(index: RegistryIndex, conceptId: number): Entity {
  const text = decoder.decode(index.read(index.concept(conceptId).resolved));
  const { code, name, definition, domain } = JSON.parse(text) as ResolvedConcept;
  return { id: code, name, description: definition, type: [typeOf(domain)] };
}

/** Everything that is published about a concept; undefined if no concept has exactly this code. */
export function detailOf(index: RegistryIndex, code: string): ConceptDetail | undefined {
  const id = index.conceptId(code);
  return id === undefined ? undefined : readDetail(index, id);
}

export function typeOf(domain: string): Type {
  return { id: domain, name: domain };
}

const decoder = new TextDecoder();
