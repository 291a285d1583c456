/** One concept on the wire, as it stands in the public bundle. */
import { paths } from "../contract/policy.ts";
import type { Release } from "../release/release.ts";
import { sendConceptNotFound, sendRepresentation } from "./reply.ts";
import { formatFields } from "../http/representation.ts";
import type { Route } from "./route.ts";

/** `GET /api/v1/concepts/{code}`: percent-decoded once by the router, then compared byte for byte. */
export function conceptRoute({ index, manifest }: Release): Route {
  return (_request, response, { code = "" }) => {
    const id = index.conceptId(code);
    if (id === undefined) return sendConceptNotFound(response);
    const { detail, detailDigest } = index.concept(id);
    const sha256 = Buffer.from(detailDigest.buffer, detailDigest.byteOffset, detailDigest.length).toString("hex");
    const validators = { contentLocation: `${manifest.origin}${paths.concepts}/${code}`, sha256 };
    return sendRepresentation(response, formatFields("json", validators), index.read(detail));
  };
}
