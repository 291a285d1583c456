/**
 * Prints again what a release holds without an owner's prose, from its own index, manifest and
 * records, with the printers of the build, and compares every byte. So a document cannot say
 * anything that this program would not say of this registry, in whatever member, rule or header.
 * The only part of verify that imports the builder; what it must not believe, such as keys, sums
 * and archives, is judged before it, without it.
 */
import { addedResources, COLLECTIONS_PATH, SKOS_TURTLE_PATH } from "../../runtime/contract/added-resources.ts";
import type { Collections } from "../../runtime/contract/collection.ts";
import type { ConceptNotes } from "../../runtime/contract/concept-notes.ts";
import type { MCPConnectionManifest } from "../../runtime/contract/mcp.ts";
import type { Manifest } from "../../runtime/contract/inputs.ts";
import { paths } from "../../runtime/contract/paths.ts";
import type { Linkset } from "../../runtime/contract/representation.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { formatDocument, isObject } from "../../runtime/text/json.ts";
import type { ServerCard } from "../contract/agent-discovery.ts";
import type { RegistryChanges } from "../contract/changes.ts";
import type { RegistryHistory, RetiredCodes } from "../contract/history.ts";
import { type Answers, type ApiReference, LOG_TITLE } from "../contract/reference.ts";
import { answers } from "../documents/answers.ts";
import { apiReference } from "../documents/api-reference.ts";
import { makeBook, Press } from "../documents/book.ts";
import type { Book } from "../documents/document.ts";
import { programAssets, readPrograms } from "../documents/documents.ts";
import { DOCUMENTS } from "../documents/table.ts";
import type { Effects, MemoryBudget } from "../effects/effects.ts";
import { ProofError } from "../integration/classifier.ts";
import { gatherFacts } from "../facts/facts.ts";
import type { CheckedRegistry } from "../registry/checked.ts";
import { Concepts } from "../registry/concepts.ts";
import { conceptIn } from "../registry/published-concept.ts";
import { reversedDomain } from "../text/domain.ts";
import { makeView, type View } from "../view/view.ts";
import { changesIn } from "./audit/documents.ts";
import { readObject } from "./audit/json.ts";
import type { Dist, Faults, Parts } from "./audit/parts.ts";

/** Call it for a release without other faults: its documents have their schemas. */
export async function checkReprint({ dist, documents }: Parts, effects: Effects): Promise<Faults> {
  const { index, manifest } = dist;
  if (index === undefined || manifest === undefined) return [];
  const release: Release = { dist, documents, index, manifest };
  const view = viewOf(release, effects);
  try {
    const { bodies, texts } = await printAgain(release, view, effects);
    const files = manifest.files.map(({ path }) => `/${path}`);
    const foreign = files.filter((file) => isAdded(file) && !texts.has(file) && !bodies.has(file));
    return [
      ...[...bodies].flatMap(([file, body]) => faultOf(dist, file, body)),
      ...foreign.map((file) => `${file.slice(1)}: is not a document that this program prints for this registry`),
    ];
  } catch (error) {
    if (error instanceof ProofError) return [`The kits cannot be made again: ${error.message}`];
    throw error;
  }
}

interface Release extends Pick<Parts, "dist" | "documents"> {
  readonly index: RegistryIndex;
  readonly manifest: Manifest;
}

/** Documents with prose are quoted as the release has them. */
async function printAgain(release: Release, view: View, effects: Effects): Promise<Press> {
  const { dist } = release;
  const programs = readPrograms(effects);
  const parts = { handoffs: programs.handoffs, table: DOCUMENTS };
  const book = await makeBook(view, parts);
  const quoted = DOCUMENTS.filter(({ judged }) => judged !== undefined).flatMap(({ path, catalog }) => {
    const at = catalog?.at?.(view) ?? path;
    return dist.files.includes(at) ? [[at, dist.text(at.slice(1)) ?? ""] as const] : [];
  });
  const press = new Press(book, DOCUMENTS, quoted);
  press.add(press.rows((row) => row.judged === undefined && row.needs === undefined));
  press.add(aroundProse(release, book));
  press.add(press.rows((row) => row.needs === "rest"));
  press.add(
    Object.values(programAssets(programs)).map(({ name, bytes }) => [`${paths.assets}/${name}`, bytes] as const),
  );
  return press;
}

/** What is said around an owner's answers and sections, which are taken as the release has them. */
function aroundProse(release: Release, { view, description }: Book): [file: string, text: string][] {
  const { answers: said } = documentOf(release, paths.answersJson) as Answers;
  const { sections } = documentOf(release, paths.apiReferenceJson) as ApiReference;
  const pathOf = (url: string): string => (url.startsWith(view.origin) ? url.slice(view.origin.length) : url);
  const sources = said.map(({ id, question, audience, answer, evidence }) => ({
    id,
    question,
    audience,
    markdown: answer,
    file: "",
    evidence: evidence.map(({ title, url }) => ({ title, path: pathOf(url) })),
  }));
  const written = sections.map(({ id, title, text }) => ({ id, title, markdown: text, file: "" }));
  return [
    [paths.answersJson, formatDocument(answers(view, sources))],
    [paths.apiReferenceJson, formatDocument(apiReference(view, description, written))],
  ];
}

/** Whether a file is served as a document that only some releases have, and is not a page. */
function isAdded(file: string): boolean {
  return addedResources([file]).some(({ variants: [{ policy }] }) => policy !== "html");
}

