/** The registry on the wire: list, filtered list, one concept, the public bundle. Bytes come from the index as they are. */
import { setImmediate } from "node:timers/promises";
import { pieces, type Span } from "../byte-source.ts";
import { filterConcepts, type FilteredList, readQuery } from "../concepts.ts";
import { paths } from "../policy.ts";
import type { RegistryIndex } from "../registry-index.ts";
import type { Release } from "../release.ts";
import { type LongBody, sendConceptNotFound, sendProblem, sendRepresentation } from "../reply.ts";
import type { Route } from "./route.ts";

/** `GET /api/v1/concepts` with or without `q`. */
export function conceptsRoute({ index, manifest }: Release): Route {
  const validators = { contentLocation: manifest.origin + paths.concepts, sha256: index.meta.listSha256 };
  return async ({ url = "" }, response) => {
    const terms = readQuery(url.split(/\?(.*)/s)[1] ?? "");
    if ("status" in terms) return sendProblem(response, terms);
    if (terms.length === 0) {
      return sendRepresentation(response, {
        policy: "registry",
        body: spanBody(index, index.sections.list),
        validators,
      });
    }
    const scan = filterConcepts(index, terms);
    let step = scan.next();
    for (; step.done !== true; step = scan.next()) await setImmediate();
    return sendRepresentation(response, { policy: "registry", body: listBody(index, step.value) });
  };
}

/** `GET /api/v1/concepts/{code}`: percent-decoded once by the router, then compared byte for byte. */
export function conceptRoute({ index, manifest }: Release): Route {
  return (_request, response, { code = "" }) => {
    const id = index.conceptId(code);
    if (id === undefined) return sendConceptNotFound(response);
    const { detail, detailDigest } = index.concept(id);
    const sha256 = Buffer.from(detailDigest.buffer, detailDigest.byteOffset, detailDigest.length).toString("hex");
    const validators = { contentLocation: `${manifest.origin}${paths.concepts}/${code}`, sha256 };
    return sendRepresentation(response, { policy: "registry", body: index.read(detail), validators });
  };
}

/** The public bundle: one ConceptDetail a line. */
export function bundleRoute({ index, manifest }: Release): Route {
  const validators = { contentLocation: manifest.origin + paths.bundle, sha256: index.meta.bundleSha256 };
  return (_request, response) =>
    sendRepresentation(response, { policy: "bundle", body: spanBody(index, index.sections.bundle), validators });
}

/** Small spans are read at once; large ones flow in pieces and are never held whole. */
const SMALL = 65_536;

function spanBody(index: RegistryIndex, span: Span): Uint8Array | LongBody {
  if (span.length <= SMALL) return index.read(span);
  return { length: span.length, pieces: () => pieces(index.source, span) };
}

function listBody(index: RegistryIndex, { count, runs }: FilteredList): LongBody {
  const head = Buffer.from('{"data":[');
  const comma = Buffer.from(",");
  const tail = Buffer.from(`],"count":${count}}\n`);
  const length = runs.reduce((sum, run) => sum + run.length, head.length + Math.max(runs.length - 1, 0) + tail.length);
  return {
    length,
    *pieces() {
      // Gathered, so that thousands of short runs are not thousands of writes.
      let gathered: Uint8Array[] = [head];
      let size = head.length;
      for (const [i, run] of runs.entries()) {
        for (const piece of pieces(index.source, run)) {
          gathered.push(piece);
          size += piece.length;
        }
        if (i + 1 < runs.length) gathered.push(comma);
        if (size > SMALL) {
          yield Buffer.concat(gathered);
          gathered = [];
          size = 0;
        }
      }
      yield Buffer.concat([...gathered, tail]);
    },
  };
}
