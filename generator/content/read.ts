/**
 * Reads a content folder: site, answers, reference sections, guide, templates and assets, with a finding for every fault
 * but those inside a template: they show when it is rendered.
 */
import { compileSchema } from "../text/compile-schema.ts";
import { type Effects, isVisible } from "../effects/effects.ts";
import type { Finding } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { type Folder, type Parser, type Prose, readProse, readRecord, readText } from "../registry/record-file.ts";
import {
  AnswerRecord,
  type Asset,
  ASSET_FILES,
  type AssetKind,
  type Content,
  GuideRecord,
  makeAsset,
  SectionRecord,
  SiteRecord,
  type Template,
} from "./content.ts";

const parse = {
  site: compileSchema(SiteRecord),
  answer: compileSchema(AnswerRecord),
  section: compileSchema(SectionRecord),
  guide: compileSchema(GuideRecord),
};

export interface ContentVerdict {
  /** Undefined when the findings say why. */
  readonly content: Content | undefined;
  readonly findings: readonly Finding[];
}

export function readContent(effects: Effects, directory: string): ContentVerdict {
  const folder: Folder = { effects, directory, guide: "content/README.md", findings: [] };
  const site = readRecord(folder, "site.yaml", parse.site);
  const answers = readAll(folder, "answers", parse.answer);
  const sections = readAll(folder, "reference", parse.section);
  folder.findings.push(...takenAnchors("answers", answers), ...takenAnchors("reference", sections));
  const guide = readProse(folder, "guides/mcp-guide.md", parse.guide);
  const templates = ["_includes", "pages"].flatMap((name) => readTemplates(folder, name));
  const assets = readAssets(folder);
  const { findings } = folder;
  if (site === undefined || guide === undefined || assets === undefined || findings.length > 0) {
    return { content: undefined, findings };
  }
  const prose = { answers, sections, guide: { ...guide.record, markdown: guide.markdown } };
  return { content: { site, ...prose, templates, assets }, findings };
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
): (T & { markdown: string })[] {
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
  return all.flatMap((prose) => (prose === undefined ? [] : [{ ...prose.record, markdown: prose.markdown }]));
}

function readTemplates(folder: Folder, name: string): Template[] {
  return filesIn(folder, name, ".njk").flatMap((file) => {
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

function readAssets({ effects, directory, findings }: Folder): Record<AssetKind, Asset> | undefined {
  const kinds = Object.entries(ASSET_FILES) as [AssetKind, string][];
  const missing = kinds.filter(([, file]) => effects.kind(`${directory}/assets/${file}`) !== "file");
  for (const [, file] of missing) {
    findings.push(fault(`assets/${file}`, "file-missing", ["There is no regular file at this place", "Write it"]));
  }
  if (missing.length > 0) return undefined;
  const read = ([kind, file]: [AssetKind, string]): [AssetKind, Asset] => {
    return [kind, makeAsset(file, effects.read(`${directory}/assets/${file}`))];
  };
  return Object.fromEntries(kinds.map(read)) as Record<AssetKind, Asset>;
}

function fault(file: string, rule: string, [text, remedy]: [string, string]): Finding {
  return { rule, severity: "error", file, pointer: "", text, remedy };
}
