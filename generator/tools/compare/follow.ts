/**
 * Recognizes differences that follow from another change: a digest in a document is that of some
 * other bytes, and a size next to it is theirs. Both are counted instead of listed; otherwise a
 * change of one word would be listed in every document. The origin would be too, if the two
 * releases were built for different ones, so it is replaced.
 */
import type { JsonChange } from "./comparison.ts";

/** SHA-256 in hex, in a Repr-Digest (RFC 9530), and the part of it in the name of an asset. */
const DIGEST =
  /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])|(?<=sha-256=:)[A-Za-z0-9+/]{43}=(?=:)|(?<=\/[a-z]+\.)[0-9a-f]{16}(?=\.(?:css|js|svg)(?!\w))/g;

/** The text with every digest in it replaced by one word. */
export function maskDigests(text: string): string {
  return text.replaceAll(DIGEST, "⟨digest⟩");
}

/** Decides what a change of a document follows from, if anything. */
export interface Follow {
  /**
   * Whether a value differs only in what it has from elsewhere, such as digests, or is the size of
   * another document in a member that is named like a size.
   */
  explain(change: Pick<JsonChange, "pointer" | "before" | "after">): boolean;
  /** A line of text without what it has from there, such as digests and the sizes next to them. */
  mask(line: string, side: "before" | "after"): string;
}

/** Sizes of the same document in A and in B, if they differ. */
export class Sizes implements Follow {
  readonly #pairs = new Set<string>();
  readonly #before = new Set<string>();
  readonly #after = new Set<string>();

  add(before: number, after: number): void {
    if (before === after) return;
    this.#pairs.add(`${before} ${after}`);
    this.#before.add(String(before));
    this.#after.add(String(after));
  }

  explain({ pointer, before, after }: Pick<JsonChange, "pointer" | "before" | "after">): boolean {
    if (typeof before === "string" && typeof after === "string") return maskDigests(before) === maskDigests(after);
    return /\/(?:bytes|size)$/.test(pointer) && this.#pairs.has(`${String(before)} ${String(after)}`);
  }

  mask(line: string, side: "before" | "after"): string {
    const masked = maskDigests(line);
    // In the description of the dataset (DCAT), a size has a line of its own.
    if (masked === line && !line.includes("dcat:byteSize ")) return line;
    const sizes = side === "before" ? this.#before : this.#after;
    return masked.replaceAll(/\b\d+\b/g, (digits) => (sizes.has(digits) ? "⟨size⟩" : digits));
  }
}

/** Replaces the origin. No builder writes it, so it is never mistaken for a release's own text. */
const PLACEHOLDER = "⟨origin⟩";

/** Returns a function that replaces an origin, except as the beginning of another host or port. */
export function originReplacer(origin: string | null): (text: string) => string {
  if (origin === null) return (text) => text;
  const whole = new RegExp(`${origin.replaceAll(/[^\w:/-]/g, String.raw`\$&`)}(?![\\w-]|[.:]\\w)`, "g");
  return (text) => text.replaceAll(whole, PLACEHOLDER);
}
