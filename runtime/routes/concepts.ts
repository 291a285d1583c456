/** The list, the filtered list, one concept, the public bundle: bytes of the index, unchanged. */
import { type BytesMissing, stepsUntilHeld, untilHeld } from "../registry/block-source.ts";
import { type ByteSource, type Span, split } from "../registry/byte-source.ts";
import { filterConcepts, type FilteredList, readQuery, spansOf } from "../registry/filter.ts";
import { queryOf } from "../http/parameter.ts";
import { contextPath } from "../contract/added-resources.ts";
import { paths } from "../contract/policy.ts";
import type { RegistryIndex } from "../registry/index.ts";
import type { Served } from "../release/served.ts";
import { answerProblem, answerRepresentation, conceptNotFound } from "./answer.ts";
import { contextLink, formatFields } from "../http/representation.ts";
import { concat, toHex } from "../text/bytes.ts";
import type { LongBody, Route } from "./route.ts";
import { runInSteps } from "./steps.ts";

/** `GET /api/v1/concepts` with or without `q`. */
export function conceptsRoute({ index, manifest }: Served): Route {
  const validators = { contentLocation: manifest.origin + paths.concepts, sha256: index.meta.listSha256 };
  const [whole, filtered] = [formatFields("json", validators), formatFields("json", undefined)];
  return async (request) => {
    const terms = readQuery(queryOf(request.target));
    if ("status" in terms) return answerProblem(request, terms);
    if (terms.length === 0)
      return answerRepresentation(request, whole, await untilHeld(() => spanBody(index, index.sections.list)));
    const list = await runInSteps(filterConcepts(index, terms));
    return answerRepresentation(request, filtered, listBody(index, list));
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

function listBody(index: RegistryIndex, list: FilteredList): LongBody {
  const head = encoder.encode('{"data":[');
  const comma = encoder.encode(",");
  const tail = encoder.encode(`],"count":${list.count}}\n`);
  let length = head.length + Math.max(list.runs.length / 2 - 1, 0) + tail.length;
  for (const run of spansOf(list)) length += run.length;
  return {
    length,
    *pieces() {
      // Short runs are gathered, because each of thousands would otherwise be a write.
      let gathered: Uint8Array[] = [head];
      let size = head.length;
      let isFirst = true;
      for (const run of spansOf(list)) {
        if (!isFirst) {
          gathered.push(comma);
          size += comma.length;
        }
        isFirst = false;
        for (const piece of heldPieces(index.source, run)) {
          if (piece instanceof Uint8Array) {
            gathered.push(piece);
            size += piece.length;
          } else yield piece;
        }
        if (size > SMALL) {
          yield concat(gathered, size);
          gathered = [];
          size = 0;
        }
      }
      yield concat([...gathered, tail], size + tail.length);
    },
  };
}

const encoder = new TextEncoder();
