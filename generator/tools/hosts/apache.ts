/**
 * Writes the virtual host of Apache httpd 2.4 that serves a release as the service does:
 * mod_rewrite finds the file of a path and evaluates its preconditions, type maps negotiate,
 * mod_headers sets the fields. Apache cannot put a nonce into a page that is a file: if there is a
 * runtime, it answers paths with pages; otherwise their policy has no nonces.
 */
import { paths } from "../../../runtime/contract/paths.ts";
import { essenceOf } from "../../../runtime/http/media-type.ts";
import {
  type Fields,
  filters,
  homeOf,
  hostOf,
  namedPaths,
  type HostedFile,
  type HostedPath,
  type HostOptions,
  type HostTable,
  OF_FILES,
  type Prerendered,
  PROXY_IDLE_SECONDS,
  RECIPES,
  type Refusal,
  withoutNonce,
} from "./table.ts";

/**
 * The files by their names: the virtual host, the type maps of paths that negotiate, and the bodies
 * of refusals.
 */
export function apacheFiles(table: HostTable, options: HostOptions): Readonly<Record<string, string>> {
  const concepts = table.prerendered?.concepts.flatMap(({ document, pages }) => [document, ...pages]) ?? [];
  const answered = [...namedPaths(table, options.runtime), ...concepts].filter(
    ({ variants }) => options.runtime === undefined || !variants.some(({ isPage }) => isPage),
  );
  const named = answered.map((hosted, i) => ({ hosted, name: `p${i}` }));
  const maps = named.flatMap(({ hosted, name }) =>
    hosted.refusal === undefined
      ? []
      : ([
          [`maps/${name}.var`, typeMap(hosted, name)],
          [documentOf(name), hosted.refusal.body],
        ] as const),
  );
  const refused = ofFiles(table).map(({ status, body }) => [documentOf(status), body] as const);
  return { "apache.conf": virtualHost(named, table, options), ...Object.fromEntries([...refused, ...maps]) };
}

/** Holds only for requests that Apache itself makes. */
const IS_REDIRECTED = 'RewriteCond "%{ENV:REDIRECT_STATUS}" "!^$"';

/**
 * Refusals whose body is in a file; otherwise Apache would send an Allow of its own, or name the
 * files of forms.
 */
function ofFiles({ methodNotAllowed, preconditionFailed }: HostTable): Refusal[] {
  return [methodNotAllowed, preconditionFailed];
}

function documentOf(name: string | number): string {
  return `refusals/${name}.json`;
}

interface Named {
  readonly hosted: HostedPath;
  readonly name: string;
}

function virtualHost(all: readonly Named[], table: HostTable, { root, files, listen, runtime }: HostOptions): string {
  return `# Apache httpd as a host of ${table.origin}: include this file; its folder must be ${files}.
# Modules: a2enmod headers rewrite negotiation${runtime === undefined ? "" : " proxy_http"}
# Apache listens only where its own configuration says: Listen ${listen}
<VirtualHost ${listen.includes(":") ? "" : "*:"}${listen}>
${lines([
  ...serverName(hostOf(table.origin)),
  `DocumentRoot ${quote(root)}`,
  "<Location />",
  "  Require all granted",
  "</Location>",
  "# Only the bytes of the release, without anything that Apache derives from its files.",
  "SetEnv no-gzip 1",
  "SetEnv no-brotli 1",
  "AddDefaultCharset Off",
  "TraceEnable off",
  "AllowEncodedSlashes NoDecode",
  "MergeSlashes Off",
  '<FilesMatch "\\.var$">',
  "  SetHandler type-map",
  "</FilesMatch>",
  ...(runtime === undefined ? [] : ["MaxRanges none"]),
  // RFC 9110 §13.1.5: only If-Range with the tag of the file lets a Range count.
  `RequestHeader unset Range "expr=-n req_novary('If-Range') && req_novary('If-Range') != '\\"' . reqenv('TAG') . '\\"'"`,
  ...OF_FILES.map((field) => `RequestHeader unset ${field} env=TAG`),
  // An Accept without a media range means everything. Without any weight Apache would give
  // wildcards a low one.
  `RequestHeader unset Accept "expr=-n reqenv('FORM') && req_novary('Accept') !~ m#[\\w*]/#"`,
  'RequestHeader set If-None-Match "*" env=FRESH',
  'RequestHeader edit Accept "^(.+)$" "$1, -/-;q=0.1" env=FORM',
  ...["ETag", "Last-Modified", "Accept-Ranges", "Vary"].map((field) => `Header unset ${field} env=FORM`),
  ...["Content-Location", "Vary", "TCN", "Alternates"].map((field) => `Header always unset ${field} env=FORM`),
  "RewriteEngine on",
  IS_REDIRECTED,
  rule('"^/\\.(refusals/[\\w.]+)$"', `${files}/$1`, "FORM:refusal"),
  ...all.flatMap(({ hosted, name }) => rules(hosted, name, { root, files })),
  ...(runtime === undefined ? [rule(exactly(paths.deployment), "-", "FORM:identity")] : []),
  ...preconditions(
    runtime === undefined,
    table.prerendered === undefined ? [] : notOfFiles(table.prerendered, table.origin),
  ),
  ...(table.prerendered === undefined ? [] : lists(files, table.prerendered)),
  ...refuse(table.notFound),
  ...ofFiles(table).flatMap((refusal) => refuse(refusal, documentOf(refusal.status))),
  ...fieldsOf(table.options.fields, ["204"]),
  ...all.flatMap(({ hosted, name }) => sections(hosted, name)),
  ...(table.prerendered === undefined
    ? []
    : section('"^/api/v1/concepts/[^/]+$"', refuse(table.prerendered.conceptNotFound))),
  ...(runtime === undefined ? section(`"${RECIPES}"`, refuse(table.recipeNotFound)) : []),
  ...(runtime === undefined ? refuse(table.identityUnavailable) : proxy(runtime)),
])}</VirtualHost>
`;
}

