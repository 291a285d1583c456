/** Opens the files of a release: only regular files. Each error is one line for the operator. */
import fs from "node:fs";
import { MANIFEST_FILE } from "../contract/files.ts";

/** A dist that cannot be served; the message is one line for the operator. */
export class ReleaseError extends Error {
  override name = "ReleaseError";
}

/** A file is missing, so that nothing may have been built there. */
export class MissingFileError extends ReleaseError {}

/** Opens a file for reading. Throws ReleaseError if it is not a regular file. */
export function openFile(file: string): number {
  const descriptor = open(file);
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  throw new ReleaseError(`${file} is not a regular file: build again`);
}

function open(file: string): number {
  try {
    // Opening a pipe must not wait for a writer.
    return fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (missing) throw new MissingFileError(`${file} does not exist: build first`);
    throw new ReleaseError(`${file} cannot be read`);
  }
}

/** Larger than any document, kit or asset, except files that grow with the registry. */
export const FILE_MAX_BYTES = 64 * 1024 * 1024;

/** Reads a whole regular file of at most `most` bytes. Throws ReleaseError. */
export function readFile(file: string, most = FILE_MAX_BYTES): Uint8Array {
  const descriptor = openFile(file);
  try {
    if (fs.fstatSync(descriptor).size <= most) return fs.readFileSync(descriptor);
  } catch {
    throw new ReleaseError(`${file} cannot be read`);
  } finally {
    fs.closeSync(descriptor);
  }
  throw new ReleaseError(`${file} has more than ${most} bytes, the most it can have: restore the file or build again`);
}

/** Identifies a file and its last change by the file system's metadata (O-35). */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: fs.BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

/** The message about a file that does not match its digest. */
export function damaged(file: string, list = MANIFEST_FILE): string {
  return `${file} differs from its digest in ${list}: restore the file or build again`;
}
