/**
 * A file server on loopback that serves ranges as static hosts do, and can be made to misbehave.
 */
import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { partOf } from "./static-host.ts";

export type Misbehave = (range: string | undefined, bytes: Buffer, response: http.ServerResponse) => void;

export interface RangeServer {
  readonly port: number;
  readonly url: string;
  /** What it does with requests for a file in place of serving it. */
  misbehave: Misbehave | undefined;
  /** Serves the files of another folder. */
  folder: string;
  /** How many requests it had. */
  asked: number;
  close(): Promise<void>;
}

export async function startRangeServer(folder: string, port = 0): Promise<RangeServer> {
  const server = http.createServer((request, response) => {
    own.asked++;
    const { range } = request.headers;
    const bytes = readFileSync(path.join(own.folder, request.url?.replace("/dist/", "") ?? ""));
    if (own.misbehave !== undefined) return own.misbehave(range, bytes, response);
    const answer = partOf(bytes, range);
    const end = async (): Promise<unknown> =>
      response
        .writeHead(answer.status, Object.fromEntries(answer.headers))
        .end(new Uint8Array(await answer.arrayBuffer()));
    void end();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bound = (server.address() as AddressInfo).port;
  const own: RangeServer = {
    port: bound,
    url: `http://127.0.0.1:${bound}/dist/`,
    misbehave: undefined,
    folder,
    asked: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return own;
}
