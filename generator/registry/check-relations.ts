/**
 * Finds contradictions in the relations that vocabularies state: relations that lead nowhere or in
 * a circle or that only one side states, a concept elsewhere that two concepts claim to be, and
 * definitions that readers of the labels cannot read. None of this decides what resolves, so every
 * finding is a notice.
 */
import { INVERSE, type Relation, RELATIONS } from "../../runtime/contract/concept-notes.ts";
import type { MemoryBudget } from "../effects/effects.ts";
import { SortedRecords, textsByKey } from "../scratch/sorted-records.ts";
import { type Fault, type Finding, noticeAt, type Location, locationOf, sortFindings } from "../text/finding.ts";
import { compareCodePoints } from "../text/order.ts";
import { quote, shortened } from "../text/printable.ts";
import { isCurrent } from "./check-concept.ts";
import { tagOf } from "./concept.ts";
import type { Located } from "./read.ts";
import type { ConceptRecord } from "./record.ts";
import {
  type Edge,
  EDGES,
  isAbove,
  isNamed,
  makeGraph,
  type RelationGraph,
  rings,
  sameByMatch,
} from "./relation-graph.ts";

/** A concept as the findings name it. */
interface Named extends Location {
  readonly code: string;
}

/**
 * A relation or a match that a concept states. Its key is the code of the other concept, or its IRI
 * after `<`.
 */
interface End extends Named {
  /** The number of the concept, in the order of `take`. */
  readonly number: number;
  readonly relation: Edge;
  readonly pointer: string;
}

/** A claim to be a concept elsewhere; its key is the IRI of that concept. */
interface Match extends Named {
  readonly at: number;
}

/** Takes the concepts one at a time. */
export class RelationCheck {
  #count = 0;
  /** The number of each concept, by code and by the IRI that its source has for it. */
  readonly #numbers: SortedRecords;
  /** By the other concept. */
  readonly #ends: SortedRecords;
  /** By IRI. */
  readonly #matches: SortedRecords;
  readonly #findings: Finding[] = [];

  constructor(budget: MemoryBudget) {
    this.#numbers = new SortedRecords(budget);
    this.#ends = new SortedRecords(budget);
    this.#matches = new SortedRecords(budget);
  }

