/**
 * A store of blocks by their digests, in a server or a cluster that speaks the Redis protocol. The
 * official client is an optional peer dependency: it is loaded only if a store is configured.
 */
import type { BlockStore } from "../../registry/block-source.ts";
import { ReleaseError } from "../../release/plain-file.ts";
import { concat } from "../../text/bytes.ts";
import { BlockError, within } from "./guard.ts";

export function blockKey(digest: string): string {
  return `srs:${digest}`;
}

/** The commands that are used, of one server or of a cluster, whose client finds a key's server. */
export interface Redis {
  get(key: string): Promise<Uint8Array | null>;
  exists(key: string): Promise<number>;
  set(key: string, value: Buffer): Promise<unknown>;
  unlink(key: string): Promise<number>;
}

export interface RedisConnection {
  readonly redis: Redis;
  /** The keys that begin with `srs:`, in batches, of each server that is not a replica. */
  keys(): AsyncIterable<readonly string[]>;
  close(): void;
}

/** The URLs for messages, without credentials. */
export function nameOf(urls: readonly string[]): string {
  return urls.map((url) => `${new URL(url).protocol}//${new URL(url).host}`).join(",");
}

/** Throws ReleaseError if the client is not installed. */
export async function loadClient(): Promise<typeof import("@redis/client")> {
  try {
    return await import("@redis/client");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ReleaseError(
      "A store at redis:// needs a package that is not installed here: npm install --no-save @redis/client@6.3.1",
    );
  }
}

interface Connecting {
  readonly timeoutMs: number;
  /** Whether replicas, which may lag, are read too. */
  readonly useReplicas: boolean;
}

/** How soon a lost connection is retried; a retry is also how the client learns of new servers. */
const RECONNECT_MS = 500;

/** Connects to the cluster at these addresses, or to the first server if it is not a cluster. */
export async function connectRedis(
  urls: readonly string[],
  { timeoutMs, useReplicas }: Connecting,
): Promise<RedisConnection> {
  const { createClient, createCluster, RESP_TYPES } = await loadClient();
  const [first = ""] = urls;
  const { username, password, protocol } = new URL(first);
  const own = { RESP: 2, disableClientInfo: true, disableOfflineQueue: true } as const;
  const socket = { connectTimeout: timeoutMs, reconnectStrategy: RECONNECT_MS };
  const bytes = { [RESP_TYPES.BLOB_STRING]: Buffer };
  const cluster = createCluster({
    RESP: 2,
    commandOptions: { timeout: timeoutMs },
    // They are asked once for the servers of the cluster. Without a time limit, one that accepts
    // the connection but stays silent would block forever.
    rootNodes: urls.map((url) => ({ url, socket: { socketTimeout: timeoutMs } })),
    defaults: {
      ...own,
      ...(username !== "" && { username: decodeURIComponent(username) }),
      ...(password !== "" && { password: decodeURIComponent(password) }),
      socket: protocol === "rediss:" ? { ...socket, tls: true } : socket,
    },
    useReplicas,
    // If it connected to all servers at once, one that is gone would keep the others waiting.
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: RECONNECT_MS,
  });
  let cause = new Error("it cannot be reached");
  for (const event of ["error", "node-error"]) cluster.on(event, (error: Error) => (cause = error));
  const masters = () => Promise.all(cluster.masters.map((master) => cluster.nodeClient(master)));
  try {
    await cluster.connect();
    // A writer needs every master. The client alone would wait forever for one that is gone.
    if (!useReplicas) await within(timeoutMs, masters());
    const redis = inTime(cluster.withTypeMapping(bytes), timeoutMs);
    return { redis, keys: () => scan(masters, timeoutMs), close: () => cluster.destroy() };
  } catch {
    cluster.destroy();
    if (!/cluster.*(?:disabled|not enabled)/i.test(cause.message)) throw cause;
  }
  const client = createClient({
    ...own,
    url: first,
    socket,
    commandOptions: { timeout: timeoutMs },
  });
  client.on("error", () => undefined);
  try {
    // On its own, the client would retry forever.
    await within(timeoutMs, client.connect());
  } catch (error) {
    client.destroy();
    throw error;
  }
  return {
    redis: inTime(client.withTypeMapping(bytes), timeoutMs),
    keys: () => scan(() => Promise.resolve([client]), timeoutMs),
    close: () => client.destroy(),
  };
}

