import { describe, expect, it } from "vitest";
import { compareVersions, nextVersion, REGISTRY_VERSION_PATTERN } from "../../../../generator/text/version.ts";

describe("versions of a registry", () => {
  it.each([
    ["2026.11.9007199254740992", "2026.11.9007199254740993"],
    ["2026.11.9", "2026.11.10"],
    ["2026.12.900000000000000000", "2027.01.0"],
    ["0", "2026.11.1"],
  ])("O-16: %s comes before %s", (a, b) => {
    expect([compareVersions(a, b) < 0, compareVersions(b, a) > 0, compareVersions(a, a)]).toEqual([true, true, 0]);
  });

  it("O-16: have no order if they are not made of numbers", () => {
    expect([compareVersions("2026.11.x", "2026.11.1"), compareVersions("2026.11.1", "")]).toEqual([NaN, NaN]);
  });

  it.each([
    ["2026.11.9", "2026.11.10"],
    ["2026.11.9007199254740992", "2026.11.9007199254740993"],
    ["2026.11.999999999999999999", "2026.12.1"],
    ["2026.12.999999999999999999", "2027.01.1"],
  ])("O-16: %s is followed by %s, which is a version", (version, next) => {
    expect(nextVersion(version)).toBe(next);
    expect(next).toMatch(new RegExp(REGISTRY_VERSION_PATTERN));
  });

  it("O-16: have at most 18 digits, because files are named after them", () => {
    const pattern = new RegExp(REGISTRY_VERSION_PATTERN);
    expect([18, 19, 400].map((digits) => pattern.test(`2026.11.${"1".repeat(digits)}`))).toEqual([true, false, false]);
  });
});
