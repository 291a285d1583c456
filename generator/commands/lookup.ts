/** `lookup`: which code has an external identifier, from a built release; exact, and never a choice between two. */
import type { Mapping } from "../contract/mapping.ts";
import { MAPPINGS_PATH } from "../../runtime/contract/added-resources.ts";
import { openRelease, type Release } from "../../runtime/release/release.ts";
import { invocation } from "../text/invocation.ts";
import { UsageError } from "../text/usage-error.ts";
import { defineCommand } from "./command.ts";
import { flag, OUT } from "./options.ts";

/** Exit code 0 for an answer, resolved or abstained. */
export const command = defineCommand({
  usage: "<IRI or notation>",
  does:
    "Says offline which code has an identifier: what a source calls a concept, an exact match of it, or a notation. Where " +
    "two concepts claim it the answer is abstained, with both; where none does, abstained.",
  options: {
    out: OUT,
    exitStatus: flag("exit with 3 for unknown, 4 for ambiguous, as resolve does"),
  },
  takesArguments: true,
  run({ console }, { out, exitStatus }, [identifier, ...others]) {
    if (identifier === undefined || others.length > 0)
      throw new UsageError(`Name one identifier: ${invocation("lookup", "http://www.wikidata.org/entity/Q42")}`);
    const release = openRelease(out);
    try {
      const { text, status } = lookUp(release, identifier);
      console.print(text, "data");
      return exitStatus ? status : 0;
    } finally {
      release.close();
    }
  },
});

function lookUp(release: Release, identifier: string): { readonly text: string; readonly status: 0 | 3 | 4 } {
  const { claims } = mappingOf(release, identifier) ?? { claims: [] };
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

/** The line of the key, found by halves: the lines are in code-point order, which is the order of their bytes. */
function mappingOf({ documents }: Release, key: string): Mapping | undefined {
  const bytes = documents.get(MAPPINGS_PATH) ?? new Uint8Array();
  const wanted = encoder.encode(key);
  let low = 0;
  for (let high = bytes.length; low < high;) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : bytes.lastIndexOf(LF, middle - 1) + 1;
    const end = bytes.indexOf(LF, middle);
    const mapping = JSON.parse(decoder.decode(bytes.subarray(start, end))) as Mapping;
    const order = Buffer.compare(encoder.encode(mapping.key), wanted);
    if (order === 0) return mapping;
    if (order < 0) low = end + 1;
    else high = start;
  }
  return undefined;
}

const LF = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
