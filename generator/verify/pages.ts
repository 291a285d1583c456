/**
 * The pages: nothing in them is what the policy of every page forbids anyway (representation.ts), so that it is not there on a
 * host without that policy either; and the digests that the studio shows are those of its kits. What a page says, and how it
 * looks, is its owner's.
 */
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import { kitPath, paths } from "../../runtime/contract/policy.ts";
import type { Dist, Faults } from "./dist.ts";
import { attributesOf, decodeEntities } from "./html.ts";

const STUDIO = `${paths.studioPage.slice(1)}.html`;

export function checkPages(dist: Dist): Faults {
  return dist.names
    .filter((name) => name.endsWith(".html"))
    .flatMap((name) => {
      const html = dist.text(name) ?? "";
      const forbidden = FORBIDDEN.flatMap((pattern) => html.match(pattern) ?? ([] as string[]));
      const foreign = loadsOf(html).filter((address) => isElsewhere(address));
      const faults = [
        ...forbidden.map((text) => `has ${text}, which the policy of pages forbids`),
        ...foreign.map((address) => `loads from or sends to ${address}, which is not this service`),
        ...(name === STUDIO ? checkStudio(html, dist) : []),
      ];
      return faults.map((text) => `${name}: ${text}`);
    });
}

/** Scripts without a nonce, handlers, frames, and what leads a reader away unasked. */
const FORBIDDEN = [
  /<script(?![^>]{0,2000}\snonce[\s=>])[^>]{0,200}/gi,
  /<(?:applet|base|embed|frame|iframe|object)\b[^>]{0,200}/gi,
  /<[a-z][^<>]{0,2000}\son[a-z]{1,30}\s*=/gi,
  /<meta\s[^>]{0,2000}http-equiv\s*=\s*["']?refresh/gi,
  /\shref\s*=\s*["']?\s*(?:javascript|data|vbscript):/gi,
];

/** What a browser fetches without being asked, or sends a form to. */
function loadsOf(html: string): string[] {
  const links = html.match(/<link\s[^>]{0,2000}>/gi) ?? ([] as string[]);
  return [
    ...attributesOf(html, ["src", "srcset", "action", "formaction", "poster", "data"]),
    ...links
      .filter((tag) => /\brel="?(?:stylesheet|icon|preload|modulepreload)\b/i.test(tag))
      .flatMap((tag) => attributesOf(tag, ["href"])),
  ];
}

/** By scheme, or by a host behind two slashes; a browser takes a backslash for one. */
function isElsewhere(address: string): boolean {
  return /^[\s\0]*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(address);
}

/** Digests by which a page compares its kits; a studio of an owner's own may have none. */
function checkStudio(html: string, { digests }: Dist): Faults {
  const known = new Map(RECIPE_IDS.map((id) => [kitPath(id), digests.get(kitPath(id).slice(1))?.sha256]));
  const shown = html.match(/<input\s[^>]{0,2000}>/g) ?? ([] as string[]);
  return shown.flatMap((tag) => {
    const [kit = ""] = attributesOf(tag, ["data-kit"]);
    const [digest = ""] = attributesOf(tag, ["data-sha256"]);
    return known.get(decodeEntities(kit)) === digest || digest === "" ? [] : [`shows another digest for ${kit}`];
  });
}