/**
 * The time limit of the client ends when it has sent a command. A list or a hash at the key of a
 * block is a wrong value, not a server that does not answer.
 */
function inTime(redis: Redis, timeoutMs: number): Redis {
  const answerOf = <T>(answer: Promise<T>): Promise<T> =>
    within(timeoutMs, answer).catch((error: unknown) => {
      // The client looks for the server of the key without asking whether there is one.
      if (error instanceof TypeError) throw new Error("no server of the cluster has the slot of a key");
      throw error;
    });
  return {
    get: (key) =>
      answerOf(redis.get(key)).catch((error: unknown) => {
        if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return new Uint8Array();
        throw error;
      }),
    exists: (key) => answerOf(redis.exists(key)),
    set: (key, value) => answerOf(redis.set(key, value)),
    unlink: (key) => answerOf(redis.unlink(key)),
  };
}

interface Scannable {
  scanIterator(options: { MATCH: string; COUNT: number }): AsyncIterable<readonly string[]>;
}

async function* scan(
  servers: () => Promise<readonly Scannable[]>,
  timeoutMs: number,
): AsyncIterable<readonly string[]> {
  for (const server of await servers()) {
    const pieces = server.scanIterator({ MATCH: "srs:*", COUNT: 1000 })[Symbol.asyncIterator]();
    const next = () => within(timeoutMs, pieces.next());
    for (let piece = await next(); piece.done !== true; piece = await next()) yield piece.value;
  }
}

export interface Blocks {
  readonly blockBytes: number;
  readonly digestOf: (block: number) => string;
  readonly timeoutMs: number;
  readonly renewMs: number;
}

export interface RedisReader {
  readonly read: BlockStore["read"];
  /** Reconnects soon, because the client may be waiting for a server that has left the cluster. */
  readonly onSilence: () => void;
  close(): void;
}

/**
 * Reads blocks from Redis. Connects at the first read, and retries at each read that finds no
 * connection.
 */
export function readRedis(urls: readonly string[], { blockBytes, digestOf, timeoutMs, renewMs }: Blocks): RedisReader {
  let connecting: Promise<RedisConnection> | undefined;
  let renewing: NodeJS.Timeout | undefined;
  let isClosed = false;
  const open = (): Promise<RedisConnection> => connectRedis(urls, { timeoutMs, useReplicas: true });
  const connect = (): Promise<RedisConnection> => {
    connecting ??= open().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };
  const hangUp = (one: typeof connecting): void => void one?.then((connection) => connection.close(), () => undefined); // prettier-ignore
  const renew = async (): Promise<void> => {
    try {
      const next = await open();
      const before = connecting;
      connecting = Promise.resolve(next);
      // The old connection may still answer its pending reads.
      setTimeout(() => hangUp(before), timeoutMs).unref();
      if (isClosed) next.close();
    } catch {
      // The old connection stays; the next silence tries again.
    }
    renewing = undefined;
  };
  return {
    async read(start, end) {
      const { redis } = await connect();
      const [first, behind] = [start / blockBytes, Math.ceil(end / blockBytes)];
      const read = async (block: number): Promise<Uint8Array> => {
        const bytes = await redis.get(blockKey(digestOf(block)));
        if (bytes === null) throw new BlockError(block, "it is not in the store");
        if (bytes.length === Math.min(blockBytes, end - block * blockBytes)) return bytes;
        throw new BlockError(block, "it has another length in the store");
      };
      const blocks = Array.from({ length: behind - first }, (_none, i) => read(first + i));
      return concat(await Promise.all(blocks), end - start);
    },
    onSilence: () => void (renewing ??= setTimeout(() => void renew(), renewMs).unref()),
    close() {
      isClosed = true;
      clearTimeout(renewing);
      hangUp(connecting);
    },
  };
}
