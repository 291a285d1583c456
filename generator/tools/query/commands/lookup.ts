/**
 * `lookup`: finds the code that has an external identifier, in a built release; exact, and never a
 * choice between two.
 */
import type { Claim, Mapping } from "../../../contract/mapping.ts";
import { MAPPINGS_PATH } from "../../../../runtime/contract/added-resources.ts";
import type { ConceptDetail } from "../../../../runtime/contract/concept.ts";
import type { ConceptNotes } from "../../../../runtime/contract/concept-notes.ts";
import type { Release } from "../../../../runtime/release/release.ts";
import { invocation } from "../../../effects/invocation.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { compareClaims, identifiersOf } from "../../../registry/identifiers.ts";
import { defineCommand } from "../../../commands/command.ts";
import { flag, BUILT } from "../../../commands/options.ts";
import { withRelease } from "../../../commands/with-release.ts";

/** Exit code 0 for an answer, resolved or abstained. */
export const command = defineCommand({
  usage: "<IRI or notation>",
  does:
    "Says offline which code has an identifier: that of a concept in its source, an exact match of it, or a notation. If " +
    "two concepts claim it the answer is abstained, with both; if none does, abstained.",
  options: {
    out: BUILT,
    exitStatus: flag("exit with 3 for unknown, 4 for ambiguous, as resolve does"),
  },
  takesArguments: true,
  run({ console }, { out, exitStatus }, [identifier, ...others]) {
    if (identifier === undefined || others.length > 0)
      throw new UsageError(`Name one identifier: ${invocation("lookup", "http://www.wikidata.org/entity/Q42")}`);
    return withRelease(out, (release) => {
      const { text, status } = lookUp(release, identifier);
      console.print(text, "data");
      return exitStatus ? status : 0;
    });
  },
});

function lookUp(release: Release, identifier: string): { readonly text: string; readonly status: 0 | 3 | 4 } {
  const mappings = release.documents.get(MAPPINGS_PATH);
  const claims = mappings === undefined ? claimsAmong(release, identifier) : claimsIn(mappings, identifier);
  const [code, ...others] = new Set(claims.map((claim) => claim.code));
  const isResolved = code !== undefined && others.length === 0;
  const reason = code === undefined ? "unknown_identifier" : isResolved ? null : "ambiguous_identifier";
  const data = {
    identifier,
    status: isResolved ? "resolved" : "abstained",
    reason,
    concept: isResolved ? conceptOf(release, code) : null,
    claims,
    registryVersion: release.index.meta.registryVersion,
  };
  return { text: JSON.stringify({ data }), status: isResolved ? 0 : code === undefined ? 3 : 4 };
}

function conceptOf({ index }: Release, code: string): unknown {
  const id = index.conceptId(code);
  return id === undefined ? null : (JSON.parse(decoder.decode(index.read(index.concept(id).resolved))) as unknown);
}

/**
 * Finds the line of the key by binary search: the lines are in code-point order, which is the order
 * of their bytes.
 */
function claimsIn(bytes: Uint8Array, key: string): readonly Claim[] {
  const wanted = encoder.encode(key);
  let low = 0;
  for (let high = bytes.length; low < high;) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : bytes.lastIndexOf(LF, middle - 1) + 1;
    const end = bytes.indexOf(LF, middle);
    const mapping = JSON.parse(decoder.decode(bytes.subarray(start, end))) as Mapping;
    const order = Buffer.compare(encoder.encode(mapping.key), wanted);
    if (order === 0) return mapping.claims;
    if (order < 0) low = end + 1;
    else high = start;
  }
  return [];
}

/** A release omits mappings that would be too long for it: then every concept is searched. */
function claimsAmong({ index }: Release, key: string): readonly Claim[] {
  const claims: Claim[] = [];
  const json = Buffer.from(JSON.stringify(key));
  for (let id = 0; id < index.conceptCount; id++) {
    const parts = index.concept(id);
    const [detail, notes] = [Buffer.from(index.read(parts.detail)), Buffer.from(index.read(parts.notes))];
    // Most concepts do not have it, and are not parsed.
    if (!detail.includes(json) && !notes.includes(json)) continue;
    const { code, provenance } = JSON.parse(decoder.decode(detail)) as ConceptDetail;
    const { notations = [] } = (notes.length === 0 ? {} : JSON.parse(decoder.decode(notes))) as ConceptNotes;
    for (const [own, by] of identifiersOf({ provenance, said: { notations } }))
      if (own === key) claims.push({ code, by });
  }
  return claims.sort(compareClaims);
}

const LF = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
