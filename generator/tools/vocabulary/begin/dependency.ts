/**
 * How the package.json of a new repository names this package, so that it can be installed today:
 * as it was itself installed, or the clone that runs.
 */
import path from "node:path";
import { isObject, parseJson } from "../../../../runtime/text/json.ts";
import { isClone, PROJECT } from "../../../effects/closure.ts";
import type { Effects } from "../../../effects/effects.ts";
import { PACKAGE, VERSION } from "../../../text/package.ts";

const FILE = "file:";

/** The text of the dependency in `directory`; undefined if it is not known. */
export function dependencyFrom(effects: Effects, directory: string): string | undefined {
  const home = effects.realPath(directory);
  if (isClone(effects)) return FILE + relative(home, PROJECT);
  const modules = path.join(PROJECT, "..");
  const resolved = resolvedIn(effects, path.join(modules, ".package-lock.json"));
  // npm writes no address for a package of a registry if it is configured not to.
  if (resolved === null || (resolved?.endsWith(`/${PACKAGE}-${VERSION}.tgz`) === true && !resolved.startsWith(FILE)))
    return VERSION;
  if (resolved?.startsWith(FILE) !== true) return resolved;
  const file = path.resolve(modules, "..", resolved.slice(FILE.length));
  return effects.kind(file) === "none" ? undefined : FILE + relative(home, file);
}

/**
 * Where npm got this package from, as its lock of the installed packages says: null if it does not
 * say, undefined if there is no such lock.
 */
function resolvedIn(effects: Effects, lock: string): string | null | undefined {
  const json = effects.kind(lock) === "file" ? parseJson(effects.read(lock)) : undefined;
  const packages = json?.ok === true && isObject(json.value) ? json.value["packages"] : undefined;
  const entry = isObject(packages) ? packages[`node_modules/${PACKAGE}`] : undefined;
  if (!isObject(entry)) return undefined;
  return typeof entry["resolved"] === "string" ? entry["resolved"] : null;
}

function relative(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join("/");
}
