import { describe, expect, it } from "vitest";
import { releaseDay } from "../../../../generator/registry/checked.ts";
import { parseEpoch, releaseTime } from "../../../../generator/release/timestamp.ts";
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
    return releaseDay({ ...registry, history });
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
