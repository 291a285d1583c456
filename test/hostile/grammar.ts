/**
 * Requests by a grammar: targets, fields, JSON, JSON-RPC and framing, each mostly right and now and
 * then wrong in one way. A request knows which refusals its faults explain (explained), and whether
 * it has any (faulty).
 */
import { paths } from "../../runtime/contract/paths.ts";
import { inventory, resources } from "../../runtime/contract/policy.ts";
import { LONGEST } from "../support/nasty.ts";
import type { Chance, Weighted } from "./chance.ts";

export interface Sent {
  readonly method: string;
  readonly bytes: Buffer;
  /** Statuses that something in the request explains, other than its success. */
  readonly explained: ReadonlySet<number>;
  /** Whether one of those must come: success is not explained. */
  readonly faulty: boolean;
}

/** What is put together of a request before it is bytes. */
class Draft {
  method = "GET";
  target = "/";
  version = "HTTP/1.1";
  readonly fields: [name: string, value: string][] = [];
  body = Buffer.alloc(0);
  readonly explained = new Set<number>();
  faulty = false;

  /** Notes a fault, which one of these statuses answers. */
  fault(...statuses: number[]): void {
    this.faulty = true;
    this.may(...statuses);
  }

  may(...statuses: number[]): void {
    for (const status of statuses) this.explained.add(status);
  }
}

const CODES = ["N-MONEY", "N-TAXI", "N-LONG", "N-QUOTES", "N-RTL", "N-RETIRED", "N-NOBODY", "n-taxi", "N%2DTAXI"];
const documents = resources.map(({ path }) => path);
const negotiating = new Set(inventory.map(({ path }) => path));
const pages = new Set(
  resources.filter(({ variants }) => variants.every(({ policy }) => policy === "html")).map(({ path }) => path),
);

const METHODS: Weighted<string> = [
  [60, "GET"],
  [12, "HEAD"],
  [6, "OPTIONS"],
  [6, "POST"],
  [2, "PUT"],
  [2, "DELETE"],
  [1, "PATCH"],
  [1, "TRACE"],
  [1, "PROPFIND"],
  [1, "QUERY"],
];

const EXPRESSIONS = ["taxi", "bank", "Bank", "Gift", "many", "sort of", "both near", "café", "cafe\u0301", "مرحبا بالعالم", "😀", "nobody said this", LONGEST, "\u0000", "a\tb", '"', "\\", "</script>", "__proto__"]; // prettier-ignore
const LANGUAGES = ["en", "de", "de-AT", "DE", "pt-BR", "zh-Hant", "x-own", "i-klingon", "en-u-co-phonebk", "fr-FR"];
const NOT_LANGUAGES = ["", "e", "en_US", "de--AT", "en-", "-en", "*", "x", "e".repeat(36), "dé"];

/** Fields that a client, a proxy or an attacker sends and that change no answer. */
const IRRELEVANT = (
  "User-Agent Accept-Language Accept-Encoding Accept-Charset Cookie Authorization Referer DNT Forwarded X-Forwarded-For " +
  "X-Forwarded-Host X-Forwarded-Proto X-Real-IP X-HTTP-Method-Override X-Original-URL X-Rewrite-URL X-Request-ID Via TE " +
  "Range If-Range If-Modified-Since If-Unmodified-Since Cache-Control Pragma Max-Forwards Date From Warning Priority " +
  "Sec-Fetch-Mode Sec-Fetch-Site Access-Control-Request-Method Access-Control-Request-Headers Keep-Alive Prefer Want-Repr-Digest " +
  "Want-Content-Digest Content-Digest Content-Language Content-Location Content-MD5 Last-Event-ID Mcp-Session-Id Traceparent " +
  "Tracestate Baggage Proxy-Authorization Proxy-Connection HTTP2-Settings Early-Data Alt-Used Upgrade-Insecure-Requests constructor __proto__ toString"
).split(" ");
const VALUES = ["", "*", "0", "-1", "1", "close", "gzip", "bytes=0-9", "bytes=-1", "null", "undefined", "'", '"', "\t", "%00", "../../etc/passwd", "a=b; c=d", "Sun, 06 Nov 1994 08:49:37 GMT", "${jndi:x}", "é", "\u0080\u00ff", "x".repeat(3000)]; // prettier-ignore

