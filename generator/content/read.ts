/**
 * Reads a content folder: site, answers, reference sections, guide, templates and assets, with a
 * finding for every fault. Faults inside a template show only when it is rendered.
 */
import path from "node:path";
import { isPageLanguage } from "../../runtime/contract/added-resources.ts";
import { formatLanguageTag } from "../../runtime/text/language.ts";
import { compileSchema, type SchemaReader } from "../text/compile-schema.ts";
import { documentPath } from "../effects/closure.ts";
import type { Effects } from "../effects/effects.ts";
import type { Finding } from "../text/finding.ts";
import { compareCodePoints } from "../text/order.ts";
import { quote } from "../text/printable.ts";
import { UNKNOWN } from "../text/shaped.ts";
import {
  filesIn,
  type Folder,
  type Prose,
  readProse,
  readShaped,
  readText,
  report,
  withoutLost,
  wholeOf,
} from "../registry/record-file.ts";
import {
  AnswerRecord,
  type Asset,
  ASSET_FILES,
  type AssetKind,
  type Content,
  GuideRecord,
  type GuideSource,
  makeAsset,
  type PageLanguage,
  type PageSource,
  PageRecord,
  type Prosaic,
  SectionRecord,
  type Template,
} from "./content.ts";
import { baseDigest } from "./ejected.ts";
import { ENGLISH, readInterfaces } from "./interface.ts";
import { checkNames, isOwnPage } from "./own-pages.ts";
import { unknownPlaceholders } from "./placeholders.ts";
import { checkColors, colorRules, type OwnColors, tintedIcon } from "./colors.ts";
import { checkSite, SiteRecord, type SiteSource } from "./site.ts";

const parse = {
  site: compileSchema(SiteRecord),
  answer: compileSchema(AnswerRecord),
  section: compileSchema(SectionRecord),
  guide: compileSchema(GuideRecord),
  page: compileSchema(PageRecord),
};

export interface ContentVerdict {
  /** Undefined when the findings say why. */
  readonly content: Content | undefined;
  readonly findings: readonly Finding[];
}

export function readContent(effects: Effects, directory: string): ContentVerdict {
  const folder: Folder = { effects, directory, guide: documentPath("content/README.md"), findings: [], lost: [] };
  reportFiles(folder);
  const described = readShaped(folder, "site.yaml", parse.site);
  const site = wholeOf(described);
  const faults = described === undefined ? [] : checkSite(described.record);
  for (const one of faults) report(folder, { file: "site.yaml" }, one);
  const answers = readAll(folder, "answers", parse.answer);
  const sections = readAll(folder, "reference", parse.section);
  reportTakenAnchors(folder, { answers, reference: sections });
  const guide = readProse(folder, "guides/mcp-guide.md", parse.guide);
  const pages = readPages(folder);
  const templates = ["_includes", "pages"].flatMap((name) => readTemplates(folder, name));
  const assets = readAssets(folder, site);
  const languages = readLanguages(folder, { answers, guide, pages });
  const prose = [{ answers, guide, pages }, ...languages.flatMap((one) => one.prose ?? [])];
  const translatable = prose.flatMap((one) => [one.answers, one.pages, one.guide ?? []].flat());
  // A part without a translation is the English file again.
  for (const one of new Map([...translatable, ...sections].map((source) => [source.file, source])).values()) {
    const remedy = `Write one that ${folder.guide} lists, or put the text between backticks`;
    for (const name of unknownPlaceholders(one))
      report(folder, one, { rule: "placeholder-unknown", text: `There is no ${name}`, remedy });
  }
  const findings = withoutLost(folder.findings, folder.lost);
  if (site === undefined || guide === undefined || assets === undefined || findings.length > 0) {
    return { content: undefined, findings };
  }
  return { content: { site, answers, sections, guide, pages, languages, templates, assets }, findings };
}

/**
 * A file in place of a folder is a mistake: the package's content would be used silently instead.
 */
