/**
 * Finds contradictions in the relations that vocabularies state: relations that lead nowhere or in
 * a circle or that only one side states, a concept elsewhere that two concepts claim to be, and
 * definitions that readers of the labels cannot read. None of this decides what resolves, so every
 * finding is a notice.
 */
import { INVERSE, type Relation, RELATIONS } from "../../runtime/contract/concept-notes.ts";
import type { Provenance } from "../../runtime/contract/concept.ts";
import type { Room } from "../effects/effects.ts";
import { SortedRecords, textsByKey } from "../effects/sorted-records.ts";
import { type Fault, type Finding, noticeAt, type Place, placeOf, sortFindings } from "../text/finding.ts";
import { compareCodePoints } from "../text/order.ts";
import { quote, shortened } from "../text/printable.ts";
import { isCurrent } from "./check-concept.ts";
import type { Located } from "./read.ts";
import type { ConceptRecord } from "./record.ts";
import { isAbove, isNamed, makeGraph, type RelationGraph, rings } from "./relation-graph.ts";

/** A concept as the findings name it. */
interface Named extends Place {
  readonly code: string;
}

/** A relation that a concept states; its key is the code of the other concept. */
interface End extends Named {
  /** The number of the concept, in the order of `take`. */
  readonly number: number;
  readonly relation: Relation;
  /** Its position among the concept's relations of this kind. */
  readonly at: number;
}

/** A claim to be a concept elsewhere; its key is the IRI of that concept. */
interface Match extends Named {
  readonly at: number;
}

/** Takes the concepts one at a time. */
export class RelationCheck {
  /** The number of each concept, by code. */
  readonly #numbers: SortedRecords;
  /** By the code of the other concept. */
  readonly #ends: SortedRecords;
  /** By IRI. */
  readonly #matches: SortedRecords;
  readonly #findings: Finding[] = [];

  constructor(room: Room) {
    this.#numbers = new SortedRecords(room);
    this.#ends = new SortedRecords(room);
    this.#matches = new SortedRecords(room);
  }

  take(concept: Located<ConceptRecord>): void {
    const { code, provenance, notes } = concept.record;
    const number = this.#numbers.count;
    const named: Named = { ...placeOf(concept), code };
    this.#numbers.addText(code, String(number));
    for (const relation of RELATIONS) {
      for (const [at, other] of concept.record[relation]?.entries() ?? [])
        this.#ends.addText(other, JSON.stringify({ ...named, number, relation, at } satisfies End));
    }
    for (const [at, iri] of provenance?.exactMatch?.entries() ?? [])
      this.#matches.addText(iri, JSON.stringify({ ...named, at } satisfies Match));
    const own = [
      ...(provenance === null ? [] : contradictions(concept, provenance)),
      ...(notes?.definition === undefined ? [] : unreadable(concept)),
    ];
    for (const finding of own) this.#findings.push(finding);
  }