/** ServerName takes no IPv6 address, but an alias does, without its brackets. */
function serverName(host: string): string[] {
  if (!host.startsWith("[")) return [`ServerName ${host}`];
  return ["ServerName address.invalid", `ServerAlias ${host.slice(1, -1)}`];
}

/**
 * The runtime checks Host, so it must be the public one. An idle connection is not used again after
 * a time in which the service keeps it.
 */
function proxy(runtime: string): string[] {
  return ["ProxyPreserveHost On", `ProxyPass "/" "${runtime}/" nocanon ttl=${PROXY_IDLE_SECONDS}`];
}

/** `TAG` is the digest for the preconditions of a file, or a word if it has none. */
function rules(hosted: HostedPath, name: string, at: { root: string; files: string }): string[] {
  const { path, variants, refusal, isInternal = false } = hosted;
  if (isInternal) return [];
  const served = (pattern: string, { file, isOfDist, entityTag }: HostedFile): string =>
    rule(pattern, (isOfDist ? at.root : at.files) + file, `FORM:file,E=TAG:${entityTag?.slice(1, -1) ?? "none"}`);
  if (refusal === undefined) return [served(exactly(path), variants[0])];
  // Only a type map may name a form.
  const forms = variants.flatMap((file, i) => [IS_REDIRECTED, served(isForm(name, i), file)]); // prettier-ignore
  return [...forms, rule(exactly(path), `${at.files}/maps/${name}.var`, "FORM:map")];
}

function rule(pattern: string, to: string, variables: string): string {
  return `RewriteRule ${pattern} ${quote(to)} [E=${variables}]`;
}

/** A filter and the answer to the form are not files; the home page resolves by itself. */
function notOfFiles({ prefixes }: Prerendered, origin: string): string[] {
  return [
    ...filters(prefixes).flatMap(({ path, names }) => [
      `RewriteCond "%{REQUEST_URI}" "${path}"`,
      `RewriteCond "%{QUERY_STRING}" "(?:^|&)(?:${names.join("|")})=[^&]"`,
      'RewriteRule "^" "-" [E=FORM:none,R=404]',
    ]),
    // Apache sends an absolute URL: its own would begin with http even if a proxy in front of it
    // has TLS.
    ...prefixes.map((prefix) => `RewriteRule "^${prefix}/resolve$" "${origin}${homeOf(prefix)}" [R=302,L]`),
  ];
}

/** The pages of a list, after all rules that depend on the path. */
function lists(files: string, { prefixes }: Prerendered): string[] {
  return prefixes.flatMap((prefix) => [
    `RewriteCond "%{REQUEST_URI}" "^${prefix}/concepts$"`,
    'RewriteCond "%{QUERY_STRING}" "(?:^|&)page=([1-9][0-9]*)(?:&|$)"',
    `RewriteRule "^" "${prefix}/concepts/.page-%1" [PT]`,
    `AliasMatch "^${prefix}/concepts/\\.page-([0-9]+)$" ${quote(`${files}/prerendered${prefix}/lists/$1.html`)}`,
  ]);
}

