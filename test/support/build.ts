/** Builds a release the way the build command does, into a folder of the caller's own. */
import path from "node:path";
import { writeDist } from "../../generator/build.ts";
import { digestSources } from "../../generator/effects/closure.ts";
import type { Content } from "../../generator/content/content.ts";
import { readContent } from "../../generator/content/read.ts";
import { readAuthored } from "../../generator/documents/documents.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { overlaid } from "../../generator/effects/overlay.ts";
import { replaceDirectory } from "../../generator/effects/output.ts";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import type { FileDigest } from "../../runtime/contract/document.ts";
import { project } from "./project.ts";
import { ORIGIN } from "./release.ts";

let readOnce: Content | undefined;

/** The project's own content, read once. */
export function starterContent(): Content {
  if (readOnce !== undefined) return readOnce;
  const { content, findings } = readContent(fileSystem, path.join(project, "content"));
  if (content === undefined) throw new Error(JSON.stringify(findings, null, 2));
  return (readOnce = content);
}

/** The content in a folder over that of the package, as an owner has it. */
export function ownContent(directory: string): Content {
  const { content, findings } = readContent(overlaid(fileSystem, directory), directory);
  if (content === undefined) throw new Error(JSON.stringify(findings, null, 2));
  return content;
}

export interface BuildOptions {
  readonly origin?: string;
  readonly content?: Content;
  /** What it is to run from, if not from this project. */
  readonly sources?: readonly FileDigest[];
}

/**
 * Builds `registry` with `content` into `out`. The inputs' digest is a constant: sources change.
 */
export async function buildInto(
  out: string,
  registry: CheckedRegistry,
  { origin = ORIGIN, content = starterContent(), sources = digestSources(fileSystem) }: BuildOptions = {},
): Promise<void> {
  const authored = readAuthored(fileSystem, content);
  const dist = { registry, origin, authored, inputsSha256: "0".repeat(64), sources };
  await replaceDirectory(fileSystem, out, (output) => writeDist(dist, output));
}
