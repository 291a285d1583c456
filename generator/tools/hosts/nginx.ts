/**
 * Writes the configuration of nginx that serves a release as the service does: a location for each
 * path, maps for preconditions, the JavaScript module for negotiation, a nonce from nginx for
 * pages. There is one file for the http level, and one script.
 */
import { paths } from "../../../runtime/contract/paths.ts";
import { sha256 } from "../../../runtime/http/digest.ts";
import {
  anyConcept,
  type ConceptNames,
  type Fields,
  filters,
  homeOf,
  hostOf,
  namedPaths,
  type HostedFile,
  type HostedPath,
  type HostOptions,
  type HostTable,
  type Prerendered,
  PROXY_IDLE_SECONDS,
  RECIPES,
  type Refusal,
  valuesOf,
} from "./table.ts";

export function nginxConfiguration(table: HostTable, { root, files, listen, runtime }: HostOptions): string {
  const { prerendered } = table;
  // At the level of http, names are those of every file that is included there.
  const site = sha256(Buffer.from(table.origin)).slice(0, 8);
  const all = namedPaths(table, runtime);
  const locations = all.flatMap((hosted, i) => locationsOf(hosted, { name: `p${i}`, site, files }));
  return `# nginx as a host of ${table.origin}: include this file in http {}.
# negotiate.js has to be in the folder of the main configuration file, such as /etc/nginx.
# Negotiation needs the module njs, 0.7.7 or newer: \`load_module modules/ngx_http_js_module.so;\` at the top of nginx.conf.
geo $dollar { default "$"; }
geo $nothing { default ""; }
${[...conditionMaps(site), ...(prerendered === undefined ? [] : conceptMaps(prerendered, site))].join("\n")}
${runtime === undefined ? "" : upstream(site, runtime)}server {
  listen ${listen};
  server_name ${variableName(hostOf(table.origin))};
  root ${quote(root)};
  js_import negotiate from negotiate.js;
  # Only the bytes of the release, without anything that nginx derives from its files.
  gzip off;
  charset off;
  expires off;
  ssi off;
  sub_filter $nothing "";
  etag off;
  if_modified_since off;
  merge_slashes off;
${runtime === undefined ? "" : "  max_ranges 0;\n"}  add_header Last-Modified "";
${ERROR_PAGES.map((line) => `  ${line}`).join("\n")}
${refuse("@not_found", table.notFound)}
${refuse("@method_not_allowed", table.methodNotAllowed)}
${refuse("@precondition_failed", table.preconditionFailed)}
${refuse("@options", table.options)}
${locations.join("\n")}
${prerendered === undefined ? "" : computed(prerendered, { site, files })}
${runtime === undefined ? refuse(`~ ${RECIPES}`, table.recipeNotFound) : ""}
${runtime === undefined ? refuse(`= ${paths.deployment}`, table.identityUnavailable, METHODS) : ""}
  location / {
${runtime === undefined ? "    return 404;" : proxy(site)}
  }
}
`;
}

/**
 * The parts of prerendered paths that no file answers: the page of a list, a filter, an unknown
 * code, the form's answer.
 */
function computed(
  { concepts, conceptNotFound, prefixes }: Prerendered,
  { site, files }: { readonly site: string; readonly files: string },
): string {
  const concept = namesIn(site);
  const found = anyConcept(concepts, concept).flatMap(({ path, variants: [file] }, i) => {
    const more = [`root ${quote(files)};`, `if (${concept.sha256} = "") { return 404; }`];
    const place = { name: `c${i}`, site, more };
    const lines = serve(`~ ^${path.replace(concept.code, "(?<concept>[^/]+)$")}`, file, place);
    return i === 0 ? lines.map((line) => line.replace("404 = @not_found", "404 = @concept_not_found")) : lines;
  });
  const computedPages = prefixes.flatMap((prefix) => [
    `  if ($request_uri ~ "^${prefix}/concepts\\?(?:.*&)?page=(?<page>[1-9][0-9]*)(?:&|$)") { rewrite ^ ${prefix}/concepts/.page-$page; }`,
    `  location = ${prefix}/resolve { absolute_redirect off; return 302 ${homeOf(prefix)}$is_args$args; }`,
  ]);
  const filtered = filters(prefixes).map(
    ({ path, names }) =>
      `  if ($request_uri ~ "${path.replace("$", "\\?")}(?:.*&)?(?:${names.join("|")})=[^&]") { return 404; }`,
  );
  return `${filtered.join("\n")}
${computedPages.join("\n")}
${found.join("\n")}
${refuse("@concept_not_found", conceptNotFound)}
${refuse("~ ^/api/v1/concepts/[^/]+$", conceptNotFound)}`;
}

