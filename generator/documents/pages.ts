/**
 * Prints the pages in every language of the content: the same templates with the texts of a
 * language, below its prefix. Links to pages stay in the language; documents have one address. One
 * file holds the texts of each language that the runtime fills into pages, and the shell of each
 * language except English, whose shell is a file of its own.
 */
import { addedResources } from "../../runtime/contract/added-resources.ts";
import type { Interface } from "../../runtime/contract/inputs.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { INTERFACE_FILE, page, resources, SHELL_FILE } from "../../runtime/contract/policy.ts";
import { isRendered, withPrefix } from "../../runtime/pages/page.ts";
import { markEnglish } from "../../runtime/text/english.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import type { Content, PageLanguage } from "../content/content.ts";
import { renderPages } from "../content/renderer.ts";
import { logAddress, type View } from "../view/view.ts";
import { assetPaths, pageGlobals, type Printed } from "./page-globals.ts";

const HOME_FILE = page(paths.home).file;

/** Texts by their file in dist. */
export async function printPages(view: View, content: Content, printed: Printed): Promise<Map<string, string>> {
  const { templates, languages } = content;
  const files = new Map<string, string>();
  const interfaces: object[] = [];
  for (const language of languages) {
    const { prefix, texts, prose = content } = language;
    const rendered = await renderPages(
      { templates, pages: prose.pages },
      pageGlobals(view, { content, language }, printed),
      texts,
    );
    const own = new Set(pathsOfPages(rendered.keys()));
    const inLanguage = (text: string): string =>
      markEnglish(withPrefix(text, prefix, (path) => own.has(path) || isRendered(path)));
    for (const [file, text] of rendered) {
      if (prefix === "") files.set(file, text);
      else if (file === HOME_FILE) files.set(`${prefix}.html`, inLanguage(text));
      else if (file.endsWith(".html") && file !== SHELL_FILE) files.set(prefix + file, inLanguage(text));
    }
    const shell = prefix === "" ? {} : { shell: inLanguage(rendered.get(SHELL_FILE) ?? "") };
    interfaces.push({ language: language.language, ...shell, texts: ofRuntime(texts) });
  }
  const inputs = { log: logOf(view, printed), languages: interfaces, proposals: content.site.proposals };
  return files.set(INTERFACE_FILE, formatDocument(inputs));
}

/** A page may ask its own origin alone, so it proves nothing from a log elsewhere. */
function logOf(view: View, { assets }: Printed): Interface["log"] {
  const address = logAddress(view);
  if (address === undefined) return undefined;
  const { proof, verifier } = assetPaths(assets);
  const isHere = new URL(address).origin === view.origin;
  return { address, ...(isHere && { script: proof, verifier }) };
}

function pathsOfPages(files: Iterable<string>): string[] {
  const all = [...resources, ...addedResources(files)];
  return all.flatMap(({ path, variants }) => (variants.some(({ policy }) => policy === "html") ? [path] : []));
}

/** The first parts of the keys of texts in pages that are rendered at reply time. */
const RUNTIME = ["concept", "concepts", "missing", "resolve", "reason", "near"];

function ofRuntime(texts: PageLanguage["texts"]): PageLanguage["texts"] {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => RUNTIME.includes(key.split(".", 1)[0] ?? "")));
}
