/**
 * Requests to an operation with the answers of this release, for the pages of the API reference. An
 * answer that is computed for each request, such as the deployment identity, is not shown; a long
 * one is cut and marked.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { resources } from "../../runtime/contract/policy.ts";
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import {
  mcpRequest,
  requestSamples,
  resolveRequests,
  type SampleRequest,
} from "../../runtime/pages/request-samples.ts";
import { codeBlock } from "../content/highlight.ts";
import type { ApiReference } from "../contract/reference.ts";
import { conceptSummary } from "../registry/published-concept.ts";
import type { Example, Examples } from "../view/examples.ts";
import type { View } from "../view/view.ts";
import { statusDocument } from "./registry.ts";

interface Shown {
  readonly title?: string;
  readonly request: SampleRequest;
  readonly mcp?: SampleRequest;
  /** A JSON value or the text of a document; undefined if none can be shown. */
  readonly answer: unknown;
  /** The complete answer has more than `answer`. */
  readonly isPart?: boolean;
}

interface Inputs {
  readonly examples: Examples;
  /** Texts of documents by their path. */
  readonly texts: ReadonlyMap<string, string>;
}

type Operation = ApiReference["operations"][number];

/** The values that a template prints for each example. */
export function examplesOf(view: View, operation: Operation, inputs: Inputs) {
  const [mediaType = ""] = operation.responses[0]?.mediaTypes ?? [];
  return shownOf(view, operation, inputs).map(({ title = null, request, mcp, answer, isPart = false }) => {
    const { text, isCut } = excerpt(answer, request.body === undefined ? DOCUMENT_LINES : CALL_LINES);
    const isDocument = request.body === undefined && request.url.startsWith(view.origin);
    return {
      title,
      mediaType,
      samples: requestSamples(request, mcp).map(({ id, title: name, language, text: sample }) => {
        return { id, title: name, html: codeBlock(sample, language) };
      }),
      answer: text === "" ? null : codeBlock(text, mediaType.endsWith("json") ? "json" : ""),
      isCut: isCut || isPart,
      href: isDocument ? request.url.slice(view.origin.length) : null,
    };
  });
}

function shownOf(view: View, operation: Operation, inputs: Inputs): Shown[] {
  const { path } = operation;
  const { examples, texts } = inputs;
  const [concept] = view.registry.concepts;
  const code = examples.concept?.code ?? concept?.code;
  const get = (place: string): SampleRequest => ({ url: view.origin + place, as: readAs(operation) });
  switch (path) {
    case paths.resolve:
      return resolutions(view, examples);
    case paths.mcp:
      return messages(view, examples);
    case paths.concepts: {
      const data = view.registry.concepts.first(SHOWN_ITEMS + 1).map((one) => conceptSummary(view, one));
      const count = view.registry.concepts.length;
      const more = count - SHOWN_ITEMS;
      const list = more > 0 ? [...data.slice(0, SHOWN_ITEMS), moreOf(more)] : data;
      return [{ request: get(path), answer: { data: list, count }, isPart: more > 0 }];
    }
    case `${paths.concepts}/{code}`:
      if (code === undefined) return [];
      return [{ request: get(`${paths.concepts}/${code}`), answer: examples.concept }];
    case paths.status: {
      const { publicBundle: _later, ...data } = statusDocument(view).data;
      return [{ request: get(path), answer: { data }, isPart: true }];
    }
    default: {
      const place = path.replace("{recipeId}", RECIPE_IDS[0]);
      const text = texts.get(fileOf(place));
      return [{ request: get(place), answer: text?.startsWith("{") === true ? JSON.parse(text) : text }];
    }
  }
}

/** The file of the representation that a GET without Accept gets. */
function fileOf(path: string): string {
  return resources.find((resource) => resource.path === path)?.variants[0].file ?? path;
}

function readAs({ responses }: Operation): SampleRequest["as"] {
  const [type = ""] = responses[0]?.mediaTypes ?? [];
  return type.endsWith("json") ? "json" : type === "application/zip" ? "bytes" : "text";
}

const TITLES = {
  resolved: "Resolved",
  ambiguous: "Ambiguous: it abstains",
  abstained: "Unknown: it abstains",
} as const;

function resolutions(view: View, examples: Examples): Shown[] {
  return Object.entries(TITLES).flatMap(([kind, title]): Shown[] => {
    const example = examples[kind as keyof typeof TITLES];
    if (example === undefined) return [];
    const [request, mcp] = resolveRequests(view.origin, example.request);
    return [{ title, request, mcp, answer: example.answer }];
  });
}

function messages({ origin }: View, { resolved, abstained }: Examples): Shown[] {
  const { request, answer }: Example = resolved ?? abstained;
  const [, call] = resolveRequests(origin, request);
  const result = { resultType: "complete", structuredContent: answer, isError: false };
  return [
    { title: "Discover", request: mcpRequest(origin, { method: "server/discover" }), answer: undefined },
    { title: "Resolve", request: call, answer: { jsonrpc: "2.0", id: 1, result }, isPart: true },
  ];
}

/** The maximum number of list items and of text lines in an example. */
const SHOWN_ITEMS = 2;
const CALL_LINES = 30;
const DOCUMENT_LINES = 16;

function moreOf(count: number): string {
  return `… and ${count} more`;
}

/**
 * A replacer for JSON.stringify: cuts a long list to its first items and the number of the others.
 */
function shorten(_name: string, value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= SHOWN_ITEMS + 1) return value;
  return [...value.slice(0, SHOWN_ITEMS), moreOf(value.length - SHOWN_ITEMS)];
}

/** A value as indented JSON, or a text, cut to `most` lines. */
function excerpt(value: unknown, most: number): { text: string; isCut: boolean } {
  if (value === undefined) return { text: "", isCut: false };
  const whole = typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
  const text = typeof value === "string" ? whole : JSON.stringify(value, shorten, 2);
  const lines = text.split("\n");
  const shown = lines.length > most ? [...lines.slice(0, most), "…"].join("\n") : text;
  return { text: shown, isCut: shown !== whole };
}
