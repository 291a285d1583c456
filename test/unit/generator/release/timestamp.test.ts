import { describe, expect, it } from "vitest";
import { releaseTime } from "../../../../generator/release/timestamp.ts";

describe("the time of a release", () => {
  it.each([
    ["0", { seconds: 0, text: "1970-01-01T00:00:00Z" }],
    ["2147483647", { seconds: 2_147_483_647, text: "2038-01-19T03:14:07Z" }],
    ["", { seconds: 1_788_307_200, text: "2026-09-02T00:00:00Z" }],
    [undefined, { seconds: 1_788_307_200, text: "2026-09-02T00:00:00Z" }],
  ])("is SOURCE_DATE_EPOCH, else the day of the label: %j", (epoch, time) => {
    expect(releaseTime(epoch)).toEqual(time);
  });

  it.each(["now", "-1", "2147483648", " 1", "01", "1.5", "1e3"])("is not %j", (epoch) => {
    expect(() => releaseTime(epoch)).toThrow(/^SOURCE_DATE_EPOCH ".*" is not a whole number of seconds from 0 to 2147483647$/);
  }); // prettier-ignore
});
