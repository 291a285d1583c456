/**
 * The pages that are rendered at reply time, from the compiled index into the prerendered shell:
 * the concept browser, and the outcome of the home page's form for browsers without script. They
 * show what the API answers and decide nothing.
 */
import { CONCEPT_HISTORY_PATH, contextPath, SKOS_TURTLE_PATH } from "../contract/added-resources.ts";
import type { ConceptDetail } from "../contract/concept.ts";
import { findHistory } from "../contract/concept-history.ts";
import type { ResolveEnvelope } from "../contract/resolution.ts";
import { type PageContent, parseShell } from "../pages/page.ts";
import { type ConceptLinks, conceptPage } from "../pages/concept.ts";
import { notFoundPage, type RetiredCode } from "../pages/not-found.ts";
import { resolutionPage, type ResolutionOutcome } from "../pages/resolution.ts";
import { paths, SHELL_FILE } from "../contract/policy.ts";
import { queryOf, readParameter } from "../http/parameter.ts";
import type { RegistryIndex } from "../registry/index.ts";
import { documentOf, type Served } from "../release/served.ts";
import { answerProblem } from "./answer.ts";
import { answerRequest } from "../registry/answer.ts";
import { untilHeld } from "../registry/block-source.ts";
import { conceptsContent, textOf } from "./concept-list.ts";
import { answerNotFoundPage, answerPage, type PageContext } from "./answer-page.ts";
import type { Request, Route } from "./route.ts";

/** The routes of the rendered pages: concept list, concept, outcome of the form. */
export interface PageRoutes {
  readonly concepts: Route;
  readonly concept: Route;
  readonly resolve: Route;
}

export function pageRoutes({ index, manifest, documents }: Served, pages: PageContext): PageRoutes {
  const fill = parseShell(decoder.decode(documentOf({ documents }, SHELL_FILE)));
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
      const content = await conceptsContent({ index, documents }, queryOf(request.target));
      if ("status" in content) return answerProblem(request, content);
      return answerPage(request, pages, {
        page: fill(content),
        contentLocation: locationOf(paths.conceptPages, request),
      });
    },
    async concept(request) {
      const { code = "" } = request.parameters;
      const detail = await untilHeld(() => readDetail(index, code));
      const history = detail && (await untilHeld(() => findHistory(changes(), code)));
      if (detail === undefined) return answerNotFoundPage(pages, fill(notFoundPage(code, retired().get(code))));
      const contentLocation = `${manifest.origin}${paths.conceptPages}/${code}`;
      return answerPage(request, pages, { page: fill(conceptPage(detail, links, history)), contentLocation });
    },
    async resolve(request) {
      const content = await untilHeld(() => resolutionContent(index, queryOf(request.target)));
      return answerPage(request, pages, {
        page: fill(content),
        contentLocation: locationOf(paths.resolvePage, request),
      });
    },
  };
}

function readRetired(documents: Served["documents"]): ReadonlyMap<string, RetiredCode> {
  const { retired } = JSON.parse(decoder.decode(documentOf({ documents }, paths.retired))) as {
    retired: RetiredCode[];
  };
  return new Map(retired.map((one) => [one.code, one]));
}

function readDetail(index: RegistryIndex, code: string): ConceptDetail | undefined {
  const id = index.conceptId(code);
  if (id === undefined) return undefined;
  return JSON.parse(decoder.decode(index.read(index.concept(id).detail))) as ConceptDetail;
}

/** The API's answer, for people. A field that cannot be read is refused, never ignored. */
function resolutionContent(index: RegistryIndex, query: string): PageContent {
  const [expression, language] = [readParameter(query, "expression"), readParameter(query, "language")];
  const unreadable = [expression, language].some((value) => typeof value === "object");
  const outcome = unreadable
    ? ({ kind: "refused", message: "Each field may be given once, as percent-encoded UTF-8" } as const)
    : outcomeOf(index, textOf(query, "expression"), textOf(query, "language"));
  return resolutionPage({
    expression: textOf(query, "expression"),
    language: textOf(query, "language"),
    outcome: expression === undefined ? undefined : outcome,
  });
}

function outcomeOf(index: RegistryIndex, expression: string, language: string): ResolutionOutcome {
  const request = language === "" ? { expression } : { expression, language };
  const answer = answerRequest(index, request);
  if (!answer.ok) return { kind: "refused", message: answer.problem.message };
  const { data } = JSON.parse(answer.envelope) as ResolveEnvelope;
  return { kind: data.status, data };
}

const decoder = new TextDecoder();
