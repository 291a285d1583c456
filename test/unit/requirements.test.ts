/** The gate between requirements and tests: nothing required is untested, nothing cited is unknown. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { notBuilt, requirements } from "../requirements.ts";

/** A title, or the part of one that a table fills in, is a text that begins with ids. */
const TITLE = /(["`])(?<title>(?:[A-GMV]\d\d|O-\d\d)[: ](?:(?!\1).)*)\1/gs;
const ID = /\b(?:[A-GMV]\d\d|O-\d\d)\b/g;

const cited = new Map<string, string>();
const tests = path.resolve(import.meta.dirname, "..");
for (const file of readdirSync(tests, { recursive: true, encoding: "utf8" })) {
  if (!/\.(?:test|external|browser|conformance)\.ts$/.test(file)) continue;
  for (const { groups } of readFileSync(`${tests}/${file}`, "utf8").matchAll(TITLE)) {
    for (const [id] of groups?.["title"]?.matchAll(ID) ?? []) cited.set(id, file);
  }
}

describe("requirements", () => {
  it("are each cited by a test title, or listed as not built yet", () => {
    expect(Object.keys(requirements).filter((id) => !cited.has(id) && !notBuilt.includes(id))).toEqual([]);
  });

  it("that are cited exist", () => {
    expect([...cited].filter(([id]) => !(id in requirements))).toEqual([]);
  });

  it("that are listed as not built exist and are not cited: take them off the list once they are tested", () => {
    expect(notBuilt.filter((id) => !(id in requirements) || cited.has(id))).toEqual([]);
  });

  it("that are not built never grow in number", () => {
    expect(notBuilt.length).toBeLessThanOrEqual(0);
  });
});
