/**
 * The server that a browser sees: it forwards each request to the runtime of the last good build,
 * adds the script to pages, and sends the result of the newest build to every open page. Only a
 * preview has it.
 */
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { pageFields } from "../../../runtime/http/representation.ts";
import type { Service } from "./service.ts";

/** Paths that only the preview has. */
const CLIENT_PATH = "/.dev/client.js";
const EVENTS_PATH = "/.dev/events";

/** The state that a page shows. */
export interface State {
  /** Names the build that is shown; empty while there is none. */
  readonly build: string;
  readonly says: string;
  readonly errors: readonly string[];
  readonly notices: readonly string[];
}

export interface Front {
  readonly port: number;
  /** Sends later requests to the service, if there is one; requests wait until the first call. */
  show(state: State, service: Pick<Service, "port"> | undefined): void;
  close(): Promise<void>;
}

interface Settings {
  readonly port: number;
  /** The script of the pages. */
  readonly client: Uint8Array;
  readonly nonce: () => string;
}

/** Listens on the loopback address. Throws the errors of node:net. */
export async function openFront({ port, client, nonce }: Settings): Promise<Front> {
  const readers = new Set<ServerResponse>();
  let shown: { readonly state: State; readonly port: number | undefined } | undefined;
  let begin: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.split("?")[0] === CLIENT_PATH)
      return void response.writeHead(200, ["Content-Type", "text/javascript", "Cache-Control", "no-store"]).end(client);
    await begun;
    if (shown === undefined) return;
    if (request.url === EVENTS_PATH) {
      response.writeHead(200, ["Content-Type", "text/event-stream", "Cache-Control", "no-store"]);
      response.write(`retry: 500\n${formatEvent(shown.state)}`);
      readers.add(response);
      response.on("close", () => readers.delete(response));
    } else if (shown.port === undefined) {
      const { fields, page } = emptyPage(nonce());
      response.writeHead(503, [...fields]).end(page);
    } else await passOn(request, response, { port: shown.port, build: shown.state.build });
  };

  const server = http.createServer((request, response) => {
    // A client that went away, or asked while a build was replaced, asks again.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen({ host: "127.0.0.1", port });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    show(state, service) {
      shown = { state, port: service?.port };
      begin?.();
      for (const reader of readers) reader.write(formatEvent(state));
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Adds one script to a page, with the nonce that the page's own policy names. */
function withClient(page: string, policy: string, build: string): string {
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
  return `${page}<script nonce="${nonce}" type="module" src="${CLIENT_PATH}?build=${build}"></script>\n`;
}

/** The page while there is nothing to show yet; the script lists the reasons. */
function emptyPage(nonce: string): { readonly fields: readonly string[]; readonly page: string } {
  const fields = ["Content-Type", "text/html; charset=utf-8", "Cache-Control", "no-store", ...pageFields(nonce)];
  const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>No preview yet</title>
<body><h1>No preview yet</h1><p>Nothing could be built. This page shows the preview as soon as something can.</p>
`;
  return { fields, page: withClient(page, fields.join(" "), "") };
}

function formatEvent(state: State): string {
  return `data: ${JSON.stringify(state)}\n\n`;
}

/**
 * Fields that hold only for the runtime's own connection or its own bytes; a page of a preview has
 * other bytes.
 */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding)$/i;
const OF_BYTES = /^(?:content-length|etag|repr-digest|content-digest|x-content-sha256|cache-control)$/i;

/** Forwards the answer of the runtime unchanged, except that pages get the script. */
async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { port, build }: { readonly port: number; readonly build: string },
): Promise<void> {
  const { method, url: path, headers } = request;
  const asked = http.request({ host: "127.0.0.1", port, method, path, headers, setHost: false, agent: false });
  const replied = once(asked, "response") as Promise<[IncomingMessage]>;
  // A refusal may come before the whole body is sent.
  pipeline(request, asked).catch(() => undefined);
  const [reply] = await replied;
  const status = reply.statusCode ?? 502;
  const isPage = method !== "HEAD" && /^text\/html\b/.test(reply.headers["content-type"] ?? "");
  if (!isPage) {
    response.writeHead(status, withoutFields(reply.rawHeaders, OF_CONNECTION));
    return pipeline(reply, response);
  }
  const policy = String(reply.headers["content-security-policy"]);
  const page = withClient(await textOf(reply), policy, build);
  const fields = withoutFields(withoutFields(reply.rawHeaders, OF_CONNECTION), OF_BYTES);
  response.writeHead(status, [...fields, "Cache-Control", "no-store"]).end(page);
}

/** Fields are names and values in turn. */
function withoutFields(fields: readonly string[], names: RegExp): string[] {
  return fields.filter((_, i) => !names.test(fields[i - (i % 2)] ?? ""));
}
