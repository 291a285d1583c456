/**
 * The facts about a release that a host needs: each path with its file and the field lines of its
 * answers, the paths that negotiate, and the refusals. All of them come from the service's own
 * routes.
 */
import { addedResources } from "../../../runtime/contract/added-resources.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import {
  formOf,
  INTERFACE_FILE,
  type Resource,
  policies,
  resources,
  type Variant,
} from "../../../runtime/contract/policy.ts";
import { COMMON_FIELDS } from "../../../runtime/http/representation.ts";
import { BLOCKS_FILE, INDEX_FILE, ROOT_FILE, SUMS_FILE } from "../../../runtime/contract/files.ts";
import type { Served } from "../../../runtime/release/served.ts";
import type { HttpReply } from "../../effects/http-client.ts";
import { type Expect, get } from "./request.ts";

export type Fields = readonly (readonly [name: string, value: string])[];

/** A file, and how it must be answered. */
export interface HostedFile {
  /** In dist, or among the files of the host; with a leading `/`. */
  readonly file: string;
  readonly isOfDist: boolean;
  readonly mediaType: string;
  /** The other field lines of the 200. */
  readonly fields: Fields;
  /** Those of the 304; undefined if there is none. */
  readonly notModified: Fields | undefined;
  /** With its quotes; undefined for pages, whose bytes are never the same. */
  readonly entityTag: string | undefined;
  readonly isPage: boolean;
}

export interface HostedPath {
  readonly path: string;
  /**
   * In the server's order of preference; more than one, or a refusal, only if the path negotiates.
   */
  readonly variants: readonly [HostedFile, ...HostedFile[]];
  readonly refusal: Refusal | undefined;
  /** Whether only the configuration itself names it. */
  readonly isInternal?: boolean;
}

/** Concepts and lists as files. */
export interface Prerendered {
  /** A page of the list, `/concepts?page=2`, is `/concepts/.page-2` here. */
  readonly lists: readonly HostedPath[];
  /** The prefixes of the paths of pages, by language; that of English, the first, is empty. */
  readonly prefixes: readonly string[];
  readonly concepts: readonly HostedConcept[];
  readonly conceptNotFound: Refusal;
}

export interface HostedConcept {
  readonly code: string;
  readonly document: HostedPath;
  /** In each language. */
  readonly pages: readonly HostedPath[];
}

/** A short answer that a host gives by itself. */
export interface Refusal {
  readonly status: number;
  readonly mediaType: string;
  readonly fields: Fields;
  readonly body: string;
}

/**
 * Files that the resolver in dist, and the script that prints its outcome, read if no runtime
 * resolves; the public bundle has a path of its own.
 */
export const RESOLVER_FILES = [INDEX_FILE, BLOCKS_FILE, ROOT_FILE, SUMS_FILE, INTERFACE_FILE.slice(1)];

/** A regular expression for the paths of recipes. */
export const RECIPES = `^(?:${paths.readinessReports}|${paths.kits})/`;

/**
 * How long a proxy keeps an idle connection to the runtime. The runtime keeps it longer
 * (KEEP_ALIVE_TIMEOUT_MS), because a request on a connection that it is just closing would be lost
 * (RFC 9112 §9.5).
 */
export const PROXY_IDLE_SECONDS = 30;

/** Options that only the owner of a host knows. */
export interface HostOptions {
  /** The folder of dist on the host. */
  readonly root: string;
  /** The folder on the host with the files that are written here. */
  readonly files: string;
  /** The address or port that the server listens on, in its own syntax. */
  readonly listen: string;
  /** Address of a runtime that answers what no file can; without it such paths are not found. */
  readonly runtime: string | undefined;
}

export interface HostTable {
  readonly origin: string;
  readonly paths: readonly HostedPath[];
  /** RESOLVER_FILES, for a host without a runtime; the service does not serve them. */
  readonly registry: readonly HostedPath[];
  readonly notFound: Refusal;
  readonly recipeNotFound: Refusal;
  readonly methodNotAllowed: Refusal;
  readonly preconditionFailed: Refusal;
  readonly options: Refusal;
  readonly identityUnavailable: Refusal;
  readonly prerendered?: Prerendered;
}

/** The paths that a host has by name; a concept is found by its code. */
export function namedPaths(
  { paths: own, registry, prerendered }: HostTable,
  runtime: string | undefined,
): HostedPath[] {
  return [...own, ...(runtime === undefined ? registry : []), ...(prerendered?.lists ?? [])];
}

/** The values that differ between concepts, or the names that a configuration has for them. */
export interface ConceptNames {
  readonly code: string;
  readonly sha256: string;
  /** The value of Repr-Digest. */
  readonly digest: string;
}

/** The values of a concept that differ from those of others. */
export function valuesOf({ code, document }: HostedConcept): ConceptNames {
  const [{ entityTag = "", fields }] = document.variants;
  return { code, sha256: entityTag.slice(1, -1), digest: fields.find(([name]) => name === "Repr-Digest")?.[1] ?? "" };
}

/**
 * The document and the pages of any concept, derived from those of one: a server would take minutes
 * to read thousands of locations.
 */
export function anyConcept([concept]: readonly HostedConcept[], names: ConceptNames): HostedPath[] {
  if (concept === undefined) return [];
  const { code, sha256, digest } = valuesOf(concept);
  const text = JSON.stringify([concept.document, ...concept.pages])
    .replaceAll(sha256, () => names.sha256)
    .replaceAll(digest, () => names.digest)
    // A code such as A is part of other words too.
    .replaceAll(`/concepts/${code}`, () => `/concepts/${names.code}`);
  return JSON.parse(text) as HostedPath[];
}

