/**
 * The library that ranks pages in the browser, MiniSearch, as an asset: its module as it is published, without comments and
 * under its licence. A page loads it when somebody searches.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Effects } from "../effects/effects.ts";

const MODULE = fileURLToPath(import.meta.resolve("minisearch"));
/** Above dist/es. */
const LICENSE = path.resolve(MODULE, "../../../LICENSE.txt");

export function readSearchLibrary(effects: Effects): string {
  const read = (file: string): string => new TextDecoder().decode(effects.read(file));
  const code = read(MODULE)
    .replaceAll(/^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm, "")
    .replaceAll(/^ *\/\/.*\n?/gm, "")
    .replaceAll(/^(?: {4})+/gm, (indent) => "\t".repeat(indent.length / 4));
  return `/*\nMiniSearch\n\n${read(LICENSE).trim()}\n*/\n${code}`;
}
