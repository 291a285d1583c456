/**
 * Reads the public bundle of a service, as `export --format json` and `/registry/bundle.ndjson`
 * give it: one concept per line. Published content comes back as it was; the registry's name, its
 * retired codes and expressions that wait for review are not in the bundle.
 */
import { ConceptDetail, Provenance } from "../../../../runtime/contract/concept.ts";
import { closed, nullable } from "../../../../runtime/contract/schema.ts";
import { firstViolation } from "../../../../runtime/contract/validator.ts";
import { parseJson } from "../../../../runtime/text/json.ts";
import { splitLines } from "../../../text/chunks.ts";
import type { Effects } from "../../../effects/effects.ts";
import { matchesOf, withoutMatches } from "../../../registry/publish.ts";
import { ConceptRecord, ExpressionRecord, RenderingRecord } from "../../../registry/record.ts";
import * as Type from "../../../../runtime/contract/type.ts";
import { compileSchema } from "../../../text/compile-schema.ts";
import { type ReadOptions, ReaderState } from "./reader-state.ts";
import { type Source, type SourceConcept, SourceError, type SourceExpression } from "./source.ts";

/** That of a registry, with any further members, which are left out. */
const OpenProvenance = nullable(Type.Object(Provenance.properties));
/**
 * A bundle of another service may hold more than a registry can, such as any JSON value as
 * provenance; records are not checked for their shape until they are read again.
 */
const BundleConcept = closed({
  ...ConceptDetail.properties,
  domain: ConceptRecord.properties.domain,
  provenance: OpenProvenance,
  expressions: Type.Array(
    closed({
      ...ExpressionRecord.properties,
      locale: nullable(ExpressionRecord.properties.language),
      provenance: OpenProvenance,
    }),
  ),
  renderings: Type.Array(RenderingRecord),
});
const parse = compileSchema(BundleConcept);

/** Throws SourceError if a line is not a concept as published. */
export function readJson(effects: Effects, files: readonly string[], options: ReadOptions = {}): Source {
  const reading = new ReaderState(options);
  const concepts: SourceConcept[] = [];
  for (const file of files) {
    let line = 0;
    for (const bytes of splitLines(effects.chunks(file))) {
      const concept = conceptOf(bytes, { file, line: ++line }, reading);
      const expressions = concept.expressions.filter(({ tag }) => reading.admits(tag, "expressions"));
      concepts.push({ ...concept, expressions });
      options.progress?.(concepts.length);
    }
  }
  return { concepts, isPublished: true, faults: reading.faults, leftOut: reading.leftOut };
}

function conceptOf(
  bytes: Uint8Array,
  place: { readonly file: string; readonly line: number },
  reading: ReaderState,
): SourceConcept {
  const json = parseJson(bytes);
  const parsed = json.ok ? parse(json.value) : undefined;
  if (parsed?.ok !== true) {
    const why = parsed === undefined ? "it is not JSON" : firstViolation(parsed.violations, "", "it");
    throw new SourceError(
      `${place.file}, line ${place.line} is not a concept of a public bundle that a registry can hold: ${why}`,
    );
  }
  const { code, name, definition, domain, expressions, renderings, canonicalUrl } = parsed.value;
  const provenance = closeProvenance(parsed.value.provenance, reading);
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
    expressions: expressions.map((one) =>
      expressionOf({ ...one, provenance: closeProvenance(one.provenance, reading) }, own),
    ),
    hiddenLabels: [],
    renderings,
  };
}

function closeProvenance(given: Provenance | null, reading: ReaderState): Provenance | null {
  if (given === null) return null;
  const members = Object.entries(given);
  const known = members.filter(([name]) => Object.hasOwn(Provenance.properties, name));
  reading.leaveOut("further members of a provenance", members.length - known.length);
  return Object.fromEntries(known) as Provenance;
}

/** `own` is the concept's provenance, which an expression need not repeat. */
function expressionOf(one: ExpressionRecord, own: string): SourceExpression {
  const { language, locale, expression, type, equivalenceStrength, reviewStatus, provenance } = one;
  return {
    tag: locale ?? language,
    parted: { language, locale: locale ?? undefined },
    text: expression,
    type,
    equivalenceStrength,
    reviewStatus,
    ...(JSON.stringify(provenance) === own ? {} : { provenance }),
  };
}
