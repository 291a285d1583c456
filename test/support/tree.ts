/** Registries with broader and narrower concepts, of any size. */
import { concept, expression, type RegistryFiles } from "./registry.ts";

/** A code of three digits for each step from the top. */
export const codeAt = (...steps: readonly number[]): string =>
  `T${steps.map((step) => `-${String(step).padStart(3, "0")}`).join("")}`;

/**
 * `tops` concepts, each with `width` narrower ones, each with `width` of their own; every other
 * level is stated from above, the others from below. One concept is outside of the tree.
 */
export function treeOf(tops: number, width: number): RegistryFiles {
  const numbers = (length: number): number[] => Array.from({ length }, (_none, i) => i);
  const at = (steps: readonly number[], more: Parameters<typeof concept>[2]) => {
    const code = codeAt(...steps);
    return concept(code, [expression("en", `word ${code}`)], { name: `Name ${code}`, ...more });
  };
  const middles = numbers(tops).flatMap((top) => numbers(width).map((middle) => [top, middle] as const));
  const below = (steps: readonly number[]): string[] => numbers(width).map((step) => codeAt(...steps, step));
  return {
    concepts: [
      ...numbers(tops).map((top) => at([top], { domain: "even", narrower: below([top]) })),
      ...middles.map((steps) => at(steps, { domain: "odd" })),
      ...middles.flatMap((steps) =>
        numbers(width).map((last) => at([...steps, last], { domain: "even", broader: [codeAt(...steps)] })),
      ),
      concept("U-1", [expression("en", "outside")]),
    ],
  };
}
