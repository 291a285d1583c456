/**
 * `released.ndjson`: what resolved in the last release, so that the next one can be compared with it without its sources.
 * The first line names the release and the digest of the lines below it; then follows a line for each published concept in
 * code order, with its expressions by tag. Those of strength 1 resolve; the others make a request abstain, and how strong
 * they are decides nothing, so they stand apart as `inexact`.
 */
import { createHash } from "node:crypto";
import * as Type from "../../../runtime/contract/type.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { EXACT_STRENGTH, REVIEWED } from "../../../runtime/contract/concept.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { openIndex, type RegistryIndex } from "../../../runtime/registry/index.ts";
import { closed } from "../../../runtime/contract/schema.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { splitLines } from "../../effects/chunks.ts";
import type { Effects } from "../../effects/effects.ts";
import { type Concept, tagOf } from "../../registry/checked.ts";
import { contentLine } from "../../registry/history.ts";
import { Concepts, type StoredConcept } from "../../registry/concepts.ts";
import { compileIndex } from "../../index/compile.ts";
import type { HistoryRecord } from "../../registry/record.ts";

const text = Type.String({ minLength: 1 });
const texts = Type.Record(Type.String(), Type.Array(text));

const ReleasedHead = closed({ registryVersion: text, contentSha256: text, linesSha256: text });

const ReleasedConcept = closed({
  code: text,
  expressions: texts,
  inexact: Type.Optional(texts),
  /** Releases of earlier programs have none. */
  content: Type.Optional(Type.String({ pattern: "^[0-9a-f]{32}$" })),
});
export type ReleasedConcept = Type.Static<typeof ReleasedConcept>;

const parse = { head: compileSchema(ReleasedHead), concept: compileSchema(ReleasedConcept) };

export type Release = Pick<HistoryRecord[number], "registryVersion" | "contentSha256">;

export type ReleasedExpressions = Omit<ReleasedConcept, "content">;

/** What of a published concept decides resolutions. */
export function releasedExpressions({ code, expressions }: Concept): ReleasedExpressions {
  const [exact, inexact]: [Record<string, string[]>, Record<string, string[]>] = [{}, {}];
  for (const expression of expressions) {
    const byTag = expression.equivalenceStrength === EXACT_STRENGTH ? exact : inexact;
    (byTag[tagOf(expression)] ??= []).push(expression.expression);
  }
  return { code, expressions: exact, ...(Object.keys(inexact).length > 0 ? { inexact } : {}) };
}

/** The first half of the SHA-256 of all that is published of it. */
export function contentDigest(concept: StoredConcept): string {
  const hash = createHash("sha256");
  for (const part of contentLine(concept)) hash.update(part);
  return hash.digest("hex").slice(0, 32);
}

/** Read each time they are asked for; without the digests of content, as earlier programs wrote them. */
export function releasedConcepts(concepts: Concepts, hasContent = true): Iterable<ReleasedConcept> {
  return {
    *[Symbol.iterator]() {
      for (const concept of concepts) {
        const expressions = releasedExpressions(concept);
        yield hasContent ? { ...expressions, content: contentDigest(concept) } : expressions;
      }
    },
  };
}

/** The file, in pieces; the concepts are in code order. */
export function* formatReleased(
  { registryVersion, contentSha256 }: Release,
  concepts: Iterable<ReleasedConcept>,
): Generator<string, void> {
  const digest = createHash("sha256");
  for (const concept of concepts) digest.update(formatLine(concept));
  yield formatLine({ registryVersion, contentSha256, linesSha256: digest.digest("hex") });
  for (const concept of concepts) yield formatLine(concept);
}

/**
 * The concepts in the file of this release, read each time they are asked for; undefined where it is missing, of another
 * release, or not as it was written.
 */
export function readReleased(effects: Effects, file: string, release: Release): Iterable<ReleasedConcept> | undefined {
  if (effects.kind(file) !== "file") return undefined;
  const digest = createHash("sha256");
  let expected: string | undefined;
  for (const line of splitLines(effects.chunks(file))) {
    const json = parseJson(line);
    if (!json.ok) return undefined;
    if (expected === undefined) {
      const head = parse.head(json.value);
      if (!head.ok || !isSame(head.value, release)) return undefined;
      expected = head.value.linesSha256;
      continue;
    }
    if (!parse.concept(json.value).ok) return undefined;
    digest.update(line).update("\n");
  }
  return expected === digest.digest("hex") ? { [Symbol.iterator]: () => readLines(effects, file) } : undefined;
}

function* readLines(effects: Effects, file: string): Generator<ReleasedConcept, void> {
  let isHead = true;
  for (const line of splitLines(effects.chunks(file))) {
    if (!isHead) yield JSON.parse(decoder.decode(line)) as ReleasedConcept;
    isHead = false;
  }
}

const decoder = new TextDecoder();

/** An index that answers as that of the release does: the same code over the same expressions. */
export function releasedIndex(registryVersion: string, released: readonly ReleasedExpressions[]): RegistryIndex {
  const concepts = released.map((concept): Concept => ({
    code: concept.code,
    name: "",
    definition: "",
    domain: "",
    provenance: null,
    expressions: [...entries(concept.expressions, EXACT_STRENGTH), ...entries(concept.inexact ?? {}, 0)],
    renderings: [],
  }));
  const registry = {
    name: "",
    registryVersion,
    concepts: Concepts.of(concepts),
    contentSha256: "",
    retired: [],
    history: [],
  };
  return openIndex(memorySource(gathered(compileIndex({ registry, origin: "" }))));
}

const BLOCK_BYTES = 1 << 22;

/** Pieces as one: a large index has millions, so they are copied into few as they come. */
function gathered(chunks: Iterable<Uint8Array>): Uint8Array {
  const blocks: Buffer[] = [];
  let [block, used] = [Buffer.allocUnsafe(BLOCK_BYTES), 0];
  for (const chunk of chunks) {
    if (used + chunk.length > block.length) {
      blocks.push(block.subarray(0, used));
      [block, used] = [Buffer.allocUnsafe(Math.max(BLOCK_BYTES, chunk.length)), 0];
    }
    block.set(chunk, used);
    used += chunk.length;
  }
  return Buffer.concat([...blocks, block.subarray(0, used)]);
}

function isSame(a: Release, b: Release): boolean {
  return a.registryVersion === b.registryVersion && a.contentSha256 === b.contentSha256;
}

/** A tag stands in `language`, whatever it is: an index does not tell them apart. */
function entries(byTag: Readonly<Record<string, readonly string[]>>, strength: number): Concept["expressions"] {
  return Object.entries(byTag).flatMap(([language, list]) =>
    list.map((expression) => ({
      language,
      locale: null,
      expression,
      type: "",
      equivalenceStrength: strength,
      reviewStatus: REVIEWED,
      provenance: null,
    })),
  );
}

function formatLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
