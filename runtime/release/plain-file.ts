/** Opening the files of a release: plain files alone, and every refusal as one line for the operator. */
import fs from "node:fs";
import { MANIFEST_FILE } from "./manifest.ts";

/** A dist that cannot be served; the message is one line for the operator. */
export class ReleaseError extends Error {
  override name = "ReleaseError";
}

/** Opens a file for reading; gives its descriptor. Throws ReleaseError for whatever is no plain file. */
export function openFile(file: string): number {
  const descriptor = open(file);
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  throw new ReleaseError(`${file} is no plain file: build again`);
}

function open(file: string): number {
  try {
    // A pipe must not keep us waiting for somebody who writes to it.
    return fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new ReleaseError(missing ? `${file} does not exist: build first (npm run build)` : `${file} cannot be read`);
  }
}

/** Throws ReleaseError. */
export function readFile(file: string): Uint8Array {
  const descriptor = openFile(file);
  try {
    return fs.readFileSync(descriptor);
  } catch {
    throw new ReleaseError(`${file} cannot be read`);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Where a file is and when it was last touched, as the file system knows it (O-35). */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: fs.BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

/** What is said of a file whose digest is another. */
export function damaged(file: string): string {
  return `${file} differs from its digest in ${MANIFEST_FILE}: restore the file or build again`;
}
