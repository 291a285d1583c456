/**
 * One digest over everything that a build reads: registry, content, generator, runtime, package
 * manifest and lock, and origin. The same digest means the same dist, so `npm start` can skip the
 * build.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import { SOURCE_FILES } from "../../runtime/release/identity.ts";
import { PROGRAM } from "./closure.ts";
import { digestIfFile, type Effects, isVisible } from "./effects.ts";
import { overlaid } from "./overlay.ts";

export interface Inputs {
  readonly registry: string;
  /** The owner's folder, which overrides the package's content. */
  readonly content: string;
  readonly origin: string;
}

/** A folder or file that a build reads, with the digest of its sum lines or of its bytes. */
export interface InputDigest {
  readonly name: string;
  /** Lowercase hex. */
  readonly sha256: string;
}

/** Lowercase hex SHA-256 over all inputs; it does not depend on folder paths. */
export function digestInputs(effects: Effects, inputs: Inputs): string {
  const running = createHash("sha256").update(`origin ${inputs.origin}\n`);
  for (const { name, sha256 } of listInputs(effects, inputs)) running.update(`${sha256}  ${name}\n`);
  return running.digest("hex");
}

/**
 * The digest of each input. That of a folder is the digest of the lines that `sha256sum` prints for
 * its visible files in byte order.
 */
export function listInputs(effects: Effects, { registry, content }: Inputs): InputDigest[] {
  const read = overlaid(effects, content);
  const folders = {
    registry,
    content,
    generator: path.join(PROGRAM, "generator"),
    runtime: path.join(PROGRAM, "runtime"),
  };
  return [
    ...Object.entries(folders).map(([name, directory]) => ({ name, sha256: digestFolder(read, directory) })),
    ...SOURCE_FILES.map((name) => ({ name, sha256: effects.digest(path.join(PROGRAM, name)).sha256 })),
  ];
}

function digestFolder(effects: Effects, directory: string): string {
  const running = createHash("sha256");
  for (const file of effects.list(directory).filter(isVisible)) {
    const digest = digestIfFile(effects, path.join(directory, file)) ?? "no file";
    running.update(`${digest}  ${file}\n`);
  }
  return running.digest("hex");
}
