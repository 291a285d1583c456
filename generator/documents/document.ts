/**
 * A document of a release: all that is known of it, in one row of documents/table.ts. The lists of
 * documents (catalog, endpoints, llms.txt, OpenAPI, MCP resources) are queries of that table.
 */
import type { OpenApi } from "../openapi/openapi.ts";
import type { DocumentOperation } from "../openapi/document-operations.ts";
import type { Integration } from "../integration/documents.ts";
import type { Examples } from "../view/examples.ts";
import type { View } from "../view/view.ts";
import type { Coverage } from "../contract/coverage.ts";

/** All that documents quote: it can be made from sources, or from a dist. */
export interface Book {
  readonly view: View;
  readonly examples: Examples;
  readonly description: OpenApi;
  readonly coverage: Coverage;
  readonly integration: Integration;
}

/** A book while its documents are printed, in the order of the table. */
export interface Printing {
  readonly book: Book;
  readonly table: readonly Document[];
  /** The texts that exist so far, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** Whether the release has the document: one that all have, or one that was printed. */
  has(this: void, path: string): boolean;
}

export type Body = string | Uint8Array;

/** A list that names a document: in the order of the table, unless `order` (0) says otherwise. */
interface Listed {
  readonly title: string;
  readonly order?: number;
}

interface CatalogEntry {
  readonly relation: Relation;
  /** The APIs that link it; left out: the direct one. */
  readonly of?: readonly Api[];
  /** Its address, if that depends on the release. */
  readonly at?: (view: View) => string;
}

export type Api = "direct" | "mcp";

export interface Document {
  /** Below the origin. */
  readonly path: string;
  readonly print?: (printing: Printing) => Body | undefined;
  /** The documents of a family, by file; its path is that of their folder. */
  readonly printAll?: (printing: Printing) => Iterable<readonly [file: string, body: Body]>;
  /** `"rest"`: it quotes the texts of all others, so it is printed after them. */
  readonly needs?: "rest";
  /**
   * Who judges it in a built release. `"prose"`: an owner's prose is in it, so that only a rebuild
   * can; `"audit"`: the auditor derives it alone. Left out: verify prints it again.
   */
  readonly judged?: "prose" | "audit";
  /** Whether a release has it before it is printed; left out: as its path is, or once printed. */
  readonly exists?: (view: View) => boolean;
  readonly operation?: DocumentOperation;
  /** Its link in the API catalog. */
  readonly catalog?: Listed & CatalogEntry;
  readonly llms?: Listed & { readonly section: Section; readonly note: string };
  /** Its name among the endpoints of the agent contract. */
  readonly endpoint?: string;
  /** For an endpoint that is not read. */
  readonly method?: "POST";
  /** As a resource of MCP. */
  readonly resource?: Listed & { readonly name: string; readonly description: string };
}

export type Relation = "service-desc" | "service-doc" | "service-meta" | "status";
export type Section = "For agents" | "Integration" | "Documentation" | "Registry" | "Optional";

/** The rows that are in a list, in its order. */
export function listed<K extends "catalog" | "llms" | "resource">(
  table: readonly Document[],
  list: K,
): (Document & Required<Pick<Document, K>>)[] {
  const orderOf = (row: Document): number => row[list]?.order ?? 0;
  const isIn = (row: Document): row is Document & Required<Pick<Document, K>> => row[list] !== undefined;
  return table.filter(isIn).sort((a, b) => orderOf(a) - orderOf(b));
}