function reportFiles(folder: Folder): void {
  for (const file of ["_includes", "answers", "assets", "guides", "interface", "pages", "reference"]) {
    if (folder.effects.kind(`${folder.directory}/${file}`) !== "file") continue;
    const text = "There is a file where a folder should be";
    report(folder, { file }, { rule: "folder-missing", text, remedy: "Move it away, or into a folder of that name" });
  }
}

/** Empty if a part of the prose is missing, which another finding reports. */
function readLanguages(
  folder: Folder,
  { answers, guide, pages }: Omit<Prosaic, "guide"> & { guide: GuideSource | undefined },
): PageLanguage[] {
  if (guide === undefined) return [];
  const english = { answers, guide, pages };
  const taken = new Set(pages.map(({ name }) => name));
  return readInterfaces(folder).map((one) => {
    if (taken.has(one.language)) {
      const text = `The page ${quote(one.language)} would have the address of the pages in that language`;
      report(folder, { file: `interface/${one.language}.yaml` }, { rule: "id-taken", text, remedy: "Rename the page" });
    }
    return one.prefix === "" ? one : { ...one, prose: translate(folder, one.language, english) };
  });
}

/** The folders of a language: a file translates the English file of the same name. */
const TRANSLATED = { answers: parse.answer, guides: parse.guide, pages: parse.page };

/** Folders of translations that no page shows, each with the reason and a remedy. */
export function unreadFolders(effects: Effects, directory: string): [folder: string, why: string][] {
  const has = (file: string): boolean => effects.kind(`${directory}/${file}`) !== "none";
  return effects.names(directory).flatMap((name): [string, string][] => {
    if (!Object.keys(TRANSLATED).some((kind) => has(`${name}/${kind}`))) return [];
    const tag = formatLanguageTag(name.replaceAll("_", "-"));
    if (tag === ENGLISH) return [[name, "the content itself is in English: move its folders one up"]];
    if (!isPageLanguage(tag)) return [];
    if (tag !== name) return [[name, `tags are written differently: rename it to ${tag}`]];
    return has(`interface/${name}.yaml`) ? [] : [[name, `there is no interface/${name}.yaml: write it`]];
  });
}

/** The prose of a language; each part is translated or in English. */
function translate(folder: Folder, language: string, english: Prosaic): Prosaic {
  const read = new Map<string, unknown>();
  for (const [kind, parser] of Object.entries<SchemaReader<object>>(TRANSLATED)) {
    for (const name of filesIn(folder, `${language}/${kind}`, "")) {
      const prose = readProse(folder, `${language}/${kind}/${name}`, parser);
      if (prose !== undefined) read.set(`${kind}/${name}`, { ...prose, language });
    }
  }
  const known = new Set([...english.answers, english.guide, ...english.pages].map(({ file }) => file));
  for (const file of [...read.keys()].filter((one) => !known.has(one) || !one.endsWith(".md"))) {
    const text = `There is no ${quote(file)} that this file could translate`;
    const remedy = "Give it the name of the English file; templates are not translated, their texts are in interface/";
    report(folder, { file: `${language}/${file}` }, { rule: "translation-unknown", text, remedy });
  }
  const inIt = <T extends { readonly file: string }>(one: T): T => ({
    ...one,
    ...(read.get(one.file) as T | undefined),
  });
  const answers = english.answers.map((one) => {
    const { id, audience, evidence } = one;
    return { ...inIt(one), id, audience, evidence };
  });
  return { answers, guide: inIt(english.guide), pages: english.pages.map((one) => ({ ...inIt(one), name: one.name })) };
}

/** Pages that are not the package's: Markdown, and templates with other names. */
function readPages(folder: Folder): PageSource[] {
  const files = [...filesIn(folder, "pages", ".md"), ...filesIn(folder, "pages", ".njk").filter(isOwnPage)];
  for (const { file, ...fault } of checkNames(files)) report(folder, { file: `pages/${file}` }, fault);
  const pages = files.flatMap((file) => {
    const prose = readProse(folder, `pages/${file}`, parse.page);
    return prose === undefined ? [] : [{ ...prose, name: file.slice(0, file.lastIndexOf(".")) }];
  });
  return pages.sort((a, b) => compareCodePoints(a.name, b.name));
}

