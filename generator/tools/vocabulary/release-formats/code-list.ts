/**
 * Every code that a release has or had, in code order: what its exports are made of. A code that
 * is not published any more stays in the list, because data may hold it.
 */
import type { RegistryIndex } from "../../../../runtime/registry/index.ts";
import type { Release } from "../../../../runtime/release/release.ts";
import { readPast, type Retired } from "../../../promise/past.ts";
import type { Concept } from "../../../registry/concept.ts";
import { conceptIn } from "../../../registry/published-concept.ts";
import { compareCodePoints } from "../../../text/order.ts";

export type ListedCode = PublishedCode | RetiredCode;

interface PublishedCode {
  readonly code: string;
  readonly name: string;
  readonly concept: Concept;
  readonly retired?: undefined;
}

interface RetiredCode {
  readonly code: string;
  /** The code itself if the registry recorded no name. */
  readonly name: string;
  readonly concept?: undefined;
  readonly retired: Retired;
}

export interface CodeList extends Iterable<ListedCode> {
  readonly origin: string;
  readonly registryVersion: string;
  /** Of the published content, as the history of the registry has it. */
  readonly contentSha256: string;
  readonly publishedCount: number;
  readonly retiredCount: number;
}

/** Throws ReleaseError if a document about the registry's past cannot be used. */
export function readCodeList({ directory, index, documents }: Release): CodeList {
  const past = readPast({ name: directory, index, documents });
  const retired = [...past.retired]
    .filter(([code]) => index.conceptId(code) === undefined)
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([code, one]) => ({ code, name: one.name ?? code, retired: one }));
  return {
    origin: past.origin,
    registryVersion: past.current,
    contentSha256: past.contentSha256,
    publishedCount: index.conceptCount,
    retiredCount: retired.length,
    [Symbol.iterator]: () => merge(index, retired),
  };
}

/** The ids of concepts are in code order. */
function* merge(index: RegistryIndex, retired: readonly RetiredCode[]): Generator<ListedCode, void> {
  let at = 0;
  for (let id = 0; id < index.conceptCount; id++) {
    const concept = conceptIn(index, id);
    for (let one = retired[at]; one !== undefined && compareCodePoints(one.code, concept.code) < 0; one = retired[++at])
      yield one;
    yield { code: concept.code, name: concept.name, concept };
  }
  yield* retired.slice(at);
}

/** About a code that is not published any more, for people. */
export function retirementOf({ retiredIn, replacedBy, reason }: Retired): string {
  const successor = replacedBy === null ? "It has no successor" : `Its successor is ${replacedBy}`;
  return `Retired in ${retiredIn}. ${successor}${reason === null ? "" : `. Reason: ${reason}`}`;
}
