/**
 * Checks the small files for crawlers, tools and agents: each has all addresses of this release
 * that it must have.
 */
import { addedResources, prefixesIn } from "../../../runtime/contract/added-resources.ts";
import { paths, policies, REFERENCE_AREAS, referencePath, resources } from "../../../runtime/contract/policy.ts";
import { product } from "../../../runtime/contract/product.ts";
import { essenceOf } from "../../../runtime/http/media-type.ts";
import { isDay } from "../../text/day.ts";
import { changesIn } from "../integrity/documents.ts";
import { asObject, memberAt } from "../integrity/json.ts";
import type { Dist, Documents, Faults, Parts, RegistryFacts } from "../integrity/parts.ts";
import { readinessOf } from "./facts.ts";

export function checkSite({ documents, dist, known: { origin }, facts }: Parts): Faults {
  const faults = [
    ...checkCatalog(documents, origin, dist),
    ...(facts === undefined ? [] : checkSitemap(dist, origin, facts)),
    ...(facts === undefined ? [] : checkInstructions(dist, origin, facts)),
  ];
  const text = (path: string): string | undefined => dist.text(path.slice(1));
  const robots = text(paths.robots);
  const expected = `User-agent: *\nAllow: /\nDisallow: ${paths.resolvePage}\n\nSitemap: ${origin}${paths.sitemap}\n`;
  if (robots !== undefined && robots !== expected) faults.push(`${paths.robots.slice(1)}: not the rules for crawlers`);
  const security = text(paths.securityText);
  if (security !== undefined && !isSecurityText(security, origin))
    faults.push(`${paths.securityText.slice(1)}: not a contact, an expiry, a language and its own address`);
  const llms = text(paths.llms);
  const linked = [...LLMS, ...(changesIn(dist).length === 0 ? [] : [paths.changesFeed])];
  const missing = llms === undefined ? [] : linked.filter((path) => !llms.includes(`](${origin}${path})`));
  faults.push(...missing.map((path) => `${paths.llms.slice(1)}: does not link to ${path}`));
  return faults;
}

const LLMS: readonly string[] = [
  paths.connect,
  paths.agentInstructions,
  paths.capabilities,
  paths.agentTool,
  paths.mcpServer,
  paths.adoptionGuide,
  paths.readiness,
  paths.studio,
  paths.studioPage,
  paths.answersMarkdown,
  paths.apiReferenceMarkdown,
  paths.openapi,
  paths.mcpGuide,
  paths.status,
  paths.concepts,
  paths.bundle,
  paths.retired,
  paths.history,
  paths.coverage,
  paths.coveragePage,
  paths.apiCatalog,
  paths.discovery,
];

/** RFC 9116: the owner chooses the contact, which is not plain HTTP elsewhere, and the expiry. */
function isSecurityText(text: string, origin: string): boolean {
  const form =
    /^Contact: (\S+)\nExpires: (\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|[+-]\d{2}:\d{2}))\nPreferred-Languages: en\nCanonical: (\S+)\n$/;
  const [, contact = "", expires = "", canonical] = form.exec(text) ?? [];
  const isContact = contact.startsWith(`${origin}/`) || /^(?:https:\/\/[^/]|(?:mailto|tel):[^/])/i.test(contact);
  return isContact && isDay(expires.slice(0, 10)) && canonical === origin + paths.securityText;
}

/** The sitemap protocol's limit. */
const SITEMAP_MAX = 50_000;
const PAGES = [
  paths.home,
  paths.conceptPages,
  paths.coveragePage,
  paths.answers,
  paths.apiReference,
  ...REFERENCE_AREAS.map(referencePath),
  paths.mcpGuide,
  paths.studioPage,
];

/** The sitemap lists the pages, as many concepts as fit, and nothing else. */
function checkSitemap(dist: Dist, origin: string, { codes }: RegistryFacts): Faults {
  const text = dist.text(paths.sitemap.slice(1));
  if (text === undefined) return [];
  const lineOf = (path: string): string => `  <url><loc>${origin}${path}</loc></url>\n`;
  const prefixes = ["", ...prefixesIn(dist.files)];
  const own = addedResources(dist.files)
    .flatMap(({ path, variants: [{ policy }] }) => (policy === "html" ? [path] : []))
    .filter((path) => !prefixes.some((prefix) => prefix !== "" && `${path}/`.startsWith(`${prefix}/`)))
    .toSorted();
  // An owner may hide any page except the home page.
  const english = [...PAGES.filter((path) => path === paths.home || text.includes(lineOf(path))), ...own];
  const pages = prefixes.flatMap((prefix) =>
    english.map((path) => (prefix !== "" && path === paths.home ? prefix : prefix + path)),
  );
  const concepts = prefixes
    .flatMap((prefix) => codes.map((code) => `${prefix}${paths.conceptPages}/${code}`))
    .slice(0, SITEMAP_MAX - pages.length);
  const lines = [...pages, ...concepts].map(lineOf);
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  return text === `${head}${lines.join("")}</urlset>\n`
    ? []
    : [`${paths.sitemap.slice(1)}: not the pages and concepts of this release`];
}