/** Anchors that the pages define themselves, mostly for the tables that come from the code. */
const OWN_ANCHORS = ["main", "operations", "fields", "error-codes", "limits", "reasons"];

function reportTakenAnchors(folder: Folder, all: Readonly<Record<string, readonly { id: string }[]>>): void {
  for (const [file, sources] of Object.entries(all)) {
    for (const { id } of sources.filter((one) => OWN_ANCHORS.includes(one.id))) {
      const text = `The id ${quote(id)} is already an anchor of the pages`;
      report(folder, { file }, { rule: "id-taken", text, remedy: "Give it another id" });
    }
  }
}

/** Every Markdown file of a folder in name order; their ids must be unique. */
function readAll<T extends { id: string }>(folder: Folder, name: string, parser: SchemaReader<T>): Prose<T>[] {
  const files = filesIn(folder, name, ".md");
  const seen = new Map<string, string>();
  const all = files.flatMap((file) => {
    const prose = readProse(folder, `${name}/${file}`, parser);
    if (prose === undefined) return [];
    const first = seen.get(prose.id);
    if (first === undefined || prose.id === UNKNOWN) seen.set(prose.id, file);
    else reportTaken(folder, prose.id, [`${name}/${first}`, `${name}/${file}`]);
    return [prose];
  });
  if (files.length === 0) {
    const text = "There is no Markdown file in this folder";
    report(folder, { file: name }, { rule: "content-missing", text, remedy: "Write one" });
  }
  return all;
}

/**
 * If an owner's file and a package's file share an id, the finding is at the owner's, which can be
 * changed. The package's file may be its original under a newer name.
 */
function reportTaken(folder: Folder, id: string, [first, second]: readonly [string, string]): void {
  const isOwn = (file: string): boolean => baseDigest(folder.effects, file) === undefined;
  const [own, other] = isOwn(first) && !isOwn(second) ? [first, second] : [second, first];
  const ofPackage = isOwn(own) && !isOwn(other);
  const text = `The id ${quote(id)} is already the id of ${ofPackage ? `the package's ${other}` : path.basename(other)}`;
  const rename = `Rename it to ${path.basename(other)} to replace that file, or give it its own id`;
  report(folder, { file: own }, { rule: "id-taken", text, remedy: ofPackage ? rename : "Give it its own id" });
}

function readTemplates(folder: Folder, name: string): Template[] {
  const own = name === "pages" ? isOwnPage : () => false;
  return filesIn(folder, name, ".njk").flatMap((file) => {
    if (own(file)) return [];
    const text = readText(folder, `${name}/${file}`);
    return text === undefined ? [] : [{ file: `${name}/${file}`, text }];
  });
}

function readAssets(folder: Folder, site: SiteSource | undefined): Content["assets"] | undefined {
  const { effects, directory } = folder;
  const { logo } = site ?? {};
  const kinds = Object.entries({ ...ASSET_FILES, ...(logo !== undefined && { logo }) });
  const missing = kinds.filter(([, file]) => effects.kind(`${directory}/assets/${file}`) !== "file");
  for (const [, file] of missing) {
    const text = "There is no regular file at this place";
    report(folder, { file: `assets/${file}` }, { rule: "file-missing", text, remedy: "Write it" });
  }
  if (missing.length > 0) return undefined;
  const colors = (site?.colors ?? {}) as OwnColors;
  const css = effects.read(`${directory}/assets/${ASSET_FILES.css}`).toString();
  for (const fault of checkColors(colors, css)) report(folder, { file: "site.yaml" }, fault);
  const read = ([kind, file]: [string, string]): [string, Asset] => {
    const bytes = effects.read(`${directory}/assets/${file}`);
    if (kind === "logo") return [kind, makeAsset("logo.svg", bytes)];
    if (kind === "css") return [kind, makeAsset(file, Buffer.concat([bytes, Buffer.from(colorRules(colors, css))]))];
    return [kind, makeAsset(file, kind === "icon" ? Buffer.from(tintedIcon(bytes.toString(), colors, css)) : bytes)];
  };
  return Object.fromEntries(kinds.map(read)) as Content["assets"] & Record<AssetKind, Asset>;
}
