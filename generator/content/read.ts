/**
 * Reads a content folder: site, answers, reference sections, guide, templates and assets, with a finding for every fault
 * but those inside a template: they show when it is rendered.
 */
import { compileSchema } from "../text/compile-schema.ts";
import { type Effects, isVisible } from "../effects/effects.ts";
import type { Finding } from "../text/finding.ts";
import { compareCodePoints } from "../text/order.ts";
import { quote } from "../text/printable.ts";
import { type Folder, type Parser, type Prose, readProse, readRecord, readText } from "../registry/record-file.ts";
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
import { readInterfaces } from "./interface.ts";
import { checkNames, isOwnPage } from "./own-pages.ts";
import { unknownPlaceholders } from "./placeholders.ts";
import { translate } from "./translations.ts";
import { checkSite, colorRules, SiteRecord, type SiteSource } from "./site.ts";

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
  const folder: Folder = { effects, directory, guide: "content/README.md", findings: [] };
  const site = readRecord(folder, "site.yaml", parse.site);
  const faults = site === undefined ? [] : checkSite(site);
  folder.findings.push(...faults.map((one) => ({ ...one, severity: "error" as const, file: "site.yaml" })));
  const answers = readAll(folder, "answers", parse.answer);
  const sections = readAll(folder, "reference", parse.section);
  folder.findings.push(...takenAnchors("answers", answers), ...takenAnchors("reference", sections));
  const guide = readGuide(folder);
  const pages = readPages(folder);
  const templates = ["_includes", "pages"].flatMap((name) => readTemplates(folder, name));
  const assets = readAssets(folder, site);
  const { findings } = folder;
  const languages = readLanguages(folder, { answers, guide, pages });
  const prose = [{ answers, guide, pages }, ...languages.flatMap((one) => one.prose ?? [])];
  const translatable = prose.flatMap((one) => [
    ...one.answers,
    ...one.pages,
    ...(one.guide === undefined ? [] : [one.guide]),
  ]);
  for (const { file, markdown } of [...translatable, ...sections]) {
    const unknown = file.endsWith(".md") ? unknownPlaceholders(markdown) : [];
    const remedy = "Write one that content/README.md lists, or put the text between backticks";
    for (const name of unknown) findings.push(fault(file, "placeholder-unknown", [`There is no ${name}`, remedy]));
  }
  if (site === undefined || guide === undefined || assets === undefined || findings.length > 0) {
    return { content: undefined, findings };
  }
  return { content: { site, answers, sections, guide, pages, languages, templates, assets }, findings };
}

function readGuide(folder: Folder): GuideSource | undefined {
  const prose = readProse(folder, "guides/mcp-guide.md", parse.guide);
  return prose && { ...prose.record, file: prose.file, markdown: prose.markdown };
}

/** None where a part of the prose is not there, because a finding says so. */
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
      folder.findings.push(fault(`interface/${one.language}.yaml`, "id-taken", [text, "Rename the page"]));
    }
    return one.prefix === "" ? one : { ...one, prose: translate(folder, one.language, english) };
  });
}

/** The pages that are not the package's: Markdown, and templates of other names. */
function readPages(folder: Folder): PageSource[] {
  const files = [...filesIn(folder, "pages", ".md"), ...filesIn(folder, "pages", ".njk").filter(isOwnPage)];
  folder.findings.push(...checkNames(files).map(([file, ...rest]) => fault(`pages/${file}`, ...rest)));
  const pages = files.flatMap((file) => {
    const prose = readProse(folder, `pages/${file}`, parse.page);
    const name = file.slice(0, file.lastIndexOf("."));
    return prose === undefined ? [] : [{ ...prose.record, name, file: prose.file, markdown: prose.markdown }];
  });
  return pages.sort((a, b) => compareCodePoints(a.name, b.name));
}

/** Anchors that the pages have of their own, most for the tables that come from the code. */
const OWN_ANCHORS = ["main", "operations", "fields", "error-codes", "limits", "reasons"];

function takenAnchors(folder: string, all: readonly { id: string }[]): Finding[] {
  return all
    .filter(({ id }) => OWN_ANCHORS.includes(id))
    .map(({ id }) => {
      const text = `The id ${quote(id)} is an anchor that the pages have already`;
      return fault(folder, "id-taken", [text, "Give it another id"]);
    });
}

/** Every Markdown file of a folder in name order; their ids are unique. */
function readAll<T extends { id: string }>(
  folder: Folder,
  name: string,
  parser: Parser<T>,
): (T & { file: string; markdown: string })[] {
  const files = filesIn(folder, name, ".md");
  const seen = new Map<string, string>();
  const all: (Prose<T> | undefined)[] = files.map((file) => {
    const prose = readProse(folder, `${name}/${file}`, parser);
    const first = prose && seen.get(prose.record.id);
    if (prose !== undefined && first === undefined) seen.set(prose.record.id, file);
    if (prose !== undefined && first !== undefined) {
      const text = `The id ${quote(prose.record.id)} is already that of ${first}`;
      folder.findings.push(fault(`${name}/${file}`, "id-taken", [text, "Give it an id of its own"]));
    }
    return prose;
  });
  if (files.length === 0) {
    folder.findings.push(fault(name, "content-missing", ["There is no Markdown file in this folder", "Write one"]));
  }
  return all.flatMap((prose) =>
    prose === undefined ? [] : [{ ...prose.record, file: prose.file, markdown: prose.markdown }],
  );
}

function readTemplates(folder: Folder, name: string): Template[] {
  const own = name === "pages" ? isOwnPage : () => false;
  return filesIn(folder, name, ".njk").flatMap((file) => {
    if (own(file)) return [];
    const text = readText(folder, `${name}/${file}`);
    return text === undefined ? [] : [{ file: `${name}/${file}`, text }];
  });
}

/** Names of the visible files of a kind, directly in a folder. */
function filesIn({ effects, directory }: Folder, name: string, suffix: string): string[] {
  const place = `${directory}/${name}`;
  if (effects.kind(place) !== "directory") return [];
  return effects.names(place).filter((file) => isVisible(file) && file.endsWith(suffix));
}

function readAssets(folder: Folder, site: SiteSource | undefined): Content["assets"] | undefined {
  const { effects, directory, findings } = folder;
  const { logo } = site ?? {};
  const kinds = Object.entries({ ...ASSET_FILES, ...(logo !== undefined && { logo }) });
  const missing = kinds.filter(([, file]) => effects.kind(`${directory}/assets/${file}`) !== "file");
  for (const [, file] of missing) {
    findings.push(fault(`assets/${file}`, "file-missing", ["There is no regular file at this place", "Write it"]));
  }
  if (missing.length > 0) return undefined;
  const read = ([kind, file]: [string, string]): [string, Asset] => {
    const bytes = effects.read(`${directory}/assets/${file}`);
    if (kind === "logo") return [kind, makeAsset("logo.svg", bytes)];
    const rules = kind === "css" && site !== undefined ? colorRules(site) : "";
    return [kind, makeAsset(file, rules === "" ? bytes : Buffer.concat([bytes, Buffer.from(rules)]))];
  };
  return Object.fromEntries(kinds.map(read)) as Content["assets"] & Record<AssetKind, Asset>;
}

function fault(file: string, rule: string, [text, remedy]: [string, string]): Finding {
  return { rule, severity: "error", file, pointer: "", text, remedy };
}
