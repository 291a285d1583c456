/**
 * Measures the tree of bindings of a transparency log over synthetic expressions: processor time
 * against hashing alone (a key, a leaf and a node each), memory, files, and the length of a proof.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileSystem } from "../generator/effects/file-system.ts";
import type { ReleasedExpressions } from "../generator/registry/memory.ts";
import { nextLeaves } from "../generator/tools/log/bindings.ts";
import { putLeafHash, putNodeHash, putSha256 } from "../generator/tools/log/merkle.ts";
import { TreeWriter } from "../generator/tools/log/tiles.ts";

const TAGS = ["en", "de", "fr", "es", "pt", "nl", "it", "pl", "cs", "zh-Hant"];
const BYTES_OF_EXPRESSION = 90;

export function measureLog(sizes: readonly number[]): Promise<string[][]> {
  const table = [["bindings", "hashing, s", "tree in files, s", "peak memory, MB", "files", "MB", "path of a proof"]];
  for (const size of sizes.length > 0 ? sizes : [100_000, 1_000_000]) {
    const hashing = processorTime(() => hashAll(size));
    const folder = mkdtempSync(path.join(tmpdir(), "bench-log-"));
    let [files, bytes] = [0, 0];
    const tree = new TreeWriter((name, tile) => {
      files++;
      bytes += fileSystem.write(path.join(folder, name), [tile]);
    });
    const building = processorTime(() => {
      const released = { registryVersion: "2026.12.1", concepts: concepts(size), reassigned: [] };
      for (const { data } of nextLeaves([], { ...released, bytes: size * BYTES_OF_EXPRESSION }, fileSystem))
        tree.add(data);
      tree.finish();
    });
    rmSync(folder, { recursive: true });
    const megabytes = process.resourceUsage().maxRSS / 1000;
    const hashes = Math.ceil(Math.log2(size));
    table.push([size, hashing.toFixed(1), building.toFixed(1), megabytes.toFixed(0), files, (bytes / 1e6).toFixed(0), `${hashes} hashes`].map(String)); // prettier-ignore
  }
  return Promise.resolve(table);
}

/** In seconds, of all threads. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function* concepts(expressions: number): Generator<ReleasedExpressions, void> {
  for (let i = 0; i < expressions / TAGS.length; i++) {
    const texts = TAGS.map(
      (tag) => [tag, [`expression of concept ${i} in ${tag}, of some words`]] as [string, string[]],
    );
    yield { code: `C-${String(i).padStart(7, "0")}`, expressions: Object.fromEntries(texts) };
  }
}

function hashAll(expressions: number): void {
  const hashes = Buffer.alloc(64);
  for (const { code, expressions: byTag } of concepts(expressions))
    for (const [tag, [text = ""]] of Object.entries(byTag)) {
      const leaf = `{"codes":[["${code}","2026.12.1"]],"expression":${JSON.stringify(text)},"language":"${tag}"}`;
      putSha256(hashes, 0, `${text}\0${tag}`);
      putLeafHash(hashes, 32, Buffer.from(leaf));
      putNodeHash(hashes, 0, 0);
    }
}
