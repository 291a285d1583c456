/**
 * Compiles the index of a registry of any size, without the documents around it: records are made,
 * published, sorted, and written as a build does it; the bundle is only counted, so that the disk is
 * large enough for more. Prints what it took as JSON.
 */
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileSystem } from "../generator/effects/file-system.ts";
import { compileRegistry } from "../generator/index/compile.ts";
import { Concepts } from "../generator/registry/concepts.ts";
import { publish } from "../generator/registry/publish.ts";
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
const registry = { name: "Scale", registryVersion: "2026.11.1", concepts, contentSha256: "", retired: [], history: [] };
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
rmSync(folder, { recursive: true });
process.stdout.write(
  JSON.stringify({
    seconds: (performance.now() - started) / 1000,
    processorSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    memoryMb: process.resourceUsage().maxRSS / 1024,
    scratchBytes,
    indexBytes: bytes["index"],
  }),
);
