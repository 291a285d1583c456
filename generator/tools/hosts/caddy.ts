/**
 * Writes the Caddyfile that serves a release as the service does, for Caddy 2.6 and newer. Caddy
 * has neither negotiation by weights nor a nonce for a page that is a file: if there is a runtime,
 * it answers both; otherwise Caddy sends the first form and a policy without nonces.
 */
import { paths } from "../../../runtime/contract/paths.ts";
import { essenceOf } from "../../../runtime/http/media-type.ts";
import {
  anyConcept,
  type Fields,
  filters,
  homeOf,
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
  valuesOf,
  withoutNonce,
} from "./table.ts";

export function caddyfile(table: HostTable, { root, files, listen, runtime }: HostOptions): string {
  const proxy = runtime === undefined ? undefined : reverseProxy(runtime);
  const { prerendered } = table;
  const handles = namedPaths(table, runtime).flatMap((hosted, i) => {
    const needsRuntime = hosted.variants.some(({ isPage }) => isPage) || hosted.variants.length > 1;
    return at(
      hosted.path,
      `p${i}`,
      needsRuntime && proxy !== undefined
        ? proxy
        : [
            ...(hosted.variants[0].isOfDist ? [] : [`root * ${quote(files)}`]),
            ...serve(hosted, `p${i}`, { table, proxy }),
          ],
    );
  });
  const { name, bind } = siteOf(listen);
  const site = [
    ...bind,
    `root * ${quote(root)}`,
    ...(proxy === undefined ? [] : ["request_header -Range"]),
    ...(prerendered === undefined ? [] : computed(prerendered, files, table)),
    ...handles,
    ...(proxy === undefined
      ? [
          ...when("recipe", [`expression \`{path}.matches('${RECIPES}')\``], refuse(table.recipeNotFound)),
          ...at(
            paths.deployment,
            "identity",
            block("route", [...methods("identity", table), ...refuse(table.identityUnavailable)]),
          ),
        ]
      : []),
    ...block("handle", proxy ?? refuse(table.notFound)),
  ];
  // For `http://`, Caddy asks for no certificate; `auto_https off` would forbid it for a host too.
  return `# Caddy as a host of ${table.origin}: import this file, or use it alone. TLS: write its host in place of \`http://${name}\`.
${lines(block(`http://${name}`, site))}`;
}

/** An idle connection ends here before the service ends it. */
function reverseProxy(runtime: string): string[] {
  return block(`reverse_proxy ${runtime}`, block("transport http", [`keepalive ${PROXY_IDLE_SECONDS}s`]));
}

/** If an address were the name of the site, Caddy would answer only requests with that Host. */
function siteOf(listen: string): { name: string; bind: string[] } {
  const [, address, port] = /^([\d.]+|\[[\da-f:.]+\]|localhost):(\d+)$/i.exec(listen) ?? [];
  if (address !== undefined) return { name: `:${port}`, bind: [`bind ${address}`] };
  return { name: listen.includes(":") ? listen : `:${listen}`, bind: [] };
}

/**
 * The parts of prerendered paths that no file answers: the page of a list, a filter, an unknown
 * code, the form's answer.
 */
function computed({ concepts, conceptNotFound, prefixes }: Prerendered, files: string, table: HostTable): string[] {
  const found = anyConcept(concepts, NAMES);
  const kinds = [
    { path: "^/api/v1/concepts/[^/]+$", unknown: conceptNotFound },
    // A segment that begins with a dot is a page of the list.
    ...prefixes.map((prefix) => ({ path: `^${prefix}/concepts/[^./][^/]*$`, unknown: table.notFound })),
  ];
  return [
    ...prefixes.flatMap((prefix) => {
      const name = `@page${prefix.replace("/", "_")}`;
      const resolve = `@resolve${prefix.replace("/", "_")}`;
      return [
        ...block(name, [exactly(`${prefix}/concepts`), "expression `{query.page}.matches('^[1-9][0-9]*$')`"]),
        `rewrite ${name} ${prefix}/concepts/.page-{query.page}`,
        `${resolve} ${exactly(`${prefix}/resolve`)}`,
        `redir ${resolve} ${homeOf(prefix)}?{query} 302`,
      ];
    }),
    ...filters(prefixes).flatMap(({ path, names }, i) => {
      const values = names.map((name) => `{query.${name}}`).join(" + ");
      return when(
        `filter_${i}`,
        [`expression \`{path}.matches('${path}') && ${values} != ''\``],
        refuse(table.notFound),
      );
    }),
    ...block(`map ${NAMES.code} ${NAMES.sha256} ${NAMES.digest}`, [
      ...concepts.map((concept) => Object.values(valuesOf(concept)).map(quote).join(" ")),
      'default "" ""',
    ]),
    ...kinds.flatMap(({ path, unknown }, i) => {
      const isUnknown = `expression \`${NAMES.sha256} == ''\``;
      const served = found.slice(i, i + 1).flatMap((hosted) => serve(hosted, `c${i}`, { table, proxy: undefined }));
      const others = served.length === 0 ? [] : block("handle", [`root * ${quote(files)}`, ...served]);
      return when(
        `concept_${i}`,
        [`expression \`{path}.matches('${path}')\``],
        [...when(`unknown_${i}`, [isUnknown], refuse(unknown)), ...others],
      );
    }),
  ];
}

