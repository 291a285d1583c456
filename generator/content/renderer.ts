/**
 * Eleventy over the templates of content, in memory: the pages and the Markdown forms, by the file of dist each belongs
 * to. It reads no file: templates come as texts, and what they print are values made elsewhere, so nothing of the clock,
 * the place of a folder or the file order shows.
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
 * Eleventy wants an input folder that exists, relative to the working directory, which may change: this one, in which no
 * template lies. Every template is given as text.
 */
const inputFolder = (): string => path.relative(".", import.meta.dirname);

/** Renders the templates with the given globals, and those of an owner's pages. Throws TemplateError. */
export async function renderPages(
  { templates: ours, pages }: Pick<Content, "templates" | "pages">,
  globals: Readonly<Record<string, unknown>>,
  texts: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const templates: readonly Template[] = [...ours, ...pages.map(pageTemplate)];
  const eleventy = new Eleventy(inputFolder(), "unwritten", {
    quietMode: true,
    // None, whatever lies in the working directory.
    configPath: null,
    loader: "esm",
    config(config) {
      for (const [name, value] of Object.entries(globals)) config.addGlobalData(name, value);
      for (const { file, text } of templates) config.addTemplate(file, withLines(text));
      // Texts are markup already, and what a tag gives is printed as it is.
      config.addShortcode("say", (key: string, value?: Value) => said(texts, key, value));
      // Else a layout stays for as long as the process runs, and a later build gets an old one.
      config.setUseTemplateCache(false);
      config.setTemplateFormats(["njk"]);
      config.setNunjucksEnvironmentOptions({ throwOnUndefined: true });
      config.setUseGitIgnore(false);
      // Without it the order and data of pages depend on the clock.
      config.addDateParsing(() => new Date(0));
    },
  });
  // Faults are told by the error that is thrown.
  eleventy.disableLogger();
  const rendered = await render(eleventy);
  const files = new Map(rendered.map(({ url, content }) => [url === "/" ? "/index.html" : String(url), content]));
  checkFiles([...files.keys()], [...templatedFiles, ...pages.map(({ name }) => `/${name}.html`)]);
  checkMarks(files);
  return files;
}

/** Nunjucks counts the lines behind front matter; a comment of as many lines makes them those of the file. */
function withLines(template: string): string {
  return template.replace(/^---\n[^]*?\n---\n/, (matter) => `${matter}{#${matter.replaceAll(/[^\n]+/g, "")}#}`);
}

/** A value of a text: markup made by a template, or a number. */
type Value = string | number;

/** The text of a key; its one `{value}` is what a template gives. */
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

/** Eleventy wraps a template's fault in errors that say where it is; each message once, on one line. */
function describe(error: Error & { originalError?: Error }): string {
  const text = error.message
    .replaceAll(`./${inputFolder()}/`, "")
    .replaceAll(`${inputFolder()}/`, "")
    .replaceAll(/\s+|\bError: /g, " ")
    .trim();
  const cause = error.originalError === undefined ? "" : describe(error.originalError);
  return cause === "" || text.includes(cause) ? text : `${text}: ${cause}`;
}

/** Exactly the pages and Markdown forms that are served: another one would be lost silently. */
function checkFiles(files: readonly string[], expected: readonly string[]): void {
  const missing = expected.filter((file) => !files.includes(file));
  const unexpected = files.filter((file) => !expected.includes(file));
  if (missing.length > 0) throw new TemplateError(`pages has no template for ${list(missing)}: write it`);
  if (unexpected.length > 0)
    throw new TemplateError(`pages gives ${list(unexpected)}, which nothing serves: remove it`);
}

/** What the runtime fills in must be there, and nothing that its policy would stop. */
function checkMarks(files: ReadonlyMap<string, string>): void {
  const stopped = [...files]
    .filter(([file, text]) => file.endsWith(".html") && STOPPED.test(text))
    .map(([file]) => file);
  if (stopped.length > 0) {
    const remedy = "link a style or script of assets/ and begin its tag with a bare nonce";
    throw new TemplateError(`pages gives ${list(stopped)} with a style or script that has no nonce: ${remedy}`);
  }
  try {
    parseShell(files.get(SHELL_FILE) ?? "");
  } catch (error) {
    throw new TemplateError(`pages/shell.njk cannot be filled: ${(error as Error).message}; write it as it was`);
  }
}

/** A style or script without a nonce to fill in: the Content-Security-Policy would stop it. */
const STOPPED = /<style|<script(?! nonce )|<link (?!nonce )[^>]*rel="?stylesheet/;

function list(names: readonly string[]): string {
  return names.toSorted(compareCodePoints).join(", ");
}
