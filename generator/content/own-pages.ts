/** An owner's own pages: which names they may have, and the template of each. */
import { ownPage } from "../../runtime/contract/added-resources.ts";
import { documentFiles } from "../../runtime/contract/policy.ts";
import type { Fault } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import type { PageSource, Template } from "./content.ts";

/** The files of dist that the package's templates produce. */
export const templatedFiles = [...documentFiles].filter((file) => /\.(?:html|md)$/.test(file));

/** One template produces the page of every area of the reference. */
const AREA = "api-reference-area.njk";
const OURS = new Set([AREA, ...templatedFiles.map((file) => `${file.slice(1).replace(/\.html$/, "")}.njk`)]);

/** Whether a template in pages/ is an owner's own. */
export function isOwnPage(file: string): boolean {
  return !OURS.has(file);
}

/** The faults in the names of files in pages/. */
export function checkNames(files: readonly string[]): (Fault & { readonly file: string })[] {
  const seen = new Map<string, string>();
  return files.flatMap((file): ReturnType<typeof checkNames> => {
    const name = file.slice(0, file.lastIndexOf("."));
    const first = seen.get(name);
    seen.set(name, file);
    if (first !== undefined)
      return [{ file, rule: "id-taken", text: `${first} is the same page`, remedy: "Remove one of them" }];
    if (ownPage(name) !== undefined) return [];
    const text = `A page cannot have the name ${quote(name)}: the service uses it, or it is not in lower case a-z, 0-9 and -`;
    return [{ file, rule: "page-name", text, remedy: "Give the file another name" }];
  });
}

/**
 * A complete template for the renderer; for a Markdown page, the HTML is a value that it prints.
 */
export function pageTemplate({ name, file, title, description, begins = 0, markdown, language }: PageSource): Template {
  const here = `/${name}`;
  const matter = {
    layout: "page.njk",
    permalink: `${name}.html`,
    title,
    description,
    here,
    translated: language !== undefined,
  };
  const body = file.endsWith(".md")
    ? `<h1>{{ title }}</h1>\n<div class="prose">\n{{ pages["${name}"] | trim | safe }}\n</div>\n`
    : markdown;
  // JSON is also YAML. Blank lines let the body begin on the same line as in the file.
  const lines = ["---", JSON.stringify(matter), ...Array.from({ length: begins - 4 }, () => ""), "---", body];
  return { file: `pages/${name}.njk`, text: lines.join("\n") };
}
