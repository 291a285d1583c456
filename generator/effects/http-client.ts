/**
 * Sends requests to a server on the network, within bounds: it follows no redirect, decodes
 * nothing, and limits the time and size of every response.
 */
import http from "node:http";
import https from "node:https";

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A longer body is cut off one byte after this size. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface HttpReply {
  readonly status: number;
  /** Names are in lower case; repeated field lines are joined by commas. */
  readonly fields: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Keeps its connections open; `close` ends them. */
export interface HttpClient {
  /** Rejects with an Error whose message says briefly why there is no answer. */
  ask(request: HttpRequest): Promise<HttpReply>;
  close(): void;
}

const CONNECTIONS = 8;

export function httpClient(): HttpClient {
  const options = { keepAlive: true, maxSockets: CONNECTIONS };
  const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) };
  return {
    ask: (request) => {
      const signal = AbortSignal.timeout(request.timeoutMs);
      return send(request, signal, agents[isSecure(request) ? "https:" : "http:"]);
    },
    close: () => Object.values(agents).forEach((agent) => agent.destroy()),
  };
}

function isSecure({ url }: HttpRequest): boolean {
  return new URL(url).protocol === "https:";
}

/** Without an agent, it opens a connection for this request. */
function send(asked: HttpRequest, signal: AbortSignal, agent: http.Agent | false): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const { request } = isSecure(asked) ? https : http;
    const { url, method, fields, body, timeoutMs, maxBytes } = asked;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const headers = { ...fields, ...length };
    const fail = (cause: Error): void => {
      const why = signal.aborted ? `no whole answer within ${timeoutMs / 1000} s` : reasonOf(cause);
      reject(new Error(why, { cause }));
    };
    // Otherwise, Node would keep only the first line of some fields.
    const joined = { joinDuplicateHeaders: true };
    const sent = request(url, { method, headers, agent, signal, ...joined }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = (): void => {
        const lines = Object.entries(response.headers).map(([name, value = ""]) => [name, String(value)]);
        const whole = Buffer.concat(chunks).subarray(0, maxBytes + 1);
        resolve({ status: response.statusCode ?? 0, fields: Object.fromEntries(lines), body: whole });
      };
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= maxBytes) return;
        finish();
        response.destroy();
      });
      response.on("end", finish).on("error", fail);
    });
    let before = 0;
    sent.on("socket", ({ bytesRead }) => (before = bytesRead));
    sent.on("error", (cause) => {
      // A kept connection may close before the request is read (RFC 9112 §9.3.1). If an answer has
      // begun, the request was read.
      const isUnread = sent.reusedSocket && sent.socket?.bytesRead === before;
      if (isUnread && !signal.aborted) resolve(send(asked, signal, false));
      else fail(cause);
    });
    sent.on("upgrade", ({ statusCode }, socket) => {
      socket.destroy();
      fail(new Error(`it answers ${statusCode}`));
    });
    sent.end(body);
  });
}

/** A reason that a person can act on, without Node's wording. */
function reasonOf(error: NodeJS.ErrnoException): string {
  const { code = "", message } = error;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "its name cannot be resolved";
  if (code === "ECONNREFUSED") return "nothing is listening there";
  if (code === "ECONNRESET") return "it closed the connection";
  if (code.startsWith("HPE_")) return "its answer is not HTTP/1.1";
  if (/CERT|SIGNED|SSL|TLS/.test(code)) return `its certificate is not trusted (${code})`;
  return code === "" ? message : code;
}
