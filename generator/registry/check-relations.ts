/**
 * What vocabularies say of how their concepts hang together, as far as it contradicts itself: relations that lead nowhere
 * or in a circle, that one side alone knows, a concept elsewhere that two claim to be, and definitions that the readers of
 * the labels cannot read. None of it decides what resolves, so all of these are notices.
 */
import type { Provenance } from "../../runtime/contract/concept.ts";
import { type Fault, type Finding, type Place, placeOf } from "../text/finding.ts";
import { compareCodePoints } from "../text/order.ts";
import { quote, shortened } from "../text/printable.ts";
import { isCurrent } from "./check-concept.ts";
import type { Located } from "./read.ts";
import { type Relation, RELATIONS } from "../../runtime/contract/concept-notes.ts";
import type { ConceptRecord } from "./record.ts";

/** What is kept of a concept until all of them are known. */
interface Linked extends Place {
  readonly code: string;
  readonly relations: Readonly<Partial<Record<Relation, readonly string[]>>>;
}

/** Takes the concepts one after the other, and keeps nothing of those that have neither relations nor matches. */
export class RelationCheck {
  readonly #linked: Linked[] = [];
  readonly #owners = new Map<string, string>();
  readonly #findings: Finding[] = [];

  take(concept: Located<ConceptRecord>): void {
    const { code, broader, narrower, related, provenance, notes } = concept.record;
    if ((broader ?? narrower ?? related) !== undefined) {
      const relations = { broader, narrower, related } as Linked["relations"];
      this.#linked.push({ ...placeOf(concept), code, relations });
    }
    for (const [i, iri] of provenance?.exactMatch?.entries() ?? []) this.#match(concept, iri, i);
    if (provenance !== null) this.#findings.push(...contradictions(concept, provenance));
    if (notes?.definition !== undefined) this.#findings.push(...unreadable(concept));
  }

  /** `isKnown` says whether a concept has the code. */
  findings(isKnown: (code: string) => boolean): Finding[] {
    const linked = this.#linked;
    const ends = [...danglingEnds(linked, isKnown), ...oneSided(linked, isKnown)];
    return [...this.#findings, ...ends, ...cycles(linked), ...relatedAbove(linked)];
  }

  /** One concept elsewhere that two concepts claim to be: a look-up by its IRI is ambiguous. */
  #match(concept: Located<ConceptRecord>, iri: string, at: number): void {
    const { code } = concept.record;
    const other = this.#owners.get(iri) ?? code;
    this.#owners.set(iri, other);
    if (other === code) return;
    const text = `${code} and ${other} both are an exact match of ${quote(iri)}`;
    const remedy = "Keep it at one of them, and make the other a close match";
    this.#findings.push(notice(concept, `/provenance/exactMatch/${at}`, { rule: "match-shared", text, remedy }));
  }
}

/** Of all concepts of a registry. */
export function relationFindings(concepts: Iterable<Located<ConceptRecord>>): Finding[] {
  const check = new RelationCheck();
  for (const concept of concepts) check.take(concept);
  return check.findings(knownIn(concepts));
}

/** Whether one of them has a code; they are read only where somebody asks. */
export function knownIn(concepts: Iterable<Located<ConceptRecord>>): (code: string) => boolean {
  let known: ReadonlySet<string> | undefined;
  return (code) => (known ??= new Set(Array.from(concepts, ({ record }) => record.code))).has(code);
}

function notice(concept: Place, pointer: string, fault: Fault): Finding {
  return { ...fault, severity: "notice", ...placeOf(concept), pointer };
}

/** A code that no concept has, retired ones included: nobody can go there. */
function danglingEnds(linked: readonly Linked[], isKnown: (code: string) => boolean): Finding[] {
  return eachEnd(linked, RELATIONS, ({ concept, name, code, pointer }) => {
    if (isKnown(code)) return [];
    const text = `${concept.code} has ${quote(code)} as ${name}, which is not a concept of this registry`;
    const remedy = "Name a concept that is in use, or leave it to the source";
    return [notice(concept, pointer, { rule: "relation-dangling", text, remedy })];
  });
}

/** Narrower, and related, that the other concept does not say; broader alone is how many vocabularies are written. */
function oneSided(linked: readonly Linked[], isKnown: (code: string) => boolean): Finding[] {
  const relations = new Map(linked.map((concept) => [concept.code, concept.relations]));
  return eachEnd(linked, ["narrower", "related"], ({ concept, name, code, pointer }) => {
    const inverse = name === "narrower" ? "broader" : name;
    if (!isKnown(code) || relations.get(code)?.[inverse]?.includes(concept.code) === true) return [];
    const text = `${concept.code} has ${code} as ${name}, and ${code} does not have it as ${inverse}`;
    const remedy = "Say it in both concepts, or in neither";
    return [notice(concept, pointer, { rule: `${name}-without-inverse`, text, remedy })];
  });
}

interface End {
  readonly concept: Linked;
  readonly name: Relation;
  readonly code: string;
  readonly pointer: string;
}