const TYPES = ["application/json", "text/html", "text/markdown", "text/*", "*/*", "application/*", "image/png", "*", "a", "application/linkset+json", "text/html;level=1", 'text/html;a="b,c;q=0"', "TEXT/HTML"]; // prettier-ignore
const WEIGHTS = [
  "",
  ";q=0",
  ";q=1",
  ";q=0.5",
  ";q=0.001",
  ";q=1.001",
  ";q=.5",
  ";q=",
  ";Q=0.3",
  "; q=0.0",
  ";q=x",
  ";;",
];
const TAGS = ['""', '"a"', 'W/"a"', "*", "a", '"', '"a', '"a,b"', "W/", 'w/"a"', ",", '"é"'];

/** A request of the grammar. `tags` are entity tags that the service has. */
export function makeRequest(chance: Chance, tags: readonly string[]): Sent {
  const draft = new Draft();
  chance.draw<() => void>([
    [5, () => makeRead(draft, chance, tags)],
    [4, () => makeResolve(draft, chance)],
    [4, () => makeMessage(draft, chance)],
    [1, () => makeNonsense(draft, chance)],
  ])();
  addHost(draft, chance);
  for (let i = chance.below(4); i > 0; i--) draft.fields.push([chance.pick(IRRELEVANT), chance.pick(VALUES)]);
  if (chance.once(40)) addFault(draft, chance);
  return finish(draft, chance);
}

function makeRead(draft: Draft, chance: Chance, tags: readonly string[]): void {
  draft.method = chance.draw(METHODS);
  draft.target = makeTarget(draft, chance);
  const [path = ""] = draft.target.replace(/^http:\/\/[^/]*/, "").split("?");
  if (chance.once(2)) {
    draft.fields.push(["Accept", chance.many(0, 4, () => chance.pick(TYPES) + chance.pick(WEIGHTS)).join(chance.pick([",", ", ", " ,,\t"]))]); // prettier-ignore
    if (negotiating.has(path) || path.includes("%")) draft.may(406);
  }
  for (const [name, status] of [["If-None-Match", 304], ["If-Match", 412]] as const) {
    if (!chance.once(4)) continue;
    draft.fields.push([name, chance.many(1, 4, () => chance.pick(chance.once(2) ? tags : TAGS)).join(", ")]);
    draft.may(status);
  } // prettier-ignore
  const isRead = draft.method === "GET" || draft.method === "HEAD";
  if (draft.method === "OPTIONS") draft.may(204);
  if (path === paths.mcp) draft.may(405, 403, 415, 400);
  if (path === paths.resolve && draft.method === "POST") draft.may(415, 400);
  else if (!isRead) draft.may(405, 404);
  if (path === paths.resolve && isRead) draft.fault(405);
  if (draft.method !== "GET" && chance.once(3)) draft.body = Buffer.from(makeJson(chance, 3));
}

function makeTarget(draft: Draft, chance: Chance): string {
  return chance.draw<() => string>([
    [20, () => chance.pick(documents)],
    [6, () => `${paths.concepts}/${chance.pick(CODES)}`],
    [4, () => `${paths.conceptPages}/${chance.pick(CODES)}`],
    [5, () => `${chance.pick([paths.concepts, paths.conceptPages, paths.resolvePage])}${makeQuery(draft, chance)}`],
    [2, () => chance.pick([paths.bundle, paths.deployment, paths.resolve, paths.mcp, paths.concepts])],
    [3, () => chance.pick(documents) + makeQuery(draft, chance)],
    [2, () => encodeSome(chance.pick(documents), chance)],
    [1, () => `http://${chance.pick(["localhost", "127.0.0.1:1", "registry.example"])}${chance.pick(documents)}`],
    [1, () => { draft.fault(400); return `http://${chance.pick(["", ":80", "a@", "@:", "a@b"])}${chance.pick(documents)}`; }],
    [3, () => chance.pick(["/nope", "//", "/.", "/../etc/passwd", "/api/v1/", "/assets/../manifest.json", "/manifest.json", "/registry.index", "/shell.html", "/mcp.json", "/%2e%2e/", "/index.html", "/answers.html", `/${"a".repeat(4000)}`, "/api/v1/concepts/", "/concepts/a/b", "/constructor", "/__proto__"])], // prettier-ignore
    [1, () => { draft.fault(400, 404, 405); return chance.pick(["/%", "/%zz", "/%ff", "/%c3%28", "/api/v1/concepts/%e0%a4"]); }],
    [1, () => { draft.fault(400, 404, 405); draft.may(204); return "*"; }],
  ])(); // prettier-ignore
}

