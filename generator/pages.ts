/**
 * Eleventy over content/pages, in memory: the pages and the Markdown forms, as the file of dist each belongs to. What
 * the templates print are values made elsewhere; nothing of the clock, the folder's place or the file order shows.
 */
import path from "node:path";
import Eleventy from "@11ty/eleventy";
import { documentFiles } from "../runtime/policy.ts";
import { compareCodePoints } from "./order.ts";

/** A template that cannot be rendered; the message is for the person who wrote it. */
export class TemplateError extends Error {
  override name = "TemplateError";
}

/** Renders the templates of a content folder with the given globals. Throws TemplateError. */
export async function renderPages(
  directory: string,
  globals: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, string>> {
  // Relative: Eleventy finds layouts only below the working directory or beside it by such a path.
  const input = path.relative(".", path.join(directory, "pages"));
  const eleventy = new Eleventy(input, "unwritten", {
    quietMode: true,
    loader: "esm",
    config(config) {
      for (const [name, value] of Object.entries(globals)) config.addGlobalData(name, value);
      config.setTemplateFormats(["njk"]);
      config.setIncludesDirectory("../_includes");
      config.setUseGitIgnore(false);
      // Without it the order and data of pages depend on when their files were made.
      config.addDateParsing(() => new Date(0));
    },
  });
  // Faults are told by the error that is thrown.
  eleventy.disableLogger();
  const rendered = await render(eleventy, directory);
  const files = new Map(rendered.map(({ url, content }) => [url === "/" ? "/index.html" : String(url), content]));
  checkFiles([...files.keys()], directory);
  return files;
}

async function render(eleventy: Eleventy, directory: string) {
  try {
    return await eleventy.toJSON();
  } catch (error) {
    // Eleventy wraps the fault of a template in several errors: the innermost says what is wrong.
    let cause = error as Error & { originalError?: Error };
    while (cause.originalError !== undefined) cause = cause.originalError;
    const text = cause.message.replaceAll(/\s+/g, " ");
    throw new TemplateError(`${directory}/pages cannot be rendered: ${text}`);
  }
}

/** Exactly the pages and Markdown forms that are served: another one would be lost silently. */
function checkFiles(files: readonly string[], directory: string): void {
  const expected = [...documentFiles].filter((file) => /\.(?:html|md)$/.test(file));
  const missing = expected.filter((file) => !files.includes(file));
  const odd = files.filter((file) => !expected.includes(file));
  if (missing.length > 0) throw new TemplateError(`${directory}/pages has no template for ${list(missing)}: write it`);
  if (odd.length > 0) throw new TemplateError(`${directory}/pages gives ${list(odd)}, which nothing serves: remove it`);
}

function list(names: readonly string[]): string {
  return names.toSorted(compareCodePoints).join(", ");
}
