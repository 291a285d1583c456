/**
 * The colours of an owner's site. Each colour that the owner sets must have enough contrast with
 * those that it meets, in light and in dark; a finding names the pair and the nearest colour that
 * passes. The tint behind callouts follows the accent unless it is set; so does our icon.
 * Source: WCAG 2.2, success criteria 1.4.3 (text) and 1.4.11 (parts of controls), with relative
 * luminance and contrast ratio as in its glossary.
 */
import type { Fault } from "../text/finding.ts";

/** The variables of site.css that an owner may set. */
export const COLORS = [
  "paper", "card", "ink", "soft", "line", "field", "accent", "wash", "on-accent",
  "caution", "caution-wash", "alarm", "alarm-wash",
] as const; // prettier-ignore

/** `#rgb` or `#rrggbb` for both schemes, or one for light and one for dark. */
export type OwnColors = Readonly<Record<string, string | readonly [light: string, dark: string]>>;
type Colors = ReadonlyMap<string, string>;

/** Text, or the edge of a control, in front of what it is on. */
const TEXT: readonly (readonly [front: string, behind: readonly string[]])[] = [
  ["ink", ["paper", "card", "wash", "caution-wash", "alarm-wash"]],
  ["soft", ["paper", "card", "wash", "caution-wash"]],
  ["accent", ["paper", "card", "wash"]],
  ["caution", ["paper", "card", "caution-wash"]],
  ["alarm", ["alarm-wash"]],
  ["on-accent", ["accent", "caution", "alarm"]],
  ["code-string", ["card"]],
  ["code-name", ["card"]],
];
const EDGES: typeof TEXT = [["field", ["paper", "card"]]];
interface Pair {
  readonly front: string;
  readonly behind: string;
  readonly least: number;
}
const PAIRS: readonly Pair[] = [
  ...TEXT.flatMap(([front, all]) => all.map((behind) => ({ front, behind, least: 4.5 }))),
  ...EDGES.flatMap(([front, all]) => all.map((behind) => ({ front, behind, least: 3 }))),
];

interface Scheme {
  readonly name: "light" | "dark";
  /** The colours of the style sheet. */
  readonly base: Colors;
  /** Those of the owner. */
  readonly own: Colors;
}

