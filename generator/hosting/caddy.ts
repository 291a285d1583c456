/**
 * The Caddyfile that serves a release as the service does, for Caddy 2.6 and newer. It has neither negotiation by weights nor a
 * nonce for a page of a file: where there is a runtime, that answers both; else the first form and a policy without nonces do.
 */
import type { Fields, HostedPath, HostOptions, HostTable, Refusal } from "./table.ts";

export function caddyfile(table: HostTable, { root, listen, runtime }: HostOptions): string {
  const proxy = runtime === undefined ? undefined : [`reverse_proxy ${runtime}`];
  const handles = table.paths.flatMap((hosted, i) => {
    const needsRuntime = hosted.variants.some(({ isPage }) => isPage) || hosted.variants.length > 1;
    return block(`handle ${hosted.path}`, needsRuntime && proxy !== undefined ? proxy : serve(hosted, `p${i}`, table));
  });
  const site = [
    `root * ${quote(root)}`,
    ...handles,
    ...(proxy === undefined
      ? block("handle /.well-known/service-semantics-deployment.json", refuse(table.identityUnavailable))
      : []),
    ...block("handle", proxy ?? refuse(table.notFound)),
  ];
  return `# Caddy as a host of ${table.origin}. TLS: name the site by its host instead of a port.
${lines([...block("", ["auto_https off", "admin off"]), ...block(`http://${listen.includes(":") ? "" : ":"}${listen}`, site)])}`;
}

/** In the order of RFC 9110 §13.2.2, after the method and the form. */
function serve({ path, variants, refusal }: HostedPath, name: string, table: HostTable): string[] {
  const [{ file, mediaType, fields, notModified, entityTag }] = variants;
  const essence = mediaType.split(";")[0] ?? "";
  const tag = entityTag?.replaceAll(/[^\w"]/g, "\\$&");
  const when = (condition: string, matcher: readonly string[], answer: readonly string[]): string[] => [
    ...block(`@${condition}_${name}`, matcher),
    ...block(`handle @${condition}_${name}`, answer),
  ];
  const range = `${essence.split("/")[0] ?? ""}/\\*`;
  const accepted = `(?i)(?:^|,)\\s*(?:\\*/\\*|${range}|${essence.replaceAll(/[^\w/]/g, "\\$&")})\\s*(?:[;,]|$)`;
  return block("route", [
    ...when("options", ["method OPTIONS"], refuse(table.options)),
    ...when("method", ["not method GET HEAD"], refuse(table.methodNotAllowed)),
    ...(refusal === undefined
      ? []
      : when(
          "form",
          ["header Accept *", ...block("not", [`header_regexp Accept ${quote(accepted)}`])],
          refuse(refusal),
        )),
    ...(tag === undefined || notModified === undefined
      ? []
      : [
          ...when(
            "refused",
            [
              "header If-Match *",
              ...block("not", [`header_regexp If-Match ${quote(`(?:^|,)\\s*${tag}\\s*(?:,|$)|^\\*$`)}`]),
            ],
            refuse(table.preconditionFailed),
          ),
          ...when(
            "fresh",
            [`header_regexp If-None-Match ${quote(`(?:^|,)\\s*(?:W/)?${tag}\\s*(?:,|$)|^\\*$`)}`],
            [...headers(notModified), "respond 304"],
          ),
        ]),
    // The server would judge these by what it knows of the file.
    ...["If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range"].map(
      (field) => `request_header -${field}`,
    ),
    ...block("header", [
      ...fields.map(([field, value]) => `${field} ${quote(withoutNonce(value))}`),
      `Content-Type ${quote(mediaType)}`,
      "-Last-Modified",
      "-Accept-Ranges",
      "-Server",
      "defer",
    ]),
    ...(file === path ? [] : [`rewrite * ${file}`]),
    "file_server",
  ]);
}

/** A page of a file has its styles and scripts from its own origin, and nothing inline. */
function withoutNonce(value: string): string {
  return value.replaceAll(/'nonce-[^']+'/g, "'self'");
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

/** A text as Caddy reads it. Between these quotes nothing is special, and no text of ours has one. */
function quote(text: string): string {
  return `\`${text}\``;
}
