/** Writes an export: to standard output in pieces, or to a file completely or not at all. */
import { createHash } from "node:crypto";
import path from "node:path";
import { encoded, tap } from "../text/chunks.ts";
import { isOther } from "../effects/effects.ts";
import { UsageError } from "../text/usage-error.ts";
import { ExportError } from "../text/export-error.ts";
import type { Outside } from "./command.ts";

export interface Delivered {
  readonly bytes: number;
  /** The file and its SHA-256. */
  readonly file?: readonly [name: string, sha256: string];
}

/** The file to which the name leads: a link is kept; a folder or a device is refused. */
export function fileOf(effects: Outside["effects"], into: string): string {
  return regularFile(effects, "into", into);
}

/** The same for the value of another option. */
export function regularFile(effects: Outside["effects"], option: string, name: string): string {
  const file = effects.realPath(name);
  if (effects.kind(file) === "directory" || isOther(effects, file))
    throw new UsageError(`--${option} ${name} is not a regular file`);
  return file;
}

/** Prints or writes the pieces. Returns undefined if they cannot be exported, which is reported. */
export async function deliver(
  outside: Outside,
  pieces: Iterable<string>,
  file: string | undefined,
): Promise<Delivered | undefined> {
  const { console } = outside;
  try {
    return file === undefined ? await print(console, pieces) : await writePieces(outside, pieces, file);
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    console.progress("");
    console.error(file === undefined ? `${error.message}. The printed output is incomplete` : error.message);
    return undefined;
  }
}

const PRINT_AT_ONCE = 1 << 16;
const SHOW_AT_ONCE = 1 << 23;

async function print(console: Outside["console"], pieces: Iterable<string>): Promise<Delivered> {
  let held = "";
  let bytes = 0;
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    held += piece;
    const end = held.length < PRINT_AT_ONCE ? -1 : held.lastIndexOf("\n");
    if (end < 0) continue;
    console.print(held.slice(0, end), "data");
    held = held.slice(end + 1);
    await console.drained?.();
  }
  if (held !== "") console.print(held.endsWith("\n") ? held.slice(0, -1) : held, "data");
  return { bytes };
}

/**
 * Writes the file completely or not at all; `write` makes a part with the given name. Removes a
 * folder that was made for it if the folder stays empty.
 */
export async function writeWhole<T>(
  effects: Outside["effects"],
  file: string,
  write: (part: string) => T | Promise<T>,
): Promise<T> {
  const part = `${file}.part-${effects.processId}`;
  let folder = path.dirname(file);
  while (effects.kind(path.dirname(folder)) === "none") folder = path.dirname(folder);
  const isNew = effects.kind(folder) === "none";
  removeLeftovers(effects, file);
  try {
    const written = await write(part);
    effects.rename(part, file);
    return written;
  } finally {
    effects.remove(part);
    if (isNew && effects.kind(folder) === "directory" && effects.list(folder).length === 0) effects.remove(folder);
  }
}

/** Removes the parts of the same file that killed commands left. */
function removeLeftovers(effects: Outside["effects"], file: string): void {
  const [folder, beginning] = [path.dirname(file), `${path.basename(file)}.part-`];
  for (const name of effects.kind(folder) === "directory" ? effects.names(folder) : []) {
    const process = name.startsWith(beginning) ? name.slice(beginning.length) : "";
    if (/^[1-9]\d*$/.test(process) && !effects.isRunning(Number(process))) effects.remove(path.join(folder, name));
  }
}

async function writePieces({ effects, console }: Outside, pieces: Iterable<string>, file: string): Promise<Delivered> {
  const hash = createHash("sha256");
  let [total, shown] = [0, 0];
  const chunks = tap(encoded(pieces), (chunk) => {
    hash.update(chunk);
    total += chunk.length;
    if (total - shown >= SHOW_AT_ONCE)
      console.progress(`Writing ${file}: ${Math.floor((shown = total) / (1 << 20))} MiB`);
  });
  try {
    const bytes = await writeWhole(effects, file, (part) => effects.write(part, chunks));
    return { bytes, file: [file, hash.digest("hex")] };
  } finally {
    console.progress("");
  }
}
