/**
 * What a SKOS file promises to whoever resolves its labels, worked out by code of the tests' own
 * from its triples: which labels are fit to be published, what each of them resolves to, and which
 * of them stand for several concepts.
 * Source: registry/README.md ("Import, review, export", "An expression"); RFC 4647 §3.4.
 */
import type { Literal, Resource } from "../../generator/tools/vocabulary/formats/rdf-statement.ts";
import type { Triple } from "./turtle-reader.ts";

const SKOS = "http://www.w3.org/2004/02/skos/core#";
const TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated";
const REPLACED_BY = "http://purl.org/dc/terms/isReplacedBy";
const KINDS = { prefLabel: "preferred", altLabel: "alternate", hiddenLabel: "hidden" } as const;

export interface Label {
  readonly concept: string;
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  /** In conventional case; RDF's tags have none. */
  readonly tag: string;
  readonly text: string;
}

export interface Thesaurus {
  /** The IRIs of concepts, deprecated ones too. */
  readonly concepts: ReadonlySet<string>;
  readonly deprecated: ReadonlySet<string>;
  readonly replacedBy: ReadonlyMap<string, readonly string[]>;
  /** Plain labels of all concepts, each once. */
  readonly labels: readonly Label[];
}

export function readThesaurus(triples: readonly Triple[]): Thesaurus {
  const { concepts, deprecated } = findConcepts(triples);
  const replacedBy = new Map<string, string[]>();
  const labels = new Map<string, Label>();
  for (const { subject, predicate, object } of triples) {
    const concept = subject.value;
    if (!concepts.has(concept)) continue;
    if (predicate === REPLACED_BY) replacedBy.set(concept, [...(replacedBy.get(concept) ?? []), object.value]);
    const kind = kindOf(predicate, object);
    if (kind === undefined || object.kind !== "literal") continue;
    const label = { concept, kind, tag: conventional(object.language), text: object.value };
    labels.set(JSON.stringify(label), label);
  }
  return { concepts, deprecated, replacedBy, labels: [...labels.values()] };
}

/** By their type; deprecated ones of a scheme also where the source took their type away. */
function findConcepts(triples: readonly Triple[]): {
  readonly concepts: Set<string>;
  readonly deprecated: Set<string>;
} {
  const [concepts, others, members, dead] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  for (const { subject, predicate, object } of triples) {
    if (subject.kind !== "iri") continue;
    if (predicate === TYPE && object.value === `${SKOS}Concept`) concepts.add(subject.value);
    if (predicate === TYPE && /#(?:ConceptScheme|Collection|OrderedCollection)$/.test(object.value))
      others.add(subject.value);
    if (predicate === `${SKOS}inScheme`) members.add(subject.value);
    if (predicate === DEPRECATED && /^(?:true|1)$/.test(object.value)) dead.add(subject.value);
  }
  for (const subject of dead) if (members.has(subject) && !others.has(subject)) concepts.add(subject);
  return { concepts, deprecated: new Set([...dead].filter((subject) => concepts.has(subject))) };
}

function kindOf(predicate: string, object: Resource | Literal): Label["kind"] | undefined {
  if (!predicate.startsWith(SKOS) || object.kind !== "literal") return undefined;
  const name = predicate.slice(SKOS.length);
  return Object.hasOwn(KINDS, name) ? KINDS[name as keyof typeof KINDS] : undefined;
}

function conventional(tag: string): string {
  const [language = "", ...subtags] = tag.toLowerCase().split("-");
  const formed = subtags.map((subtag) => {
    if (subtag.length === 4) return subtag.charAt(0).toUpperCase() + subtag.slice(1);
    return subtag.length === 2 ? subtag.toUpperCase() : subtag;
  });
  return [language, ...formed].join("-");
}

/** Tags of language, script and region need no table of subtags; of others nothing is said. */
const SIMPLE_TAG = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/;

/** Whether a label can be published; undefined if only a list of scripts or subtags could tell. */
export function isFit({ tag, text }: Pick<Label, "tag" | "text">): boolean | undefined {
  if (tag === "" || text === "" || Array.from(text).length > 1000) return false;
  if (text !== text.normalize("NFC") || !text.isWellFormed()) return false;
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cn}\uFFFC\uFFFD]/u.test(text)) return false;
  if (/^[\p{Zs}\u2800]|[\p{Zs}\u2800]$|[\p{Zs}\u2800]{2}|[\u00A0\u2007\u202F]/u.test(text)) return false;
  if (/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(text)) return undefined;
  return SIMPLE_TAG.test(tag) ? true : undefined;
}