  take(concept: Located<ConceptRecord>): void {
    const { code, provenance, notes } = concept.record;
    const number = this.#count++;
    const named: Named = { ...locationOf(concept), code };
    this.#numbers.addText(code, String(number));
    if (provenance?.sourceId != null) this.#numbers.addText(`<${provenance.sourceId}`, String(number));
    for (const [relation, other, pointer] of edgesOf(concept.record))
      this.#ends.addText(other, JSON.stringify({ ...named, number, relation, pointer } satisfies End));
    for (const [at, iri] of provenance?.exactMatch?.entries() ?? [])
      this.#matches.addText(iri, JSON.stringify({ ...named, at } satisfies Match));
    const own = [...labelsInTwoRoles(concept), ...(notes?.definition === undefined ? [] : unreadable(concept))];
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
    const same = sameByMatch(graph);
    let edge = 0;
    for (const { key, head } of this.#ends) {
      const end = JSON.parse(decoder.decode(head)) as End;
      if (members.has(end.number)) members.set(end.number, end);
      yield* judge(end, key, { graph, same, edge: edge++, isKnown: (node) => node < this.#count });
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
    let nodeCount = this.#count;
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
      kinds[edge++] = EDGES.indexOf(relation);
    }
    return makeGraph({ nodeCount, from, to, kinds });
  }
}

export function relationFindings(concepts: Iterable<Located<ConceptRecord>>, budget: MemoryBudget): Finding[] {
  const check = new RelationCheck(budget);
  for (const concept of concepts) check.take(concept);
  return sortFindings([...check.findings()]);
}

interface Judged {
  readonly graph: RelationGraph;
  /** See `sameByMatch`. */
  readonly same: Uint32Array;
  readonly edge: number;
  /** Whether a node is a concept. */
  readonly isKnown: (node: number) => boolean;
}

/** What a concept states of others; relations to concepts elsewhere are in its source lines. */
function* edgesOf(record: ConceptRecord): Generator<[Edge, key: string, pointer: string], void> {
  for (const relation of RELATIONS)
    for (const [at, code] of record[relation]?.entries() ?? []) yield [relation, code, `/${relation}/${at}`];
  for (const match of MATCH_EDGES)
    for (const [at, iri] of record.provenance?.[match]?.entries() ?? [])
      yield [match, `<${iri}`, `/provenance/${match}/${at}`];
  for (const [at, line] of record.source?.entries() ?? []) {
    const [, name = "", iri] = RELATION_LINE.exec(line) ?? [];
    const relation = RELATIONS.find((one) => one === name.replace("Transitive", ""));
    if (relation !== undefined) yield [relation, `<${iri}`, `/source/${at}`];
  }
}

const MATCH_EDGES = ["broadMatch", "narrowMatch", "relatedMatch", "exactMatch"] as const;
/** SKOS S22: what is broader is so at any distance. */
const RELATION_LINE =
  /^<http:\/\/www\.w3\.org\/2004\/02\/skos\/core#(broader|narrower|related|broaderTransitive|narrowerTransitive)> <([^>]+)>$/;

/** The faults of a relation or a match to another concept. */
function* judge(end: End, key: string, { graph, same, edge, isKnown }: Judged): Generator<Finding, void> {
  const { relation, pointer } = end;
  const [node, other] = [graph.from[edge] ?? 0, graph.to[edge] ?? 0];
  const name = key.startsWith("<") ? quote(key.slice(1)) : key;
  const says = `${end.code} has ${name} as ${relation}`;
  const found = (fault: Fault): Finding => noticeAt(end, pointer, fault);
  if (!key.startsWith("<")) yield* judgeField(end, key, { graph, same, edge, isKnown });
  // SKOS S27, with S41: related concepts are not broader or narrower than each other.
  const isRelated = relation === "related" || relation === "relatedMatch";
  if (isRelated && (isAbove(graph, node, other) || isAbove(graph, other, node))) {
    const text = `${says}, and one of them is above the other`;
    yield found({ rule: "related-above", text, remedy: "Keep broader or related, not both" });
  }
  // SKOS S46, with S43 to S45: what is the same is not broader, narrower or related.
  const isOtherMatch = relation !== "exactMatch" && relation.endsWith("Match");
  if (isOtherMatch && node !== other && same[node] === same[other]) {
    const text = `${says}, and exact matches make the two the same`;
    yield found({ rule: "match-contradicts", text, remedy: "Keep one of the two matches" });
  }
}

/** The faults of a relation to a code. */
function* judgeField(end: End, code: string, { graph, edge, isKnown }: Judged): Generator<Finding, void> {
  const relation = end.relation as Relation;
  const [node, other] = [graph.from[edge] ?? 0, graph.to[edge] ?? 0];
  if (!isKnown(other)) {
    // Retired codes count too: they lead nowhere.
    const text = `${end.code} has ${quote(code)} as ${relation}, which is not a concept of this registry`;
    const remedy = "Name a concept that is in use, or leave it to the source";
    yield noticeAt(end, end.pointer, { rule: "relation-dangling", text, remedy });
  } else if (relation !== "broader" && !isNamed(graph, node, [other, INVERSE[relation]])) {
    // Many vocabularies state only broader.
    const text = `${end.code} has ${code} as ${relation}, and ${code} does not have it as ${INVERSE[relation]}`;
    const fault = { rule: `${relation}-without-inverse`, text, remedy: "Say it in both concepts, or in neither" };
    yield noticeAt(end, end.pointer, fault);
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

/** SKOS S13: no text is a hidden label and also another one. */
function labelsInTwoRoles(concept: Located<ConceptRecord>): Finding[] {
  const { code, expressions, hiddenLabels = [] } = concept.record;
  if (hiddenLabels.length === 0) return [];
  const types = new Map(expressions.filter(isCurrent).map((one) => [labelKey(tagOf(one), one.expression), one.type]));
  return hiddenLabels.flatMap(({ language, label }, i) => {
    const type = types.get(labelKey(language, label));
    if (type === undefined) return [];
    const text = `${code} has ${quote(label)} (${language}) as a hidden label and as ${type}`;
    return [
      noticeAt(concept, `/hiddenLabels/${i}`, { rule: "label-in-two-roles", text, remedy: "Keep one of the two" }),
    ];
  });
}

function labelKey(tag: string, text: string): string {
  return `${tag.toLowerCase()} ${text}`;
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