/**
 * The paths that take a filter, as regular expressions, and the parameters of its query. Pages link
 * to domains, and the list of all is there for them: its script says that nothing is filtered.
 */
export function filters(prefixes: readonly string[]): { path: string; names: string[] }[] {
  const pages = prefixes.slice(1).join("|");
  return [
    { path: "^/api/v1/concepts$", names: ["q"] },
    { path: `^(?:${pages})?/concepts$`, names: ["q", "in"] },
  ];
}

export function homeOf(prefix: string): string {
  return prefix === "" ? paths.home : prefix;
}

/** The name or address of an origin; a server compares it without the dot that may end a name. */
export function hostOf(origin: string): string {
  return new URL(origin).hostname.replace(/\.$/, "");
}

/** Preconditions that a server would evaluate by its own data about a file, not by the release. */
export const OF_FILES = ["If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"];

/** A page that is a file has styles and scripts from its own origin, and nothing inline. */
export function withoutNonce(value: string): string {
  return value.replaceAll(/'nonce-[^']+'/g, "'self'");
}

/**
 * `expected` answers for a deployment identity that is unavailable: a host of files cannot prove
 * what runs. `digests` has the SHA-256 of each of RESOLVER_FILES.
 */
export async function hostTable(
  release: Served,
  expected: Expect,
  digests: Readonly<Record<string, string>>,
): Promise<HostTable> {
  const refusal = async (method: string, path: string, fields = {}): Promise<Refusal> =>
    refusalOf(await expected({ method, path, fields }));
  const documents = await Promise.all(
    [...resources, ...addedResources(release.documents.keys())].map((resource) => hostedPath(resource, expected)),
  );
  const assets = [...release.assets.keys()].map(async (path): Promise<HostedPath> => ({
    path,
    variants: [fileOf(path, await expected(get(path)))],
    refusal: undefined,
  }));
  const bundle = fileOf(paths.bundle, await expected(get(paths.bundle)));
  return {
    origin: release.manifest.origin,
    paths: [
      ...documents,
      { path: paths.bundle, variants: [bundle], refusal: undefined },
      ...(await Promise.all(assets)),
    ],
    registry: Object.entries(digests).map(([name, digest]) => resolverFile(name, digest)),
    notFound: await refusal("GET", "/nothing-is-here"),
    recipeNotFound: await refusal("GET", `${paths.kits}/-`),
    methodNotAllowed: await refusal("PUT", paths.llms),
    preconditionFailed: await refusal("GET", paths.llms, { "if-match": '"other"' }),
    options: await refusal("OPTIONS", paths.llms),
    identityUnavailable: await refusal("GET", paths.deployment),
  };
}

/**
 * One of RESOLVER_FILES. Its tag is its digest, because a tag of size and time could be that of
 * other bytes (RFC 9110 §8.8.1).
 */
function resolverFile(name: string, digest: string): HostedPath {
  const entityTag = `"${digest}"`;
  const fields = [...pairs(COMMON_FIELDS), ["Cache-Control", "no-cache"], ["ETag", entityTag]] as const;
  const file = `/${name}`;
  const form = name === SUMS_FILE ? "text" : formOf(file);
  const mediaType = form === undefined ? "application/octet-stream" : policies[form].mediaType;
  const variant = { file, isOfDist: true, mediaType, fields, notModified: fields, entityTag, isPage: false };
  return { path: file, variants: [variant], refusal: undefined };
}

function pairs(fields: readonly string[]): Fields {
  return fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1] ?? ""] as const] : []));
}

async function hostedPath({ path, variants, negotiates }: Resource, expected: Expect): Promise<HostedPath> {
  const hosted = async ({ file, policy }: Variant): Promise<HostedFile> =>
    fileOf(file, await expected(get(path, { accept: policies[policy].mediaType })));
  const [first, ...others] = variants;
  const refusal = negotiates ? refusalOf(await expected(get(path, { accept: "image/png" }))) : undefined;
  return { path, variants: [await hosted(first), ...(await Promise.all(others.map(hosted)))], refusal };
}

/** The usual spelling of names, which hosts keep. */
const NAMES: Readonly<Record<string, string>> = { etag: "ETag", "x-content-sha256": "X-Content-SHA256" };
/**
 * Fields that a host sets itself, fields that hold only for the exact bytes of a page, and fields
 * that a 304 does not have.
 */
const OWN = ["content-length", "content-type"];
const OF_BYTES = ["etag", "repr-digest", "x-content-sha256"];
const NOT_OF_304 = ["content-security-policy", "referrer-policy"];

function fieldsOf({ fields }: HttpReply, left: readonly string[] = []): Fields {
  return Object.entries(fields)
    .filter(([name]) => !OWN.includes(name) && !left.includes(name))
    .map(([name, value]) => [
      NAMES[name] ?? name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()),
      value,
    ]);
}

export function fileOf(file: string, reply: HttpReply): HostedFile {
  const { "content-type": mediaType = "", etag } = reply.fields;
  const isPage = mediaType.startsWith("text/html");
  const entityTag = isPage ? undefined : etag;
  const notModified = entityTag === undefined ? undefined : fieldsOf(reply, NOT_OF_304);
  return {
    file,
    isOfDist: true,
    mediaType,
    fields: fieldsOf(reply, isPage ? OF_BYTES : []),
    notModified,
    entityTag,
    isPage,
  };
}

export function refusalOf(reply: HttpReply): Refusal {
  const { "content-type": mediaType = "" } = reply.fields;
  return { status: reply.status, mediaType, fields: fieldsOf(reply), body: new TextDecoder().decode(reply.body) };
}