function namesIn(site: string): ConceptNames {
  return { code: "$concept", sha256: `$concept_sha256_${site}`, digest: `$concept_digest_${site}` };
}

/**
 * Maps the last segment of the path to the values of a concept. nginx finds a value in any case, so
 * each value has its code too, and counts only for that.
 */
function conceptMaps({ concepts }: Prerendered, site: string): string[] {
  if (concepts.length === 0) return [];
  const names = namesIn(site);
  const values = concepts
    .map(valuesOf)
    .map((one) => `${variableName(one.code)} ${quote(Object.values(one).join(" "))};`);
  return [
    `map ${names.code} $concept_${site} { default ""; ${values.join(" ")} }`,
    `map "${names.code} $concept_${site}" ${names.sha256} { default ""; "~^([^ ]+) \\1 ([^ ]+) " $2; }`,
    `map "${names.code} $concept_${site}" ${names.digest} { default ""; "~^([^ ]+) \\1 [^ ]+ (.+)$" $2; }`,
  ];
}

/**
 * nginx does not hash longer keys, and longer names of servers, unless a bucket size is set, so
 * they are regular expressions.
 */
const HASHED_MAX = 46;

function variableName(name: string): string {
  return name.length > HASHED_MAX ? `"~^${name.replaceAll(".", "[.]")}$"` : name;
}

/** An idle connection ends here before the service ends it. */
function upstream(site: string, runtime: string): string {
  const { host } = new URL(runtime);
  return `upstream semantic_resolution_${site} { server ${host}; keepalive 16; keepalive_timeout ${PROXY_IDLE_SECONDS}s; }\n`;
}

/**
 * The runtime checks Host, so it must be the public one; nothing may be stored or changed on the
 * way.
 */
const proxy = (site: string): string => `    proxy_pass http://semantic_resolution_${site};
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Connection "";
    proxy_buffering off;
    proxy_cache off;
    proxy_intercept_errors off;`;

/** Whether the file with `$tag` is fresh for a client (RFC 9110 §13.1.2), or refused (§13.1.1). */
function conditionMaps(site: string): string[] {
  return [
    `map "$tag $http_if_none_match" $fresh_${site} { default ""; "~^[^ ]+ [*]$" 1; ${listed("(?:W/)?")} 1; }`,
    `map "$tag $http_if_match" $refused_${site} { default 1; "~^[^ ]+ [*]?$" ""; ${listed("")} ""; }`,
  ];
}

/** A location: the name of its path, and the site in whose maps its conditions are. */
interface Location {
  readonly name: string;
  readonly site: string;
}

function listed(weak: string): string {
  return `"~^([^ ]+) (?:.*,)?[ \\t]*${weak}\\"\\1\\"[ \\t]*(?:,|$)"`;
}

function locationsOf(hosted: HostedPath, { name, site, files }: Location & { readonly files: string }): string[] {
  const { path, variants, refusal, isInternal = false } = hosted;
  const [only] = variants;
  if (refusal === undefined) {
    const root = [...(isInternal ? ["internal;"] : []), ...(only.isOfDist ? [] : [`root ${quote(files)};`])];
    return serve(`= ${path}`, only, { name, site, more: root });
  }
  const types = variants.map(({ mediaType }) => mediaType).join("|");
  const choice = block(`= ${path}`, [
    ...METHODS,
    `set $variants ${quote(types)};`,
    `set $name ${name};`,
    "js_content negotiate.choose;",
  ]);
  const served = variants.flatMap((variant, i) => serve(`@${name}_${i}`, variant, { name: `${name}_${i}`, site }));
  return [choice, ...served, refuse(`@${name}_none`, refusal)];
}

