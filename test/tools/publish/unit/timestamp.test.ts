import { describe, expect, it } from "vitest";
import { gatherFacts } from "../../../../generator/facts/facts.ts";
import { earlierOnDay, releaseDay } from "../../../../generator/registry/checked.ts";
import { fileSeconds, parseEpoch, releaseTime } from "../../../../generator/tools/publish/timestamp.ts";
import type { HistoryRecord } from "../../../../generator/registry/record.ts";
import { checkedRegistry, concept, expression } from "../../../support/registry.ts";

describe("the time of a release", () => {
  it.each([
    ["0", { seconds: 0, text: "1970-01-01T00:00:00Z" }],
    ["2147483647", { seconds: 2_147_483_647, text: "2038-01-19T03:14:07Z" }],
    ["", { seconds: 1_795_305_600, text: "2026-11-22T00:00:00Z" }],
    [undefined, { seconds: 1_795_305_600, text: "2026-11-22T00:00:00Z" }],
  ])("is SOURCE_DATE_EPOCH, else the day: %j", (epoch, time) => {
    expect(releaseTime(parseEpoch(epoch), "2026-11-22")).toEqual(time);
  });

  it.each(["now", "-1", "2147483648", " 1", "01", "1.5", "1e3"])("is not %j", (epoch) => {
    expect(() => parseEpoch(epoch)).toThrow(/^SOURCE_DATE_EPOCH ".*" is not a whole number of seconds from 0 to 2147483647$/);
  }); // prettier-ignore
});

describe("the time of a release's files", () => {
  const time = releaseTime(undefined, "2026-11-27");
  const digests = ["00000001", "00000e0f", "ffffffff"].map((start) => start.padEnd(64, "0"));

  it("is in the day before, another for other bytes, and later than in earlier releases of the day", () => {
    const found = [0, 1, 23].flatMap((earlier) => digests.map((digest) => fileSeconds(time, digest, earlier)));
    expect(found.map((one) => one - time.seconds + 86_400)).toEqual([
      1, 3599, 1695, 3601, 7199, 5295, 82_801, 86_399, 84_495,
    ]);
    expect(Math.max(...found)).toBeLessThan(time.seconds);
  });

  it("is never before 1970", () => {
    expect(fileSeconds(releaseTime(0, ""), digests[0] ?? "", 0)).toBe(0);
  });

  it("counts the earlier releases of its own day", () => {
    const registry = checkedRegistry({ concepts: [] });
    const entry = (registryVersion: string, releasedOn: string) => ({
      registryVersion,
      contentSha256: "",
      memorySha256: "",
      releasedOn,
    });
    const days = ["2026-11-26", "2026-11-27", "2026-11-27", "2026-11-28"];
    const history = days.map((day, i) => entry(String(i), day));
    const counted = ["0", "1", "2", "3", "none"].map((registryVersion) =>
      earlierOnDay({ ...registry, history, registryVersion }),
    );
    expect(counted).toEqual([0, 0, 1, 0, 0]);
  });
});

describe("the day of a release", () => {
  const reviewed = (reviewedAt: string) => ({
    source: "s",
    license: "CC0-1.0",
    sourceId: null,
    reviewedBy: "r",
    reviewedAt,
  });
  const day = (concepts: unknown[], releasedOn?: string) => {
    const registry = checkedRegistry({ concepts });
    const { registryVersion, contentSha256 } = registry;
    const history: HistoryRecord = [
      { registryVersion, contentSha256, memorySha256: "0".repeat(64), ...(releasedOn !== undefined && { releasedOn }) },
    ];
    return releaseDay({ ...registry, history }, gatherFacts(registry.concepts));
  };
  const dated = [
    concept("C-1", [expression("en", "one"), expression("de", "eins", { provenance: reviewed("2026-11-20") })]),
    concept("C-2", [expression("en", "two")], { provenance: reviewed("2026-10-01") }),
  ];

  it("is the one that is recorded, else that of the last review, else none", () => {
    expect(day(dated, "2026-12-24")).toBe("2026-12-24");
    expect(day(dated)).toBe("2026-11-20");
    expect(day([concept("C-1", [expression("en", "one")])])).toBeUndefined();
  });
});