/** The text after `--fix nfc,spaces`. A line break inside stays: it may mean a space or nothing. */
export function mended(text: string): string {
  const white = "[\\p{Zs}\\p{Zl}\\p{Zp}\\u2800\\t-\\r\\u0085]+";
  return text
    .normalize("NFC")
    .replaceAll(new RegExp(`^${white}|${white}$`, "gu"), "")
    .replaceAll(/[\p{Zs}\u2800\t]+/gu, (run) => (run.length > 1 || /[\u00A0\u2007\u202F\t]/.test(run) ? " " : run));
}

/** Labels that can be found, and those of which it is not said. */
export interface Published {
  /** The concepts of each text, by tag in lower case. */
  readonly meanings: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
  readonly unsure: ReadonlySet<string>;
  /** Distinct labels of living concepts: a text once for a concept and tag. */
  readonly expressions: number;
  readonly fit: number;
}

/** What an import with `--review-as reviewed` publishes; `mend` does to a text what --fix does. */
export function publish({ labels, deprecated }: Thesaurus, mend: (text: string) => string = (text) => text): Published {
  const meanings = new Map<string, Map<string, Set<string>>>();
  const unsure = new Set<string>();
  const all = new Set<string>();
  const good = new Set<string>();
  for (const { concept, kind, tag, text: written } of labels) {
    if (kind === "hidden" || deprecated.has(concept)) continue;
    const repaired = mend(written);
    const text =
      isFit({ tag, text: repaired }) === false && isFit({ tag, text: written }) === false ? written : repaired;
    const name = `${concept} ${tag} ${text.normalize("NFC")}`;
    all.add(name);
    const fit = isFit({ tag, text });
    if (fit === undefined) unsure.add(text.normalize("NFC"));
    if (fit !== true) continue;
    good.add(name);
    const byTag = meanings.get(text) ?? new Map<string, Set<string>>();
    meanings.set(text, byTag);
    const concepts = byTag.get(tag.toLowerCase()) ?? new Set<string>();
    byTag.set(tag.toLowerCase(), concepts.add(concept));
  }
  return { meanings, unsure, expressions: all.size, fit: good.size };
}

/** The concepts that compete for a text, and the level of the tag that found them, if any. */
export function meaningsOf(
  { meanings }: Published,
  text: string,
  language?: string,
): { readonly isKnown: boolean; readonly concepts: ReadonlySet<string> } {
  const byTag = meanings.get(text.normalize("NFC"));
  if (byTag === undefined) return { isKnown: false, concepts: new Set() };
  if (language === undefined) {
    const concepts = new Set<string>();
    for (const some of byTag.values()) for (const concept of some) concepts.add(concept);
    return { isKnown: true, concepts };
  }
  for (let level = language.toLowerCase(); level !== ""; level = shorter(level)) {
    const concepts = byTag.get(level);
    if (concepts !== undefined) return { isKnown: true, concepts };
  }
  return { isKnown: true, concepts: new Set() };
}

function shorter(level: string): string {
  const cut = level.replace(/-?[^-]*$/, "");
  return cut.replace(/-[^-]$/, "");
}

/**
 * Texts that several living concepts have, whatever their labels are worth: in one language, a text
 * once for each of them, and across languages only.
 */
export function ambiguousTexts({ labels, deprecated }: Thesaurus): {
  readonly within: number;
  readonly across: number;
} {
  const holders = new Map<string, Map<string, Set<string>>>();
  for (const { concept, kind, tag, text } of labels) {
    if (kind === "hidden" || deprecated.has(concept)) continue;
    const key = text.normalize("NFC");
    const byTag = holders.get(key) ?? new Map<string, Set<string>>();
    holders.set(key, byTag);
    byTag.set(tag, (byTag.get(tag) ?? new Set()).add(concept));
  }
  let [within, across] = [0, 0];
  for (const byTag of holders.values()) {
    const shared = [...byTag.values()].filter(({ size }) => size > 1).length;
    within += shared;
    if (shared === 0 && new Set([...byTag.values()].flatMap((concepts) => [...concepts])).size > 1) across++;
  }
  return { within, across };
}
