/**
 * Every outside act of the generator as one passed-in interface, and the file system behind it. Paths are given as the
 * caller names them; lists come back in code-point order with `/`, whatever the platform or the file system does.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { compareCodePoints } from "../text/order.ts";

export interface Effects {
  kind(file: string): "file" | "directory" | "none";
  /** Whether the name is that of a link, wherever it leads. */
  isLink(file: string): boolean;
  /** What is below a directory and no directory itself, as relative paths. */
  list(directory: string): string[];
  /** Names directly in a directory, of any kind. */
  names(directory: string): string[];
  read(file: string): Uint8Array;
  /** The bytes of a file of any size, in pieces. */
  chunks(file: string): Iterable<Uint8Array>;
  /** Size in bytes and lowercase hex SHA-256 of a file of any size. */
  digest(file: string): { bytes: number; sha256: string };
  /** Writes a file, making its folders; returns its size in bytes. */
  write(file: string, chunks: Iterable<Uint8Array>): number;
  /** The same for pieces that take their time. */
  writeStream(file: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  rename(from: string, to: string): void;
  /** Makes a link that leads to a folder. */
  link(target: string, name: string): void;
  /** Renames a directory; false where the new name is taken by one that is not empty. */
  renameToNew(from: string, to: string): boolean;
  /** Removes a file or a whole directory; no fault where there is none. */
  remove(target: string): void;
  /** The absolute path, with links followed as far as it exists. */
  realPath(file: string): string;
  /** Makes an empty folder of our own in the place for such; the caller removes it. */
  makeTemporary(name: string): string;
  /** Runs a program to its end. An exit code of -1 says that there is no such program, or that it was killed. */
  run(command: Command): Promise<Outcome>;
  /** The program that runs this one. */
  readonly node: string;
  readonly processId: number;
  isRunning(processId: number): boolean;
}

/** A program to run; the environment is that of this process and what is named. Its output is kept, or shown as it comes. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly shown?: boolean;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command says: results on standard output, faults and progress on standard error. */
export interface Console {
  print(text: string): void;
  error(text: string): void;
  /** One line that is written over; an empty one clears it. Only on a terminal. */
  progress(text: string): void;
}

/** Names that begin with a dot belong to editors and tools, not to a registry or content. */
export function isVisible(name: string): boolean {
  return !/(?:^|\/)\./.test(name);
}

const BUFFER_BYTES = 1 << 20;
/** Small enough to stay in the processor's cache between the reading and the hashing. */
const digestRoom = Buffer.allocUnsafe(1 << 18);

export const fileSystem: Effects = {
  kind(file) {
    try {
      const stats = fs.statSync(file, { throwIfNoEntry: false });
      return stats?.isDirectory() === true ? "directory" : stats?.isFile() === true ? "file" : "none";
    } catch (error) {
      // A loop of links, or a file where a folder should be, leads nowhere.
      if (["ELOOP", "ENOTDIR"].includes(codeOf(error))) return "none";
      throw error;
    }
  },
  isLink: (file) => fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true,
  list: (directory) => walk(directory, "").sort(compareCodePoints),
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
  digest(file) {
    const running = createHash("sha256");
    const descriptor = fs.openSync(file, "r");
    try {
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
    const descriptor = openNew(file);
    try {
      let total = 0;
      for await (const chunk of chunks) {
        writeAll(descriptor, chunk);
        total += chunk.length;
      }
      return total;
    } finally {
      fs.closeSync(descriptor);
    }
  },
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
  realPath: (file) => (fs.existsSync(file) ? fs.realpathSync(file) : path.resolve(file)),
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

export const terminal: Console = {
  print: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
  progress(text) {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  },
};

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

/** Modes are part of what is written: the umask must not show. */
function openNew(file: string): number {
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
  if (fileSystem.kind(directory) === "none" && path.dirname(directory) !== directory)
    makeDirectory(path.dirname(directory));
  try {
    fs.mkdirSync(directory);
    fs.chmodSync(directory, 0o755);
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || fileSystem.kind(directory) !== "directory") throw error;
  }
}

/** A link to a directory is not followed: it could lead anywhere, also back here. */
function walk(directory: string, below: string): string[] {
  return fs.readdirSync(path.join(directory, below), { withFileTypes: true }).flatMap((entry) => {
    const name = below + entry.name;
    return entry.isDirectory() ? walk(directory, `${name}/`) : [name];
  });
}

/** Gathers small chunks, so that a file of a million pieces is not a million system calls. */
function writeBuffered(descriptor: number, chunks: Iterable<Uint8Array>): number {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let used = 0;
  let total = 0;
  const flush = (): void => {
    writeAll(descriptor, buffer.subarray(0, used));
    used = 0;
  };
  for (const chunk of chunks) {
    total += chunk.length;
    if (used + chunk.length > BUFFER_BYTES) flush();
    if (chunk.length > BUFFER_BYTES) writeAll(descriptor, chunk);
    else {
      buffer.set(chunk, used);
      used += chunk.length;
    }
  }
  flush();
  return total;
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += fs.writeSync(descriptor, bytes, at);
}
