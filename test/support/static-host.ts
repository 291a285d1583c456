/** A host of files in memory: a test can count its requests and spoil its answers. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { openRegistry } from "../../runtime/extras/store/remote-registry.ts";

/** What the host does otherwise with a request for a file; undefined where it serves it. */
export type Spoil = (
  name: string,
  range: string | undefined,
  bytes: Buffer,
) => Promise<Response> | Response | undefined;

export interface StaticHost {
  readonly fetch: typeof fetch;
  /** `name range` of each request. */
  readonly asked: string[];
  /** Bytes of all bodies. */
  readonly sent: number;
  /** Requests that waited for the answers of others. */
  readonly rounds: number;
}

export const BASE = "https://files.example";

export function staticHost(dist: string, spoil: Spoil = () => undefined): StaticHost {
  const asked: string[] = [];
  let [sent, rounds, turn] = [0, 0, Promise.resolve()];
  let isFirst = true;
  const answer = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const name = new URL(url).pathname.slice(1);
    const range = new Headers(init.headers).get("range") ?? undefined;
    asked.push(range === undefined ? name : `${name} ${range}`);
    if (isFirst) {
      isFirst = false;
      rounds++;
      // Whoever asks meanwhile has not waited.
      turn = setTimeout(2).then(() => void (isFirst = true));
    }
    await turn;
    const bytes = readFileSync(path.join(dist, name));
    const own = await spoil(name, range, bytes);
    if (own !== undefined) return own;
    const response = partOf(bytes, range);
    sent += Number(response.headers.get("content-length"));
    return response;
  };
  return {
    fetch: (url, init) => answer(url as string, init),
    asked,
    get sent() {
      return sent;
    },
    get rounds() {
      return rounds;
    },
  };
}

/** What a file server answers to a range. */
export function partOf(bytes: Buffer, range: string | undefined): Response {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  const start = first === "" ? Math.max(0, bytes.length - Number(last || bytes.length)) : Number(first);
  const end = first === "" || last === "" ? bytes.length : Math.min(bytes.length, Number(last) + 1);
  const part = new Uint8Array(bytes.subarray(start, end));
  const headers = {
    "content-length": String(part.length),
    "content-range": `bytes ${start}-${end - 1}/${bytes.length}`,
  };
  return new Response(part, { status: range === undefined ? 200 : 206, headers });
}

export interface ResolverModule {
  readonly openRegistry: typeof openRegistry;
  readonly StorageError: new (place: string, reason: string) => Error;
}

/** The file of the module that a release publishes. */
export function resolverFile(dist: string): string {
  const name = readdirSync(path.join(dist, "assets")).find((file) => file.startsWith("resolver."));
  return path.join(dist, "assets", name ?? "");
}

export function importResolver(dist: string): Promise<ResolverModule> {
  return import(/* @vite-ignore */ pathToFileURL(resolverFile(dist)).href) as Promise<ResolverModule>;
}
