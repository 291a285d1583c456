/**
 * Prints every document of a release, by its file in dist: the rows of the table, and the pages and
 * documents that hold an owner's prose.
 */
import path from "node:path";
import { SEARCH_PATH } from "../../runtime/contract/added-resources.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import { type Asset, type Content, makeAsset } from "../content/content.ts";
import { PROGRAM } from "../effects/closure.ts";
import { type Effects, readText } from "../effects/effects.ts";
import { classifierAsset, type Handoffs, readHandoffs } from "../integration/handoffs.ts";
import type { View } from "../view/view.ts";
import { answers } from "./answers.ts";
import { apiReference } from "./api-reference.ts";
import { makeBook, Press } from "./book.ts";
import { withChangesPage } from "./changes.ts";
import { coverageView } from "./coverage.ts";
import type { Book } from "./document.ts";
import { checkAnchors, checkLinks } from "./links.ts";
import { printPages } from "./pages.ts";
import { withValues } from "./prose.ts";
import { referenceAreas } from "./reference-areas.ts";
import { searchDocument } from "./search.ts";
import { securityText, sitemap } from "./site-files.ts";
import { DOCUMENTS } from "./table.ts";

/** Texts or bytes by their path in dist, with a leading `/`. */
export type Documents = ReadonlyMap<string, string | Uint8Array>;

/**
 * Sources that are published: the prose and pages of an operator, and this project's programs for
 * others.
 */
export interface Authored extends Programs {
  readonly content: Content;
}

export interface Programs {
  readonly handoffs: Handoffs;
  /** The module that resolves on a host that only serves files. */
  readonly resolver: string;
  /** The module that makes the page of an answer there. */
  readonly outcome: string;
  /** The module that makes and verifies proofs of a transparency log. */
  readonly verifier: string;
  /** The module that ranks pages. */
  readonly minisearch: string;
}

/** The compile step writes them (generator/bundle.js). */
const MODULES = path.join(PROGRAM, "generator/documents/modules");

/** Adds this project's programs to the content. */
export function readAuthored(effects: Effects, content: Content): Authored {
  return { content, ...readPrograms(effects) };
}

export function readPrograms(effects: Effects): Programs {
  return {
    handoffs: readHandoffs(effects),
    resolver: readText(effects, path.join(MODULES, "resolver.js")),
    outcome: readText(effects, path.join(MODULES, "outcome.js")),
    verifier: readText(effects, path.join(MODULES, "verifier.js")),
    minisearch: readText(effects, path.join(MODULES, "minisearch.js")),
  };
}

/**
 * Prints the documents. Throws TemplateError if a page cannot be rendered, ProofError if a fixture
 * is not as declared.
 */
export async function printDocuments(view: View, authored: Authored): Promise<Documents> {
  const content = withChangesPage(withValues(authored.content, view), view);
  const book = await makeBook(view, { handoffs: authored.handoffs, table: DOCUMENTS });
  const press = new Press(book, DOCUMENTS);
  press.add(press.rows((row) => row.needs === undefined));
  press.add(await printProse(book, { content, texts: press.texts, assets: assetsOf(authored) }));
  const files = new Map([...Array.from(press.bodies.keys(), (file) => [file, ""] as const), ...press.texts]);
  checkAnchors(files, content);
  checkLinks(files, content, view);
  press.add(press.rows((row) => row.needs === "rest"));
  return press.bodies;
}

interface Prosaic {
  readonly content: Content;
  /** The texts of the other documents, by file. */
  readonly texts: ReadonlyMap<string, string>;
  readonly assets: Readonly<Record<string, Asset>>;
}

/** The documents and pages that hold an owner's prose. */
async function printProse(book: Book, { content, texts, assets }: Prosaic): Promise<ReadonlyMap<string, string>> {
  const { view, description, examples, integration } = book;
  const { sections } = content;
  const reference = apiReference(view, description, sections);
  const printed = new Map<string, string>([
    [paths.answersJson, formatDocument(answers(view, content.answers))],
    [paths.apiReferenceJson, formatDocument(reference)],
    [paths.sitemap, [...sitemap(view, content)].join("")],
    [paths.securityText, securityText(view, content)],
  ]);
  const quoted = new Map([...texts, ...printed]);
  const areas = referenceAreas(view, { reference, description, examples, sections, texts: quoted });
  printed.set(SEARCH_PATH, formatDocument(searchDocument(view, { content, reference, areas, texts: quoted })));
  const coverage = coverageView(view, book.coverage);
  const { studio } = integration;
  const pages = await printPages(view, content, { assets, examples, reference, areas, studio, coverage });
  return new Map([...printed, ...pages]);
}

/** Every asset of a release: those of the content, and the programs that pages run. */
export function assetsOf({ content, ...programs }: Authored): Readonly<Record<string, Asset>> {
  return { ...content.assets, ...programAssets(programs) };
}

/** This project's programs that pages run. */
export function programAssets({
  handoffs,
  resolver,
  outcome,
  verifier,
  minisearch,
}: Programs): Readonly<Record<string, Asset>> {
  return {
    classifier: classifierAsset(handoffs),
    resolver: makeAsset("resolver.js", encoder.encode(resolver)),
    outcome: makeAsset("outcome.js", encoder.encode(outcome)),
    verifier: makeAsset("verifier.js", encoder.encode(verifier)),
    minisearch: makeAsset("minisearch.js", encoder.encode(minisearch)),
  };
}

const encoder = new TextEncoder();
