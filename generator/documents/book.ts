/** Makes a book from a view, which can be made from sources or from a dist. */
import { COMPUTED_PATHS, resources } from "../../runtime/contract/policy.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import { makeIntegration } from "../integration/documents.ts";
import type { Handoffs } from "../integration/handoffs.ts";
import { openApi, openApiFragment } from "../openapi/openapi.ts";
import { findExamples } from "../view/examples.ts";
import type { View } from "../view/view.ts";
import { agentTool } from "./agent-tool.ts";
import { coverage } from "./coverage.ts";
import type { Body, Book, Document, Printing } from "./document.ts";

interface Parts {
  readonly handoffs: Handoffs;
  readonly table: readonly Document[];
}

/** Throws ProofError if a fixture is not as declared. */
export async function makeBook(view: View, { handoffs, table }: Parts): Promise<Book> {
  const examples = findExamples(view);
  const description = openApi(view, examples, table);
  const openapi = formatDocument(openApiFragment(description));
  const tool = formatDocument(agentTool(view));
  const integration = await makeIntegration(view, { openapi, sources: handoffs, tool });
  return { view, examples, description, coverage: coverage(view), integration };
}

/** Prints rows of the table; each may read what was printed before it. */
export class Press {
  /** By file. */
  readonly bodies = new Map<string, Body>();
  readonly texts: Map<string, string>;
  readonly #printing: Printing;

  /** `quoted` are the texts that exist already, and are not printed. */
  constructor(book: Book, table: readonly Document[], quoted: Iterable<readonly [file: string, text: string]> = []) {
    this.texts = new Map(quoted);
    const has = (path: string): boolean => ALWAYS.has(path) || this.bodies.has(path) || this.texts.has(path);
    this.#printing = { book, table, texts: this.texts, has };
  }

  add(printed: Iterable<readonly [file: string, body: Body]>): void {
    for (const [file, body] of printed) {
      this.bodies.set(file, body);
      if (typeof body === "string") this.texts.set(file, body);
    }
  }

  *rows(isMeant: (row: Document) => boolean): Generator<readonly [file: string, body: Body], void> {
    for (const { path, print, printAll } of this.#printing.table.filter(isMeant)) {
      const body = print?.(this.#printing);
      if (body !== undefined) yield [path, body];
      if (printAll !== undefined) yield* printAll(this.#printing);
    }
  }
}

/** The paths that every release has. */
const ALWAYS: ReadonlySet<string> = new Set([
  ...COMPUTED_PATHS,
  ...resources.flatMap(({ variants }) => variants.map(({ location }) => location)),
]);