const METHODS = [
  "if ($request_method = OPTIONS) { return 419; }",
  "if ($request_method !~ ^(?:GET|HEAD)$) { return 405; }",
];

/** A file and, if it can be fresh, its 304, which has no Content-Type. */
function serve(
  location: string,
  file: HostedFile,
  { name, site, more = [] }: Location & { readonly more?: readonly string[] },
): string[] {
  const { entityTag, notModified, mediaType, isPage } = file;
  const own = location.startsWith("@") ? [] : METHODS;
  const conditions =
    entityTag === undefined
      ? always(mediaType)
      : [
          `set $tag ${entityTag};`,
          `if ($refused_${site}) { return 412; }`,
          `if ($fresh_${site}) { return 418; }`,
          `error_page 418 = @fresh_${name};`,
          ...ERROR_PAGES,
        ];
  const page = isPage ? NONCE : [];
  const lines = [
    ...more,
    ...own,
    ...conditions,
    "types {}",
    `default_type ${quote(mediaType)};`,
    ...headers(file.fields.map(([field, value]) => [field, withNonce(value)])),
    ...page,
    `try_files ${file.file} =404;`,
  ];
  if (notModified === undefined) return [block(location, lines)];
  const unchanged = ["types {}", 'default_type "";', ...headers(notModified), WITHOUT_LENGTH, "return 304;"];
  return [block(location, lines), block(`@fresh_${name}`, unchanged)];
}

/** A file without a tag is never fresh, but nginx would answer 304 to `If-None-Match: *`. */
function always(mediaType: string): string[] {
  return [`set $media_type ${quote(mediaType)};`, "js_header_filter negotiate.always;"];
}

/** nginx would send a Content-Length of 0 with a 304 (RFC 9110 §8.6). */
const WITHOUT_LENGTH = "js_header_filter negotiate.withoutLength;";

/** A location with error pages of its own does not inherit those around it. */
const ERROR_PAGES = [
  "error_page 404 = @not_found;",
  "error_page 405 = @method_not_allowed;",
  "error_page 412 = @precondition_failed;",
  "error_page 419 = @options;",
];

/** 128 random bits for each request, in the tags of styles and scripts. */
const NONCE = [
  "sub_filter_once off;",
  "sub_filter_types *;",
  `sub_filter '<link nonce ' '<link nonce="$request_id" ';`,
  `sub_filter '<script nonce ' '<script nonce="$request_id" ';`,
];

function withNonce(value: string): string {
  return value.replaceAll(/'nonce-[^']+'/g, "'nonce-$request_id'");
}

function refuse(
  location: string,
  { status, mediaType, fields, body }: Refusal,
  before: readonly string[] = [],
): string {
  const type = mediaType === "" ? [] : ["types {}", `default_type ${quote(mediaType)};`];
  return block(location, [
    ...before,
    ...type,
    ...headers(fields),
    `return ${status}${body === "" ? "" : ` ${quote(body)}`};`,
  ]);
}

function headers(fields: Fields): string[] {
  return [
    ...fields.map(([name, value]) => `add_header ${name} ${quote(value)} always;`),
    'add_header Last-Modified "";',
  ];
}

function block(location: string, lines: readonly string[]): string {
  return `  location ${location} {\n${lines.map((line) => `    ${line}\n`).join("")}  }`;
}

/** Quotes a text for nginx; only `$request_id` and the variables of a concept stay variables. */
function quote(text: string): string {
  const escaped = text.replaceAll(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
  return `"${escaped.replaceAll(/\$(?!request_id\b|concept)/g, "${dollar}")}"`;
}