function schemesOf(colors: OwnColors, css: string): [light: Scheme, dark: Scheme] {
  const [light = "", dark = ""] = css.split(/@media[^{]*prefers-color-scheme: dark[^{]*\{/, 2);
  const own = (i: 0 | 1): Colors =>
    new Map(Object.entries(colors).map(([name, set]) => [name, typeof set === "string" ? set : set[i]]));
  return [
    { name: "light", base: new Map(variablesIn(light)), own: own(0) },
    { name: "dark", base: new Map([...variablesIn(light), ...variablesIn(dark)]), own: own(1) },
  ];
}

/** The colours in the first `:root` of a text. */
function variablesIn(css: string): [name: string, color: string][] {
  const [, rules = ""] = /:root \{([^}]*)\}/.exec(css) ?? [];
  return [...rules.matchAll(/--([\w-]+): (#[0-9a-fA-F]{3,6});/g)].map(([, name = "", color = ""]) => [name, color]);
}

/** The part of the accent in the tint, about as in our own colours. */
const TINT = { light: 0.09, dark: 0.18 };

/** The owner's colours of a scheme, with the tint of the accent if it is not set itself. */
function withTint({ name, base, own }: Scheme): Colors {
  const [accent, paper] = [own.get("accent"), own.get("paper") ?? base.get("paper")];
  if (accent === undefined || paper === undefined || own.has("wash")) return own;
  return new Map([...own, ["wash", mixed(accent, paper, TINT[name])]]);
}

/** The rules to append to a style sheet; a single colour applies to both schemes. */
export function colorRules(colors: OwnColors, css: string): string {
  if (Object.keys(colors).length === 0) return "";
  const [light, dark] = schemesOf(colors, css).map((scheme) => [...withTint(scheme)]);
  return `\n:root {\n${declared(light, "  ")}}\n@media screen and (prefers-color-scheme: dark) {\n  :root {\n${declared(dark, "    ")}  }\n}\n`;
}

function declared(colors: readonly [string, string][] = [], indent: string): string {
  return colors.map(([name, color]) => `${indent}--${name}: ${color};\n`).join("");
}

/** Our icon, which has the accent of the style sheet, in the owner's. */
export function tintedIcon(icon: string, colors: OwnColors, css: string): string {
  const [{ base, own }] = schemesOf(colors, css);
  const [from, to] = [base.get("accent"), own.get("accent")];
  return from === undefined || to === undefined ? icon : icon.replaceAll(from, to);
}

/** Of each colour that has too little contrast with another, a fault with the worst pair. */
export function checkColors(colors: OwnColors, css: string): (Fault & { readonly pointer: string })[] {
  return schemesOf(colors, css).flatMap((scheme) => {
    const worst = new Map<string, Pair>();
    for (const pair of failing(scheme)) {
      const { front, behind } = pair;
      const name = [front, behind].find((one) => scheme.own.has(one)) ?? "accent";
      const known = worst.get(name);
      if (known === undefined || ratioIn(scheme, pair) < ratioIn(scheme, known)) worst.set(name, pair);
    }
    return [...worst].map(([name, pair]) => faultOf(scheme, name, pair));
  });
}

function faultOf(scheme: Scheme, name: string, pair: Pair): Fault & { readonly pointer: string } {
  const { front, behind, least } = pair;
  const all = allOf(scheme);
  const ratio = (Math.floor(ratioIn(scheme, pair) * 100) / 100).toFixed(2);
  const text = `In the ${scheme.name} scheme, ${front} ${all.get(front)} on ${behind} ${all.get(behind)} has a contrast of ${ratio}:1; WCAG 2.2 AA needs ${least}:1`;
  const passing = nearestPassing(scheme, name);
  const remedy =
    passing === undefined
      ? `No lighter or darker ${name} has enough contrast with all that it meets: change ${name === front ? behind : front} too`
      : `Make ${name} ${passing} in the ${scheme.name} scheme: the nearest that passes with all that it meets`;
  return { rule: "site-contrast", text, remedy, pointer: `/colors/${name}` };
}

function allOf(scheme: Scheme): Colors {
  return new Map([...scheme.base, ...withTint(scheme)]);
}

/** Pairs without enough contrast, of which the owner decides at least one colour. */
function failing(scheme: Scheme): Pair[] {
  const decided = withTint(scheme);
  return PAIRS.filter(
    (pair) => (decided.has(pair.front) || decided.has(pair.behind)) && ratioIn(scheme, pair) < pair.least,
  );
}

/** A style sheet of the owner's need not have all of our colours. */
function ratioIn(scheme: Scheme, { front, behind }: Pair): number {
  const [of, on] = [front, behind].map((name) => allOf(scheme).get(name));
  return of === undefined || on === undefined ? Infinity : contrast(of, on);
}

/** The same hue and saturation, as little lighter or darker as possible. */
function nearestPassing(scheme: Scheme, name: string): string | undefined {
  const { hue, saturation, lightness } = hslOf(scheme.own.get(name) ?? "#000");
  for (let step = 1; step <= 1000; step++) {
    for (const other of [lightness - step / 1000, lightness + step / 1000]) {
      if (other < 0 || other > 1) continue;
      const color = hexOf({ hue, saturation, lightness: other });
      const changed = { ...scheme, own: new Map([...scheme.own, [name, color]]) };
      if (!failing(changed).some(({ front, behind }) => front === name || behind === name)) return color;
    }
  }
  return undefined;
}

/** Red, green and blue, each from 0 to 255. */
function channelsOf(color: string): number[] {
  const digits = color.length === 4 ? color.slice(1).replaceAll(/./g, "$&$&") : color.slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}

function formatHex(channels: readonly number[]): string {
  return `#${channels.map((one) => Math.round(one).toString(16).padStart(2, "0")).join("")}`;
}

function mixed(color: string, other: string, part: number): string {
  const others = channelsOf(other);
  return formatHex(channelsOf(color).map((one, i) => one * part + (others[i] ?? 0) * (1 - part)));
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [one, other].map(luminance).sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The relative luminance of WCAG 2.2, from 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Hue in sixths of the circle; saturation and lightness from 0 to 1 (CSS Color 4 §7). */
interface Hsl {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

function hslOf(color: string): Hsl {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((one) => one / 255);
  const [high, low] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [range, lightness] = [high - low, (high + low) / 2];
  if (range === 0) return { hue: 0, saturation: 0, lightness };
  const hue =
    high === red ? (green - blue) / range : high === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue, saturation: range / (1 - Math.abs(2 * lightness - 1)), lightness };
}

function hexOf({ hue, saturation, lightness }: Hsl): string {
  const range = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): number => {
    const k = (((n + hue * 2) % 12) + 12) % 12;
    return 255 * (lightness - range * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return formatHex([channel(0), channel(8), channel(4)]);
}