function makeQuery(draft: Draft, chance: Chance): string {
  const value = (): string =>
    encodeURIComponent(chance.pick([...EXPRESSIONS, "name", "name of", "a b c"]).slice(0, 300));
  const raw = ["%", "%00", "%ff", "+", "&&", "=", "a=b", "#"];
  const parameters = chance.many(0, 3, () => `${chance.pick(["q", "language", "expression", "page", "after", "x"])}=${chance.once(4) ? chance.pick(raw) : value()}`); // prettier-ignore
  // A target has no fragment.
  if (parameters.some((parameter) => parameter.includes("#"))) draft.fault(400);
  return `?${parameters.join("&")}`;
}

/** Percent-encodes some of the characters: the same path. */
function encodeSome(path: string, chance: Chance): string {
  return path.replaceAll(/[a-z]/g, (letter) => (chance.once(5) ? `%${letter.charCodeAt(0).toString(16)}` : letter));
}

function makeResolve(draft: Draft, chance: Chance): void {
  draft.method = "POST";
  draft.target = paths.resolve;
  addJsonType(draft, chance);
  const { text, isValid } = makeResolveBody(chance);
  draft.body = Buffer.from(text, chance.once(60) ? "utf16le" : "utf8");
  if (isValid === undefined) draft.may(400);
  else if (!isValid || draft.body.length !== Buffer.byteLength(text)) draft.fault(400, 413);
  if (draft.body.length > 16_384) draft.fault(413);
}

/** Any JSON may happen to be a request. */
function makeResolveBody(chance: Chance): { text: string; isValid: boolean | undefined } {
  if (chance.once(6)) return { text: makeJson(chance, 5), isValid: undefined };
  const request: Record<string, unknown> = { expression: chance.pick(EXPRESSIONS) };
  let isValid = true;
  if (chance.once(2)) request["language"] = chance.pick(LANGUAGES);
  const wrong = (name: string, values: readonly unknown[]): void => {
    request[name] = chance.pick(values);
    isValid = false;
  };
  if (chance.once(10)) wrong("expression", ["", null, 1, [], {}, "x".repeat(1001), "\ud800", "語".repeat(6000)]);
  if (chance.once(10)) wrong("language", [...NOT_LANGUAGES, null, 1, {}]);
  if (chance.once(12)) wrong(chance.pick(["extra", "__proto__2", "constructor", "Expression"]), [1, "a", null]);
  const text = JSON.stringify(request, null, chance.once(4) ? 2 : 0);
  if (!chance.once(12)) return { text, isValid };
  const broken = [text.slice(0, -1), `${text}x`, `\ufeff${text}`, text.replace("{", '{"expression":"a",'), `[${text}]`, text.replace(":", ""), "", text.replace("}", ",}")]; // prettier-ignore
  return { text: chance.pick(broken), isValid: false };
}

const MCP_METHODS = ["server/discover", "tools/list", "tools/call", "resources/list", "resources/read", "prompts/list", "prompts/get", "initialize", "ping", "toString", ""]; // prettier-ignore
const VERSION = "2026-07-28";