function faultOf(dist: Dist, file: string, body: string | Uint8Array): Faults {
  const name = file.slice(1);
  const expected = Buffer.from(body);
  const bytes = dist.read(name);
  if (bytes !== undefined && expected.equals(bytes)) return [];
  if (bytes === undefined) return [`${name}: missing`];
  if (typeof body !== "string") return [`${name}: is not the archive that this program makes of this registry`];
  const [own, due] = [dist.text(name)?.split("\n") ?? [], body.split("\n")];
  const line = due.findIndex((text, i) => text !== own[i]);
  const at = line < 0 ? due.length : line + 1;
  return [`${name}: line ${at} is not what this program prints for this registry`];
}

/** What documents are printed from, as the release itself has it. */
function viewOf(release: Release, budget: MemoryBudget): View {
  const { dist, index, manifest } = release;
  const { service } = documentOf(release, paths.mcpServer) as MCPConnectionManifest;
  const description = isObject(service) ? service["description"] : undefined;
  const card = documentOf(release, paths.serverCard) as ServerCard;
  const { publisher, contact } = contactOf(release);
  const log = logOf(release);
  const site = {
    name: card.title,
    description: asText(description),
    summary: card.description,
    rdf: dist.files.includes(SKOS_TURTLE_PATH),
    ...(publisher !== undefined && { publisher: { name: publisher, domain: domainOf(card) } }),
    ...(contact !== undefined && { contact }),
    ...(log !== undefined && { log }),
  };
  const registry = registryOf(release, budget);
  return makeView({ registry, origin: manifest.origin, index, facts: gatherFacts(registry.concepts) }, site);
}

function domainOf({ name }: ServerCard): string {
  return reversedDomain(name.slice(0, name.indexOf("/")));
}

/** An address is at the service itself: machine documents name no other host. */
function contactOf({ dist, manifest }: Release): { readonly publisher?: string; readonly contact?: string } {
  const info = readObject(dist.read(paths.openapi.slice(1)))?.["info"];
  const contact = isObject(info) && isObject(info["contact"]) ? info["contact"] : {};
  const [name, email, url] = [asText(contact["name"]), asText(contact["email"]), asText(contact["url"])];
  return {
    ...(name !== "" && { publisher: name }),
    ...(email !== "" && { contact: `mailto:${email}` }),
    ...(url !== "" && { contact: url.slice(manifest.origin.length) }),
  };
}

/** The address of the transparency log. */
function logOf(release: Release): string | undefined {
  const { linkset } = documentOf(release, paths.apiCatalog) as Linkset;
  const links = linkset.flatMap((context) => context["service-meta"] ?? []);
  return links.find(({ title }) => title === LOG_TITLE)?.href.replace(/\/checkpoint$/, "");
}

/** What is no text is printed as none, and so found. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function registryOf(release: Release, budget: MemoryBudget): CheckedRegistry {
  const { dist, documents, index, manifest } = release;
  const { name, registryVersion, contentSha256 } = manifest.registry;
  const concepts = new Concepts(budget);
  for (let id = 0; id < index.conceptCount; id++) concepts.add(conceptOf(index, id));
  const { retired } = documentOf(release, paths.retired) as RetiredCodes;
  const { releases } = documentOf(release, paths.history) as RegistryHistory;
  const { collections } = (documents.get(COLLECTIONS_PATH) ?? { collections: [] }) as Collections;
  const changes = changesIn(dist).map((file) => documentOf(release, `/${file}`) as RegistryChanges);
  const days = new Map(changes.map((record) => [record.registryVersion, record.releasedOn]));
  const order = new Map(releases.map((entry, i) => [entry.registryVersion, i]));
  const placeOf = (record: RegistryChanges): number => order.get(record.registryVersion) ?? 0;
  return {
    name,
    registryVersion,
    nearForms: index.hasNearForms,
    contentSha256,
    concepts,
    collections,
    retired: retired.map(({ name: called, reason, ...entry }) => ({
      ...entry,
      ...(called !== null && { name: called }),
      ...(reason !== null && { reason }),
    })),
    history: releases.map(({ acknowledgement, reassigned, log, ...entry }) => {
      const releasedOn = days.get(entry.registryVersion) ?? null;
      return {
        ...entry,
        memorySha256: "",
        ...(releasedOn !== null && { releasedOn }),
        ...(acknowledgement !== null && { acknowledgement }),
        ...(log !== null && { log }),
        ...(reassigned.length > 0 && { reassigned }),
      };
    }),
    changes: changes
      .sort((a, b) => placeOf(a) - placeOf(b))
      .map(({ registryVersion: version, previous, contentSha256: sha256, resolutions, concepts: changed }) => {
        return { registryVersion: version, previous, contentSha256: sha256, resolutions, concepts: changed };
      }),
  };
}

function conceptOf(index: RegistryIndex, id: number): Parameters<Concepts["add"]>[0] {
  const { notes } = index.concept(id);
  const { notations } = notes.length === 0 ? {} : (JSON.parse(textOf(index.read(notes))) as ConceptNotes);
  return { ...conceptIn(index, id), ...(notations !== undefined && { said: { notations } }) };
}

/** A document that was judged by its schema before. */
function documentOf({ dist, documents }: Release, file: string): unknown {
  return documents.get(file) ?? readObject(dist.read(file.slice(1)));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
