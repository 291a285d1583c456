/**
 * The 406 body of a resource: RFC 9457 members, the available representations, and that nothing was
 * assigned (contract §4.5 rule 5).
 */
import type { NotAcceptable } from "../contract/representation.ts";
import { paths, policies, type Resource } from "../contract/policy.ts";

/** The body for one of the ten routes; it is the same for every request and quotes none of it. */
export function formatNotAcceptable({ path, variants }: Resource, origin: string): Uint8Array {
  const body: NotAcceptable = {
    type: `${origin}${paths.apiReference}#negotiation`,
    title: "Not Acceptable",
    status: 406,
    detail: "Accept permits no available representation of this resource",
    instance: path,
    available: variants.map(({ policy, location }) => ({
      type: policies[policy].mediaType,
      href: origin + location,
    })),
    semanticAssignment: false,
    downstreamAuthorization: false,
    downstreamSideEffects: 0,
  };
  return new TextEncoder().encode(`${JSON.stringify(body)}\n`);
}
