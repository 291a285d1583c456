/**
 * The texts of the interface by language. The package's `interface/en.yaml` has every key; an
 * owner's files have the texts that they translate. A text is a line of Markdown with `{names}` for
 * values. It must have exactly the links, code, bold parts and values of the English text, so a
 * translation cannot lead elsewhere or add markup.
 */
import path from "node:path";
import { isPageLanguage } from "../../runtime/contract/added-resources.ts";
import * as Type from "../../runtime/contract/type.ts";
import { textDirection } from "../../runtime/text/direction.ts";
import { asEnglish } from "../../runtime/text/english.ts";
import { compileSchema } from "../text/compile-schema.ts";
import { BASE_CONTENT } from "../effects/closure.ts";
import { nearest } from "../text/nearest.ts";
import { compareCodePoints } from "../text/order.ts";
import { checkPlainText } from "../registry/check-text.ts";
import { filesIn, type Folder, readRecord } from "../registry/record-file.ts";
import { errorAt, type Fault, type Finding } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { renderLine } from "./markdown.ts";

export const ENGLISH = "en";

export interface Interface {
  readonly language: string;
  /** The prefix of its page paths; empty for English. */
  readonly prefix: string;
  readonly direction: "ltr" | "rtl";
  /**
   * Markup by key, for every key of English. Texts that are in English are marked; a value replaces
   * `{name}`.
   */
  readonly texts: Readonly<Record<string, string>>;
  /** The number of keys that are in English because the file does not have them. */
  readonly missing: number;
}

const parse = compileSchema(Type.Record(Type.String(), Type.String()));
type Source = Readonly<Record<string, string>>;

/** English first, then the others in the order of their tags. */
export function readInterfaces(folder: Folder): readonly Interface[] {
  const base = readRecord({ ...folder, directory: BASE_CONTENT }, `interface/${ENGLISH}.yaml`, parse) ?? {};
  const sources = filesIn(folder, "interface", ".yaml").flatMap((name): [string, Source][] => {
    const source = readRecord(folder, `interface/${name}`, parse);
    return source === undefined ? [] : [[path.basename(name, ".yaml"), source]];
  });
  folder.findings.push(...sources.flatMap(([language, source]) => checkTexts(language, source, base)));
  if (folder.findings.length > 0) return [];
  const own = new Map(sources);
  const english = { ...base, ...own.get(ENGLISH) };
  const others = [...own.keys()].filter((language) => language !== ENGLISH).sort(compareCodePoints);
  return [ENGLISH, ...others].map((language) => {
    const source = own.get(language) ?? {};
    const lacking = (text: string): string => (language === ENGLISH ? text : asEnglish(text));
    const all = Object.entries(english).map(([key, text]) => {
      const said = source[key];
      return [key, said === undefined ? lacking(renderLine(text)) : renderLine(said)];
    });
    return {
      language,
      prefix: language === ENGLISH ? "" : `/${language}`,
      direction: textDirection(language),
      texts: Object.fromEntries(all) as Source,
      missing: language === ENGLISH ? 0 : all.length - Object.keys(source).length,
    };
  });
}

function checkTexts(language: string, source: Source, english: Source): Finding[] {
  const place = { file: `interface/${language}.yaml` };
  if (language !== ENGLISH && !isPageLanguage(language)) {
    const text = `${quote(language)} is not a language tag that pages can have: it becomes the first part of their paths`;
    const remedy = "Name the file by a tag such as de, pt-BR or zh-Hant";
    return [errorAt(place, "", { rule: "interface-language", text, remedy })];
  }
  const findings = Object.entries(source).flatMap(([key, text]) =>
    checkText(key, text, english).map((fault) => errorAt(place, key === "" ? "" : `/${key}`, fault)),
  );
  if (language === ENGLISH || source["language.name"] !== undefined) return findings;
  const remedy = "Write the language's own name, such as Deutsch";
  return [errorAt(place, "", { rule: "interface-key", text: "There is no language.name", remedy }), ...findings];
}

function checkText(key: string, text: string, english: Source): Fault[] {
  const model = Object.hasOwn(english, key) ? english[key] : undefined;
  if (model === undefined) {
    const near = nearest(key, Object.keys(english));
    const remedy =
      near === undefined ? `interface/${ENGLISH}.yaml of the package has all keys` : `Did you mean ${near}?`;
    return [{ rule: "interface-key", text: `There is no text ${quote(key)}`, remedy }];
  }
  const plain = checkPlainText(text, "interface-text");
  if (text.trim() !== text || text === "") {
    const remedy = "Write the text, or leave the key out";
    plain.push({ rule: "interface-text", text: `${quote(text)} is empty or has a space around it`, remedy });
  }
  if (plain.length > 0 || shapeOf(text) === shapeOf(model)) return plain;
  const what = `${quote(text)} has other links, code, bold parts or {values} than the English ${quote(model)}`;
  const remedy = "Keep them as they are, in any order, and translate the words";
  return [{ rule: "interface-markup", text: what, remedy }];
}

/** The parts that a translation must keep: tags with their addresses, code, and values. */
function shapeOf(text: string): string {
  const found = renderLine(text).match(/<code>.*?<\/code>|<[^>]*>|\{[a-z]+\}/g) ?? [];
  return found.sort(compareCodePoints).join("");
}
