/** Contrast of an owner's colours, against the definitions of WCAG 2.2. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { checkColors, colorRules, contrast, tintedIcon } from "../../../../generator/content/colors.ts";
import { project } from "../../../support/project.ts";

const css = readFileSync(path.join(project, "content/assets/site.css"), "utf8");
const of = (name: string, from: string): string => new RegExp(`--${name}: (#[0-9a-f]+)`).exec(from)?.[1] ?? "";

it.each([
  ["#000", "#fff", 21],
  ["#ffffff", "#fff", 1],
  ["#777777", "#ffffff", 4.48],
  ["#767676", "#ffffff", 4.54],
  ["#ffcc00", "#fff", 1.51],
])("%s on %s has the contrast %d", (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

it("accepts our own colours, whichever of them an owner repeats", () => {
  const dark = css.slice(css.indexOf("prefers-color-scheme: dark"));
  for (const name of [
    "paper",
    "card",
    "ink",
    "soft",
    "field",
    "accent",
    "wash",
    "on-accent",
    "caution",
    "caution-wash",
    "alarm",
    "alarm-wash",
  ])
    // prettier-ignore
    expect.soft([name, checkColors({ [name]: [of(name, css), of(name, dark)] }, css)]).toEqual([name, []]);
});

it("refuses a colour with too little contrast, and names pair, ratio and the nearest colour that passes", () => {
  const faults = checkColors({ accent: ["#ffcc00", "#222222"] }, css);
  expect(faults.map(({ rule, pointer }) => [rule, pointer])).toEqual([
    ["site-contrast", "/colors/accent"],
    ["site-contrast", "/colors/accent"],
  ]);
  const [light, dark] = faults;
  expect(light?.text).toMatch(/^In the light scheme, \S+ #\w+ on \S+ #\w+ has a contrast of 1\.\d\d:1; .* 4\.5:1$/);
  expect(dark?.text).toMatch(/^In the dark scheme/);
  const named = faults.map(({ remedy }) => /Make accent (#[0-9a-f]{6}) /.exec(remedy)?.[1] ?? "");
  const passing = [named[0] ?? "", named[1] ?? ""] as const;
  expect(checkColors({ accent: passing }, css)).toEqual([]);
  expect(contrast(passing[0], "#fff")).toBeLessThan(6);
});

it("refuses one colour for both schemes if it passes in one of them only", () => {
  expect(checkColors({ accent: "#123456" }, css).map(({ text }) => text.slice(0, 18))).toEqual(["In the dark scheme"]);
});

it("asks for 3:1 at the edge of a field, and says so if no shade passes", () => {
  expect(checkColors({ field: ["#949494", "#75827f"] }, css)).toEqual([expect.objectContaining({ pointer: "/colors/field" })]); // prettier-ignore
  expect(checkColors({ field: ["#888888", "#75827f"] }, css)).toEqual([]);
  const [none] = checkColors({ paper: ["#777777", "#13181a"] }, css);
  expect(none?.pointer).toBe("/colors/paper");
});

it("lets the tint and the icon follow the accent, unless they are set", () => {
  const rules = colorRules({ accent: ["#123456", "#9ab8d8"] }, css);
  expect(rules).toContain("--accent: #123456;");
  expect(rules.match(/--wash: #[0-9a-f]{6};/g)).toHaveLength(2);
  expect(colorRules({ accent: ["#123456", "#9ab8d8"], wash: ["#fff", "#000"] }, css).match(/--wash/g)).toHaveLength(2);
  expect(colorRules({}, css)).toBe("");
  expect(tintedIcon('<rect fill="#0a5c56"/>', { accent: "#123456" }, css)).toBe('<rect fill="#123456"/>');
});
