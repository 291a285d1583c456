/**
 * Writes as files what the service computes and pages link to: every concept and its page, the list
 * and its pages. A host without a runtime serves them like the documents of a release. Each is the
 * answer of the service; a page has an empty nonce.
 */
import { prefixesIn } from "../../../runtime/contract/added-resources.ts";
import { PAGE_CONCEPTS } from "../../../runtime/contract/limits.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { readDetail } from "../../../runtime/registry/read-concept.ts";
import type { Served } from "../../../runtime/release/served.ts";
import { UsageError } from "../../text/usage-error.ts";
import { LAW_NONCE } from "./law.ts";
import type { Expect } from "./request.ts";
import { fileOf, type HostedConcept, type HostedPath, type Prerendered, refusalOf } from "./table.ts";
import { get } from "./request.ts";

/** A server compares the path of a request with those of its configuration one by one. */
const MAX_CONCEPTS = 2000;
/** The folder of these files, among those of a host. */
export const PRERENDERED = "prerendered";

export interface Made {
  readonly prerendered: Prerendered;
  /** By their names below the folder of the host. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Throws UsageError if there are too many concepts. */
export async function prerender({ index, documents }: Served, expected: Expect): Promise<Made> {
  const { conceptCount } = index;
  if (conceptCount > MAX_CONCEPTS)
    throw new UsageError(
      `The registry has ${conceptCount} concepts, and --prerender writes at most ${MAX_CONCEPTS}: use a runtime`,
    );
  const prefixes = ["", ...prefixesIn(documents.keys())];
  const files = new Map<string, Uint8Array>();
  const write = async (path: string, file: string, isInternal = false): Promise<HostedPath> => {
    const reply = await expected(get(path));
    const variant = { ...fileOf(`/${PRERENDERED}${file}`, reply), isOfDist: false };
    files.set(PRERENDERED + file, variant.isPage ? withEmptyNonce(reply.body) : reply.body);
    return { path: isInternal ? listPath(path) : path, variants: [variant], refusal: undefined, isInternal };
  };
  const lists = [await write(paths.concepts, "/list.json")];
  // A list with one page does not link to pages.
  const pageCount = conceptCount > PAGE_CONCEPTS ? Math.ceil(conceptCount / PAGE_CONCEPTS) : 0;
  for (const prefix of prefixes) {
    const list = prefix + paths.conceptPages;
    lists.push(await write(list, `${prefix}/list.html`));
    for (let page = 1; page <= pageCount; page++)
      lists.push(await write(`${list}?page=${page}`, `${prefix}/lists/${page}.html`, true));
  }
  const concepts = Array.from({ length: conceptCount }, async (_none, id): Promise<HostedConcept> => {
    const { code } = readDetail(index, id);
    // A code such as C.FR names a folder: Apache would read the end of a file's name as a language
    // or a filter.
    const document = await write(`${paths.concepts}/${code}`, `/concepts/${code}/document.json`);
    const pages = prefixes.map((prefix) =>
      write(`${prefix}${paths.conceptPages}/${code}`, `${prefix}/concepts/${code}/page.html`),
    );
    return { code, document, pages: await Promise.all(pages) };
  });
  const conceptNotFound = refusalOf(await expected(get(`${paths.concepts}/-`)));
  return { prerendered: { lists, prefixes, concepts: await Promise.all(concepts), conceptNotFound }, files };
}

/** A page of the list has a query, by which no server finds a file; no code begins with a dot. */
function listPath(path: string): string {
  return path.replace("?page=", "/.page-");
}

function withEmptyNonce(page: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder().decode(page).replaceAll(` nonce="${LAW_NONCE}"`, " nonce"));
}