/** The operating rules name the service, the release and the content of the registry. */
function checkInstructions(dist: Dist, origin: string, facts: RegistryFacts): Faults {
  const name = paths.agentInstructions.slice(1);
  const text = dist.text(name);
  if (text === undefined || dist.manifest === undefined) return [];
  const { status, exactResolutionReady, registryVersion, publishedConcepts, reviewedExactExpressions } = readinessOf(
    dist.manifest,
    facts,
  );
  const wanted = [
    `Service: ${origin}`,
    `Release: ${product.packageVersion} (${product.classification}), ${product.updated}`,
    `Registry version: ${registryVersion}`,
    `Readiness: ${status} (exact resolution ready: ${exactResolutionReady ? "yes" : "no"}; ${publishedConcepts} concepts, ${reviewedExactExpressions} reviewed exact expressions)`,
    `POST ${origin}${paths.resolve}`,
    `All rules, in full: ${origin}${paths.capabilities}`,
    `MCP: ${origin}${paths.mcp}, manifest ${origin}${paths.mcpServer}`,
  ];
  const lines = new Set(text.split("\n"));
  return wanted.filter((line) => !lines.has(line)).map((line) => `${name}: lacks the line "${line}"`);
}

/**
 * The catalog lists both APIs, and for each API its description, documentation and metadata (RFC
 * 9727, RFC 8631).
 */
function checkCatalog(documents: Documents, origin: string, dist: Dist): Faults {
  const value = documents.get(paths.apiCatalog);
  if (value === undefined) return [];
  const contexts = memberAt(value, "linkset") as Readonly<Record<string, unknown>>[];
  const all = contexts.flatMap(({ anchor, ...relations }) =>
    Object.entries(relations).flatMap(([relation, links]) =>
      (links as unknown[]).map((link) => ({ anchor: String(anchor), relation, href: "", ...asObject(link) })),
    ),
  );
  const found = all.map(({ anchor, relation, href }) => `${anchor} ${relation} ${href}`);
  const variants = [...resources, ...addedResources(dist.files)].flatMap((resource) => resource.variants);
  const types = new Map([
    ...variants.map(({ location, policy }) => [origin + location, essenceOf(policies[policy].mediaType)] as const),
    ...[paths.concepts, paths.deployment].map((path) => [origin + path, policies.json.mediaType] as const),
  ]);
  // A link to a resource that accepts only POST has no type.
  const mistyped = all.filter((link: { href: string; type?: unknown }) => types.get(link.href) !== link.type);
  const added: typeof CATALOG = [
    ...(changesIn(dist).length === 0 ? [] : CHANGES_LINKS),
    ...addedResources(dist.files)
      .filter(({ variants: [{ policy }] }) => policy === "bundle" || policy === "turtle" || policy === "jsonld")
      .map(({ path }) => [paths.resolve, "service-meta", path] as const),
  ];
  const expected = [...CATALOG, ...added].map(
    ([anchor, relation, path]) => `${origin}${anchor} ${relation} ${origin}${path}`,
  );
  const missing = expected.filter((one) => !found.includes(one));
  const others = found.filter((one, i) => !expected.includes(one) || found.indexOf(one) !== i);
  return [
    ...missing.map((one) => `${paths.apiCatalog.slice(1)}: lacks ${one}`),
    ...others.map((one) => `${paths.apiCatalog.slice(1)}: has ${one}, which is not a link of a catalog`),
    ...mistyped.map(({ href }) => `${paths.apiCatalog.slice(1)}: its type for ${href} is not that of the response`),
  ];
}

const CHANGES_LINKS: readonly (readonly [anchor: string, relation: string, path: string])[] = [
  [paths.resolve, "service-doc", paths.changesPage],
  [paths.resolve, "service-meta", paths.changesFeed],
];

const SHARED = [
  ["service-meta", paths.discovery],
  ["service-meta", paths.deployment],
  ["status", paths.status],
] as const;

const CATALOG: readonly (readonly [anchor: string, relation: string, path: string])[] = [
  ...[paths.resolve, paths.concepts, paths.mcp].map((path) => [paths.apiCatalog, "item", path] as const),
  [paths.resolve, "service-desc", paths.openapi],
  ...[paths.apiReference, paths.answers, paths.apiReferenceMarkdown, paths.studioPage, paths.coveragePage].map(
    (path) => [paths.resolve, "service-doc", path] as const,
  ),
  ...[
    paths.wellKnownCapabilities,
    paths.connect,
    paths.agentTool,
    paths.agentInstructions,
    paths.readiness,
    paths.studio,
    paths.retired,
    paths.history,
    paths.coverage,
  ].map((path) => [paths.resolve, "service-meta", path] as const),
  ...SHARED.map(([relation, path]) => [paths.resolve, relation, path] as const),
  [paths.mcp, "service-desc", paths.mcpServer],
  [paths.mcp, "service-doc", paths.mcpGuide],
  ...SHARED.map(([relation, path]) => [paths.mcp, relation, path] as const),
];
