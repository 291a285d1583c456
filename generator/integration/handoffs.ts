/**
 * The client handoffs: one program in four languages, which judges the fixtures of its kit and
 * makes one call only if asked to. The sources are complete programs; a build only fills in the
 * recipe and the address.
 */
import path from "node:path";
import {
  CLASSIFIER_FILE,
  type Handoff,
  HANDOFF_FILES,
  type HandoffLanguage,
  VERIFIER_FILE,
} from "../contract/integration.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { type Asset, makeAsset } from "../content/content.ts";
import { urlOf, type View } from "../view/view.ts";
import { VERIFIER } from "../effects/closure.ts";
import { type Effects, readText } from "../effects/effects.ts";
import type { Recipe } from "./recipes/recipe.ts";

/** Texts by their path in a kit. */
export type Handoffs = ReadonlyMap<string, string>;

const SOURCES = path.join(import.meta.dirname, "handoffs");

/** Without this flag, no call is made. */
export const LIVE_FLAG = "--live";
/** The time limit of a whole call, which each source repeats. */
export const LIVE_TIMEOUT_SECONDS = 10;

const commands: Readonly<Record<HandoffLanguage, { readonly requires: string; readonly program: readonly string[] }>> =
  {
    python: { requires: "Python 3.8 or newer, standard library only", program: ["python3", "python/handoff.py"] },
    node: { requires: "Node.js 18 or newer, no packages", program: ["node", "node/handoff.mjs"] },
    powershell: {
      requires: "Windows PowerShell 5.1 or PowerShell 7, no modules",
      program: ["pwsh", "-NoProfile", "-File", "powershell/handoff.ps1"],
    },
    curl: { requires: "A POSIX shell with awk, od and curl", program: ["sh", "curl/handoff.sh"] },
  };

export const handoffs: readonly Handoff[] = (Object.keys(commands) as HandoffLanguage[]).map((language) => ({
  language,
  requires: commands[language].requires,
  prove: [...commands[language].program, "prove"],
  resolve: [...commands[language].program, "resolve", LIVE_FLAG],
}));

/** The same in all languages. */
export const exitCodes = {
  prove: [
    { code: 0, means: "All six fixtures are as declared" },
    {
      code: 1,
      means: "A fixture is not as declared or cannot be read, or the folders do not hold exactly the programs",
    },
    { code: 2, means: "Wrong usage" },
  ],
  resolve: [
    { code: 0, means: "resolved-valid: the line has code and registryVersion" },
    { code: 2, means: "Wrong usage, nothing was sent" },
    { code: 3, means: "unknown: the line has reason and candidates, which assign nothing" },
    { code: 4, means: "ambiguous: the line has reason and candidates, which assign nothing" },
    { code: 5, means: "malformed" },
    { code: 6, means: "request-error" },
    { code: 7, means: "service-error" },
  ],
};

/** The sources in this project, before they are filled in. */
export function readHandoffs(effects: Effects): Handoffs {
  return new Map(HANDOFF_FILES.map((file) => [file, readText(effects, placeOf(file))]));
}

function placeOf(file: string): string {
  return file === VERIFIER_FILE ? VERIFIER : path.join(SOURCES, file);
}

export function fillHandoffs(view: View, { id }: Recipe, sources: Handoffs): Handoffs {
  const values: Readonly<Record<string, string>> = {
    ORIGIN: view.origin,
    PROGRAMS: HANDOFF_FILES.join(" "),
    RECIPE_ID: id,
    RESOLVE_URL: urlOf(view, paths.resolve),
  };
  const fill = (text: string): string =>
    text.replaceAll(/@([A-Z_]+)@/g, (_mark, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`A handoff has the unknown mark ${name}`);
      return value;
    });
  return new Map([...sources].map(([file, text]) => [file, fill(text)]));
}

/** The classifier as an asset of the studio's page: the same bytes as in the kits. */
export function classifierAsset(sources: Handoffs): Asset {
  return makeAsset("classify.js", Buffer.from(sources.get(CLASSIFIER_FILE) ?? ""));
}