function eachEnd(linked: readonly Linked[], names: readonly Relation[], judge: (end: End) => Finding[]): Finding[] {
  return linked.flatMap((concept) =>
    names.flatMap((name) =>
      (concept.relations[name] ?? []).flatMap((code, i) => judge({ concept, name, code, pointer: `/${name}/${i}` })),
    ),
  );
}

/** Concepts that are broader than themselves: once for each ring, at its first concept. */
function cycles(linked: readonly Linked[]): Finding[] {
  const places = new Map(linked.map((concept) => [concept.code, concept]));
  return rings(new Map(linked.map(({ code, relations }) => [code, relations.broader ?? []]))).flatMap((ring) => {
    const [first = ""] = ring;
    const concept = places.get(first);
    if (concept === undefined) return [];
    const more = ring.length > SHOWN ? ` and ${ring.length - SHOWN} more` : "";
    const others = ring.length > 1 ? `, together with ${ring.slice(1, SHOWN).join(", ")}${more}` : "";
    const text = `${first} is above itself by broader${others}`;
    return [notice(concept, "/broader", { rule: "broader-cycle", text, remedy: "Take away one of these relations" })];
  });
}

const SHOWN = 10;

/** The strongly connected parts of more than one code, or of one that leads to itself (Tarjan, without recursion). */
function rings(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  for (const root of graph.keys()) {
    if (index.has(root)) continue;
    const path: { readonly code: string; next: number }[] = [];
    const enter = (code: string): void => {
      low.set(code, index.size);
      index.set(code, index.size);
      open.push(code);
      isOpen.add(code);
      path.push({ code, next: 0 });
    };
    enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { code } = step;
      const next = graph.get(code)?.[step.next++];
      const lower = (other: number): unknown => low.set(code, Math.min(low.get(code) ?? 0, other));
      if (next === undefined) {
        path.pop();
        const above = path.at(-1)?.code;
        if (above !== undefined) low.set(above, Math.min(low.get(above) ?? 0, low.get(code) ?? 0));
        if (low.get(code) !== index.get(code)) continue;
        const part = open.splice(open.lastIndexOf(code));
        for (const one of part) isOpen.delete(one);
        if (part.length > 1 || graph.get(code)?.includes(code) === true) found.push(part.sort(compareCodePoints));
      } else if (!graph.has(next)) continue;
      else if (!index.has(next)) enter(next);
      else if (isOpen.has(next)) lower(index.get(next) ?? 0);
    }
  }
  return found;
}

/** S27 of SKOS: what is related is neither above nor below. */
function relatedAbove(linked: readonly Linked[]): Finding[] {
  const above = new Map<string, string[]>();
  const add = (code: string, wider: string): unknown => above.set(code, [...(above.get(code) ?? []), wider]);
  for (const { code, relations } of linked) {
    for (const wider of relations.broader ?? []) add(code, wider);
    for (const narrower of relations.narrower ?? []) add(narrower, code);
  }
  const isAbove = (code: string, other: string): boolean => {
    const seen = new Set(above.get(code));
    for (const one of seen) for (const next of above.get(one) ?? []) seen.add(next);
    return seen.has(other);
  };
  return eachEnd(linked, ["related"], ({ concept, code, pointer }) => {
    if (!isAbove(concept.code, code) && !isAbove(code, concept.code)) return [];
    const text = `${concept.code} has ${code} as related, and one of them is above the other`;
    const remedy = "Keep broader or related, not both";
    return [notice(concept, pointer, { rule: "related-above", text, remedy })];
  });
}

/** S46 of SKOS: an exact match is neither a wider, a narrower nor a related one. */
function contradictions(concept: Located<ConceptRecord>, provenance: Provenance): Finding[] {
  const exact = new Set(provenance.exactMatch);
  return (["broadMatch", "narrowMatch", "relatedMatch"] as const).flatMap((match) =>
    (provenance[match] ?? []).flatMap((iri, i) => {
      if (!exact.has(iri)) return [];
      const text = `${concept.record.code} has ${quote(iri)} as exactMatch and as ${match}`;
      const remedy = "Keep one of the two";
      return [notice(concept, `/provenance/${match}/${i}`, { rule: "match-contradicts", text, remedy })];
    }),
  );
}

/** Definitions, none of which is in a language that the concept has a label in. */
function unreadable(concept: Located<ConceptRecord>): Finding[] {
  const { code, notes, expressions } = concept.record;
  const tags = (notes?.definition ?? []).flatMap(({ language }) => (language === undefined ? [] : [mainOf(language)]));
  if (tags.length === 0 || notes?.definition?.length !== tags.length) return [];
  const labels = new Set(expressions.filter(isCurrent).map(({ language }) => mainOf(language)));
  if (labels.size === 0 || tags.some((tag) => labels.has(tag))) return [];
  const text = `${code} is defined in ${shortened([...new Set(tags)].join(", "))} alone, and has no label in it`;
  const remedy = "Define it in a language that its labels are in";
  return [notice(concept, "/notes/definition", { rule: "definition-without-label", text, remedy })];
}

function mainOf(tag: string): string {
  return tag.split("-", 1)[0]?.toLowerCase() ?? "";
}
