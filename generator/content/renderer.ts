/**
 * Runs Eleventy over the templates of the content, in memory. It returns the pages and the Markdown
 * forms by their file in dist. It reads no file: templates are passed as texts, and the values that
 * they print are made elsewhere, so the output does not depend on the clock, the place of a folder,
 * or the order of files.
 */
import path from "node:path";
import Eleventy from "@11ty/eleventy";
import { parseShell } from "../../runtime/pages/page.ts";
import { SHELL_FILE } from "../../runtime/contract/policy.ts";
import type { Content, Template } from "./content.ts";
import { compareCodePoints } from "../text/order.ts";
import { pageTemplate, templatedFiles } from "./own-pages.ts";

/** Templates that cannot be rendered; the message is for the person who wrote them. */
export class TemplateError extends Error {
  override name = "TemplateError";
}

/**
 * Eleventy needs an existing input folder, relative to the working directory, which may change.
 * This folder contains no template; every template is passed as text.
 */
const inputFolder = (): string => path.relative(".", import.meta.dirname);

/**
 * Renders the templates with the given globals, and those of an owner's pages. Throws
 * TemplateError.
 */
export async function renderPages(
  { templates: ours, pages }: Pick<Content, "templates" | "pages">,
  globals: Readonly<Record<string, unknown>>,
  texts: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const templates: readonly Template[] = [...ours, ...pages.map(pageTemplate)];
  const eleventy = new Eleventy(inputFolder(), "unwritten", {
    quietMode: true,
    // Ignores any configuration in the working directory.
    configPath: null,
    loader: "esm",
    config(config) {
      for (const [name, value] of Object.entries(globals)) config.addGlobalData(name, value);
      for (const { file, text } of templates) config.addTemplate(file, withLines(text));
      // Texts are markup already, and the output of a tag is not escaped.
      config.addShortcode("say", (key: string, value?: Value) => said(texts, key, value));
      // Otherwise a layout stays cached while the process runs, and a later build gets an old one.
      config.setUseTemplateCache(false);
      config.setTemplateFormats(["njk"]);
      config.setNunjucksEnvironmentOptions({ throwOnUndefined: true });
      config.setUseGitIgnore(false);
      // On a slow machine it would print how long templates took.
      config.benchmarks.config.setIsVerbose(false);
      // Without this, the order and data of pages depend on the clock.
      config.addDateParsing(() => new Date(0));
    },
  });
  // The thrown error reports the faults.
  eleventy.disableLogger();
  const rendered = await render(eleventy);
  const files = new Map(rendered.map(({ url, content }) => [url === "/" ? "/index.html" : String(url), content]));
  checkFiles([...files.keys()], [...templatedFiles, ...pages.map(({ name }) => `/${name}.html`)]);
  checkMarks(files);
  return files;
}

/**
 * Nunjucks counts lines after the front matter; a comment with as many lines keeps the numbers of
 * the file.
 */
function withLines(template: string): string {
  return template.replace(/^---\n[^]*?\n---\n/, (matter) => `${matter}{#${matter.replaceAll(/[^\n]+/g, "")}#}`);
}

/** A value of a text: markup made by a template, or a number. */
type Value = string | number;

/** The text of a key, with the template's value for its one `{value}`. */
function said(texts: Readonly<Record<string, string>>, key: string, value?: Value): string {
  const text = texts[key];
  if (text === undefined) throw new Error(`There is no text ${key} in interface/`);
  return value === undefined ? text : text.replace(/\{[a-z]+\}/, () => String(value));
}

async function render(eleventy: Eleventy) {
  try {
    return await eleventy.toJSON();
  } catch (error) {
    throw new TemplateError(`pages cannot be rendered: ${describe(error as Error)}`);
  }
}

/**
 * Eleventy wraps a template's fault in errors that name its place; keeps each message once, on one
 * line.
 */
function describe(error: Error & { originalError?: Error }): string {
  const text = error.message
    .replaceAll(`./${inputFolder()}/`, "")
    .replaceAll(`${inputFolder()}/`, "")
    .replaceAll(/\s+|\bError: /g, " ")
    .trim();
  const cause = error.originalError === undefined ? "" : describe(error.originalError);
  return cause === "" || text.includes(cause) ? text : `${text}: ${cause}`;
}

/**
 * There must be exactly the pages and Markdown forms that are served: any other file would be lost
 * silently.
 */
function checkFiles(files: readonly string[], expected: readonly string[]): void {
  const missing = expected.filter((file) => !files.includes(file));
  const unexpected = files.filter((file) => !expected.includes(file));
  if (missing.length > 0) throw new TemplateError(`pages has no template for ${list(missing)}: write it`);
  if (unexpected.length > 0)
    throw new TemplateError(`pages produces ${list(unexpected)}, which nothing serves: remove it`);
}

/**
 * The places that the runtime fills must exist, and there must be nothing that its policy would
 * block.
 */
function checkMarks(files: ReadonlyMap<string, string>): void {
  const stopped = [...files]
    .filter(([file, text]) => file.endsWith(".html") && STOPPED.test(text))
    .map(([file]) => file);
  if (stopped.length > 0) {
    const remedy = "link a style or script of assets/ and begin its tag with a bare nonce";
    throw new TemplateError(`pages produces ${list(stopped)} with a style or script that has no nonce: ${remedy}`);
  }
  try {
    parseShell(files.get(SHELL_FILE) ?? "");
  } catch (error) {
    throw new TemplateError(`pages/shell.njk cannot be filled: ${(error as Error).message}; restore it`);
  }
}

/** A style or script without a nonce to fill in: the Content-Security-Policy would block it. */
const STOPPED = /<style|<script(?! nonce )|<link (?!nonce )[^>]*rel="?stylesheet/;

function list(names: readonly string[]): string {
  return names.toSorted(compareCodePoints).join(", ");
}
