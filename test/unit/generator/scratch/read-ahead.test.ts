/** Sections that are read in turn cost a read for each window, not for each part. */
import { expect, it } from "vitest";
import { readAhead } from "../../../../generator/scratch/read-ahead.ts";

const PARTS = 100_000;

it.each([
  ["follow each other", 10],
  ["have a separator between them", 11],
])("reads ahead in two sections whose parts %s", (_case, step) => {
  const bytes = Uint8Array.from({ length: 2 * PARTS * step }, (_none, i) => i % 251);
  let reads = 0;
  const source = {
    length: bytes.length,
    read: (offset: number, length: number) => (reads++, bytes.subarray(offset, offset + length)),
  };
  const sections = [0, 1].map((number) => ({ offset: number * PARTS * step, length: PARTS * step }));
  const ahead = readAhead(source, sections);
  for (let part = 0; part < PARTS; part++) {
    for (const { offset } of sections) {
      const start = offset + part * step;
      if (Buffer.compare(ahead.read(start, 10), bytes.subarray(start, start + 10)) !== 0) expect(part).toBe(-1);
    }
  }
  expect(reads).toBeLessThan(20);
  // A read elsewhere gets just its own bytes.
  expect(ahead.read(5 * step, 3)).toEqual(bytes.subarray(5 * step, 5 * step + 3));
});
