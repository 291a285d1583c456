/**
 * Every outside effect of the generator, as one interface that callers pass in. Paths are used as
 * the caller gives them. Lists are in code-point order and use `/` on every platform and file
 * system.
 */
import path from "node:path";

export interface Effects extends MemoryBudget {
  kind(file: string): "file" | "directory" | "none";
  /** Whether the name is a link, wherever it leads. */
  isLink(file: string): boolean;
  /** Everything below a directory except directories, as relative paths. */
  list(directory: string): string[];
  /** Names directly in a directory, of any kind. */
  names(directory: string): string[];
  read(file: string): Uint8Array;
  /** The bytes of a file of any size, in pieces. */
  chunks(file: string): Iterable<Uint8Array>;
  /** The standard input of this process, in chunks. */
  input(): AsyncIterable<Uint8Array>;
  /**
   * Size in bytes and lowercase hex SHA-256 of a file of any size. A file of more than `most` bytes
   * is not read, and its digest is "".
   */
  digest(file: string, most?: number): { bytes: number; sha256: string };
  /** A text that changes with every change of the file. */
  stamp(file: string): string;
  /** Writes a file, making its folders; returns its size in bytes. */
  write(file: string, chunks: Iterable<Uint8Array>): number;
  /** The same for slow or many chunks: they are written while the next ones are made. */
  writeStream(file: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number>;
  /** Writes a new file that only its owner may read; returns false if the name is taken. */
  writePrivate(file: string, text: string): boolean;
  /** Whether nobody but the owner of the file may read or write it. */
  isPrivate(file: string): boolean;
  rename(from: string, to: string): void;
  /** Makes a link that leads to a folder. */
  link(target: string, name: string): void;
  /**
   * Renames a directory; returns false if the new name belongs to a directory that is not empty.
   */
  renameToNew(from: string, to: string): boolean;
  /** Removes a file or a whole directory; a missing one is not an error. */
  remove(target: string): void;
  /** The absolute path; links are followed as far as the path exists. */
  realPath(file: string): string;
  /** Makes an empty folder in the system's temporary directory; the caller removes it. */
  makeTemporary(name: string): string;
  /** Runs a program to its end. The exit code is -1 if the program does not exist or was killed. */
  run(command: Command): Promise<Outcome>;
  /** The Node executable that runs this program. */
  readonly node: string;
  readonly processId: number;
  isRunning(processId: number): boolean;
}

/** Memory, and scratch files for data that does not fit in it. */
export interface MemoryBudget {
  /** The most that one structure may hold in memory, in bytes. */
  readonly memoryBytes: number;
  /**
   * Opens a file that no other process sees; it is gone when this process ends, however it ends.
   */
  scratch(): Scratch;
}

export interface Scratch {
  append(bytes: Uint8Array): void;
  /** Fills `into`; throws if the file has fewer bytes. */
  read(offset: number, into: Uint8Array): void;
  /** May be called more than once. */
  close(): void;
}

/**
 * A program to run, in the environment of this process plus the given variables. Its output is
 * returned, or shown as it arrives.
 */
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

/** The output of a command: results on standard output, faults and progress on standard error. */
export interface Console {
  /** Prints lines for people, made safe for a terminal; or data for programs, unchanged. */
  print(text: string, as?: "data"): void;
  /** Waits until the reader has taken the printed output, so that little of it waits in memory. */
  readonly drained?: () => Promise<void>;
  error(text: string): void;
  /** Writes one line over the last; an empty one clears it. Only on a terminal. */
  readonly progress: (text: string) => void;
  /** Asks a person; missing if nobody can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** A file as text in UTF-8. */
export function readText(effects: Pick<Effects, "read">, file: string): string {
  return new TextDecoder().decode(effects.read(file));
}

/** The text of a regular file; undefined if there is none. */
export function readTextIfFile(effects: Pick<Effects, "kind" | "read">, file: string): string | undefined {
  return effects.kind(file) === "file" ? readText(effects, file) : undefined;
}

/** Lowercase hex SHA-256 of a regular file; undefined if there is none. */
export function digestIfFile(effects: Pick<Effects, "kind" | "digest">, file: string): string | undefined {
  return effects.kind(file) === "file" ? effects.digest(file).sha256 : undefined;
}

/**
 * Whether the name exists but is neither a file nor a folder: it is a device, or a link that leads
 * nowhere.
 */
export function isOther(effects: Pick<Effects, "kind" | "names">, file: string): boolean {
  const folder = path.dirname(file);
  const isThere = effects.kind(folder) === "directory" && effects.names(folder).includes(path.basename(file));
  return isThere && effects.kind(file) === "none";
}

/** Names that begin with a dot belong to editors and tools, not to a registry or content. */
export function isVisible(name: string): boolean {
  return !/(?:^|\/)\./.test(name);
}
