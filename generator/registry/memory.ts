/**
 * The memory of a registry, `released/<version>.ndjson`: what no later release may change
 * unnoticed. A release writes it from the one before; `history.yaml` holds its SHA-256, and its
 * first line holds the digest of the history before it, so that all releases form one chain (O-16).
 * Then it has a line for every code that the registry ever gave, in code order, and one for every
 * request that resolved in an earlier release and abstains in this one, with its last code.
 */
import { createHash } from "node:crypto";
import * as Type from "../../runtime/contract/type.ts";
import { EXACT_STRENGTH } from "../../runtime/contract/concept.ts";
import { Sha256 } from "../../runtime/contract/document.ts";
import { closed, nullable } from "../../runtime/contract/schema.ts";
import { compileSchema } from "../text/compile-schema.ts";
import { type Concept, tagOf } from "./concept.ts";
import { contentLine, type StoredConcept } from "./stored-concept.ts";
import type { HistoryRecord } from "./record.ts";

const text = Type.String({ minLength: 1 });
const texts = Type.Record(Type.String(), Type.Array(text));

const Head = closed({ registryVersion: text, contentSha256: Sha256, historySha256: Sha256 });

/**
 * A published concept. Expressions of strength 1 resolve. All others make a request abstain, and
 * how strong they are decides nothing, so they are listed separately as `inexact`.
 */
const PublishedLine = closed({
  code: text,
  expressions: texts,
  inexact: Type.Optional(texts),
  content: Type.String({ pattern: "^[0-9a-f]{32}$" }),
});
export type PublishedLine = Type.Static<typeof PublishedLine>;

/**
 * What became of a code that is not published: `waiting` was never published, `withdrawn` was and
 * is still in the registry, `removed` was never published and is no longer there.
 */
const STATES = ["retired", "withdrawn", "waiting", "removed"] as const;
const UnpublishedLine = closed({ code: text, state: Type.Enum([...STATES]) });
export type CodeLine = PublishedLine | Type.Static<typeof UnpublishedLine>;
export type CodeState = "published" | (typeof STATES)[number];

/** A request that abstains, and the code that it had in `lastIn`; `language` is null for none. */
const EarlierLine = closed({ expression: text, language: nullable(text), code: text, lastIn: text });
export type EarlierLine = Type.Static<typeof EarlierLine>;

export const parseHead = compileSchema(Head);
/** Tells which kind of line is wrong, instead of naming what every kind lacks. */
export const parseLine = {
  published: compileSchema(PublishedLine),
  unpublished: compileSchema(UnpublishedLine),
  earlier: compileSchema(EarlierLine),
};

export type Head = Type.Static<typeof Head>;
export type Release = Pick<HistoryRecord[number], "registryVersion" | "contentSha256">;

/** What the last release remembers; both lists are read again at each iteration. */
export interface Memory {
  readonly release: Release;
  /** In code order. */
  readonly codes: Iterable<CodeLine>;
  /** In the order of `requestOrder`. */
  readonly earlier: Iterable<EarlierLine>;
}

export type ReleasedExpressions = Omit<PublishedLine, "content">;

export function isPublishedLine(line: CodeLine): line is PublishedLine {
  return "expressions" in line;
}

export function stateOf(line: CodeLine): CodeState {
  return isPublishedLine(line) ? "published" : line.state;
}

/** The published concepts of a release, in code order. */
export function publishedLines({ codes }: Pick<Memory, "codes">): Iterable<PublishedLine> {
  return {
    *[Symbol.iterator]() {
      for (const line of codes) if (isPublishedLine(line)) yield line;
    },
  };
}

/** The key that requests are sorted by, in code-point order. */
export function requestOrder({ expression, language }: Pick<EarlierLine, "expression" | "language">): string {
  return `${expression}\0${language ?? ""}`;
}

/** The part of a published concept that decides resolutions. */
export function releasedExpressions({ code, expressions }: Concept): ReleasedExpressions {
  const [exact, inexact]: [Record<string, string[]>, Record<string, string[]>] = [{}, {}];
  for (const expression of expressions) {
    const byTag = expression.equivalenceStrength === EXACT_STRENGTH ? exact : inexact;
    (byTag[tagOf(expression)] ??= []).push(expression.expression);
  }
  return { code, expressions: exact, ...(Object.keys(inexact).length > 0 ? { inexact } : {}) };
}

export function publishedLine(concept: StoredConcept): PublishedLine {
  return { ...releasedExpressions(concept), content: contentDigest(concept) };
}

/** The first half of the SHA-256 of everything that is published of the concept. */
export function contentDigest(concept: StoredConcept): string {
  const hash = createHash("sha256");
  for (const part of contentLine(concept)) hash.update(part);
  return hash.digest("hex").slice(0, 32);
}

/**
 * The digest of releases, oldest first: what a memory says of the releases before its own. A day or
 * a reason can still be corrected.
 */
export function digestHistory(history: HistoryRecord): string {
  const hash = createHash("sha256");
  for (const { registryVersion, contentSha256, memorySha256, changesSha256 = null } of history)
    hash.update(`${JSON.stringify([registryVersion, contentSha256, memorySha256, changesSha256])}\n`);
  return hash.digest("hex");
}