/** A spoiled message has many right answers; the test only demands that there is one of them. */
function makeMessage(draft: Draft, chance: Chance): void {
  draft.method = chance.once(20) ? "GET" : "POST";
  draft.target = paths.mcp;
  addJsonType(draft, chance);
  draft.may(400, 403, 404, 405, 413, 415);
  const method = chance.pick(MCP_METHODS);
  const meta: Record<string, unknown> = {
    "io.modelcontextprotocol/protocolVersion": chance.once(15) ? chance.pick(["2025-06-18", 1, null]) : VERSION,
    "io.modelcontextprotocol/clientCapabilities": chance.once(15) ? chance.pick([null, []]) : {},
  };
  if (chance.once(4))
    meta["io.modelcontextprotocol/clientInfo"] = { name: "x".repeat(chance.below(202)), version: "1" };
  const name = chance.pick([
    "resolve_service_semantics",
    "nothing",
    "resolve-safely",
    "https://registry.example/answers.json",
  ]);
  const given = chance.once(3)
    ? (JSON.parse(makeJson(chance, 3, true)) as unknown)
    : { expression: chance.pick(EXPRESSIONS) };
  const params: Record<string, unknown> = { _meta: meta, name, uri: name, arguments: given };
  for (const key of Object.keys(params)) if (chance.once(12)) delete params[key];
  const message = {
    jsonrpc: chance.once(20) ? "1.0" : "2.0",
    id: chance.pick([1, "a", 0, -1, 2 ** 53, 1.5, null]),
    method,
    params,
  };
  draft.body = Buffer.from(chance.once(15) ? makeJson(chance, 4) : JSON.stringify(message));
  const sent = (field: string, value: string): void => {
    if (!chance.once(15)) draft.fields.push([field, chance.once(25) ? chance.pick(VALUES) : value]);
  };
  sent("MCP-Protocol-Version", VERSION);
  sent("Mcp-Method", method);
  sent("Mcp-Name", name);
  sent("Accept", "application/json, text/event-stream");
  if (chance.once(8)) draft.fields.push(["Origin", chance.pick(["null", "https://evil.example", "https://registry.example", "http://localhost:1", ""])]); // prettier-ignore
}

function makeNonsense(draft: Draft, chance: Chance): void {
  draft.method = chance.pick(["get", "FOO", "GET,", "CONNECT", "\u0001", "PRI", ""]);
  draft.target = chance.pick(["/", "/api/v1/resolve", "/mcp", "/ a", "", "example.org:443", "\t", "/é"]);
  draft.version = chance.pick(["HTTP/1.1", "HTTP/2.0", "HTTP/1.2", "", "http/1.1", "HTTP/1.1 x"]);
  draft.fault(400, 404, 405, 403, 417, 431);
}

/** JSON of any shape, or something that is nearly JSON. */
export function makeJson(chance: Chance, depth: number, isValid = false): string {
  if (!isValid && chance.once(30)) return chance.pick(["", "{", "NaN", "'a'", "[1,]", "\u0000", "{}{}", "//", "1e999", '"\ud800"', "[".repeat(3000), '{"a":'.repeat(2000)]); // prettier-ignore
  const inner = (): string => makeJson(chance, depth - 1, isValid);
  if (depth === 0 || chance.once(3))
    return chance.pick(["null", "true", "0", "-0", "1e308", '""', '"taxi"', '"\\u0000"', '"\\ud83d"', JSON.stringify(chance.pick(EXPRESSIONS))]);
  if (chance.once(2)) return `[${chance.many(0, 4, inner).join(",")}]`;
  const name = (): string => JSON.stringify(chance.pick(["expression", "language", "jsonrpc", "id", "method", "__proto__", "a", ""]));
  return `{${chance.many(0, 4, () => `${name()}:${inner()}`).join(",")}}`;
} // prettier-ignore

function addJsonType(draft: Draft, chance: Chance): void {
  if (!chance.once(8)) {
    draft.fields.push([
      "Content-Type",
      chance.pick(["application/json", "Application/JSON; charset=utf-8", "application/json;"]),
    ]);
    return;
  }
  draft.may(415, 400);
  const value = chance.pick([
    "",
    "text/plain",
    "application/json; charset=latin1",
    "application/jsonx",
    "application/json, text/html",
  ]);
  if (!chance.once(3)) draft.fields.push(["Content-Type", value]);
  draft.faulty ||= draft.target === paths.resolve;
}

