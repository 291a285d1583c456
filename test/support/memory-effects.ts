/** Effects over a map of files: what the file system does, without one. */
import { createHash } from "node:crypto";
import type { Effects, Scratch } from "../../generator/effects/effects.ts";
import { compareCodePoints } from "../../generator/text/order.ts";

export interface MemoryEffects extends Effects {
  readonly files: Map<string, Uint8Array>;
}

export function memoryEffects(texts: Readonly<Record<string, string | Uint8Array>>): MemoryEffects {
  const encoder = new TextEncoder();
  const files = new Map(
    Object.entries(texts).map(([name, content]) => [
      name,
      typeof content === "string" ? encoder.encode(content) : content,
    ]),
  );
  const below = (directory: string): string[] => [...files.keys()].filter((name) => name.startsWith(`${directory}/`));
  return {
    files,
    kind: (file) => (files.has(file) ? "file" : file === "." || below(file).length > 0 ? "directory" : "none"),
    isLink: () => false,
    list: (directory) =>
      below(directory)
        .map((name) => name.slice(directory.length + 1))
        .sort(compareCodePoints),
    names: (directory) =>
      [...new Set(below(directory).map((name) => name.slice(directory.length + 1).split("/")[0] ?? ""))].sort(
        compareCodePoints,
      ),
    read(file) {
      const bytes = files.get(file);
      if (bytes === undefined) throw new Error(`No such file: ${file}`);
      return bytes;
    },
    write(file, chunks) {
      const bytes = Buffer.concat([...chunks]);
      files.set(file, bytes);
      return bytes.length;
    },
    rename(from, to) {
      for (const name of below(from)) {
        files.set(to + name.slice(from.length), files.get(name) ?? new Uint8Array());
        files.delete(name);
      }
    },
    stamp: (file) => Buffer.from(files.get(file) ?? "").toString("base64"),
    digest(file) {
      const bytes = files.get(file) ?? notNeeded();
      return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
    },
    input: notNeeded,
    chunks: (file) => [files.get(file) ?? notNeeded()],
    writeStream: notNeeded,
    writePrivate: notNeeded,
    isPrivate: notNeeded,
    makeTemporary: notNeeded,
    // Very little, so that tests with these effects also cover data that exceeds memory.
    memoryBytes: 1000,
    scratch: memoryScratch,
    run: notNeeded,
    renameToNew: () => true,
    realPath: (file) => file,
    link: notNeeded,
    node: "node",
    processId: 1,
    isRunning: () => false,
    remove(target) {
      for (const name of [target, ...below(target)]) files.delete(name);
    },
  };
}

function memoryScratch(): Scratch {
  let budget = new Uint8Array();
  let used = 0;
  return {
    append(bytes) {
      if (used + bytes.length > budget.length) {
        const former = budget;
        budget = new Uint8Array(2 * (used + bytes.length));
        budget.set(former.subarray(0, used));
      }
      budget.set(bytes, used);
      used += bytes.length;
    },
    read: (offset, into) => into.set(budget.subarray(offset, Math.min(used, offset + into.length))),
    close: () => undefined,
  };
}

function notNeeded(): never {
  throw new Error("Not needed in memory");
}
