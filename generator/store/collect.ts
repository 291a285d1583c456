/** Finds, and removes, the blocks of a store that no release needs. */
import { keyOf, type RedisConnection } from "../../runtime/store/redis.ts";

export interface Found {
  readonly kept: number;
  readonly unneeded: number;
}

/** Looks at every key of a block, and at nothing else; `remove` makes it remove those that are not among `digests`. */
export async function collect(
  connection: RedisConnection,
  digests: Iterable<string>,
  { remove }: { readonly remove: boolean },
): Promise<Found> {
  const needed = new Set([...digests].map(keyOf));
  let [kept, unneeded] = [0, 0];
  for await (const piece of connection.keys()) {
    const blocks = piece.filter((key) => /^srs:[0-9a-f]{64}$/.test(key));
    const rest = blocks.filter((key) => !needed.has(key));
    kept += blocks.length - rest.length;
    unneeded += rest.length;
    if (remove) await Promise.all(rest.map((key) => connection.redis.unlink(key)));
  }
  return { kept, unneeded };
}
