/** The real server over a real socket, on a release built from a registry of the test's own. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import http, { type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { PROGRAM } from "../../generator/effects/closure.ts";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { identityCheck } from "../../runtime/release/identity-check.ts";
import { openRelease, type Release } from "../../runtime/release/release.ts";
import { createServer } from "../../runtime/server.ts";
import { buildRelease } from "./release.ts";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON; throws where it is none. */
  json(): unknown;
}

export interface Service {
  readonly release: Release;
  readonly port: number;
  /** Faults the server reported. */
  readonly faults: unknown[];
  send(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: string | Uint8Array },
  ): Promise<Reply>;
  /** POSTs a resolve request; a string or bytes go as they are, anything else as JSON. */
  resolve(request: unknown): Promise<Reply>;
  close(): Promise<void>;
}

/** For servers that nobody asks for their identity. */
export const noIdentity = (): Promise<never> => Promise.reject(new Error("Nobody asks"));

export async function startService(registry: CheckedRegistry, memoryMaxBytes?: number): Promise<Service> {
  const directory = await buildRelease(registry);
  const release = openRelease(directory, memoryMaxBytes);
  const faults: unknown[] = [];
  const app = createServer(release, {
    onFault: (error) => faults.push(error),
    nonce: () => randomBytes(16).toString("base64"),
    identity: identityCheck(release, { now: () => performance.now() / 1000, project: PROGRAM }),
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const send: Service["send"] = (method, target, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const request = http.request({
        host: "127.0.0.1",
        port,
        method,
        path: target,
        agent,
        headers: { ...length, ...headers },
      });
      request.on("error", reject).on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
        response.on("end", () => {
          const whole = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: whole,
            json: () => JSON.parse(whole.toString("utf8")) as unknown,
          });
        });
      });
      request.end(body);
    });
  return {
    release,
    port,
    faults,
    send,
    resolve(request) {
      const raw = typeof request === "string" || request instanceof Uint8Array;
      return send("POST", "/api/v1/resolve", {
        headers: { "content-type": "application/json" },
        body: raw ? request : JSON.stringify(request),
      });
    },
    async close() {
      agent.destroy();
      await app.close();
      release.close();
      rmSync(path.dirname(directory), { recursive: true });
    },
  };
}