  /** Call it after every concept was taken. */
  *findings(): Generator<Finding, void> {
    yield* this.#findings;
    yield* this.#sharedMatches();
    if (this.#ends.count === 0) return;
    const graph = this.#graph();
    const inRings = rings(graph);
    const members = new Map<number, Named | undefined>(inRings.flat().map((node) => [node, undefined]));
    let edge = 0;
    for (const { key, head } of this.#ends) {
      const end = JSON.parse(decoder.decode(head)) as End;
      if (members.has(end.number)) members.set(end.number, end);
      yield* judge(end, key, { graph, edge: edge++, isKnown: (node) => node < this.#numbers.count });
    }
    for (const ring of inRings) yield ringFinding(ring.flatMap((node) => members.get(node) ?? []));
  }

  /** Two concepts claim to be the same concept elsewhere: looking its IRI up is ambiguous. */
  *#sharedMatches(): Generator<Finding, void> {
    for (const { key, texts } of textsByKey(this.#matches)) {
      const [first, ...others] = texts.map((text) => JSON.parse(text) as Match);
      for (const { at, ...concept } of others) {
        if (concept.code === first?.code) continue;
        const text = `${concept.code} and ${first?.code} both are an exact match of ${quote(key)}`;
        const remedy = "Keep it at one of them, and make the other a close match";
        yield noticeAt(concept, `/provenance/exactMatch/${at}`, { rule: "match-shared", text, remedy });
      }
    }
  }

  /** Its relations are in the order of `#ends`. */
  #graph(): RelationGraph {
    const { count } = this.#ends;
    const [from, to, kinds] = [new Uint32Array(count), new Uint32Array(count), new Uint8Array(count)];
    const numbers = this.#numbers[Symbol.iterator]();
    let next = numbers.next();
    let nodeCount = this.#numbers.count;
    let [before, node]: [string | undefined, number] = [undefined, 0];
    let edge = 0;
    for (const { key, head } of this.#ends) {
      if (key !== before) {
        while (next.done !== true && compareCodePoints(next.value.key, key) < 0) next = numbers.next();
        const isKnown = next.done !== true && next.value.key === key;
        node = isKnown ? Number(decoder.decode(next.value?.head)) : nodeCount++;
        before = key;
      }
      const { number, relation } = JSON.parse(decoder.decode(head)) as End;
      from[edge] = number;
      to[edge] = node;
      kinds[edge++] = RELATIONS.indexOf(relation);
    }
    return makeGraph({ nodeCount, from, to, kinds });
  }
}

export function relationFindings(concepts: Iterable<Located<ConceptRecord>>, room: Room): Finding[] {
  const check = new RelationCheck(room);
  for (const concept of concepts) check.take(concept);
  return sortFindings([...check.findings()]);
}

interface Judged {
  readonly graph: RelationGraph;
  readonly edge: number;
  /** Whether a node is a concept. */
  readonly isKnown: (node: number) => boolean;
}

/** The faults of a relation to a code. */
function* judge(end: End, code: string, { graph, edge, isKnown }: Judged): Generator<Finding, void> {
  const { relation } = end;
  const [node, other] = [graph.from[edge] ?? 0, graph.to[edge] ?? 0];
  const found = (fault: Fault): Finding => noticeAt(end, `/${relation}/${end.at}`, fault);
  if (!isKnown(other)) {
    // Retired codes count too: they lead nowhere.
    const text = `${end.code} has ${quote(code)} as ${relation}, which is not a concept of this registry`;
    const remedy = "Name a concept that is in use, or leave it to the source";
    yield found({ rule: "relation-dangling", text, remedy });
  } else if (relation !== "broader" && !isNamed(graph, node, [other, INVERSE[relation]])) {
    // Many vocabularies state only broader.
    const text = `${end.code} has ${code} as ${relation}, and ${code} does not have it as ${INVERSE[relation]}`;
    yield found({ rule: `${relation}-without-inverse`, text, remedy: "Say it in both concepts, or in neither" });
  }
  // SKOS S27: related concepts are not broader or narrower than each other.
  if (relation === "related" && (isAbove(graph, node, other) || isAbove(graph, other, node))) {
    const text = `${end.code} has ${code} as related, and one of them is above the other`;
    yield found({ rule: "related-above", text, remedy: "Keep broader or related, not both" });
  }
}

/** Concepts that are broader than themselves: one finding for each ring, at its first concept. */
function ringFinding(ring: Named[]): Finding {
  const [first = { code: "", file: "" }, ...others] = ring.sort((a, b) => compareCodePoints(a.code, b.code));
  const shown = others.slice(0, SHOWN - 1).map(({ code }) => code);
  const more = ring.length > SHOWN ? ` and ${ring.length - SHOWN} more` : "";
  const together = others.length > 0 ? `, together with ${shown.join(", ")}${more}` : "";
  const text = `${first.code} is above itself by broader${together}`;
  return noticeAt(first, "/broader", { rule: "broader-cycle", text, remedy: "Remove one of these relations" });
}

const SHOWN = 10;

/** SKOS S46: an exact match is not also a broader, narrower or related match. */
function contradictions(concept: Located<ConceptRecord>, provenance: Provenance): Finding[] {
  const exact = new Set(provenance.exactMatch);
  return (["broadMatch", "narrowMatch", "relatedMatch"] as const).flatMap((match) =>
    (provenance[match] ?? []).flatMap((iri, i) => {
      if (!exact.has(iri)) return [];
      const text = `${concept.record.code} has ${quote(iri)} as exactMatch and as ${match}`;
      const remedy = "Keep one of the two";
      return [noticeAt(concept, `/provenance/${match}/${i}`, { rule: "match-contradicts", text, remedy })];
    }),
  );
}

/** Reports definitions if none is in a language that the concept has a label in. */
function unreadable(concept: Located<ConceptRecord>): Finding[] {
  const { code, notes, expressions } = concept.record;
  const tags = (notes?.definition ?? []).flatMap(({ language }) => (language === undefined ? [] : [mainOf(language)]));
  if (tags.length === 0 || notes?.definition?.length !== tags.length) return [];
  const labels = new Set(expressions.filter(isCurrent).map(({ language }) => mainOf(language)));
  if (labels.size === 0 || tags.some((tag) => labels.has(tag))) return [];
  const text = `${code} is defined only in ${shortened([...new Set(tags)].join(", "))}, and has no label in it`;
  const remedy = "Define it in a language that its labels are in";
  return [noticeAt(concept, "/notes/definition", { rule: "definition-without-label", text, remedy })];
}

function mainOf(tag: string): string {
  return tag.split("-", 1)[0]?.toLowerCase() ?? "";
}

const decoder = new TextDecoder();
