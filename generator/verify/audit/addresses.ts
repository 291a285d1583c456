/**
 * Checks addresses of other hosts. A machine that follows links stays on this service: apart from
 * its own origin, a document names only the standards it follows and the hosts that the registry
 * itself publishes. Prose may link anywhere.
 */
import { addedResources } from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { INTERFACE_FILE, resources, SHELL_FILE } from "../../../runtime/contract/policy.ts";
import { LOG_TITLE } from "../../contract/reference.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { memberAt } from "./json.ts";
import type { Dist, Documents, Faults, Known } from "./parts.ts";

/** Origins in names, profiles and dialects, which are compared and never fetched. */
const STANDARDS = new Set([
  "http://www.sitemaps.org",
  "http://www.w3.org",
  "https://json-schema.org",
  "https://schemas.agentskills.io",
  "https://static.modelcontextprotocol.io",
  "https://www.rfc-editor.org",
]);

/**
 * The origins of all addresses in a text, each with anything before its host, such as a user name.
 */
export function originsIn(text: string): Set<string> {
  const found = text.matchAll(
    /:\/\/(?<=(?<![a-zA-Z0-9+.-])([a-zA-Z][a-zA-Z0-9+.-]{0,30}):\/\/)[^\s"'<>()`\\{}|,;/?#]{0,300}/g,
  );
  const origins = new Set<string>();
  for (const [rest, scheme = ""] of found) origins.add((scheme + rest).toLowerCase().replace(/[.:!]+$/, ""));
  return origins;
}

/**
 * The paths of addresses with the origin; a full stop or comma after one belongs to the sentence.
 */
export function* addressesIn(text: string, origin: string): Generator<string, void> {
  for (let at = text.indexOf(origin); at >= 0; at = text.indexOf(origin, at + 1)) {
    const rest = /^[^\s"'<>()`\\{}|,;]*/.exec(text.slice(at + origin.length, at + origin.length + 300))?.[0] ?? "";
    const address = rest.replace(/[.:!?]+$/, "");
    // Otherwise it is the origin itself, or another origin that begins like it.
    if (address.startsWith("/")) yield address;
  }
}

/** Files with prose for people. */
const PROSE: ReadonlySet<string> = new Set([
  ...resources.flatMap(({ variants }) => variants.filter(({ policy }) => policy === "html").map(({ file }) => file)),
  SHELL_FILE,
  INTERFACE_FILE,
  paths.answersJson,
  paths.answersMarkdown,
  paths.apiReferenceJson,
  paths.apiReferenceMarkdown,
]);
/** The files inside a kit are checked instead; assets belong to the owner. */
const OTHER = /\.(?:zip|index)$|^assets\//;
/** The owner chooses the contact. */
const CONTACT = /^Contact: .*$/gm;
/** Where files have the address of the transparency log: the owner names it, no release has it. */
const LOG: ReadonlyMap<string, RegExp> = new Map([
  [paths.apiCatalog, new RegExp(`"href": "[^"]*",\\s*"type": "text/plain",\\s*"title": "${LOG_TITLE}"`, "g")],
  [INTERFACE_FILE, /^\{\s*"log": \{\s*"address": "[^"]*"/g],
]);

/** The text of a file without the address of the log. */
export function withoutLog(file: string, text: string): string {
  return text.replaceAll(LOG.get(file) ?? /$^/g, "");
}

/**
 * The hosts that documents may name, with those in the owner's texts: names, acknowledgements,
 * concepts.
 */
export function knownOrigins(
  { origin, registry }: Manifest,
  documents: Documents,
  inConcepts: Iterable<string>,
): Known {
  const [retired, history] = [paths.retired, paths.history].map((path) => documents.get(path));
  const texts = JSON.stringify([registry.name, memberAt(retired, "retired"), memberAt(history, "releases")]);
  return { origin, published: new Set([...inConcepts, ...[...originsIn(texts)].filter((one) => one !== origin)]) };
}

export function checkForeign(dist: Dist, known: Known): Faults {
  return dist.names.flatMap((name) => {
    if (PROSE.has(`/${name}`) || OTHER.test(name) || addedResources([`/${name}`]).length > 0) return [];
    const text = dist.text(name) ?? "";
    const isSecurity = `/${name}` === paths.securityText;
    const own = isSecurity ? text.replaceAll(CONTACT, "") : withoutLog(`/${name}`, text);
    return foreignIn(own, known).map((origin) => `${name}: ${origin}`);
  });
}

/** Other hosts that a text names, as faults. */
export function foreignIn(text: string, { origin, published }: Known): string[] {
  const quoted = [...published];
  return (
    [...originsIn(text)]
      .filter((found) => found !== origin && !STANDARDS.has(found))
      // A fixture appends a character to an expression, which may be an address.
      .filter((found) => !quoted.some((one) => found.startsWith(one)))
      .map((found) => `names ${found}, which is another host`)
  );
}
