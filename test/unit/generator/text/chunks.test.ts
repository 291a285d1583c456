import { describe, expect, it } from "vitest";
import { TextPieces } from "../../../../generator/text/chunks.ts";

/** What was yielded, and what each text was said to be. */
function gather(texts: readonly string[]): { pieces: Uint8Array[]; own: Uint8Array[] } {
  const pieces: Uint8Array[] = [];
  const own: Uint8Array[] = [];
  const gathered = new TextPieces();
  for (const text of texts) {
    const adding = gathered.add(text);
    let step = adding.next();
    for (; step.done !== true; step = adding.next()) pieces.push(step.value);
    own.push(step.value);
  }
  pieces.push(...gathered.rest(), ...gathered.rest());
  return { pieces, own };
}

describe("texts on their way", () => {
  it("come out as their UTF-8, each with its own bytes, in pieces that nobody writes over", () => {
    const texts = Array.from({ length: 3000 }, (_, i) => ["", "a", "ж", "語", "😀"][i % 5]?.repeat(i % 97) ?? "");
    const { pieces, own } = gather([...texts, "x".repeat(100_000), "語".repeat(50_000), "end"]);
    const expected = [...texts, "x".repeat(100_000), "語".repeat(50_000), "end"];
    expect(own.map((bytes) => Buffer.from(bytes).toString())).toEqual(expected);
    expect(Buffer.concat(pieces).toString()).toBe(expected.join(""));
  });

  it("are few pieces where they are many texts, and small ones where no text is large", () => {
    const { pieces } = gather(Array.from({ length: 20_000 }, () => "twenty bytes of text"));
    expect(pieces.length).toBeLessThan(20);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(32_768);
    expect(gather([]).pieces).toEqual([]);
  });
});
