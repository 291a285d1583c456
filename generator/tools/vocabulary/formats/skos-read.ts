/**
 * Reads a vocabulary from SKOS files in RDF, ours or others': concepts (subjects typed
 * skos:Concept) with their labels, notes, notations, relations, matches and deprecation, the title
 * and licence of their scheme, and every other statement as it is. Deprecated members of a scheme
 * count as retired concepts even without that type, which some publishers remove. Texts and tags
 * are not judged here.
 * Source: SKOS Reference (W3C, 2009) with SKOS-XL.
 */
import type { Effects } from "../../../effects/effects.ts";
import { compareCodePoints } from "../../../text/order.ts";
import type { ReadOptions } from "./reader-state.ts";
import { readConcept } from "./skos-concept.ts";
import { gatherSkos, type Subject } from "./skos-gather.ts";
import { checkKinds } from "./skos-kinds.ts";
import { readVocabulary } from "./skos-vocabulary.ts";
import { isDeprecated, readable, recordsOf, SkosReader, textOf, valuesOf } from "./skos-values.ts";
import type { Source } from "./source.ts";
import { spdxOf } from "../../../skos/spdx.ts";
import * as terms from "../../../skos/terms.ts";

/**
 * Reads the files of one vocabulary together; texts without a tag are always taken. Throws
 * SourceError if a file cannot be read to its end.
 */
export async function readSkos(effects: Effects, files: readonly string[], options: ReadOptions = {}): Promise<Source> {
  const { graph, skipped } = await gatherSkos(effects, files, options.progress);
  const reading = new SkosReader(graph, options);
  for (const [what, count] of skipped) reading.leaveOut(what, count);
  const subjects = [...graph.values()];
  const read = subjects.flatMap((subject) => {
    if (!isConcept(subject)) return [];
    const concept = readConcept(reading, subject);
    return concept === undefined ? [] : [{ subject, concept }];
  });
  checkKinds(reading);
  const scheme = readSchemes(
    reading,
    subjects.filter(({ types }) => types.has(terms.CONCEPT_SCHEME)).sort((a, b) => compareCodePoints(a.id, b.id)),
  );
  return { ...readVocabulary(reading, read), ...scheme, faults: reading.faults, leftOut: reading.leftOut };
}

function isConcept(subject: Subject): boolean {
  const { types, values } = subject;
  if (types.has(terms.CONCEPT)) return true;
  const isOther = [terms.CONCEPT_SCHEME, terms.XL_LABEL, ...terms.COLLECTIONS].some((type) => types.has(type));
  return !isOther && values.has(terms.IN_SCHEME) && isDeprecated(subject);
}

/**
 * Takes the title of the first scheme by IRI that has one, since the order of a file says nothing,
 * and the licence only if all schemes that name one agree.
 */
function readSchemes(
  reading: SkosReader,
  schemes: readonly Subject[],
): Pick<Source, "title" | "license" | "registry" | "codeMap"> {
  const titles = schemes.flatMap((scheme) => {
    const predicate = [terms.TITLE, terms.DC_TITLE, terms.PREF_LABEL, terms.LABEL].find((one) =>
      scheme.values.has(one),
    );
    const texts = predicate === undefined ? [] : valuesOf(scheme, predicate).flatMap((value) => textOf(value) ?? []);
    return readable(texts) ?? [];
  });
  const licenses = new Set(
    schemes.flatMap((scheme) =>
      [terms.LICENSE, terms.CC_LICENSE].flatMap((one) => valuesOf(scheme, one).map(({ value }) => spdxOf(value))),
    ),
  );
  return {
    title: titles[0],
    license: licenses.size === 1 ? [...licenses][0] : undefined,
    registry: schemes.flatMap((scheme) => recordsOf(reading, scheme, "registry"))[0],
    codeMap: schemes.flatMap((scheme) => recordsOf(reading, scheme, "mapped")),
  };
}
