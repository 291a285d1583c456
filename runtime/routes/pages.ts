/**
 * The pages that are rendered at reply time, from the compiled index into the prerendered shell:
 * the concept browser, and the outcome of the home page's form for browsers without script. They
 * show what the API answers and decide nothing.
 */
import { CONCEPT_HISTORY_PATH, contextPath, SKOS_TURTLE_PATH } from "../contract/added-resources.ts";
import type { ConceptNotes } from "../contract/concept-notes.ts";
import { type ConceptDetail, findHistory } from "../contract/concept.ts";
import type { Interface } from "../contract/inputs.ts";
import type { ResolveEnvelope } from "../contract/resolution.ts";
import { type PageContent, parseShell } from "../pages/page.ts";
import { type ConceptLinks, conceptPage } from "../pages/concept.ts";
import { notFoundPage, type RetiredCode } from "../pages/not-found.ts";
import { resolutionPage, type ResolutionOutcome } from "../pages/resolution.ts";
import { type Texts, textsOf } from "../pages/texts.ts";
import { INTERFACE_FILE, paths, SHELL_FILE } from "../contract/policy.ts";
import { queryOf, readParameter, textOf } from "../http/parameter.ts";
import type { RegistryIndex } from "../registry/index.ts";
import { documentOf, type Served } from "../release/served.ts";
import { answerProblem } from "./answer.ts";
import { answerRequest } from "../registry/answer.ts";
import { untilHeld } from "../registry/block-source.ts";
import { conceptsContent } from "./concept-list.ts";
import { answerNotFoundPage, answerPage, type PageContext } from "./representation.ts";
import type { Request, Route } from "./route.ts";

/** The routes of the rendered pages of a language: concept list, concept, outcome of the form. */
export interface PageRoutes {
  /** Before each path; empty for English. */
  readonly prefix: string;
  readonly concepts: Route;
  readonly concept: Route;
  readonly resolve: Route;
}

/** `prefix` is that of a language of the release: what its file of texts has, or nothing for English. */
export function pageRoutes(
  { index, manifest, documents }: Served,
  pages: PageContext,
  prefix: string,
): Omit<PageRoutes, "prefix"> {
  const { texts, fill } = interfaceOf(documents, prefix);
  // With a query, the path alone does not name this page (RFC 9110 §8.7), so it has no
  // Content-Location.
  const locationOf = (path: string, { target }: Request): string | undefined =>
    queryOf(target) === "" ? manifest.origin + path : undefined;
  let changed: string | undefined;
  const changes = (): string => (changed ??= documents.has(CONCEPT_HISTORY_PATH) ? decoder.decode(documentOf({ documents }, CONCEPT_HISTORY_PATH)) : ""); // prettier-ignore
  const links: ConceptLinks = { hasContext: documents.has(contextPath(manifest.registry.registryVersion)), hasSkos: documents.has(SKOS_TURTLE_PATH) }; // prettier-ignore
  let read: ReadonlyMap<string, RetiredCode> | undefined;
  const retired = (): ReadonlyMap<string, RetiredCode> => (read ??= readRetired(documents));
  return {
    async concepts(request) {
      const content = await conceptsContent({ index, documents }, queryOf(request.target), texts);
      if ("status" in content) return answerProblem(request, content);
      return answerPage(request, pages, {
        page: fill(content, paths.conceptPages),
        contentLocation: locationOf(prefix + paths.conceptPages, request),
      });
    },
    async concept(request) {
      const { code = "" } = request.parameters;
      const found = await untilHeld(() => readConcept(index, code));
      if (found === undefined) {
        const gone = await untilHeld(() => retiredCode(index, retired().get(code)));
        return answerNotFoundPage(pages, fill(notFoundPage(code, gone, texts), paths.conceptPages));
      }
      const history = await untilHeld(() => findHistory(changes(), code));
      const path = `${paths.conceptPages}/${code}`;
      const contentLocation = manifest.origin + prefix + path;
      return answerPage(request, pages, { page: fill(conceptPage(found.detail, { ...links, notes: found.notes, history }, texts), path), contentLocation }); // prettier-ignore
    },
    async resolve(request) {
      const content = await untilHeld(() => resolutionContent(index, queryOf(request.target), texts));
      return answerPage(request, pages, {
        page: fill(content, paths.resolvePage),
        contentLocation: locationOf(prefix + paths.resolvePage, request),
      });
    },
  };
}

function interfaceOf(documents: Served["documents"], prefix: string) {
  const { languages } = JSON.parse(decoder.decode(documentOf({ documents }, INTERFACE_FILE))) as Interface;
  const found = languages.find(({ language }) => language === (prefix === "" ? "en" : prefix.slice(1)));
  if (found === undefined) throw new Error(`${INTERFACE_FILE} has no texts for ${prefix}`);
  const shell = parseShell(found.shell ?? decoder.decode(documentOf({ documents }, SHELL_FILE)));
  return { texts: textsOf(found), fill: (content: PageContent, here: string) => shell(content, { here, prefix }) };
}

function readRetired(documents: Served["documents"]): ReadonlyMap<string, RetiredCode> {
  const { retired } = JSON.parse(decoder.decode(documentOf({ documents }, paths.retired))) as {
    retired: RetiredCode[];
  };
  return new Map(retired.map((one) => [one.code, one]));
}

function retiredCode(index: RegistryIndex, retired: RetiredCode | undefined): RetiredCode | undefined {
  if (retired === undefined || retired.replacedBy === null) return retired;
  return { ...retired, isFollowed: index.conceptId(retired.replacedBy) !== undefined };
}

function readConcept(index: RegistryIndex, code: string): { detail: ConceptDetail; notes: ConceptNotes } | undefined {
  const id = index.conceptId(code);
  if (id === undefined) return undefined;
  const { detail, notes } = index.concept(id);
  return {
    detail: JSON.parse(decoder.decode(index.read(detail))) as ConceptDetail,
    notes: notes.length === 0 ? {} : (JSON.parse(decoder.decode(index.read(notes))) as ConceptNotes),
  };
}

/** The API's answer, for people. A field that cannot be read is refused, never ignored. */
function resolutionContent(index: RegistryIndex, query: string, texts: Texts): PageContent {
  const [expression, language] = [readParameter(query, "expression"), readParameter(query, "language")];
  const unreadable = [expression, language].some((value) => typeof value === "object");
  const outcome = unreadable
    ? ({ kind: "refused", message: "Each field may be given once, as percent-encoded UTF-8" } as const)
    : outcomeOf(index, textOf(query, "expression"), textOf(query, "language"));
  const shown = expression === undefined ? undefined : outcome;
  return resolutionPage(
    { expression: textOf(query, "expression"), language: textOf(query, "language"), outcome: shown },
    texts,
  );
}

function outcomeOf(index: RegistryIndex, expression: string, language: string): ResolutionOutcome {
  const request = language === "" ? { expression } : { expression, language };
  const answer = answerRequest(index, request);
  if (!answer.ok) return { kind: "refused", message: answer.problem.message };
  const { data } = JSON.parse(answer.envelope) as ResolveEnvelope;
  return { kind: data.status, data };
}

const decoder = new TextDecoder();
