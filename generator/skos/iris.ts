/** The IRIs of a registry: its concepts, and the scheme that they are in. */
import { paths } from "../../runtime/contract/paths.ts";

/** The IRI of the scheme that all concepts are in. */
export function schemeIri(origin: string): string {
  return `${origin}${paths.concepts}`;
}

/** A code that the registry admits is in its IRI unchanged. */
export function conceptIri(scheme: string, code: string): string {
  return `${scheme}/${encodeURIComponent(code.toWellFormed())}`;
}
