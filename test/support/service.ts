/** The real server over a real socket: only this file makes a server in the tests' process. */
import { randomBytes } from "node:crypto";
import http, { type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { PROGRAM } from "../../generator/effects/closure.ts";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { openIndex } from "../../runtime/registry/index.ts";
import { identityCheck } from "../../runtime/release/identity-check.ts";
import { openRelease, type Release } from "../../runtime/release/release.ts";
import { TIME_LIMITS, type TimeLimits } from "../../runtime/node/time-limits.ts";
import { createServer, type ServerOptions } from "../../runtime/server.ts";
import { buildRelease } from "./release.ts";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON; throws where it is none. */
  json(): unknown;
}

export interface Message {
  readonly headers?: Readonly<Record<string, string>>;
  /** A list goes in chunks, without its length. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
}

/** Sends a request to this machine. */
export function send(to: http.RequestOptions, { headers = {}, body = [] }: Message = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const isWhole = typeof body === "string" || body instanceof Uint8Array;
    const length = isWhole ? { "content-length": String(Buffer.byteLength(body)) } : {};
    const request = http.request({ host: "127.0.0.1", ...to, headers: { ...length, ...headers } });
    request
      .on("error", (error: NodeJS.ErrnoException) => {
        // The server may end an idle connection just as the next request goes out on it.
        if (request.reusedSocket && error.code === "ECONNRESET") resolve(send(to, { headers, body }));
        else reject(error);
      })
      .on("response", (response) => void readReply(response).then(resolve, reject));
    for (const piece of isWhole ? [body] : body) request.write(piece);
    request.end();
  });
}

/** Limits for a test that reaches them. */
export const IMPATIENT: TimeLimits = { ...TIME_LIMITS, headersMs: 250, requestMs: 250, checkMs: 50 };

export interface Listening {
  readonly port: number;
  /** Faults the server reported. */
  readonly faults: unknown[];
  readonly close: () => Promise<void>;
}

export interface Service extends Listening {
  readonly release: Release;
  send(method: string, path: string, message?: Message): Promise<Reply>;
  /** POSTs a resolve request; a string or bytes go as they are, anything else as JSON. */
  resolve(request: unknown): Promise<Reply>;
}

export interface ListenOptions extends Partial<Omit<ServerOptions, "onError">> {
  /** Another free one, if none is given. */
  readonly port?: number;
}

/** Serves an open release, which the caller closes. Without an identity nobody may ask for it. */
export async function listen(release: Release, { port = 0, ...options }: ListenOptions = {}): Promise<Listening> {
  const faults: unknown[] = [];
  const app = createServer(release, {
    nonce: () => randomBytes(16).toString("base64"),
    identity: () => Promise.reject(new Error("Nobody asks")),
    ...options,
    onError: (error) => faults.push(error),
  });
  await app.listen({ host: "127.0.0.1", port });
  return {
    port: (app.server.address() as AddressInfo).port,
    faults,
    async close() {
      await app.close();
    },
  };
}

/** Serves the shared release of a registry to the tests of a file or a `describe`. */
export function serviceFor(registry: () => CheckedRegistry): Service {
  const service = {} as Service;
  beforeAll(async () => void Object.assign(service, await startService(registry())));
  afterAll(() => service.close());
  return service;
}

/** Serves the shared release of a registry. */
export async function startService(registry: CheckedRegistry, memoryMaxBytes?: number): Promise<Service> {
  return serveFolder(await buildRelease(registry), memoryMaxBytes);
}

/** The release with an index that throws this when it is read next, once. */
export function breakingOnce(release: Release, error: unknown): Release {
  const { source } = release.index;
  let isArmed = false;
  const read: typeof source.read = (offset, length) => {
    if (!isArmed) return source.read(offset, length);
    isArmed = false;
    throw error;
  };
  const index = openIndex({ length: source.length, read });
  isArmed = true;
  return { ...release, index };
}

/** Serves the release in a folder. */
export function serveFolder(dist: string, memoryMaxBytes?: number): Promise<Service> {
  return serveRelease(openRelease(dist, memoryMaxBytes));
}

/** Serves an open release, which it closes. */
export async function serveRelease(release: Release): Promise<Service> {
  const identity = identityCheck(release, { now: () => performance.now() / 1000, project: PROGRAM });
  const { port, faults, close } = await listen(release, { identity });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const sendHere: Service["send"] = (method, target, message) => send({ port, method, path: target, agent }, message);
  return {
    release,
    port,
    faults,
    send: sendHere,
    resolve(request) {
      const raw = typeof request === "string" || request instanceof Uint8Array;
      return sendHere("POST", "/api/v1/resolve", {
        headers: { "content-type": "application/json" },
        body: raw ? request : JSON.stringify(request),
      });
    },
    async close() {
      agent.destroy();
      await close();
      release.close();
    },
  };
}

async function readReply(response: http.IncomingMessage): Promise<Reply> {
  const body = Buffer.concat((await response.toArray()) as Buffer[]);
  const json = (): unknown => JSON.parse(body.toString("utf8"));
  return { status: response.statusCode ?? 0, headers: response.headers, body, json };
}
