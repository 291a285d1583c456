/** Plans what `move`, `reject`, `rename` and `retire` do to what is in the registry. */
import { REVIEWED } from "../../../../runtime/contract/concept.ts";
import { nextVersion } from "../../../text/version.ts";
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import type { EditableSource } from "../../../registry/read.ts";
import type { RetiredRecord } from "../../../registry/record.ts";
import { onOneLine } from "../import/text.ts";
import type { Decision } from "../review/decide.ts";
import type { Planned } from "./amendment.ts";
import { asMoved, decided, withExpressions } from "./entries.ts";
import { conceptNamed, expressionNamed, type Naming } from "./named.ts";

/** Who decided, and when. */
type Reviewer = Omit<Decision, "action">;

/**
 * The other concept gets the expression with its status. The concept that had it keeps it as
 * rejected, so that an import does not bring it back.
 */
export function planMove(
  source: EditableSource,
  [text, naming]: readonly [string, Naming],
  { to, reviewer }: { readonly to: string; readonly reviewer: Reviewer },
): Planned {
  const target = conceptNamed(source, to);
  const place = expressionNamed(source, text, naming);
  const { concept, expression, position } = place;
  if (concept === target) throw new UsageError(`${quote(text)} is an expression of ${target.record.code} already`);
  const isReviewed = expression.reviewStatus === REVIEWED;
  const moved = asMoved(place);
  const waiting = withExpressions(source, target, [isReviewed ? { ...moved, reviewStatus: "in_review" } : moved]);
  if ("errors" in waiting) return waiting;
  const { positions } = waiting;
  const accept = { decision: { action: "accept", ...reviewer }, positions } as const;
  const gained = isReviewed ? decided(source, { ...target, record: waiting.record }, accept) : waiting;
  if ("errors" in gained) return gained;
  const reject = { decision: { action: "reject", ...reviewer }, positions: [position] } as const;
  const lost = decided(source, concept, reject);
  if ("errors" in lost) return lost;
  return {
    changed: [
      { from: target, record: gained.record },
      { from: concept, record: lost.record },
    ],
  };
}

export function planReject(
  source: EditableSource,
  [text, naming]: readonly [string, Naming],
  reviewer: Reviewer,
): Planned {
  const { concept, position } = expressionNamed(source, text, naming);
  const rejected = decided(source, concept, { decision: { action: "reject", ...reviewer }, positions: [position] });
  return "errors" in rejected ? rejected : { changed: [{ from: concept, record: rejected.record }] };
}

export function planRename(source: EditableSource, code: string, written: string): Planned {
  const concept = conceptNamed(source, code);
  const name = onOneLine(written);
  if (name === concept.record.name) throw new UsageError(`${concept.record.code} has the name ${quote(name)} already`);
  return { changed: [{ from: concept, record: { ...concept.record, name } }] };
}

export interface Retiring {
  readonly replacedBy: string | undefined;
  readonly reason: string | undefined;
}

/** The version that it is retired in is that of the next release. */
export function planRetire(source: EditableSource, named: string, { replacedBy, reason }: Retiring): Planned {
  const from = conceptNamed(source, named);
  const successor = replacedBy === undefined ? null : conceptNamed(source, replacedBy);
  if (successor === from) throw new UsageError(`--replaced-by ${from.record.code} is the code that is to be retired`);
  const { code, name, provenance } = from.record;
  const sourceId = provenance?.sourceId ?? undefined;
  const entry: RetiredRecord[number] = {
    code,
    retiredIn: versionToCome(source),
    replacedBy: successor?.record.code ?? null,
    name,
    ...(sourceId !== undefined && { sourceId }),
    ...(reason !== undefined && { reason }),
  };
  return { retired: { from, entry } };
}

function versionToCome({ registry, history }: EditableSource): string {
  const { registryVersion } = registry;
  const isRecorded = history.some((entry) => entry.registryVersion === registryVersion);
  return isRecorded ? nextVersion(history.at(-1)?.registryVersion ?? registryVersion) : registryVersion;
}
