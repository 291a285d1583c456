/**
 * `released.ndjson`: the expressions that resolved in the last release, so that the next release
 * can be compared with it without its sources. The first line names the release and the digest of
 * the lines below it. Then each published concept has a line in code order, with its expressions by
 * tag. Expressions of strength 1 resolve. All others make a request abstain, and how strong they
 * are decides nothing, so they are listed separately as `inexact`.
 */
import { createHash } from "node:crypto";
import * as Type from "../../runtime/contract/type.ts";
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { parseJson } from "../../runtime/text/json.ts";
import { closed } from "../../runtime/contract/schema.ts";
import { compileSchema } from "../text/compile-schema.ts";
import { splitLines } from "../effects/chunks.ts";
import type { Effects, Room } from "../effects/effects.ts";
import { Spool } from "../effects/spool.ts";
import { type Concept, tagOf } from "./checked.ts";
import { contentLine } from "./history.ts";
import type { Concepts } from "./concepts.ts";
import type { StoredConcept } from "./stored-concept.ts";
import type { HistoryRecord } from "./record.ts";

const text = Type.String({ minLength: 1 });
const texts = Type.Record(Type.String(), Type.Array(text));

const ReleasedHead = closed({ registryVersion: text, contentSha256: text, linesSha256: text });

const ReleasedConcept = closed({
  code: text,
  expressions: texts,
  inexact: Type.Optional(texts),
  /** Releases of earlier versions of this program have none. */
  content: Type.Optional(Type.String({ pattern: "^[0-9a-f]{32}$" })),
});
export type ReleasedConcept = Type.Static<typeof ReleasedConcept>;

const parse = { head: compileSchema(ReleasedHead), concept: compileSchema(ReleasedConcept) };

export type Release = Pick<HistoryRecord[number], "registryVersion" | "contentSha256">;

export type ReleasedExpressions = Omit<ReleasedConcept, "content">;

/** The part of a published concept that decides resolutions. */
export function releasedExpressions({ code, expressions }: Concept): ReleasedExpressions {
  const [exact, inexact]: [Record<string, string[]>, Record<string, string[]>] = [{}, {}];
  for (const expression of expressions) {
    const byTag = expression.equivalenceStrength === EXACT_STRENGTH ? exact : inexact;
    (byTag[tagOf(expression)] ??= []).push(expression.expression);
  }
  return { code, expressions: exact, ...(Object.keys(inexact).length > 0 ? { inexact } : {}) };
}

/** The first half of the SHA-256 of everything that is published of the concept. */
export function contentDigest(concept: StoredConcept): string {
  const hash = createHash("sha256");
  for (const part of contentLine(concept)) hash.update(part);
  return hash.digest("hex").slice(0, 32);
}

/**
 * Read again at each iteration. `hasContent` is false for a file as earlier versions wrote it,
 * without content digests.
 */
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

/**
 * The file in pieces; the concepts are in code order. Their lines are spooled until their digest is
 * known.
 */
export function* formatReleased(
  { registryVersion, contentSha256 }: Release,
  concepts: Iterable<ReleasedConcept>,
  room: Room,
): Generator<Uint8Array, void> {
  const digest = createHash("sha256");
  const lines = new Spool(room);
  for (const concept of concepts) {
    const line = encoder.encode(formatLine(concept));
    digest.update(line);
    lines.append(line);
  }
  yield encoder.encode(formatLine({ registryVersion, contentSha256, linesSha256: digest.digest("hex") }));
  yield* lines.chunks();
  lines.close();
}

/**
 * The concepts in the file of this release, read again at each iteration; undefined if the file is
 * missing, belongs to another release, or was changed after it was written.
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

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function isSame(a: Release, b: Release): boolean {
  return a.registryVersion === b.registryVersion && a.contentSha256 === b.contentSha256;
}

function formatLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
