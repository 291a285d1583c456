/**
 * Reads the memory of the last release that `history.yaml` records. One that is missing, or that is
 * not byte for byte what the history says, is an error: without it, nobody could tell which codes
 * were given, and what expressions meant.
 */
import { parseJson } from "../../runtime/text/json.ts";
import { splitLines } from "../text/chunks.ts";
import { isVisible } from "../effects/effects.ts";
import { noticeAt } from "../text/finding.ts";
import {
  type CodeLine,
  digestHistory,
  type EarlierLine,
  type Head,
  type Memory,
  parseHead,
  parseLine,
} from "./memory.ts";
import { type Folder, report } from "./record-file.ts";
import type { HistoryRecord } from "./record.ts";

export const MEMORY_FOLDER = "released";
/** The rule of a file that only the release of the same content can complete. */
export const UNRECORDED = "memory-unrecorded";
const SUFFIX = ".ndjson";

/** The file with what a release remembers. */
export function memoryFile(registryVersion: string): string {
  return `${MEMORY_FOLDER}/${registryVersion}${SUFFIX}`;
}

/** The versions of the files that are there, in the order of their names. */
export function memoryVersions({ effects, directory }: Pick<Folder, "effects" | "directory">): string[] {
  const place = `${directory}/${MEMORY_FOLDER}`;
  if (effects.kind(place) !== "directory") return [];
  const names = effects.names(place).filter((name) => isVisible(name) && name.endsWith(SUFFIX));
  return names.map((name) => name.slice(0, -SUFFIX.length));
}

/** Undefined if no release is recorded, or if a finding says why not. */
export function readMemory(folder: Folder, history: HistoryRecord): Memory | undefined {
  reportOthers(folder, history);
  const last = history.at(-1);
  if (last === undefined) return undefined;
  const file = memoryFile(last.registryVersion);
  const broken = (text: string, remedy = RESTORE): undefined => {
    report(folder, { file }, { rule: "memory-broken", text, remedy });
  };
  const place = `${folder.directory}/${file}`;
  if (folder.effects.kind(place) !== "file")
    return broken(`It is missing, so it is not known which codes and answers ${last.registryVersion} must keep`);
  if (folder.effects.digest(place).sha256 !== last.memorySha256)
    return broken(`It is not the file that history.yaml records for ${last.registryVersion}: it was changed or cut`);
  const head = readHead(folder, place);
  if (head?.registryVersion !== last.registryVersion || head.contentSha256 !== last.contentSha256)
    return broken(`It does not belong to the content that history.yaml records for ${last.registryVersion}`);
  if (head.historySha256 !== digestHistory(history.slice(0, -1)))
    return broken(`It continues other releases than those that history.yaml has before ${last.registryVersion}`, MERGE);
  const wrong = wrongLine(folder, place);
  if (wrong !== undefined) return broken(`Line ${wrong} is not one that a release writes`);
  return {
    release: last,
    codes: linesOf(folder, place, (line): line is CodeLine => !("lastIn" in line)),
    earlier: linesOf(folder, place, (line): line is EarlierLine => "lastIn" in line),
  };
}

/** What else to do so that a restored file has the bytes that a release wrote. */
export const BYTES = 'if git converts line ends, first write "* -text" into .gitattributes';
const RESTORE = `Restore released/ and history.yaml as the release wrote them, from version control or a backup; ${BYTES}`;
const MERGE =
  "If two branches each made a release, keep history.yaml, released/ and changes/ of one of them, and release the " +
  "content of the other again under a newer version; otherwise restore history.yaml";

/**
 * Finds files of other releases. An interrupted release leaves its own, before the history has it,
 * or the one before it.
 */
function reportOthers(folder: Folder, history: HistoryRecord): void {
  const recorded = new Set(history.map(({ registryVersion }) => registryVersion));
  for (const version of memoryVersions(folder)) {
    if (version === history.at(-1)?.registryVersion) continue;
    const file = memoryFile(version);
    if (recorded.has(version)) {
      const text = `${version} is not the last release in history.yaml, so nothing reads it`;
      const remedy = "Nothing needs to be done: the next release puts it away";
      folder.findings.push(noticeAt({ file }, "", { rule: "memory-earlier", text, remedy }));
    } else {
      const text = `${version} is not recorded in history.yaml, which lost it, or its release was interrupted`;
      const remedy = `Restore history.yaml; after an interruption, record ${version} again with the same content`;
      report(folder, { file }, { rule: UNRECORDED, text, remedy });
    }
  }
}

function readHead({ effects }: Folder, place: string): Head | undefined {
  for (const line of splitLines(effects.chunks(place))) {
    const json = parseJson(line);
    const head = json.ok ? parseHead(json.value) : json;
    return head.ok ? head.value : undefined;
  }
  return undefined;
}

type Line = CodeLine | EarlierLine;

/** The number of the first line that has another shape; undefined if there is none. */
function wrongLine({ effects }: Folder, place: string): number | undefined {
  let number = 0;
  for (const line of splitLines(effects.chunks(place))) {
    if (++number === 1) continue;
    const json = parseJson(line);
    if (!json.ok || !isLine(json.value)) return number;
  }
  return undefined;
}

function isLine(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("lastIn" in value) return parseLine.earlier(value).ok;
  return ("state" in value ? parseLine.unpublished : parseLine.published)(value).ok;
}

/** The lines of a kind; the file was checked. */
function linesOf<T extends Line>({ effects }: Folder, place: string, isOne: (line: Line) => line is T): Iterable<T> {
  return {
    *[Symbol.iterator]() {
      let isHead = true;
      for (const bytes of splitLines(effects.chunks(place))) {
        const line = isHead ? undefined : (JSON.parse(decoder.decode(bytes)) as Line);
        if (line !== undefined && isOne(line)) yield line;
        isHead = false;
      }
    },
  };
}

const decoder = new TextDecoder();
