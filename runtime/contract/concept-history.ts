/** A line of the changes by concept: what each recorded release did to it, oldest first (O-68). */
import * as Type from "./type.ts";
import { closed, nullable } from "./schema.ts";

export const ConceptHistory = closed({
  code: Type.String(),
  changes: Type.Array(
    closed({
      registryVersion: Type.String(),
      /** Null where nothing of it changed but what leads to it. */
      change: nullable(Type.Enum(["added", "changed", "retired"])),
      /** How many expressions lead to it that did not before, and how many did and do not. */
      gained: Type.Integer({ minimum: 0 }),
      lost: Type.Integer({ minimum: 0 }),
    }),
  ),
});
export type ConceptHistory = Type.Static<typeof ConceptHistory>;

/** The line of a code in the document; undefined where nothing is recorded. No code needs escaping. */
export function findHistory(lines: string, code: string): ConceptHistory | undefined {
  const head = `{"code":"${code}",`;
  const start = lines.startsWith(head) ? 0 : lines.indexOf(`\n${head}`) + 1;
  if (start === 0 && !lines.startsWith(head)) return undefined;
  return JSON.parse(lines.slice(start, lines.indexOf("\n", start))) as ConceptHistory;
}