function addHost(draft: Draft, chance: Chance): void {
  draft.fields.unshift(["Host", chance.draw([[20, "localhost"], [3, "127.0.0.1:1"], [3, "registry.example"], [1, "evil.example"]])]); // prettier-ignore
  if (!chance.once(30)) return;
  draft.fault(400, 403);
  const [first] = draft.fields;
  if (chance.once(2)) draft.fields.shift();
  else if (first !== undefined) draft.fields.push([chance.pick(["host", "HOST"]), first[1]]);
}

/** One fault of the message around the content. */
function addFault(draft: Draft, chance: Chance): void {
  const [field, status] = chance.pick<readonly [readonly [string, string], number]>([
    [["Expect", "200-ok"], 417],
    [["X", "a".repeat(20_000)], 431],
    [["Bad Name", "x"], 400],
    [["X\u0000", "x"], 400],
    [["X", "a\u0000b"], 400],
    [["Content-Length", "-1"], 400],
    [["Content-Length", "1e3"], 400],
    [["Content-Length", "99999999999999999999"], 400],
    [["Transfer-Encoding", "gzip"], 400],
    [["Transfer-Encoding", "chunked, chunked"], 400],
    [["Transfer-Encoding", "identity"], 400],
  ]);
  draft.fields.push([...field]);
  // With chunks behind it, a coding is one of several.
  if (field[0] === "Transfer-Encoding") draft.may(400, 413);
  else draft.fault(status, 400, 413);
}

/** The bytes, with the body framed by length or chunks, and sometimes an obs-fold field. */
function finish(draft: Draft, chance: Chance): Sent {
  const { method, target, version, fields, body, explained } = draft;
  const isChunked = body.length > 0 && chance.once(4);
  if (isChunked) fields.push(["Transfer-Encoding", chance.pick(["chunked", "Chunked"])]);
  else if (body.length > 0 || method === "POST") fields.push(["Content-Length", String(body.length)]);
  // node:http stops at many fields.
  if (pages.has(target)) explained.delete(304);
  const lines = fields.map(([name, value]) => `${name}:${chance.pick([" ", "", "\t"])}${value}\r\n`).join("");
  const head = Buffer.from(`${method} ${target} ${version}\r\n${lines}\r\n`, "latin1");
  return { method, bytes: Buffer.concat([head, isChunked ? chunked(body, chance) : body]), explained, faulty: draft.faulty };
} // prettier-ignore

function chunked(body: Buffer, chance: Chance): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const piece = body.subarray(at, at + 1 + chance.below(Math.max(1, body.length)));
    at += piece.length;
    parts.push(Buffer.from(`${piece.length.toString(16)}${chance.once(8) ? ";a=b" : ""}\r\n`), piece, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from(chance.once(6) ? "0\r\nX: trailer\r\n\r\n" : "0\r\n\r\n")]);
} // prettier-ignore

/** Bytes with some of them changed, taken out, doubled, exchanged, or cut. */
export function mutate(bytes: Buffer, chance: Chance): Buffer {
  let mutated: Buffer = Buffer.from(bytes);
  for (let i = 1 + chance.below(4); i > 0 && mutated.length > 0; i--) {
    const [at, length] = [chance.below(mutated.length), 1 + chance.below(16)];
    const before = mutated.subarray(0, at);
    const after = mutated.subarray(at + length);
    const middle = mutated.subarray(at, at + length);
    const other = (): Buffer => Buffer.from(chance.pick(["\r\n", "\n", "\r", "\u0000", ":", " ", "HTTP/1.1", "\r\n\r\n", "0\r\n\r\n", "Content-Length: 5\r\n", "\ufeff", "é"])); // prettier-ignore
    mutated = chance.draw<() => Buffer>([
      [3, () => Buffer.concat([before, Buffer.from([chance.below(256)]), mutated.subarray(at + 1)])],
      [2, () => Buffer.concat([before, after])],
      [2, () => Buffer.concat([before, middle, middle, after])],
      [2, () => Buffer.concat([before, other(), mutated.subarray(at)])],
      [1, () => before],
    ])();
  }
  return mutated;
}
