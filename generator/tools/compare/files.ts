/**
 * Matches the files of two releases: an asset by its name without the digest, and for a kit that
 * differs also the files in it.
 */
import { sha256 } from "../../../runtime/http/digest.ts";
import { groupBy } from "../../../runtime/text/group-by.ts";
import { ArchiveError } from "../../archives/tar.ts";
import { compareCodePoints } from "../../text/order.ts";
import type { Snapshot } from "./snapshot.ts";
import { readZip } from "../../archives/zip.ts";

export interface ReleaseFile {
  /** Its name in the release. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly read: () => Uint8Array;
}

export interface Match {
  readonly path: string;
  readonly before: ReleaseFile | undefined;
  readonly after: ReleaseFile | undefined;
}

/** Every file that only one side has, or that differs in its bytes or its name; in path order. */
export async function differingFiles(a: Snapshot, b: Snapshot): Promise<Match[]> {
  const matches: Match[] = [];
  for (const match of matched(filesOf(a), filesOf(b))) {
    if (!differs(match)) continue;
    matches.push(match);
    if (match.path.endsWith(".zip")) for (const inside of await insideOf(match)) matches.push(inside);
  }
  return matches.sort((x, y) => compareCodePoints(x.path, y.path));
}

function differs({ before, after }: Match): boolean {
  return before?.sha256 !== after?.sha256 || before?.name !== after?.name;
}

function matched(before: ReadonlyMap<string, ReleaseFile>, after: ReadonlyMap<string, ReleaseFile>): Match[] {
  return [...new Set([...before.keys(), ...after.keys()])].map((path) => ({
    path,
    before: before.get(path),
    after: after.get(path),
  }));
}

/** If two names are the same without their digest, both keep it. */
function filesOf({ files, read }: Snapshot): Map<string, ReleaseFile> {
  const plain = files.map(({ path }) => path.replace(/^(assets\/.+)\.[0-9a-f]{16}(?=\.\w+$)/, "$1"));
  const owners = groupBy(plain, String);
  return new Map(
    files.map(({ path, bytes, sha256: digest }, i) => {
      const name = plain[i] ?? path;
      const file = { name: path, bytes, sha256: digest, read: () => read(path) };
      return [owners.get(name)?.length === 1 ? name : path, file];
    }),
  );
}

async function insideOf({ path, before, after }: Match): Promise<Match[]> {
  if (before === undefined || after === undefined) return [];
  try {
    return matched(await kitFiles(path, before), await kitFiles(path, after)).filter(differs);
  } catch (error) {
    // A file that cannot be read as a ZIP is compared as bytes.
    if (error instanceof ArchiveError) return [];
    throw error;
  }
}

/** A kit has some hundred KiB; a larger file is not a kit. */
const KIT_MAX_BYTES = 64 * 1024 * 1024;

async function kitFiles(path: string, kit: ReleaseFile): Promise<Map<string, ReleaseFile>> {
  const files = new Map<string, ReleaseFile>();
  for await (const { path: name, chunks } of readZip(kit.read(), KIT_MAX_BYTES)) {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    const bytes = Buffer.concat(parts);
    files.set(`${path}!/${name}`, { name, bytes: bytes.length, sha256: sha256(bytes), read: () => bytes });
  }
  return files;
}
