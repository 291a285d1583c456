/** The leaves of the last tree of bindings, read once and kept for several passes. */
import type { Effects } from "../../effects/effects.ts";
import { Spool } from "../../scratch/spool.ts";
import { BINDINGS_FOLDER, readNeeded } from "./signed-log.ts";
import { type LogSource } from "./source.ts";
import { TileReader } from "./tile-reader.ts";

export interface StoredLeaves {
  all(): Generator<Uint8Array, void>;
  close(): void;
}

const LENGTH_BYTES = 2;

/** Throws ProofError if a bundle is missing, short or long. */
export async function storeLeaves(effects: Effects, source: LogSource, count: number): Promise<StoredLeaves> {
  const spool = new Spool(effects);
  const reader = new TileReader((file) => readNeeded(source, `${BINDINGS_FOLDER}/${file}`), count);
  for (let [bundle, read] = [0, 0]; read < count; bundle++)
    for (const leaf of await reader.entries(bundle)) {
      spool.append(Uint8Array.of(leaf.length >> 8, leaf.length & 0xff));
      spool.append(leaf);
      read++;
    }
  return {
    *all() {
      const take = spool.reader();
      for (let at = 0; at < spool.length;) {
        const [high = 0, low = 0] = take(at, LENGTH_BYTES);
        const length = high * 256 + low;
        yield take(at + LENGTH_BYTES, length);
        at += LENGTH_BYTES + length;
      }
    },
    close: () => spool.close(),
  };
}
