/**
 * `/search.json`: the entries that pages search besides the names of concepts: every answer, rule,
 * operation, error, part of the guide and page of an owner, with its words and its address. A page
 * loads it when somebody searches. The browser builds the index, because the bounds of words depend
 * on the version of Unicode and the bytes of a release must not.
 */
import { namedLanguages, namesPath } from "../../runtime/contract/added-resources.ts";
import { paths } from "../../runtime/contract/paths.ts";
import type { Content } from "../content/content.ts";
import { partsOf, wordsOf } from "../content/markdown.ts";
import type { ApiReference } from "../contract/reference.ts";
import type { SearchDocument } from "../contract/search.ts";
import type { View } from "../view/view.ts";
import type { referenceAreas } from "./reference-areas.ts";
import { ownPath, shownPages } from "./site-files.ts";

type Entry = SearchDocument["pages"][number];

interface Searched {
  readonly content: Content;
  readonly reference: ApiReference;
  readonly areas: ReturnType<typeof referenceAreas>;
  /** Texts of documents by their path. */
  readonly texts: ReadonlyMap<string, string>;
}

export function searchDocument({ summary: { publishedConcepts } }: View, searched: Searched): SearchDocument {
  return {
    concepts: publishedConcepts,
    named: searched.texts.has(namesPath(undefined)),
    languages: namedLanguages(searched.texts.keys()),
    pages: [...ofProse(searched), ...ofReference(searched)],
  };
}

function ofProse({ content }: Searched): Entry[] {
  const { answers, guide, pages } = content;
  return [
    ...shownPages(content).map(({ title, href }) => ({ title, in: "Pages", url: href, text: "" })),
    ...answers.map(({ id, question, markdown }) => ({
      title: question,
      in: "Answers",
      url: `${paths.answers}#${id}`,
      text: wordsOf(markdown),
    })),
    ...partsOf(guide.markdown).parts.map(({ id, title, text }) => ({
      title,
      in: "MCP guide",
      url: `${paths.mcpGuide}#${id}`,
      text,
    })),
    ...pages.map((page) => ({
      title: page.title,
      in: "Pages",
      url: ownPath(page),
      text: page.file.endsWith(".md") ? wordsOf(page.markdown) : (page.description ?? ""),
    })),
  ];
}

function ofReference({ content, reference, areas }: Searched): Entry[] {
  const rules = areas.find(({ id }) => id === "rules");
  return [
    ...areas.flatMap((area) => [
      { title: area.title, in: "API reference", url: area.path, text: area.about },
      ...area.sections.map(({ id, title }) => ({
        title,
        in: "API reference",
        url: `${area.path}#${id}`,
        text: wordsOf(content.sections.find((section) => section.id === id)?.markdown ?? ""),
      })),
      ...area.operations.map(({ id, method, path, summary, description }) => ({
        title: `${method} ${path}`,
        in: "API reference",
        url: `${area.path}#operation-${id}`,
        text: `${summary} ${description}`,
      })),
    ]),
    ...reference.errors.map(({ code, status, message }) => ({
      title: code,
      in: "Errors",
      url: `${rules?.path}#error-${code}`,
      text: `${status} ${message}`,
    })),
  ];
}
