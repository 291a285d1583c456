/**
 * Every outside act of the generator as one passed-in interface. Paths are given as the caller names them; lists come back
 * in code-point order with `/`, whatever the platform or the file system does.
 */
import path from "node:path";

export interface Effects extends Room {
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
  /** What this process is given to read, in pieces. */
  input(): AsyncIterable<Uint8Array>;
  /** Size in bytes and lowercase hex SHA-256 of a file of any size; one of more than `most` bytes is not read, and has "". */
  digest(file: string, most?: number): { bytes: number; sha256: string };
  /** What is another one after each change of the file. */
  stamp(file: string): string;
  /** Writes a file, making its folders; returns its size in bytes. */
  write(file: string, chunks: Iterable<Uint8Array>): number;
  /** The same for pieces that take their time, or are many: they are written while the next ones are made. */
  writeStream(file: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number>;
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

/** Where things go that do not fit in memory. */
export interface Room {
  /** What one structure may hold in memory, in bytes. */
  readonly memoryBytes: number;
  /** Opens a file that nobody else sees, and that is gone when this process is, however it ends. */
  scratch(): Scratch;
}

export interface Scratch {
  append(bytes: Uint8Array): void;
  /** Fills `into`; throws where there are fewer bytes. */
  read(offset: number, into: Uint8Array): void;
  /** Once or several times. */
  close(): void;
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
  /** Lines for people, where nothing steers a terminal; or what programs read, as it is. */
  print(text: string, as?: "data"): void;
  /** Waits until who reads what was printed has taken it, so that much of it never waits in memory. */
  readonly drained?: () => Promise<void>;
  error(text: string): void;
  /** One line that is written over; an empty one clears it. Only on a terminal. */
  readonly progress: (text: string) => void;
  /** What somebody answers; missing where nobody can. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** A file as text in UTF-8. */
export function readText(effects: Pick<Effects, "read">, file: string): string {
  return new TextDecoder().decode(effects.read(file));
}

/** The same of a regular file; undefined where there is none. */
export function readTextIfFile(effects: Pick<Effects, "kind" | "read">, file: string): string | undefined {
  return effects.kind(file) === "file" ? readText(effects, file) : undefined;
}

/** Lowercase hex SHA-256 of a regular file; undefined where there is none. */
export function digestIfFile(effects: Pick<Effects, "kind" | "digest">, file: string): string | undefined {
  return effects.kind(file) === "file" ? effects.digest(file).sha256 : undefined;
}

/** Whether the name is taken by neither a file nor a folder: by a device, or a link that leads nowhere. */
export function isOther(effects: Pick<Effects, "kind" | "names">, file: string): boolean {
  const folder = path.dirname(file);
  const isThere = effects.kind(folder) === "directory" && effects.names(folder).includes(path.basename(file));
  return isThere && effects.kind(file) === "none";
}

/** Names that begin with a dot belong to editors and tools, not to a registry or content. */
export function isVisible(name: string): boolean {
  return !/(?:^|\/)\./.test(name);
}
