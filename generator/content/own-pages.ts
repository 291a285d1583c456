/** Pages of an owner's own: which names they may have, and the template that each of them is. */
import { ownPage } from "../../runtime/contract/added-resources.ts";
import { documentFiles } from "../../runtime/contract/policy.ts";
import type { Fault } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import type { PageSource, Template } from "./content.ts";

/** The files of dist that the package's templates give. */
export const templatedFiles = [...documentFiles].filter((file) => /\.(?:html|md)$/.test(file));

/** One template gives every area of the reference. */
const AREA = "api-reference-area.njk";
const OURS = new Set([AREA, ...templatedFiles.map((file) => `${file.slice(1).replace(/\.html$/, "")}.njk`)]);

/** Whether a template in pages/ is an owner's own. */
export function isOwnPage(file: string): boolean {
  return !OURS.has(file);
}

/** What is wrong with the names of files in pages/. */
export function checkNames(files: readonly string[]): (Fault & { readonly file: string })[] {
  const seen = new Map<string, string>();
  return files.flatMap((file): ReturnType<typeof checkNames> => {
    const name = file.slice(0, file.lastIndexOf("."));
    const first = seen.get(name);
    seen.set(name, file);
    if (first !== undefined)
      return [{ file, rule: "id-taken", text: `${first} is the same page`, remedy: "Remove one of them" }];
    if (ownPage(name) !== undefined) return [];
    const text = `A page cannot have the name ${quote(name)}: the service has it, or it is not in lower case a-z, 0-9 and -`;
    return [{ file, rule: "page-name", text, remedy: "Give the file another name" }];
  });
}

/** A whole template for the renderer; the HTML of a Markdown page is a value that it prints. */
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
  // JSON is YAML. The body begins on the line that it has in the file.
  const lines = ["---", JSON.stringify(matter), ...Array.from({ length: begins - 4 }, () => ""), "---", body];
  return { file: `pages/${name}.njk`, text: lines.join("\n") };
}
