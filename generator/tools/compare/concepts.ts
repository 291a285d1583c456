/**
 * Finds the concepts that were added, retired or changed. Both indexes have them in code order, so
 * one walk over both is enough, with one concept of each in memory at a time.
 */
import type { MemoryBudget } from "../../effects/effects.ts";
import { compareCodePoints } from "../../text/order.ts";
import { ChangeList } from "../../promise/change-list.ts";
import type { ConceptChange } from "./comparison.ts";
import { jsonChanges } from "./json-changes.ts";
import { originReplacer } from "./follow.ts";
import { codeOf, refuseDamaged } from "../../promise/side-index.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * The changes from A to B, in code order; `progress` gets the number of concepts of A that are
 * done.
 */
export function compareConcepts(
  budget: MemoryBudget,
  [a, b]: readonly [Snapshot, Snapshot],
  progress: (done: number) => void,
): ChangeList<ConceptChange> {
  // An index in a former format has no notes, whatever its registry says.
  const haveNotes = [a, b].every(({ index }) => index.meta.notesStart !== undefined);
  const [before, after] = [new Walk(a, haveNotes), new Walk(b, haveNotes)];
  // Then the same bytes mean the same, and most concepts need not be parsed.
  const isLike = a.side.origin === b.side.origin && a.side.registryVersion === b.side.registryVersion;
  const changes = new ChangeList<ConceptChange>(budget);
  const add = (change: ConceptChange): void => changes.add(change.code, change);
  while (before.concept !== undefined || after.concept !== undefined) {
    const [left, right] = [before.concept, after.concept];
    const order = left === undefined ? 1 : right === undefined ? -1 : compareCodePoints(left.code, right.code);
    if (order < 0 && left !== undefined) add(whole("retired", left));
    if (order > 0 && right !== undefined) add(whole("added", right));
    if (order === 0 && left !== undefined && right !== undefined && !(isLike && haveSameBytes(left, right)))
      changesOf(left, right).forEach(add);
    if (order <= 0) before.advance();
    if (order >= 0) after.advance();
    if (before.id % 1000 === 0) progress(before.id);
  }
  return changes;
}

function whole(change: "added" | "retired", concept: PublishedConcept): ConceptChange {
  return { code: concept.code, change, name: concept.detail().name, changes: [] };
}

function haveSameBytes(left: PublishedConcept, right: PublishedConcept): boolean {
  return left.texts.every((text, i) => Buffer.compare(text, right.texts[i] ?? text) === 0);
}

/** If the detail is the same, other texts about the concept may still differ. */
function changesOf(left: PublishedConcept, right: PublishedConcept): ConceptChange[] {
  // Most details are the same, and are not parsed.
  const details = left.own() === right.own() ? [] : jsonChanges(comparable(left.detail()), comparable(right.detail()));
  const own = details.length > 0 ? details : jsonChanges(left.elsewhere(), right.elsewhere());
  const changes = [...own, ...jsonChanges(left.notes(), right.notes())];
  return changes.length === 0 ? [] : [{ code: right.code, change: "changed", name: right.detail().name, changes }];
}

/** Drops the version, which is that of the whole registry: a fact, not a change of each concept. */
function comparable(detail: Members): unknown {
  const { registryVersion: _, ...own } = detail;
  return own;
}

type Members = Readonly<Record<string, unknown>>;
type Detail = Members & { readonly name: string };

interface PublishedConcept {
  readonly code: string;
  /** All texts about it in the index. */
  readonly texts: readonly Uint8Array[];
  /** The text of its detail, without origin and version. */
  own(): string;
  /** Its parsed detail, with the origin replaced. */
  detail(): Detail;
  /** The texts about it in lists, resolutions and candidates, without origin and version. */
  elsewhere(): Readonly<Record<string, string>>;
  /** What its page shows in addition to the detail. */
  notes(): Members;
}

/** The concepts of one index, one by one. */
class Walk {
  id = 0;
  concept: PublishedConcept | undefined;
  readonly #snapshot: Snapshot;
  readonly #replaceOrigin: (text: string) => string;
  readonly #version: string;
  readonly #haveNotes: boolean;

  constructor(snapshot: Snapshot, haveNotes: boolean) {
    this.#haveNotes = haveNotes;
    const { origin, registryVersion } = snapshot.side;
    this.#snapshot = snapshot;
    this.#replaceOrigin = originReplacer(origin);
    this.#version = `"registryVersion":${JSON.stringify(registryVersion)}`;
    this.concept = this.#read();
  }

  advance(): void {
    const code = this.concept?.code ?? "";
    this.id++;
    this.concept = this.#read();
    // With concepts out of order, the walk would report one both as retired and as added.
    if (this.concept !== undefined && compareCodePoints(code, this.concept.code) >= 0) this.#refuse();
  }

  #read(): PublishedConcept | undefined {
    const { index } = this.#snapshot;
    if (this.id >= index.conceptCount) return undefined;
    const parts = index.concept(this.id);
    const spans = [parts.detail, parts.summary, parts.resolved, parts.candidate];
    const texts = [...spans, ...(this.#haveNotes ? [parts.notes] : [])].map((span) => index.read(span));
    const [detail = none, summary = none, resolved = none, candidate = none, notes = none] = texts;
    const said = (bytes: Uint8Array): string => this.#replaceOrigin(decoder.decode(bytes));
    const own = (bytes: Uint8Array): string => said(bytes).replace(this.#version, "");
    let parsed: Detail | undefined;
    return {
      code: codeOf(this.#snapshot, this.id),
      texts,
      own: () => own(detail),
      detail: () => (parsed ??= this.#detail(said(detail))),
      elsewhere: () => ({ listed: own(summary), resolved: own(resolved), candidate: own(candidate) }),
      notes: () => (notes.length === 0 ? {} : this.#parse(decoder.decode(notes))),
    };
  }

  #detail(text: string): Detail {
    const members = this.#parse(text);
    const { name } = members;
    return typeof name === "string" ? { ...members, name } : this.#refuse();
  }

  #parse(text: string): Members {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null) return value as Members;
    } catch {
      // Refused below.
    }
    return this.#refuse();
  }

  #refuse(): never {
    return refuseDamaged(this.#snapshot.side.given);
  }
}

const none = new Uint8Array();
const decoder = new TextDecoder();
