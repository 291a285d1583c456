/**
 * Which concepts have narrower ones, and which of these have no broader one: where people begin to
 * walk through a vocabulary. The relations themselves are in the notes of each concept. Like the
 * names, this file belongs to the pages.
 */
import type { ConceptNotes } from "../contract/concept-notes.ts";
import type { RegistryIndex } from "./index.ts";
import { readNotes } from "./read-concept.ts";

export interface Named {
  readonly code: string;
  readonly name: string;
}

/** The file of a release in which some concept has a narrower one. */
export interface Hierarchy {
  /** By name. */
  readonly top: readonly Named[];
  /** The number of narrower concepts, in code order; only of concepts that have one. */
  readonly narrower: readonly (readonly [code: string, count: number])[];
}

/** More levels than a vocabulary for people has. */
const LEVELS_MAX = 12;

/**
 * The broader concepts of a concept, the topmost first. Of several on one level, the first by name
 * is taken; a circle ends where it closes.
 */
export function broaderPath(index: RegistryIndex, code: string, notes: ConceptNotes): Named[] {
  const path: Named[] = [];
  const seen = new Set([code]);
  for (let next = notes.broader?.concepts[0]; next !== undefined && path.length < LEVELS_MAX;) {
    const id = index.conceptId(next.code);
    if (id === undefined || seen.has(next.code)) break;
    seen.add(next.code);
    path.unshift(next);
    next = readNotes(index, id).broader?.concepts[0];
  }
  return path;
}
