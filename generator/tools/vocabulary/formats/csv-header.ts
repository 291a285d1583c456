/**
 * Reads the header of a CSV: which column of a registry each of its columns is, or every fault of
 * it at once, in the words of the file.
 */
import { formatLanguageTag } from "../../../../runtime/text/language.ts";
import { checkLanguageTag } from "../../../registry/check-language.ts";
import type { Wrong } from "../../../text/delimited.ts";
import { suggestion } from "../../../text/nearest.ts";
import { quote } from "../../../text/printable.ts";
import { columnKey, columnsNamed } from "../../../text/table-head.ts";
import { type Column, COLUMNS } from "./csv-columns.ts";

export interface Header {
  /** By position; undefined for a language column. */
  readonly names: readonly (Column | undefined)[];
  /** How the file spells each of its columns. */
  readonly spelled: ReadonlyMap<Column, string>;
  /** The language columns, each with its position, and what its rows call the columns. */
  readonly tags: readonly (readonly [tag: string, at: number, spelled: Header["spelled"]])[];
}

/** Columns that language columns replace. */
const NOT_WIDE: readonly Column[] = ["entry", "language", "locale", "expression"];

export function readHeader(record: readonly string[], languageColumns: readonly string[]): Header | Wrong[] {
  const isWide = languageColumns.length > 0;
  const wrong: Wrong[] = [];
  const found = languageColumns.flatMap((tag): (readonly [tag: string, at: number])[] => {
    const [at, again] = columnsNamed(record, tag);
    if (at === undefined) wrong.push([`there is no column ${tag}, only ${listed(record)}`, NAME_TAGS]);
    else if (again !== undefined) wrong.push([`there are two columns ${record[at]}`, KEEP_ONE_LANGUAGE]);
    return at === undefined ? [] : [[formatLanguageTag(tag), at]];
  });
  const isTag = (name: string, i: number): boolean =>
    found.some(([, at]) => at === i) || languageColumns.some((tag) => columnKey(tag) === columnKey(name));
  const own = isWide ? COLUMNS.filter((known) => !NOT_WIDE.includes(known)) : COLUMNS;
  const names = record.map((name, i) => (isTag(name, i) ? undefined : columnOf(name, own)));
  const unnamed = [...record.keys()].filter((i) => names[i] === undefined && record[i]?.trim() === "");
  const unknown = record.filter((name, i) => names[i] === undefined && name.trim() !== "" && !isTag(name, i));
  for (const i of unnamed) wrong.push([`column ${i + 1} has no name`, "Take it out, or give it one"]);
  wrong.push(...strangers(unknown, own, names.every((name) => name === undefined) && !isWide));
  const twice = names.flatMap((name, i) => (name !== undefined && names.indexOf(name) < i ? [i] : []));
  if (twice.length > 0) {
    const both = twice.map((i) => listed([record[names.indexOf(names[i])] ?? "", record[i] ?? ""]));
    wrong.push([`${both.join(", ")} are the same column`, "Keep one of them"]);
  }
  if (!names.includes("code") && !names.includes("sourceId"))
    wrong.push([
      "there is no column that says which concept a row is about",
      `Add code or ${isWide ? "id" : "sourceId"}`,
    ]);
  if (!isWide && !names.includes("expression") && !names.includes("entry") && !unknown.some(isLanguage))
    wrong.push(["there is no column expression", "Add it, for the texts"]);
  if (wrong.length > 0) return wrong;
  const spelled = names.flatMap((name, i) => (name === undefined ? [] : [[name, record[i] ?? name] as const]));
  const tags = found.map(([tag, at]) => {
    const both = (["language", "expression"] as const).map((name) => [name, record[at] ?? tag] as const);
    return [tag, at, new Map([...spelled, ...both])] as const;
  });
  return { names, spelled: new Map(spelled), tags };
}

export const WITH_HEADER = `Begin it with a line that names its columns, such as sourceId,language,expression, of ${COLUMNS.join(", ")}`;
const NAME_TAGS = "Name those of the file by --language-columns";
const KEEP_ONE_LANGUAGE = "Keep one of them; more rows of the same id hold the rest";

/** People call the identifier of the source simply `id`. */
function columnOf(name: string, own: readonly Column[]): Column | undefined {
  const key = columnKey(name);
  return own.find((known) => columnKey(known) === (key === "id" ? "sourceid" : key));
}

/** `isData`: nothing in the line is the name of a column. */
function strangers(unknown: readonly string[], own: readonly Column[], isData: boolean): Wrong[] {
  const languages = unknown.filter(isLanguage);
  const others = unknown.filter((name) => !isLanguage(name));
  const named = others.map((name) => quote(name) + suggestion(name.trim(), own)).join(", ");
  const remedy = isData ? WITH_HEADER : `Rename or take out what is none of ${own.join(", ")}`;
  return [
    ...(others.length === 0 ? [] : [[`${named} ${areNot(others)}`, remedy] as const]),
    ...(languages.length === 0
      ? []
      : [
          [
            `${listed(languages)} ${areNot(languages)}, unless they are named as languages`,
            `Name each column that holds one language: --language-columns ${languages.map((name) => name.trim()).join(",")}`,
          ] as const,
        ]),
  ];
}

function areNot({ length }: readonly string[]): string {
  return length === 1 ? "is not a column" : "are not columns";
}

/** Longer words may be the names of languages that nobody means. */
function isLanguage(name: string): boolean {
  return /^\s*[a-z]{2}(?:-|\s*$)/i.test(name) && checkLanguageTag(formatLanguageTag(name.trim())).length === 0;
}

function listed(names: readonly string[]): string {
  return names.map((name) => quote(name)).join(", ");
}
