/**
 * Reads the public bundle of a service, as `export --format json` and `/registry/bundle.ndjson`
 * give it: one concept per line. Published content comes back as it was; the registry's name, its
 * retired codes and expressions that wait for review are not in the bundle.
 */
import { ConceptDetail, type ConceptExpression } from "../../../runtime/contract/concept.ts";
import { firstViolation } from "../../../runtime/contract/validator.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { splitLines } from "../../effects/chunks.ts";
import type { Effects } from "../../effects/effects.ts";
import { matchesOf, withoutMatches } from "../../registry/publish.ts";
import type { ExpressionRecord } from "../../registry/record.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { type ReadOptions, Reading } from "./reading.ts";
import { type Source, type SourceConcept, SourceError, type SourceExpression } from "./source.ts";

const parse = compileSchema(ConceptDetail);

/** Throws SourceError if a line is not a concept as published. */
export function readJson(effects: Effects, files: readonly string[], options: ReadOptions = {}): Source {
  const reading = new Reading(options);
  const concepts: SourceConcept[] = [];
  for (const file of files) {
    let line = 0;
    for (const bytes of splitLines(effects.chunks(file))) {
      const concept = conceptOf(bytes, { file, line: ++line });
      const expressions = concept.expressions.filter(({ tag }) => reading.admits(tag, "expressions"));
      concepts.push({ ...concept, expressions });
      options.progress?.(concepts.length);
    }
  }
  return { concepts, isPublished: true, faults: reading.faults, leftOut: reading.leftOut };
}

function conceptOf(bytes: Uint8Array, place: { readonly file: string; readonly line: number }): SourceConcept {
  const json = parseJson(bytes);
  const reading = json.ok ? parse(json.value) : undefined;
  if (reading?.ok !== true) {
    const why = reading === undefined ? "it is not JSON" : firstViolation(reading.violations, "", "it");
    throw new SourceError(`${place.file}, line ${place.line} is not a concept of a public bundle: ${why}`);
  }
  const { code, name, definition, domain, provenance, expressions, renderings, canonicalUrl } = reading.value;
  const own = JSON.stringify(withoutMatches(provenance));
  return {
    ...place,
    file: place.file.replace(/^.*[/\\]/, ""),
    code,
    name,
    domain,
    provenance,
    ...matchesOf(provenance),
    sourceId: provenance?.sourceId ?? canonicalUrl,
    notations: [],
    definitions: [{ tag: "", text: definition }],
    scopeNotes: [],
    expressions: expressions.map((one) => expressionOf(one, own)),
    hiddenLabels: [],
    renderings: renderings as SourceConcept["renderings"],
  };
}

/** `own` is the concept's provenance, which an expression need not repeat. */
function expressionOf(one: ConceptExpression, own: string): SourceExpression {
  const { language, locale, expression, type, equivalenceStrength, reviewStatus, provenance } = one;
  return {
    tag: locale ?? language,
    parted: { language, locale: locale ?? undefined },
    text: expression,
    // A value that we do not know is found when the record is checked.
    type: type as ExpressionRecord["type"],
    equivalenceStrength,
    reviewStatus: reviewStatus as ExpressionRecord["reviewStatus"],
    ...(JSON.stringify(provenance) === own ? {} : { provenance }),
  };
}
