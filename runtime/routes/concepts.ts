/** The list, the filtered list, one concept, the public bundle: bytes of the index, unchanged. */
import { BytesMissing, runInSteps, stepsUntilHeld, untilHeld } from "../registry/block-source.ts";
import { type ByteSource, type Span, split } from "../registry/byte-source.ts";
import { filterConcepts, type Matches, summariesOf } from "../registry/filter.ts";
import { queryOf, readQuery } from "../http/parameter.ts";
import { contextPath } from "../contract/added-resources.ts";
import { paths } from "../contract/policy.ts";
import type { RegistryIndex } from "../registry/index.ts";
import type { Served } from "../release/served.ts";
import { answerProblem, answerRepresentation, conceptNotFound } from "./answer.ts";
import { contextLink, formatFields } from "../http/representation.ts";
import { concat, toHex } from "../text/bytes.ts";
import type { LongBody, Route } from "./route.ts";

/** `GET /api/v1/concepts` with or without `q`. */
export function conceptsRoute({ index, manifest }: Served): Route {
  const validators = { contentLocation: manifest.origin + paths.concepts, sha256: index.meta.listSha256 };
  const [whole, filtered] = [formatFields("json", validators), formatFields("json", undefined)];
  return async (request) => {
    const terms = readQuery(queryOf(request.target));
    if ("status" in terms) return answerProblem(request, terms);
    if (terms.length === 0)
      return answerRepresentation(request, whole, await untilHeld(() => spanBody(index, index.sections.list)));
    const matches = await runInSteps(filterConcepts(index, terms));
    return answerRepresentation(request, filtered, await listBody(index, matches));
  };
}

/** `GET /api/v1/concepts/{code}`: the router decodes it once, then it is compared byte for byte. */
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

/** The public bundle: one ConceptDetail per line. */
export function bundleRoute({ index, manifest }: Served): Route {
  const validators = { contentLocation: manifest.origin + paths.bundle, sha256: index.meta.bundleSha256 };
  const fields = formatFields("bundle", validators);
  return (request) => untilHeld(() => answerRepresentation(request, fields, spanBody(index, index.sections.bundle)));
}

/** Small spans are read at once; large ones are sent in pieces and never held as a whole. */
const SMALL = 65_536;

function spanBody(index: RegistryIndex, span: Span): Uint8Array | LongBody {
  if (span.length <= SMALL) return index.read(span);
  return { length: span.length, pieces: () => heldPieces(index.source, span) };
}

function* heldPieces(source: ByteSource, span: Span): Generator<Uint8Array | BytesMissing> {
  for (const { offset, length } of split(span, source.pieceBytes))
    yield yield* stepsUntilHeld(() => source.read(offset, length));
}

/** The list of what a filter found: where it is long, it is made while it is sent. */
async function listBody(index: RegistryIndex, matches: Matches): Promise<Uint8Array | LongBody> {
  const pieces = listPieces(index, matches);
  for (let next = pieces.next(); ; next = pieces.next()) {
    if (next.done === true) return next.value;
    if (next.value instanceof BytesMissing) await next.value.get();
    else return { pieces: () => resumed(next.value, pieces) };
  }
}

function* resumed<T>(first: T, rest: Generator<T, T>): Generator<T, void> {
  yield first;
  yield yield* rest;
}

/** Where matches lie apart, that is a hundred readings: more would hold other requests up for too long. */
const GATHERED = 32_768;

/** Short runs are gathered, because each of thousands would otherwise be a write. Returns the last piece. */
function* listPieces(index: RegistryIndex, matches: Matches): Generator<Uint8Array | BytesMissing, Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    size += part.length;
  };
  const take = (): Uint8Array => {
    const bytes = concat(parts, size);
    [parts, size] = [[], 0];
    return bytes;
  };
  add(encoder.encode('{"data":['));
  let isFirst = true;
  for (const run of summariesOf(index, matches)) {
    if (run instanceof BytesMissing) {
      yield run;
      continue;
    }
    if (!isFirst) add(COMMA);
    isFirst = false;
    for (const piece of heldPieces(index.source, run)) {
      if (piece instanceof BytesMissing) yield piece;
      else add(piece);
      if (size > GATHERED) yield take();
    }
  }
  add(encoder.encode(`],"count":${matches.count}}\n`));
  return take();
}

const encoder = new TextEncoder();
const COMMA = encoder.encode(",");
