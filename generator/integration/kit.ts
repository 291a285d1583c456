/**
 * A kit: everything that an integrator downloads for one recipe, as the files of its ZIP (contract
 * §4.4; O-41, O-42).
 */
import type { IntegrationKit } from "../contract/integration.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { formatSums } from "../../runtime/release/manifest.ts";
import { conceptDetail } from "../registry/published-concept.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import { documentEnd, documentHead, urlOf, type View } from "../view/view.ts";
import { compareCodePoints } from "../text/order.ts";
import type { Recipe } from "./recipes/recipe.ts";
import { type ArchiveFile, archive } from "../archives/archive.ts";
import type { RecipeFixtures } from "./fixtures.ts";
import { exitCodes, fillHandoffs, type Handoffs, handoffs, LIVE_FLAG, LIVE_TIMEOUT_SECONDS } from "./handoffs.ts";
import { instructions, readme } from "./kit-texts.ts";

export interface Kit {
  readonly recipe: Recipe;
  readonly zip: Uint8Array;
  /** By their path below the kit's root. */
  readonly files: IntegrationKit["files"];
}

export interface KitParts extends RecipeFixtures {
  readonly recipe: Recipe;
  /** The report as it is served. */
  readonly report: string;
  readonly sources: Handoffs;
  /** The operation that the kit calls, as OpenAPI. */
  readonly openapi: string;
  /** The tool descriptor as it is served. */
  readonly tool: string;
}

export async function makeKit(view: View, parts: KitParts): Promise<Kit> {
  const texts = kitTexts(view, parts);
  texts.set("manifest.json", formatDocument(manifestOf(view, parts.recipe, listFiles(texts))));
  texts.set("SHA256SUMS", formatSums(listFiles(texts)));
  const root = `service-semantics-${parts.recipe.id}/`;
  const files = new Map<string, ArchiveFile>(
    [...texts].map(([path, text]) => [root + path, { bytes: encoder.encode(text), executable: path.endsWith(".sh") }]),
  );
  return { recipe: parts.recipe, zip: await archive(files), files: listFiles(texts) };
}

/** Every file except the two that list the others. */
function kitTexts(view: View, parts: KitParts): Map<string, string> {
  const { recipe, concepts, fixtures, report, sources, openapi, tool } = parts;
  return new Map([
    ["README.md", readme(view, parts)],
    ["instructions.txt", instructions(view, recipe)],
    ["tool.json", tool],
    ["openapi.json", openapi],
    ["report.json", report],
    ...fixtures.map((fixture) => [`fixtures/${fixture.id}.json`, formatDocument(fixture)] as const),
    [
      "registry-excerpt.ndjson",
      concepts.map((concept) => `${JSON.stringify(conceptDetail(view, concept))}\n`).join(""),
    ],
    ...fillHandoffs(view, recipe, sources),
  ]);
}

function listFiles(texts: ReadonlyMap<string, string>): Kit["files"] {
  return [...texts]
    .map(([path, text]) => ({ path, bytes: encoder.encode(text).length, sha256: sha256(encoder.encode(text)) }))
    .sort((a, b) => compareCodePoints(a.path, b.path));
}

function manifestOf(view: View, recipe: Recipe, files: Kit["files"]): IntegrationKit {
  return {
    ...documentHead(view, "integration-kit", {
      title: `Integration kit: ${recipe.title}`,
      description:
        "A reproducible client handoff with its own proof: fixtures, programs in four languages, report and checksums.",
    }),
    recipeId: recipe.id,
    handoffs: [...handoffs],
    exitCodes,
    liveResolution: {
      default: "off",
      flag: LIVE_FLAG,
      url: urlOf(view, paths.resolve),
      timeoutSeconds: LIVE_TIMEOUT_SECONDS,
    },
    dependencies: [],
    files,
    ...documentEnd,
  };
}

const encoder = new TextEncoder();
