import { describe, expect, it } from "vitest";
import type { MemoryBudget, Scratch } from "../../../../generator/effects/effects.ts";
import { fileSystem } from "../../../../generator/effects/file-system.ts";
import { Partitions } from "../../../../generator/scratch/partitions.ts";
import { SortedRecords } from "../../../../generator/scratch/sorted-records.ts";
import { IN_MEMORY, Spool } from "../../../../generator/scratch/spool.ts";
import { compareCodePoints } from "../../../../generator/text/order.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
/** Texts of all lengths, the longest longer than a window. */
const texts = Array.from({ length: 2000 }, (_, i) =>
  `${(i * 7919) % 2000} `.repeat(i === 1000 ? 100_000 : (i % 7) + 1),
);

const rooms: [string, MemoryBudget][] = [
  ["in memory", IN_MEMORY],
  ["in a file", { ...fileSystem, memoryBytes: 0 }],
  ["first in memory, then in a file", { ...fileSystem, memoryBytes: 5000 }],
];

describe.each(rooms)("more than a value, %s", (_where, budget) => {
  it("a spool gives back what was written, whole and in parts, also between writings", () => {
    const spool = new Spool(budget);
    const whole = texts.join("");
    const read = spool.reader();
    let written = "";
    for (const text of texts) {
      spool.append(bytesOf(text));
      written += text;
      if (written.length % 10 === 0) expect(textOf(read(written.length - 2, 2))).toBe(written.slice(-2));
    }
    expect(textOf(Buffer.concat([...spool.chunks()]))).toBe(whole);
    for (const at of [0, 1, 999, 200_000, whole.length - 5]) expect(textOf(read(at, 5))).toBe(whole.slice(at, at + 5));
  });

  it("records come in the order of their keys, those of one key in the order in which they came", () => {
    const sorted = new SortedRecords(budget);
    const expected = texts.map((text, i) => ({ key: `k${(i * 31) % 500}`, head: `${i}`, body: text }));
    for (const { key, head, body } of expected) sorted.add(key, bytesOf(head), bytesOf(body));
    expected.sort((a, b) => compareCodePoints(a.key, b.key));
    for (let turn = 0; turn < 2; turn++) {
      const found = Array.from(sorted, ({ key, head, body }) => ({ key, head: textOf(head), body: textOf(body()) }));
      expect(found).toEqual(expected);
    }
    expect(sorted.count).toBe(texts.length);
  });

  it("records in any order are at most in four files, and may follow after a reading", () => {
    let files = 0;
    const scratch = (): Scratch => {
      files++;
      return budget.scratch();
    };
    const sorted = new SortedRecords({ ...budget, scratch });
    const keys = texts.map((_text, i) => `k${(i * 7919) % 5000}`);
    for (const [i, key] of keys.entries()) {
      sorted.add(key, bytesOf(key));
      if (i % 700 === 0) expect(Array.from(sorted, (one) => one.key)).toEqual(keys.slice(0, i + 1).sort());
    }
    files = 0;
    expect(Array.from(sorted, ({ head }) => textOf(head))).toEqual(keys.sort());
    expect(files).toBeLessThanOrEqual(2);
  });

  it("each part has its own records, in the order in which they came", () => {
    const parts = new Partitions(budget, 3);
    texts.forEach((text, i) => parts.claim(i % 3, text.length).set(bytesOf(text)));
    for (const part of [2, 0, 1]) {
      expect(textOf(parts.read(part))).toBe(texts.filter((_text, i) => i % 3 === part).join(""));
    }
  });
});

it("of records in any order, memory holds no more than of those in order", () => {
  let written = 0;
  const scratch = (): Scratch => {
    const made = fileSystem.scratch();
    return {
      ...made,
      append(bytes) {
        written += bytes.length;
        made.append(bytes);
      },
    };
  };
  const sorted = new SortedRecords({ memoryBytes: 50_000, scratch });
  const body = new Uint8Array(1000);
  for (let i = 0; i < 20_000; i++) sorted.add(`k${(i * 7919) % 20_000}`, bytesOf(`${i}`), body);
  expect(written).toBeGreaterThan(17_000_000);
});
