/**
 * Recognizes what documents only quote from the registry: its version and day, and how many
 * concepts and expressions it has. These differences follow from the concepts, and are counted
 * instead of listed.
 */
import { paths } from "../../../runtime/contract/paths.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import type { JsonChange } from "./comparison.ts";
import type { Follow } from "./follow.ts";
import type { Snapshot } from "./snapshot.ts";

const STATUS_FILE = paths.status.slice(1);

/** The number of expressions, as the release itself counts them; the index has the other counts. */
export function reviewedExpressions(snapshot: Snapshot): unknown {
  return statusOf(snapshot)["reviewedExactExpressions"];
}

function statusOf({ files, read }: Snapshot): Readonly<Record<string, unknown>> {
  if (!files.some(({ path }) => path === STATUS_FILE)) return {};
  const json = parseJson(read(STATUS_FILE));
  const { data } = ((json.ok ? json.value : undefined) ?? {}) as { data?: unknown };
  return typeof data === "object" && data !== null ? { ...data } : {};
}

/** What one release has to quote. */
interface Quoted {
  readonly version: RegExp;
  /** In decimal digits. */
  readonly counts: ReadonlySet<string>;
}

/** The version, but not as the beginning or end of another one. */
function versionPattern(version: string): RegExp {
  return new RegExp(`(?<![\\w.-])${version.replaceAll(/[^\w-]/g, String.raw`\$&`)}(?![\\w-]|\\.\\d)`, "g");
}

function quotedOf(snapshot: Snapshot): Quoted {
  const { side } = snapshot;
  const counts = Object.values(statusOf(snapshot)).map((value) => (Array.isArray(value) ? value.length : value));
  return {
    version: versionPattern(side.registryVersion),
    counts: new Set([side.concepts, ...counts].map(String)),
  };
}

const NOUNS = "concept|reviewed exact expression|language|domain";
const MEMBERS = "publishedConcepts|reviewedExactExpressions";
/** A count in prose, where pages may set it in bold; in JSON, which pages may color. */
const COUNTS = new RegExp(
  `(?<digits>\\d[\\d,]*)(?<noun>(?:</strong>)? (?:${NOUNS}))s?\\b|` +
    `(?<member>(?:${MEMBERS})(?:\\\\?"|&quot;)(?:</span>)?: ?)(?<number>\\d+)`,
  "g",
);
const COUNT_MEMBER = new RegExp(`/(?:${MEMBERS}|concepts)$`);
/** The day of the registry stands behind its version on every page. */
const DAY = /(?<=⟨version⟩<\/span> of )<time .*?<\/time>/g;
/** In the description of the dataset (VoID), which counts what no other document does. */
const TRIPLES = /(?<=void:(?:triples|entities) )\d+/g;

/** What follows from the concepts, or already from `others`. */
export class Quotes implements Follow {
  readonly #others: Follow;
  readonly #of: Readonly<Record<"before" | "after", Quoted>>;

  constructor(others: Follow, [a, b]: readonly [Snapshot, Snapshot]) {
    this.#others = others;
    this.#of = { before: quotedOf(a), after: quotedOf(b) };
  }

  explain(change: Pick<JsonChange, "pointer" | "before" | "after">): boolean {
    if (this.#others.explain(change)) return true;
    const { pointer, before, after } = change;
    if (typeof before === "string" && typeof after === "string")
      return this.mask(before, "before") === this.mask(after, "after");
    const areCounts = this.#of.before.counts.has(String(before)) && this.#of.after.counts.has(String(after));
    return areCounts && COUNT_MEMBER.test(pointer);
  }

  mask(text: string, side: "before" | "after"): string {
    const { version, counts } = this.#of[side];
    return this.#others
      .mask(text, side)
      .replaceAll(version, "⟨version⟩")
      .replaceAll(DAY, "⟨day⟩")
      .replaceAll(TRIPLES, "⟨count⟩")
      .replaceAll(COUNTS, (found: string, ...rest: unknown[]) => {
        const { digits, noun, member = "", number } = rest.at(-1) as Partial<Record<string, string>>;
        const count = digits?.replaceAll(",", "") ?? number ?? "";
        return counts.has(count) ? `${member}⟨count⟩${noun ?? ""}` : found;
      });
  }
}
