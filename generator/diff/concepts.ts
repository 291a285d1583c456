/**
 * Which concepts were added, retired and changed. Both indexes hold them in code order, so one walk over both is enough,
 * and holds one concept of each at a time.
 */
import type { Span } from "../../runtime/registry/byte-source.ts";
import { compareCodePoints } from "../text/order.ts";
import type { ConceptChange } from "./comparison.ts";
import { jsonChanges } from "./json-changes.ts";
import { originReplacer } from "./origin.ts";
import { damaged, type Snapshot } from "./snapshot.ts";

/** The changes from A to B, in code order; `progress` is told how many concepts of A are done. */
export function compareConcepts(a: Snapshot, b: Snapshot, progress: (done: number) => void): ConceptChange[] {
  const [before, after] = [new Walk(a), new Walk(b)];
  const changes: ConceptChange[] = [];
  while (before.concept !== undefined || after.concept !== undefined) {
    const [left, right] = [before.concept, after.concept];
    const order =
      left === undefined ? 1 : right === undefined ? -1 : compareCodePoints(left.detail.code, right.detail.code);
    if (order < 0 && left !== undefined) changes.push(whole("retired", left));
    if (order > 0 && right !== undefined) changes.push(whole("added", right));
    if (order === 0 && left !== undefined && right !== undefined) changes.push(...changesOf(left, right));
    if (order <= 0) before.advance();
    if (order >= 0) after.advance();
    if (before.id % 1000 === 0) progress(before.id);
  }
  return changes;
}

function whole(change: "added" | "retired", { detail: { code, name } }: PublishedConcept): ConceptChange {
  return { code, change, name: String(name), changes: [] };
}

/** Where the detail says the same, what is said of the concept elsewhere may not. */
function changesOf(before: PublishedConcept, after: PublishedConcept): ConceptChange[] {
  const details = before.own === after.own ? [] : jsonChanges(comparable(before), comparable(after));
  const changes = details.length > 0 ? details : jsonChanges(before.elsewhere(), after.elsewhere());
  const { code, name } = after.detail;
  return changes.length === 0 ? [] : [{ code, change: "changed", name: String(name), changes }];
}

/** The version is that of the whole registry: a fact, and not a change of each of its concepts. */
function comparable({ detail }: PublishedConcept): unknown {
  const { registryVersion: _, ...own } = detail;
  return own;
}

interface PublishedConcept {
  /** The text of its detail without origin and version. */
  readonly own: string;
  /** Its detail with the origin replaced. */
  readonly detail: { readonly code: string; readonly [name: string]: unknown };
  /** What lists, searches and resolutions print of it, without origin and version. */
  elsewhere(): Readonly<Record<string, string>>;
}

/** The concepts of one index, one by one. */
class Walk {
  id = 0;
  concept: PublishedConcept | undefined;
  readonly #snapshot: Snapshot;
  readonly #replaceOrigin: (text: string) => string;
  readonly #version: string;

  constructor(snapshot: Snapshot) {
    const { origin, registryVersion } = snapshot.side;
    this.#snapshot = snapshot;
    this.#replaceOrigin = originReplacer(origin);
    this.#version = `"registryVersion":${JSON.stringify(registryVersion)}`;
    this.concept = this.#read();
  }

  advance(): void {
    const code = this.concept?.detail.code ?? "";
    this.id++;
    this.concept = this.#read();
    // Out of order, the walk would tell one concept as retired and added.
    if (this.concept !== undefined && compareCodePoints(code, this.concept.detail.code) >= 0) this.#refuse();
  }

  #read(): PublishedConcept | undefined {
    const { index } = this.#snapshot;
    if (this.id >= index.conceptCount) return undefined;
    const parts = index.concept(this.id);
    const textOf = (span: Span): string => this.#replaceOrigin(decoder.decode(index.read(span)));
    const text = textOf(parts.detail);
    const said = (span: Span): string => textOf(span).replace(this.#version, "");
    const { summary, resolved, candidate } = parts;
    const elsewhere = (): Readonly<Record<string, string>> => ({
      listed: said(summary),
      resolved: said(resolved),
      candidate: said(candidate),
    });
    try {
      const detail = JSON.parse(text) as PublishedConcept["detail"] | null;
      if (typeof detail?.code === "string") return { own: text.replace(this.#version, ""), detail, elsewhere };
    } catch {
      // Refused below.
    }
    return this.#refuse();
  }

  #refuse(): never {
    throw damaged(this.#snapshot.side.given);
  }
}

const decoder = new TextDecoder();
