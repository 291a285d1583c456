/** The integrity conditions of SKOS over triples. Source: SKOS Reference (W3C, 2009). */
import { formatTerm, type Triple } from "./turtle-reader.ts";

const SKOS = "http://www.w3.org/2004/02/skos/core#";
const TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

/** Each breach of S9, S13, S14, S27, S37 and S46, and each concept outside the scheme. */
export function skosViolations(triples: readonly Triple[]): string[] {
  const found: string[] = [];
  const all = (predicate: string): [string, string][] =>
    triples
      .filter((triple) => triple.predicate === predicate)
      .map(({ subject, object }) => [subject.value, formatTerm(object)]);
  const ofType = (name: string): Set<string> =>
    new Set(all(TYPE).flatMap(([subject, type]) => (type === `<${SKOS}${name}>` ? [subject] : [])));
  const [concepts, schemes] = [ofType("Concept"), ofType("ConceptScheme")];
  const collections = new Set([...ofType("Collection"), ...ofType("OrderedCollection")]);
  if (concepts.size === 0 || schemes.size !== 1) found.push(`${concepts.size} concepts, ${schemes.size} schemes`);
  for (const scheme of schemes) if (concepts.has(scheme)) found.push(`S9: ${scheme}`);
  for (const one of collections) if (concepts.has(one) || schemes.has(one)) found.push(`S37: ${one}`);
  const owners = new Map<string, string>();
  for (const name of ["prefLabel", "altLabel", "hiddenLabel"]) {
    for (const [subject, label] of all(SKOS + name)) {
      const key = `${subject} ${label.replace(/@[^"@]*$/, (tag) => tag.toLowerCase())}`;
      if (owners.has(key)) found.push(`S13: ${key} is ${owners.get(key)} and ${name}`);
      owners.set(key, name);
    }
  }
  const preferred = new Set<string>();
  for (const [subject, label] of all(`${SKOS}prefLabel`)) {
    const key = `${subject} ${/@([^"@]*)$/.exec(label)?.[1]?.toLowerCase() ?? ""}`;
    if (preferred.has(key)) found.push(`S14: ${key}`);
    preferred.add(key);
  }
  const pairs = (...names: string[]): Set<string> =>
    new Set(
      names.flatMap((name) => all(SKOS + name)).flatMap(([a, b]) => [`<${a}> ${b}`, `${b} <${a}>`]), // prettier-ignore
    );
  const broader = pairs("broader", "narrower", "broaderTransitive", "narrowerTransitive", "broadMatch", "narrowMatch");
  const related = pairs("related", "relatedMatch");
  for (const pair of related) if (broader.has(pair)) found.push(`S27: ${pair}`);
  found.push(...relatedAbove(all(`${SKOS}related`), [all(`${SKOS}broader`), all(`${SKOS}narrower`)]));
  const near = new Set([...pairs("broadMatch", "narrowMatch"), ...pairs("relatedMatch")]);
  for (const pair of pairs("exactMatch")) if (near.has(pair)) found.push(`S46: ${pair}`);
  const members = new Set(
    all(`${SKOS}inScheme`).flatMap(([subject, scheme]) => (schemes.has(scheme.slice(1, -1)) ? [subject] : [])),
  );
  for (const concept of concepts) if (!members.has(concept)) found.push(`${concept} is in no scheme`);
  return found;
}

type Pairs = readonly (readonly [subject: string, object: string])[];

/** S27 with broader as it is transitive. */
function relatedAbove(related: Pairs, [broader, narrower]: readonly [Pairs, Pairs]): string[] {
  const above = new Map<string, string[]>();
  for (const [a, b] of [...broader, ...narrower.map(([wide, close]) => [close.slice(1, -1), `<${wide}>`] as const)])
    above.set(`<${a}>`, [...(above.get(`<${a}>`) ?? []), b]);
  const reaches = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    for (const one of seen) for (const next of above.get(one) ?? []) seen.add(next);
    return seen.has(to);
  };
  return related.flatMap(([a, b]) =>
    reaches(`<${a}>`, b) || reaches(b, `<${a}>`) ? [`S27: <${a}> ${b}, one above the other`] : [],
  );
}
