/**
 * A file of a static host, read by ranges (RFC 9110 §14). If the host ignores ranges, it sends the
 * whole file, which is kept if it is small enough. If it does not support suffix ranges, it is
 * asked for positions. Any answer other than the requested one throws a StorageError: another
 * status or range, a body that is cut short or does not end, silence.
 */
import { SilentError, StorageError } from "../../registry/block-source.ts";
import { readAtMost } from "../../text/bytes.ts";

export interface Fetching {
  readonly fetch: typeof fetch;
  /** For each request, including its body. */
  readonly timeoutMs: number;
  /** The most that is read of each file if the host ignores ranges. */
  readonly wholeMaxBytes: number;
  /** A cache may hold parts of the previous release: it revalidates them, or is passed by. */
  readonly cache?: "no-cache" | "reload";
}

export interface RangeFile {
  readonly url: string;
  /** Size in bytes; known after the first range. */
  readonly length: number;
  /** Reads all of a small file. */
  whole(maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads the last `count` bytes, or fewer if the file is shorter. */
  last(count: number): Promise<Uint8Array<ArrayBuffer>>;
  readonly read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;
}

type Bounds = readonly [start: number, end: number];

/** Opens a file of a host. The range unit is compared without case (RFC 9110 §14.1). */
export function rangeFile(url: string, fetching: Fetching): RangeFile {
  let length: number | undefined;
  /** The whole file, if the host ignores ranges. */
  let all: Uint8Array<ArrayBuffer> | undefined;

  const fault = (reason: string): StorageError => new StorageError(url, reason);
  const request = <T>(headers: Record<string, string>, read: (response: Response) => Promise<T>): Promise<T> =>
    askFor(url, { ...fetching, headers }, read);

  const bodyOf = async ({ body }: Response, maxBytes: number) => {
    const bytes = await readAtMost(body, maxBytes);
    if (bytes === undefined) throw fault("the answer is too long");
    return bytes;
  };
  const settle = (of: number): number => {
    if (of !== (length ?? of)) throw fault("it has changed while it was read");
    return (length = of);
  };
  const range = async (field: string, bounds: (of: number) => Bounds): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes =
      all ??
      (await request({ range: `bytes=${field}` }, async (response) => {
        // The answer of a host that does not support suffix ranges decides nothing.
        const refuse = (why: string): undefined => {
          if (field[0] !== "-") throw fault(why);
        };
        if (response.status === 200)
          return (all = await readWhole(response, fetching.wholeMaxBytes)) ?? refuse("the host ignores ranges, and it is too large"); // prettier-ignore
        if (response.status !== 206) return refuse(`the host answers ${response.status}`);
        const sent = response.headers.get("content-range")?.toLowerCase();
        const [start, end] = bounds(settle(Number(sent?.split("/")[1])));
        if (sent !== `bytes ${start}-${end - 1}/${length}`) return refuse("the host sends another range");
        const part = await bodyOf(response, end - start);
        if (part.length < end - start) throw fault("the answer is cut short");
        return part;
      }));
    // This read reveals the length. It asks for two bytes, because sirv answers 0-0 with the whole.
    if (!bytes) return read(0, 2).then(() => read(...bounds(length ?? 0)));
    if (bytes !== all) return bytes;
    const [start, end] = bounds(settle(bytes.length));
    if (end > bytes.length) throw fault("it is cut short");
    return bytes.subarray(start, end);
  };
  const read = (start: number, end: number) => range(`${start}-${end - 1}`, () => [start, end]);

  return {
    url,
    get length() {
      return length ?? 0;
    },
    whole: (maxBytes) =>
      request({}, async (response) => {
        if (response.status !== 200) throw fault(`the host answers ${response.status}`);
        return bodyOf(response, maxBytes);
      }),
    last: (count) => range(`-${count}`, (of) => [Math.max(0, of - count), of]),
    read,
  };
}

/** Undefined if the file is too large; if its length says so, nothing of it is read. */
function readWhole({ headers, body }: Response, maxBytes: number): ReturnType<typeof readAtMost> {
  return readAtMost(body, Number(headers.get("content-length")) > maxBytes ? -1 : maxBytes);
}

async function askFor<T>(
  url: string,
  { fetch: ask, timeoutMs, cache = "no-cache", headers }: Fetching & { readonly headers: Record<string, string> },
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  const init = { headers, signal, cache, redirect: "error" } as const;
  try {
    return await read(await ask(url, init));
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const reason = signal.aborted ? `there is no answer within ${timeoutMs} ms` : "the host cannot be reached";
    throw new SilentError(url, reason);
  }
}
