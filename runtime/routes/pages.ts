/**
 * The pages that are rendered at reply time, from the compiled index into the prerendered shell:
 * the concept browser, and the outcome of the home page's form for browsers without script. They
 * show what the API answers and decide nothing.
 */
import type { Interface } from "../contract/inputs.ts";
import { type PageContent, parseShell } from "../pages/page.ts";
import { type Past, resolutionPage } from "../pages/resolution.ts";
import { textsOf } from "../pages/texts.ts";
import { wrongPathPage } from "../pages/wrong-path.ts";
import { paths } from "../contract/paths.ts";
import { INTERFACE_FILE, SHELL_FILE } from "../contract/policy.ts";
import { queryOf } from "../http/parameter.ts";
import { originForm } from "../http/target.ts";
import { documentText, type Served } from "../release/served.ts";
import { answerProblem } from "./answer.ts";
import { untilHeld } from "../registry/block-source.ts";
import { conceptsContent } from "./concept-list.ts";
import { conceptContents } from "./concept-page.ts";
import { answerNotFoundPage, answerPage, type PageContext, VARY_ACCEPT } from "./representation.ts";
import type { Request, Route } from "./route.ts";

/** The routes of one language's rendered pages: concept list, concept, outcome of the form, 404. */
export interface PageRoutes {
  /** Precedes each path; empty for English. */
  readonly prefix: string;
  readonly concepts: Route;
  readonly concept: Route;
  readonly resolve: Route;
  /** The answer to every path that the service does not have. */
  readonly notFound: Route;
}

interface Around {
  readonly context: PageContext;
  readonly past: Past;
}

/** `prefix` is `/` and the tag of a language in INTERFACE_FILE, or empty for English. */
export function pageRoutes(
  release: Served,
  { context: pages, past }: Around,
  prefix: string,
): Omit<PageRoutes, "prefix"> {
  const { index, manifest, documents } = release;
  const { texts, fill, proposals, log } = interfaceOf(documents, prefix);
  const around = { texts, proposals, past, origin: manifest.origin };
  // With a query, the path does not identify this page (RFC 9110 §8.7): no Content-Location then.
  const locationOf = (path: string, { target }: Request): string | undefined =>
    queryOf(target) === "" ? manifest.origin + path : undefined;
  const contentOf = conceptContents(release, { past, log }, texts);
  return {
    async concepts(request) {
      const content = await conceptsContent(release, queryOf(request.target), texts);
      if ("status" in content) return answerProblem(request, content);
      return answerPage(request, pages, {
        page: fill(content, paths.conceptPages),
        contentLocation: locationOf(prefix + paths.conceptPages, request),
      });
    },
    async concept(request) {
      const { code = "" } = request.parameters;
      const { content, isFound } = await contentOf(code);
      if (!isFound) return answerNotFoundPage(pages, fill(content, paths.conceptPages));
      const path = `${paths.conceptPages}/${code}`;
      return answerPage(request, pages, {
        page: fill(content, path),
        contentLocation: manifest.origin + prefix + path,
      });
    },
    async resolve(request) {
      const content = await untilHeld(() => resolutionPage(index, queryOf(request.target), around));
      return answerPage(request, pages, {
        page: fill(content, paths.resolvePage),
        contentLocation: locationOf(prefix + paths.resolvePage, request),
      });
    },
    notFound({ target }) {
      const [path = ""] = originForm(target).split(/[?#]/, 1);
      return answerNotFoundPage(pages, fill(wrongPathPage(path, texts), paths.conceptPages), VARY_ACCEPT);
    },
  };
}

function interfaceOf(documents: Served["documents"], prefix: string) {
  const { languages, proposals, log } = JSON.parse(documentText({ documents }, INTERFACE_FILE)) as Interface;
  const found = languages.find(({ language }) => language === (prefix === "" ? "en" : prefix.slice(1)));
  if (found === undefined) throw new Error(`${INTERFACE_FILE} has no texts for ${prefix}`);
  const shell = parseShell(found.shell ?? documentText({ documents }, SHELL_FILE));
  return {
    texts: textsOf(found),
    proposals,
    log,
    fill: (content: PageContent, here: string) => shell(content, { here, prefix }),
  };
}