/** RFC 9110 §13.2.2. Apache itself answers 304, to a field that matches any file. */
function preconditions(isAlone: boolean, others: readonly string[]): string[] {
  return [
    ...others,
    'RewriteCond "%{ENV:FORM}" "^$"',
    `RewriteRule "^" "-" ${isAlone ? "[E=FORM:none,R=404]" : "[L]"}`,
    'RewriteCond "%{REQUEST_METHOD}" "=OPTIONS"',
    'RewriteRule "^" "-" [R=204]',
    'RewriteCond "%{REQUEST_METHOD}" "!^(?:GET|HEAD)$"',
    'RewriteRule "^" "-" [R=405]',
    'RewriteCond "%{ENV:FORM}" "=identity"',
    'RewriteRule "^" "-" [R=503]',
    'RewriteCond "%{ENV:TAG}" "!^$"',
    'RewriteCond "%{HTTP:If-Match}" "!^$"',
    `RewriteCond "%{ENV:TAG} %{HTTP:If-Match}" "!^(\\w+) ${listed("")}"`,
    'RewriteRule "^" "-" [R=412]',
    `RewriteCond "%{ENV:TAG} %{HTTP:If-None-Match}" "^([0-9a-f]{64}) ${listed("(?:W/)?")}"`,
    'RewriteRule "^" "-" [E=FRESH:1]',
  ];
}

/** Whether the tag before it is in a list, or the list is `*`. */
function listed(weak: string): string {
  return `(?:\\*$|(?:.*,)?[ \\t]*${weak}\\x22\\1\\x22[ \\t]*(?:,|$))`;
}

function sections({ path, variants, refusal }: HostedPath, name: string): string[] {
  if (refusal === undefined) return section(exactly(path), ofFile(variants[0]));
  const forms = variants.flatMap((file, i) => section(isForm(name, i), ofFile(file)));
  return [...section(exactly(path, `/.${documentOf(name)}`), refuse(refusal, documentOf(name))), ...forms];
}

function section(pattern: string, body: readonly string[]): string[] {
  return [`<LocationMatch ${pattern}>`, ...body.map((line) => `  ${line}`), "</LocationMatch>"];
}

function ofFile({ mediaType, fields, notModified }: HostedFile): string[] {
  const of304 = new Set(notModified?.map(([name]) => name));
  return [
    `ForceType ${quote(mediaType)}`,
    ...fields.flatMap(([name, value]) =>
      fieldsOf([[name, withoutNonce(value)]], of304.has(name) ? ["200", "304"] : ["200"]),
    ),
  ];
}

/** A refusal has its own fields, wherever it occurs; answers of the runtime keep theirs. */
function refuse({ status, mediaType, fields, body }: Refusal, document?: string): string[] {
  // The text is an expression of Apache, which has escapes of its own.
  const text = body.replaceAll("\\", "\\\\").replaceAll("\n", "%{unescape:%0A}");
  return [
    `ErrorDocument ${status} ${document === undefined ? quote(text) : `/.${document}`}`,
    ...fieldsOf([["Content-Type", mediaType], ...fields], [String(status)]),
  ];
}

/** `always`, because Apache treats a 304 as an error. */
function fieldsOf(fields: Fields, statuses: readonly string[]): string[] {
  const list = statuses.map((status) => `'${status}'`).join(",");
  const when = `"expr=-n reqenv('FORM') && %{REQUEST_STATUS} in {${list}}"`;
  return fields.map(([name, value]) => `Header always set ${name} ${quote(value.replaceAll("%", "%%"))} ${when}`);
}

/**
 * Without charsets and with equal lengths, by which Apache would choose; of equal forms it chooses
 * the first.
 */
function typeMap({ variants }: HostedPath, name: string): string {
  const forms = variants.map(
    ({ mediaType }, i) => `URI: ${form(name, i)}\nContent-Type: ${essenceOf(mediaType)}\nContent-Length: 1\n`,
  );
  return forms.join("\n");
}

function exactly(...all: readonly string[]): string {
  return `"^(?:${all.map((path) => path.replaceAll(/[^\w/-]/g, "\\$&")).join("|")})$"`;
}

/** The name of a form in a type map: a sibling of the path. */
function form(name: string, at: number): string {
  return `.${name}-${at}`;
}

function isForm(name: string, at: number): string {
  return `"/\\.${name}-${at}$"`;
}

function lines(all: readonly string[]): string {
  return all.map((line) => `  ${line}\n`).join("");
}

function quote(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, "\\$&")}"`;
}
