/** The effects on the real file system; programs run as child processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { promisify } from "node:util";
import { stampOf } from "../../runtime/release/plain-file.ts";
import { compareCodePoints } from "../text/order.ts";
import type { Effects, Scratch } from "./effects.ts";

const BUFFER_BYTES = 1 << 20;
/** Small enough to stay in the processor's cache between reading and hashing. */
const digestRoom = Buffer.allocUnsafe(1 << 18);

export const fileSystem: Effects = {
  kind(file) {
    const stats = statsOf(file, fs.statSync);
    return stats?.isDirectory() === true ? "directory" : stats?.isFile() === true ? "file" : "none";
  },
  isLink: (file) => statsOf(file, fs.lstatSync)?.isSymbolicLink() === true,
  stamp: (file) => stampOf(fs.statSync(file, { bigint: true })),
  list: (directory) => walk(directory).sort(compareCodePoints),
  names: (directory) => fs.readdirSync(directory).sort(compareCodePoints),
  read: (file) => fs.readFileSync(file),
  *chunks(file) {
    const descriptor = fs.openSync(file, "r");
    try {
      for (;;) {
        const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
        const read = fs.readSync(descriptor, buffer);
        if (read === 0) return;
        yield buffer.subarray(0, read);
      }
    } finally {
      fs.closeSync(descriptor);
    }
  },
  input: () => process.stdin,
  digest(file, most = Infinity) {
    const running = createHash("sha256");
    const descriptor = fs.openSync(file, "r");
    try {
      const { size } = fs.fstatSync(descriptor);
      if (size > most) return { bytes: size, sha256: "" };
      let bytes = 0;
      for (let read = -1; read !== 0; bytes += read) {
        read = fs.readSync(descriptor, digestRoom);
        running.update(digestRoom.subarray(0, read));
      }
      return { bytes, sha256: running.digest("hex") };
    } finally {
      fs.closeSync(descriptor);
    }
  },
  write(file, chunks) {
    makeDirectory(path.dirname(file));
    const descriptor = openNew(file);
    try {
      return writeBuffered(descriptor, chunks);
    } finally {
      fs.closeSync(descriptor);
    }
  },
  async writeStream(file, chunks) {
    makeDirectory(path.dirname(file));
    // Opened at once: nobody would notice a stream that failed before it was read.
    const descriptor = openNew(file);
    try {
      return await writeBehind(descriptor, chunks);
    } finally {
      fs.closeSync(descriptor);
    }
  },
  writePrivate(file, text) {
    if (statsOf(file, fs.lstatSync) !== undefined) return false;
    fs.writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return true;
  },
  // Windows has no such modes.
  isPrivate: (file) => process.platform === "win32" || (fs.statSync(file).mode & 0o077) === 0,
  rename: (from, to) => fs.renameSync(from, to),
  link: (target, name) => fs.symlinkSync(path.resolve(target), name, "dir"),
  renameToNew(from, to) {
    try {
      fs.renameSync(from, to);
      return true;
    } catch (error) {
      if (["ENOTEMPTY", "EEXIST"].includes(codeOf(error))) return false;
      throw error;
    }
  },
  remove: (target) => fs.rmSync(target, { recursive: true, force: true }),
  realPath,
  memoryBytes: 16 << 20,
  scratch: openScratch,
  makeTemporary: (name) => fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`)),
  async run({ program, args, directory, environment, shown = false }) {
    const child = spawn(program, args, {
      cwd: directory,
      env: { ...process.env, ...environment },
      stdio: shown ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    const [code, stdout, stderr] = await Promise.all([
      codeOfEnd(child),
      outputOf(child.stdout),
      outputOf(child.stderr),
    ]);
    return { code, stdout, stderr };
  },
  node: process.execPath,
  processId: process.pid,
  isRunning(processId) {
    try {
      return process.kill(processId, 0);
    } catch (error) {
      return codeOf(error) === "EPERM";
    }
  },
};

function statsOf(file: string, stat: typeof fs.statSync): fs.Stats | undefined {
  try {
    return stat(file, { throwIfNoEntry: false });
  } catch (error) {
    // A loop of links, or a file in place of a folder, counts as missing.
    if (["ELOOP", "ENOTDIR"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function realPath(file: string): string {
  if (fs.existsSync(file)) return fs.realpathSync(file);
  const { dir, base } = path.parse(path.resolve(file));
  return path.join(realPath(dir), base);
}

/**
 * The file loses its name as soon as it is open, so the system removes it even if the process is
 * killed.
 */
function openScratch(): Scratch {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "scratch-"));
  const file = path.join(folder, "file");
  const descriptor = fs.openSync(file, "wx+", 0o600);
  fs.rmSync(folder, { recursive: true });
  let isOpen = true;
  return {
    append: (bytes) => writeAll(descriptor, bytes),
    read(offset, into) {
      for (let at = 0; at < into.length;) {
        const read = fs.readSync(descriptor, into, at, into.length - at, offset + at);
        if (read === 0) throw new Error("A scratch file is cut short");
        at += read;
      }
    },
    close() {
      if (isOpen) fs.closeSync(descriptor);
      isOpen = false;
    },
  };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

/**
 * Throws if the file is a pipe that nobody reads: opening it would wait for ever. Returns what
 * closes the trial, which must be open until the pipe itself is: else its reader sees the end.
 */
function requireReader(file: string): () => void {
  if (statsOf(file, fs.statSync)?.isFIFO() !== true) return () => undefined;
  try {
    const trial = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
    return () => fs.closeSync(trial);
  } catch (error) {
    if (codeOf(error) !== "ENXIO") throw error;
    const message = `${file} is a pipe that nobody reads, so nothing was written: name a file`;
    throw Object.assign(new Error(message), { code: "ENXIO", syscall: "open" });
  }
}

/** File modes are part of the output: they must not depend on the umask. */
function openNew(file: string): number {
  const close = requireReader(file);
  try {
    return openWhole(file);
  } finally {
    close();
  }
}

function openWhole(file: string): number {
  const descriptor = fs.openSync(file, "w", 0o644);
  fs.fchmodSync(descriptor, 0o644);
  return descriptor;
}

function codeOfEnd(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on("error", () => resolve(-1)).on("exit", (code) => resolve(code ?? -1));
  });
}

async function outputOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? "" : textOf(stream);
}

/** Makes a directory and those above it, with the same mode under every umask. */
function makeDirectory(directory: string): void {
  const kind = fileSystem.kind(directory);
  if (kind === "directory") return;
  if (kind === "none" && path.dirname(directory) !== directory) makeDirectory(path.dirname(directory));
  try {
    fs.mkdirSync(directory);
    fs.chmodSync(directory, 0o755);
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || fileSystem.kind(directory) !== "directory") throw error;
  }
}

/** Links to directories are not followed: they could lead anywhere, even back here. */
function walk(directory: string): string[] {
  const files: string[] = [];
  const folders = [""];
  for (const below of folders)
    for (const entry of fs.readdirSync(path.join(directory, below), { withFileTypes: true }))
      if (entry.isDirectory()) folders.push(`${below}${entry.name}/`);
      else files.push(below + entry.name);
  return files;
}

/** Joins small chunks, so that a file of a million chunks does not take a million system calls. */
function writeBuffered(descriptor: number, chunks: Iterable<Uint8Array>): number {
  const most = Array.isArray(chunks) && chunks.length === 1 ? 0 : BUFFER_BYTES;
  const buffer = Buffer.allocUnsafe(most);
  let used = 0;
  let total = 0;
  const flush = (): void => {
    writeAll(descriptor, buffer.subarray(0, used));
    used = 0;
  };
  for (const chunk of chunks) {
    total += chunk.length;
    if (used + chunk.length > most) flush();
    if (chunk.length > most) writeAll(descriptor, chunk);
    else {
      buffer.set(chunk, used);
      used += chunk.length;
    }
  }
  flush();
  return total;
}

/** The same, while the next chunks are made. */
async function writeBehind(
  descriptor: number,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  let [budget, other] = [Buffer.allocUnsafe(BUFFER_BYTES), Buffer.allocUnsafe(BUFFER_BYTES)];
  let [used, total] = [0, 0];
  let writing = Promise.resolve();
  const flush = async (): Promise<void> => {
    await writing;
    writing = writeLater(descriptor, budget.subarray(0, used));
    // The error is reported where `writing` is awaited.
    writing.catch(() => undefined);
    [budget, other, used] = [other, budget, 0];
  };
  try {
    for await (const chunk of chunks) {
      total += chunk.length;
      for (let at = 0; at < chunk.length;) {
        if (used === budget.length) await flush();
        const part = chunk.subarray(at, at + budget.length - used);
        budget.set(part, used);
        used += part.length;
        at += part.length;
      }
    }
    await flush();
  } finally {
    await writing;
  }
  return total;
}

const write = promisify(fs.write);

async function writeLater(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await write(descriptor, bytes, at)).bytesWritten;
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += fs.writeSync(descriptor, bytes, at);
}
