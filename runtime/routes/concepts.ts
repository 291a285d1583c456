/** The list, the filtered list, one concept, the public bundle: bytes of the index, unchanged. */
import { BytesMissing, heldPieces, runInSteps, untilHeld } from "../registry/block-source.ts";
import { filterConcepts, listPieces, type Matches } from "../registry/filter.ts";
import { queryOf, readQuery } from "../http/parameter.ts";
import type { ConceptNotFound } from "../contract/concept.ts";
import { contextPath } from "../contract/added-resources.ts";
import { paths } from "../contract/paths.ts";
import type { RegistryIndex } from "../registry/index.ts";
import type { Served } from "../release/served.ts";
import { answerProblem, answerText, isLong } from "./answer.ts";
import { answerRepresentation } from "./representation.ts";
import { contextLink, formatFields } from "../http/representation.ts";
import { toHex } from "../text/bytes.ts";
import type { Answer, LongBody, Route } from "./route.ts";

/** `GET /api/v1/concepts` with or without `q`. */
export function conceptsRoute({ index, manifest }: Served): Route {
  const validators = { contentLocation: manifest.origin + paths.concepts, sha256: index.meta.listSha256 };
  const [whole, filtered] = [formatFields("json", validators), formatFields("json", undefined)];
  return async (request) => {
    const terms = readQuery(queryOf(request.target));
    if ("status" in terms) return answerProblem(request, terms);
    if (terms.length === 0)
      return begun(await untilHeld(() => answerRepresentation(request, whole, spanBody(index, "list"))));
    const matches = await runInSteps(filterConcepts(index, terms));
    return answerRepresentation(request, filtered, await listBody(index, matches));
  };
}

/** `GET /api/v1/concepts/{code}`: the code is decoded once, then compared byte for byte. */
export function conceptRoute({ index, manifest, documents }: Served): Route {
  const context = contextPath(manifest.registry.registryVersion);
  const link = documents.has(context) ? contextLink(manifest.origin + context) : [];
  const answer: Route = (request) => {
    const { code = "" } = request.parameters;
    const id = index.conceptId(code);
    if (id === undefined) return conceptNotFound;
    const { detail, detailDigest } = index.concept(id);
    const validators = { contentLocation: `${manifest.origin}${paths.concepts}/${code}`, sha256: toHex(detailDigest) };
    return answerRepresentation(request, formatFields("json", validators, link), index.read(detail));
  };
  return (request) => untilHeld(() => answer(request));
}

const notFound: ConceptNotFound = { error: "concept_not_found" };

/** The only failure body without an envelope (T-04). */
const conceptNotFound: Answer = { ...answerText(`${JSON.stringify(notFound)}\n`), status: 404 };

/** The public bundle: one ConceptDetail per line. */
export function bundleRoute({ index, manifest }: Served): Route {
  const validators = { contentLocation: manifest.origin + paths.bundle, sha256: index.meta.bundleSha256 };
  const fields = formatFields("bundle", validators);
  return async (request) =>
    begun(await untilHeld(() => answerRepresentation(request, fields, spanBody(index, "bundle"))));
}

/** Small spans are read at once; large ones are sent in pieces and never held as a whole. */
const SMALL = 65_536;

function spanBody(index: RegistryIndex, section: "list" | "bundle"): Uint8Array | LongBody {
  const span = index.sections[section];
  if (span.length <= SMALL) return index.read(span);
  return { length: span.length, pieces: () => heldPieces(index.source, span) };
}

/** The list of matches; if it is long, it is produced while it is sent. */
async function listBody(index: RegistryIndex, matches: Matches): Promise<Uint8Array | LongBody> {
  const pieces = listPieces(index, matches);
  const first = await firstOf(pieces);
  return first.done === true ? first.value : { pieces: () => resumed(first.value, pieces) };
}

/**
 * Reads the first piece of an answer before the answer begins, so that an unreadable registry leads
 * to a refusal instead of a truncated answer.
 */
async function begun(answer: Answer): Promise<Answer> {
  const { body } = answer;
  if (body === undefined || !isLong(body)) return answer;
  const pieces = body.pieces();
  const first = await firstOf(pieces);
  return first.done === true ? answer : { ...answer, body: { ...body, pieces: () => resumed(first.value, pieces) } };
}

type Step = Uint8Array | BytesMissing;

async function firstOf<T>(pieces: Iterator<Step, T>): Promise<IteratorResult<Uint8Array, T>> {
  for (;;) {
    const next = pieces.next();
    if (next.done === true) return next;
    if (!(next.value instanceof BytesMissing)) return { value: next.value };
    await next.value.get();
  }
}

function* resumed(first: Step, rest: Generator<Step, Step | void>): Generator<Step, void> {
  yield first;
  const last = yield* rest;
  if (last !== undefined) yield last;
}
