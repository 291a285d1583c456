/** How safe an update is follows from its worst change. */
import { expect, it } from "vitest";
import { compatibilityOf } from "../../../../generator/contract/changes.ts";

it.each([
  [[], [], "none"],
  [[], ["changed"], "editorial"],
  [["reason_changed"], ["changed"], "additive"],
  [["now_resolves"], [], "additive"],
  [[], ["changed", "added"], "additive"],
  [["now_resolves", "now_abstains"], ["changed"], "breaking"],
  [["reassigned"], [], "breaking"],
  [[], ["added", "retired"], "breaking"],
] as const)("an update that changes requests %j and concepts %j is %s", (kinds, changes, compatibility) => {
  const [resolutions, concepts] = [kinds.map((kind) => ({ kind })), changes.map((change) => ({ change }))];
  expect(compatibilityOf(resolutions, concepts)).toBe(compatibility);
});
