/**
 * One side of a comparison: a release in a folder or in an archive. It need not be one that this
 * version would serve: its index is opened on its own, and its other files are taken as they are.
 */
import path from "node:path";
import type { FileDigest } from "../../../runtime/contract/document.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { MANIFEST_FILE, SUMS_FILE } from "../../../runtime/contract/files.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { formatSums } from "../../../runtime/release/manifest.ts";
import { parseOrigin } from "../../../runtime/http/origin.ts";
import { ReleaseError } from "../../../runtime/release/plain-file.ts";
import type { Effects } from "../../effects/effects.ts";
import { UsageError } from "../../text/usage-error.ts";
import type { Side } from "./comparison.ts";
import { type Located, openFolder, type ReleaseFolder } from "./release-folder.ts";
import { type NamedIndex, openSideIndex } from "../../promise/side-index.ts";

const STATUS_FILE = paths.status.slice(1);

export interface Snapshot extends NamedIndex {
  readonly side: Side;
  /** The manifest, whatever it contains; null if it is not JSON. */
  readonly manifest: unknown;
  /** Every regular file, and every file that a link leads to, with its actual digest. */
  readonly files: readonly FileDigest[];
  /** Whether all files are regular, none is a link, and they match SHA256SUMS. */
  readonly whole: boolean;
  readonly read: (file: string) => Uint8Array;
  /** Closes the index and removes what was made for this side. */
  close(): void;
}

/** Opens a side. Throws UsageError or ReleaseError if there is no release to read. */
export async function openSnapshot(effects: Effects, located: Located): Promise<Snapshot> {
  const folder = await openFolder(effects, located);
  try {
    return readSnapshot(effects, located, folder);
  } catch (error) {
    folder.close();
    throw error;
  }
}

function readSnapshot(effects: Effects, located: Located, { directory, close }: ReleaseFolder): Snapshot {
  const read = (file: string): Uint8Array => effects.read(path.join(directory, file));
  const opened = openIndexOf(directory, located);
  const { index } = opened;
  const json = parseJson(read(MANIFEST_FILE));
  const manifest = json.ok ? json.value : null;
  const names = effects.list(directory);
  const hasLinks = names.some((name) => effects.isLink(path.join(directory, name)));
  const files = names
    .filter((name) => effects.kind(path.join(directory, name)) === "file")
    .map((name) => ({ path: name, ...effects.digest(path.join(directory, name)) }));
  const sums = files.some((file) => file.path === SUMS_FILE) ? new TextDecoder().decode(read(SUMS_FILE)) : "";
  const { conceptCount: concepts, meta } = index;
  return {
    side: {
      ...located,
      origin: originOf(manifest) ?? null,
      registryVersion: meta.registryVersion,
      concepts,
      expressions: names.includes(STATUS_FILE) ? statedCount(read(STATUS_FILE)) : null,
    },
    index,
    manifest,
    files,
    whole:
      files.length === names.length &&
      !hasLinks &&
      sums === formatSums(files.filter((file) => file.path !== SUMS_FILE)),
    read,
    close() {
      opened.close();
      close();
    },
  };
}

/** The count that every surface of the release shows. */
function statedCount(status: Uint8Array): number | null {
  const json = parseJson(status);
  const { data } = (json.ok ? (json.value ?? {}) : {}) as { data?: { reviewedExactExpressions?: unknown } | null };
  const count = data?.reviewedExactExpressions;
  return typeof count === "number" ? count : null;
}

/** A fault in an unpacked archive is reported as a fault of the argument. */
function openIndexOf(directory: string, { given, kind }: Located): ReturnType<typeof openSideIndex> {
  try {
    return openSideIndex(directory, given);
  } catch (error) {
    if (!(error instanceof ReleaseError) || kind === "directory") throw error;
    throw new UsageError(error.message.replace(directory, given).replace(/[:;] (?:restore|build) [^:;]+$/, ""));
  }
}

function originOf(manifest: unknown): string | undefined {
  const { origin } = (manifest ?? {}) as { origin?: unknown };
  return typeof origin === "string" ? parseOrigin(origin) : undefined;
}
