/** What the runtime computes, and the documents of a registry (O-16, O-57, O-68 to O-70). */
import {
  COLLECTIONS_PATH,
  CONCEPT_HISTORY_PATH,
  contextPath,
  CONTEXTS_PATH,
  DATASET_PATH,
  HIERARCHY_PATH,
  MAPPINGS_PATH,
  namesPath,
  SKOS_JSONLD_PATH,
  SKOS_TURTLE_PATH,
} from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { formatDocument } from "../../../runtime/text/json.ts";
import { changeDocuments } from "../changes.ts";
import { printCollections } from "../collections.ts";
import type { Document } from "../document.ts";
import { printHierarchy } from "../hierarchy.ts";
import { conceptHistory, mappings } from "../keyed-lines.ts";
import { linkedData } from "../linked-data.ts";
import { printNames } from "../names.ts";
import { registryHistory, retiredCodes, statusDocument } from "../registry.ts";

export const computedDocuments: readonly Document[] = [
  { path: paths.resolve, endpoint: "resolve", method: "POST" },
  { path: paths.mcp, endpoint: "mcp", method: "POST" },
  {
    path: paths.concepts,
    endpoint: "concepts",
    llms: { section: "Registry", title: "Concepts", note: "all published concepts, JSON" },
  },
  {
    path: paths.status,
    endpoint: "status",
    catalog: { relation: "status", of: ["direct", "mcp"], title: "Registry status" },
    llms: { section: "Registry", title: "Status", note: "counts, languages, domains, JSON", order: -1 },
    print: ({ book }) => formatDocument(statusDocument(book.view)),
  },
  {
    path: paths.bundle,
    endpoint: "publicBundle",
    llms: { section: "Registry", title: "Public bundle", note: "one concept per line, newline-delimited JSON" },
  },
];

export const registryDocuments: readonly Document[] = [
  {
    path: paths.retired,
    catalog: { relation: "service-meta", title: "Retired codes" },
    llms: { section: "Registry", title: "Retired codes", note: "with their successors, JSON" },
    operation: {
      tag: "Registry",
      id: "getRetiredCodes",
      summary: "Codes that are never used again",
      description: "Each retired code with its last name and version and, if it has one, its successor.",
      schema: "RetiredCodes",
    },
    print: ({ book }) => formatDocument(retiredCodes(book.view)),
  },
  {
    path: paths.history,
    catalog: { relation: "service-meta", title: "Release history" },
    llms: { section: "Registry", title: "Release history", note: "versions and content digests, JSON" },
    operation: {
      tag: "Registry",
      id: "getHistory",
      summary: "Releases and their content digests",
      description: "Each recorded release of the registry with the digest of its content, oldest first.",
      schema: "RegistryHistory",
    },
    print: ({ book }) => formatDocument(registryHistory(book.view)),
  },
  {
    path: paths.coverage,
    catalog: { relation: "service-meta", title: "Coverage and ambiguity" },
    llms: {
      section: "Registry",
      title: "Coverage",
      note: "concepts by language and domain, ambiguous expressions, JSON",
    },
    operation: {
      tag: "Registry",
      id: "getCoverage",
      summary: "Concepts by language and domain, and ambiguous expressions",
      description:
        "How many concepts each language covers, which ones it lacks, and which expressions several concepts have.",
      schema: "Coverage",
    },
    print: ({ book }) => formatDocument(book.coverage),
  },
  {
    path: paths.coveragePage,
    judged: "prose",
    catalog: { relation: "service-doc", title: "Coverage and ambiguity" },
    llms: { section: "Registry", title: "Coverage page", note: "the same as a picture and lists, HTML" },
  },
  {
    path: paths.changesFeed,
    catalog: { relation: "service-meta", title: "Changes" },
    llms: {
      section: "Registry",
      title: "Changes",
      note: "what each release changed, Atom; a document for each in JSON",
    },
    printAll: ({ book }) => changeDocuments(book.view),
  },
  {
    path: paths.changesPage,
    judged: "prose",
    exists: ({ registry }) => registry.changes.length > 0,
    catalog: { relation: "service-doc", title: "Changes" },
  },
  {
    path: CONCEPT_HISTORY_PATH,
    catalog: { relation: "service-meta", title: "Changes by concept" },
    print: ({ book }) => conceptHistory(book.view),
  },
  {
    path: MAPPINGS_PATH,
    catalog: { relation: "service-meta", title: "Codes by external identifier" },
    print: ({ book }) => mappings(book.view),
  },
  { path: COLLECTIONS_PATH, print: ({ book }) => printCollections(book.view) },
  { path: HIERARCHY_PATH, print: ({ book }) => printHierarchy(book.view) },
  { path: namesPath(), printAll: ({ book }) => printNames(book.view) },
  {
    path: CONTEXTS_PATH,
    judged: "audit",
    catalog: {
      relation: "service-meta",
      title: "JSON-LD context of a concept",
      at: ({ registry }) => contextPath(registry.registryVersion),
    },
    printAll: ({ book }) => linkedData(book.view),
  },
  {
    path: DATASET_PATH,
    judged: "audit",
    catalog: { relation: "service-meta", title: "Description of the concepts as a dataset (VoID, DCAT)" },
  },
  {
    path: SKOS_TURTLE_PATH,
    judged: "audit",
    catalog: { relation: "service-meta", title: "All concepts as SKOS, in Turtle" },
  },
  {
    path: SKOS_JSONLD_PATH,
    judged: "audit",
    catalog: { relation: "service-meta", title: "All concepts as SKOS, in JSON-LD" },
  },
];
