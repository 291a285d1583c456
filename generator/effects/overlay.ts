/**
 * Reads an owner's content, which overrides that of the package file by file: a file is read from
 * the owner's folder if that has one of this name, else from the package. An empty file of the
 * owner hides the package's. Nothing is written through the overlay.
 */
import path from "node:path";
import { compareCodePoints } from "../text/order.ts";
import { BASE_CONTENT } from "./closure.ts";
import type { Effects } from "./effects.ts";

/** Effects that read `content` as both folders combined; every other path is read as it is. */
export function overlaid(effects: Effects, content: string): Effects {
  if (effects.realPath(content) === effects.realPath(BASE_CONTENT)) return effects;
  const isThere = (file: string): boolean => effects.kind(file) !== "none" || effects.isLink(file);
  /** The same path in the package; undefined for a path outside `content`. */
  const below = (file: string): string | undefined => {
    const relative = path.relative(content, file);
    return relative.split(path.sep)[0] === ".." || path.isAbsolute(relative)
      ? undefined
      : path.join(BASE_CONTENT, relative);
  };
  const placeOf = (file: string): string => {
    const other = below(file);
    return other === undefined || isThere(file) ? file : other;
  };
  const isLeftOut = (file: string): boolean => {
    const other = below(file);
    if (other === undefined || effects.kind(file) !== "file" || effects.kind(other) !== "file") return false;
    return effects.digest(file).bytes === 0;
  };
  /** The names that `read` returns for the folder and for the one below it. */
  const together = (directory: string, read: (one: string) => string[]): string[] => {
    const folders = [directory, below(directory)].filter((one) => one !== undefined);
    const names = folders.flatMap((one) => (effects.kind(one) === "directory" ? read(one) : []));
    return [...new Set(names)].filter((name) => !isLeftOut(path.join(directory, name))).sort(compareCodePoints);
  };
  return {
    ...effects,
    kind: (file) => (isLeftOut(file) ? "none" : effects.kind(placeOf(file))),
    read: (file) => effects.read(placeOf(file)),
    chunks: (file) => effects.chunks(placeOf(file)),
    digest: (file, most) => effects.digest(placeOf(file), most),
    names: (directory) => together(directory, (one) => effects.names(one)),
    list: (directory) => together(directory, (one) => effects.list(one)),
  };
}