/** The matcher `path` ignores case and merges slashes. */
function exactly(path: string): string {
  return `vars {path} ${path}`;
}

function at(path: string, matcher: string, answered: readonly string[]): string[] {
  return when(matcher, [exactly(path)], answered);
}

/** The last segment of the original path, before it is rewritten to that of a file. */
const NAMES = { code: "{http.request.orig_uri.path.file}", sha256: "{concept_sha256}", digest: "{concept_digest}" };

/**
 * Sends the form that the client names, else the first: weights count only if there is a runtime to
 * evaluate them.
 */
function serve(
  { path, variants, refusal }: HostedPath,
  name: string,
  { table, proxy }: { readonly table: HostTable; readonly proxy: readonly string[] | undefined },
): string[] {
  const [first, ...others] = variants;
  const forms = others.flatMap((file, i) =>
    when(
      `form_${name}_${i}`,
      [`header_regexp Accept ${quote(`(?i)${pattern(essenceOf(file.mediaType))}`)}`],
      // Without a route, fields would be removed before they are evaluated.
      block("route", answer({ path, file }, `${name}_${i}`, table)),
    ),
  );
  const essence = essenceOf(first.mediaType);
  const range = `(?:\\*/\\*|${essence.split("/")[0] ?? ""}/\\*|${pattern(essence)})`;
  const accepted = proxy === undefined ? `(?i)(?:^|,)\\s*${range}\\s*(?:[;,]|$)` : `(?i)^\\s*${range}\\s*$`;
  const none = ["header Accept *", ...block("not", [`header_regexp Accept ${quote(accepted)}`])];
  return block("route", [
    ...methods(name, table),
    ...forms,
    ...(refusal === undefined ? [] : when(`none_${name}`, none, proxy ?? refuse(refusal))),
    ...answer({ path, file: first }, name, table),
  ]);
}

/** Only GET and HEAD get the answer of the path. */
function methods(name: string, table: HostTable): string[] {
  return [
    ...when(`options_${name}`, ["method OPTIONS"], refuse(table.options)),
    ...when(`method_${name}`, ["not method GET HEAD"], refuse(table.methodNotAllowed)),
  ];
}

/** A file, after its preconditions (RFC 9110 §13.2.2). */
function answer({ path, file }: { path: string; file: HostedFile }, name: string, table: HostTable): string[] {
  const { mediaType, fields, notModified, entityTag } = file;
  // Without a tag only `*` matches the file.
  const tag = entityTag ?? "[^\\s\\S]";
  const list = (field: string, weak: string): string => hasTag(field, tag, [`(?:^|,)\\s*${weak}`, "\\s*(?:,|$)|^\\*$"]);
  const refused = ["header If-Match *", ...block("not", [list("If-Match", "")])];
  const fresh =
    notModified === undefined
      ? []
      : when(`fresh_${name}`, [list("If-None-Match", "(?:W/)?")], [...headers(notModified), "respond 304"]);
  return [
    ...when(`refused_${name}`, refused, refuse(table.preconditionFailed)),
    ...fresh,
    // RFC 9110 §13.1.5: only If-Range with the tag of the file lets a Range count.
    ...block(`@other_${name}`, ["header If-Range *", ...block("not", [hasTag("If-Range", tag, ["^", "$"])])]),
    `request_header @other_${name} -Range`,
    // The server would evaluate these by its own data about the file.
    ...OF_FILES.map((field) => `request_header -${field}`),
    ...block("header", [
      ...fields.map(([field, value]) => `${field} ${quote(withoutNonce(value))}`),
      `Content-Type ${quote(mediaType)}`,
      ...(entityTag === undefined ? ["-ETag"] : []),
      "-Last-Modified",
      "-Accept-Ranges",
      "-Server",
      "defer",
    ]),
    ...(file.file === path ? [] : [`rewrite * ${file.file}`]),
    "file_server",
  ];
}

/** Whether a field has the tag, which may be known only at a request, between these patterns. */
function hasTag(field: string, entityTag: string, [before, after]: readonly [string, string]): string {
  return entityTag.includes(NAMES.sha256)
    ? `expression ${quote(`{http.request.header.${field}}.matches(r'${before}"' + ${NAMES.sha256} + r'"${after}')`)}`
    : `header_regexp ${field} ${quote(before + entityTag + after)}`;
}

function when(matcher: string, conditions: readonly string[], answered: readonly string[]): string[] {
  return [...block(`@${matcher}`, conditions), ...block(`handle @${matcher}`, answered)];
}

function pattern(text: string): string {
  return text.replaceAll(/[^\w/]/g, "\\$&");
}

function refuse({ status, mediaType, fields, body }: Refusal): string[] {
  const all: Fields = mediaType === "" ? fields : [...fields, ["Content-Type", mediaType]];
  return [...headers(all), body === "" ? `respond ${status}` : `respond ${quote(body)} ${status}`];
}

function headers(fields: Fields): string[] {
  return block("header", [...fields.map(([name, value]) => `${name} ${quote(value)}`), "-Server"]);
}

function block(head: string, body: readonly string[]): string[] {
  return [`${head} {`.trim(), ...body.map((line) => `\t${line}`), "}"];
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

/**
 * Quotes a text for Caddy. Nothing is special between these quotes, and no text of ours has one.
 */
function quote(text: string): string {
  return `\`${text}\``;
}
