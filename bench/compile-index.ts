/**
 * Compiles the index of a registry of any size, without the documents. Records are made, published,
 * sorted and written as in a build; the bundle is only counted, to save disk space. Prints the
 * costs, and the number of blocks that a lookup reads, as JSON.
 */
import { closeSync, createWriteStream, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileSystem } from "../generator/effects/file-system.ts";
import { compileRegistry } from "../generator/index/compile.ts";
import { Concepts } from "../generator/registry/concepts.ts";
import { publish } from "../generator/registry/publish.ts";
import { answerRequest } from "../runtime/registry/answer.ts";
import type { ByteSource } from "../runtime/registry/byte-source.ts";
import { openIndex } from "../runtime/registry/index.ts";
import { BLOCK_BYTES } from "../runtime/registry/index-format.ts";
import { scaleRecords } from "./scale-registry.ts";

const expressions = Number(process.argv[2]);
const languages = 30;

let scratchBytes = 0;
const concepts = new Concepts({
  memoryBytes: fileSystem.memoryBytes,
  scratch() {
    const scratch = fileSystem.scratch();
    return {
      ...scratch,
      append(bytes) {
        scratchBytes += bytes.length;
        scratch.append(bytes);
      },
    };
  },
});

const folder = mkdtempSync(path.join(tmpdir(), "bench-compile-"));
const started = performance.now();
for (const record of scaleRecords({ concepts: Math.ceil(expressions / languages), languages })) {
  const concept = publish(record);
  if (concept !== undefined) concepts.add(concept);
}
const registry = { registryVersion: "2026.11.1", nearForms: true, concepts };
const compiled = compileRegistry({ registry, origin: "https://registry.example" });
const bytes: Record<string, number> = {};
for (const [name, chunks] of Object.entries(compiled)) {
  const counted = function* (): Generator<Uint8Array> {
    for (const chunk of chunks) {
      bytes[name] = (bytes[name] ?? 0) + chunk.length;
      yield chunk;
    }
  };
  await pipeline(counted, createWriteStream(name === "bundle" ? devNull : path.join(folder, name)));
}
const took = { seconds: (performance.now() - started) / 1000, usage: process.resourceUsage() };
const blocksOfLookup = countBlocks(path.join(folder, "index"), bytes["bundle"] ?? 0);
rmSync(folder, { recursive: true });
process.stdout.write(
  JSON.stringify({
    expressions: concepts.expressionCount,
    seconds: took.seconds,
    processorSeconds: (took.usage.userCPUTime + took.usage.systemCPUTime) / 1e6,
    memoryMb: took.usage.maxRSS / 1024,
    scratchBytes,
    bytes,
    blocksOfLookup,
  }),
);

/** The mean number of blocks that are read for an expression, without the directory. */
function countBlocks(file: string, before: number): number {
  const descriptor = openSync(file, "r");
  const seen = new Set<number>();
  const source: ByteSource = {
    length: before + fstatSync(descriptor).size,
    read(offset, length) {
      for (let block = Math.floor(offset / BLOCK_BYTES); block * BLOCK_BYTES < offset + length; block++)
        seen.add(block);
      const read = Buffer.alloc(length);
      readSync(descriptor, read, 0, length, offset - before);
      return read;
    },
  };
  const index = openIndex(source, { readsBeginning: false });
  const samples = concepts.first(300);
  let blocks = 0;
  for (const sample of samples) {
    seen.clear();
    answerRequest(index, { expression: sample.expressions[0]?.expression });
    blocks += seen.size;
  }
  closeSync(descriptor);
  return blocks / samples.length;
}
