/**
 * `service.yaml`: the settings of an owner's repository for all commands. It is data, not code. It
 * is searched upwards from the working directory to the root of the repository, and its folders are
 * relative to it. An option takes precedence over it.
 */
import path from "node:path";
import { closed } from "../../runtime/contract/schema.ts";
import * as Type from "../../runtime/contract/type.ts";
import { compileSchema } from "../text/compile-schema.ts";
import { parseOrigin, quoteOrigin } from "../../runtime/http/origin.ts";
import { BASE_CONTENT, documentPath } from "../effects/closure.ts";
import type { Effects } from "../effects/effects.ts";
import { type Folder, readShaped, readText } from "../registry/record-file.ts";
import { UNKNOWN } from "../text/shaped.ts";
import { UsageError } from "../text/usage-error.ts";

/** The hosts that `host` writes a configuration for. */
export const HOST_NAMES = ["nginx", "apache", "caddy", "cloudflare", "netlify", "headers"] as const;
export type HostName = (typeof HOST_NAMES)[number];

const SERVICE_FILE = "service.yaml";

/** Any of these texts may be printed in a line of a command. */
const text = Type.Optional(Type.String({ minLength: 1, pattern: "^[^\\u0000-\\u001F\\u007F-\\u009F]*$" }));
const HOST = closed({ into: text, root: text, files: text, listen: text, runtime: text });

/** The settings of a command, unless an option overrides them. */
export interface Settings {
  /** The folder of service.yaml or of the defaults, relative to the working directory. */
  readonly home: string;
  readonly registry: string;
  readonly content: string;
  readonly out: string;
  readonly origin: string | undefined;
  readonly hosts: Hosts;
}

/** The settings of `host` for each host, unless an option overrides them. */
const Hosts = closed(Object.fromEntries(HOST_NAMES.map((name) => [name, Type.Optional(HOST)])));
type Hosts = Readonly<Partial<Record<HostName, Type.Static<typeof HOST>>>>;

const parse = compileSchema(
  closed({ origin: text, registry: text, content: text, out: text, hosts: Type.Optional(Hosts) }),
);

/**
 * Reads the file; without one, folders are relative to `fallback`. Throws UsageError if it is
 * invalid.
 */
export function readSettings(effects: Effects, fallback = "."): Settings {
  const found =
    findUpwards(effects) ?? (effects.kind(path.join(fallback, SERVICE_FILE)) === "file" ? fallback : undefined);
  const home = found ?? fallback;
  const said = found === undefined ? {} : readFile(effects, found);
  const { origin, registry = "registry", content, out = "dist", hosts = {} } = said;
  const inHome = (folder: string): string => (path.isAbsolute(folder) ? folder : path.join(home, folder));
  const hasContent = effects.kind(inHome("content")) === "directory";
  return {
    home,
    registry: inHome(registry),
    content: content === undefined && !hasContent ? BASE_CONTENT : inHome(content ?? "content"),
    out: inHome(out),
    hosts: Object.fromEntries(
      Object.entries(hosts as Hosts).map(([name, { into, ...rest }]) => [
        name,
        into === undefined ? rest : { ...rest, into: inHome(into) },
      ]),
    ),
    origin: origin === undefined ? undefined : parseOrigin(origin),
  };
}

/** An origin in its serialized form. Throws UsageError, which names its `source`. */
export function readOrigin(source: string, written: string): string {
  const origin = parseOrigin(written);
  if (origin === undefined) throw new UsageError(`${source} ${originFault(written)}`);
  return origin;
}

/** What is wrong with a text that is not an origin. */
function originFault(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const why =
    url !== undefined && parseOrigin(url.origin) !== undefined && url.pathname !== "/"
      ? "has a path: the service answers at the root of a host only, such as https://example.org"
      : "is not an absolute http(s) origin such as https://example.org";
  return `${quoteOrigin(written)} ${why}`;
}

/** The nearest folder with the file, relative to the working directory. */
function findUpwards(effects: Effects): string | undefined {
  const start = effects.realPath(".");
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (effects.kind(path.join(folder, SERVICE_FILE)) === "file") return path.relative(start, folder) || ".";
    const isRoot = effects.kind(path.join(folder, ".git")) !== "none" || folder === path.dirname(folder);
    if (isRoot) return undefined;
  }
}

function readFile(effects: Effects, directory: string) {
  const folder: Folder = { effects, directory, guide: documentPath("docs/own-repository.md"), findings: [], lost: [] };
  // All keys are optional, so a file may have only comments.
  const isEmpty = /^(?:\s|#[^\n]*(?:\n|$))*$/.test(readText(folder, SERVICE_FILE) ?? "x");
  const shaped = isEmpty ? { record: {}, isWhole: true } : readShaped(folder, SERVICE_FILE, parse);
  const { origin } = shaped?.record ?? {};
  const isOrigin = origin === undefined || origin === UNKNOWN || parseOrigin(origin) !== undefined;
  if (shaped?.isWhole === true && isOrigin) return shaped.record;
  const faults = folder.findings.map(({ pointer, text: fault, remedy }) => `${pointer} ${fault}. ${remedy}`.trim());
  const all = isOrigin ? faults : [...faults, `origin ${originFault(origin)}`];
  throw new UsageError(`${path.join(directory, SERVICE_FILE)}: ${[...new Set(all)].join(". ")}`);
}
