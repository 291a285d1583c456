/**
 * Plans the files of a new vocabulary repository: their places, their contents, and what happens if
 * a file exists already. An owner's file is never overwritten; package.json gets what it lacks.
 */
import path from "node:path";
import { formatDocument, isObject, type JsonObject, parseJson } from "../../../../runtime/text/json.ts";
import { PROJECT } from "../../../effects/closure.ts";
import { type Effects, readText, readTextIfFile } from "../../../effects/effects.ts";
import { COMMANDS, scriptOf } from "../../../text/commands.ts";
import { PACKAGE } from "../../../text/package.ts";
import { UsageError } from "../../../text/usage-error.ts";

export const FILES = path.join(import.meta.dirname, "files");

/** Place in the repository, source, and whether an existing file with that name may stay. */
const TEXTS: readonly (readonly [file: string, source: string, mayStay?: true])[] = [
  ["service.yaml", path.join(FILES, "service.yaml")],
  ["registry/registry.yaml", path.join(FILES, "registry.yaml")],
  ["registry/retired.yaml", path.join(FILES, "retired.yaml")],
  ["registry/concepts/example/C-7KQ2MX.yaml", path.join(FILES, "concept.yaml")],
  ["registry/README.md", path.join(PROJECT, "registry/README.md"), true],
  ["content/site.yaml", path.join(PROJECT, "content/site.yaml")],
  ["content/README.md", path.join(PROJECT, "content/README.md"), true],
  [".github/workflows/vocabulary.yaml", path.join(FILES, "workflow.yaml")],
  [".github/workflows/proposal.yaml", path.join(FILES, "proposal-workflow.yaml")],
  [".github/actions/check-codes/action.yaml", path.join(FILES, "check-codes-action.yaml")],
  [".github/ISSUE_TEMPLATE/proposal.yaml", path.join(FILES, "proposal-form.yaml")],
  [".pre-commit-hooks.yaml", path.join(FILES, "pre-commit-hooks.yaml"), true],
  [".mcp.json", path.join(FILES, "mcp.json"), true],
  [".gitignore", path.join(FILES, "gitignore"), true],
  [".gitattributes", path.join(FILES, "gitattributes"), true],
  ["README.md", path.join(FILES, "readme.md"), true],
];

/**
 * The scripts have the names of those of the project itself, so that the commands in its documents
 * can be copied. A repository that was begun needs no `init`.
 */
const SCRIPTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(COMMANDS)
    .filter(([name]) => name !== "init")
    .map(([name, { lasting }]) => {
      const line = `${lasting ? "exec " : ""}srs ${name}`;
      return [scriptOf(name), name === "verify" ? `${line} --rebuild` : line];
    }),
);

export interface Scaffold {
  /** Texts by their place below the directory. */
  readonly files: ReadonlyMap<string, string>;
  /** Existing files, which stay unchanged. */
  readonly kept: readonly string[];
}

interface Request {
  readonly directory: string;
  /** The name of the vocabulary, for people. */
  readonly name: string;
  /** The version or place by which package.json depends on the tool. */
  readonly tool: string;
}

/** Plans the files. Throws UsageError if one would have to be overwritten. */
export function planScaffold(effects: Effects, { directory, name, tool }: Request): Scaffold {
  const slug = slugOf(path.basename(effects.realPath(directory)));
  const files = new Map([["package.json", packageJson(effects, path.join(directory, "package.json"), { slug, tool })]]);
  const [taken, same, kept]: [string[], string[], string[]] = [[], [], []];
  for (const [file, source, mayStay] of TEXTS) {
    const place = path.join(directory, file);
    const text = fill(readText(effects, source), file, { name, slug });
    if (isBlocked(effects, place) || leadsNowhere(effects, place)) taken.push(`a file in the way of ${file}`);
    else if (effects.kind(place) === "none") files.set(file, text);
    else if (mayStay === true) kept.push(file);
    else (readTextIfFile(effects, place) === text ? same : taken).push(file);
  }
  // A run that was stopped may have written some files; the next one writes the others.
  if (taken.length === 0 && (files.size > 1 || effects.kind(path.join(directory, "package.json")) === "none"))
    kept.push(...same);
  else taken.push(...same);
  if (taken.length > 0) throw new UsageError(`${directory} has ${taken.join(", ")} already: nothing was written`);
  return { files, kept };
}

/** Whether something other than a folder is where one of a file's folders should be. */
export function isBlocked(effects: Effects, file: string): boolean {
  const folder = path.dirname(file);
  if (folder === file) return false;
  return isBlocked(effects, folder) || effects.kind(folder) === "file" || leadsNowhere(effects, folder);
}

function leadsNowhere(effects: Effects, file: string): boolean {
  return effects.kind(file) === "none" && effects.isLink(file);
}

interface Names {
  readonly name: string;
  /** In lower-case letters, digits and hyphens, which npm and the hosts of agents accept. */
  readonly slug: string;
}

function slugOf(folder: string): string {
  const slug = folder.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, ""); // prettier-ignore
  return slug || "vocabulary";
}

function fill(text: string, file: string, { name, slug }: Names): string {
  // A JSON string is a quoted YAML string.
  if (file === "content/site.yaml") {
    return text.replace(/^name: .*/m, () => `name: ${JSON.stringify(name)}`);
  }
  return text
    .replace("$NAME", () => JSON.stringify(name))
    .replace("$TITLE", () => name)
    .replace("$SLUG", slug);
}

/** A new package.json, or the existing one with what it lacks; its own members stay. */
function packageJson(effects: Effects, file: string, { slug, tool }: { slug: string; tool: string }): string {
  const before =
    effects.kind(file) === "none" ? { name: slug, version: "0.0.0", private: true } : readMembers(effects, file);
  const names = ["scripts", "dependencies", "devDependencies", "overrides"];
  const [scripts, dependencies, devDependencies, overrides] = names.map((name) => {
    const member = before[name];
    if (member === undefined || isObject(member)) return member;
    throw new UsageError(`${file}: ${name} is not a JSON object: nothing was written`);
  });
  const { overrides: ours } = readMembers(effects, path.join(PROJECT, "package.json"));
  const isNamed = PACKAGE in { ...dependencies, ...devDependencies };
  const after = {
    ...before,
    scripts: { ...SCRIPTS, ...scripts },
    ...(!isNamed && { dependencies: { ...dependencies, [PACKAGE]: tool } }),
    // npm reads only the overrides of the repository; without these it installs packages that do
    // not run on the Node versions of the tool.
    overrides: { ...(isObject(ours) && ours), ...overrides },
  };
  return formatDocument(after);
}

function readMembers(effects: Effects, file: string): JsonObject {
  const json = effects.kind(file) === "file" ? parseJson(withoutMark(effects.read(file))) : undefined;
  if (json?.ok === true && isObject(json.value)) return json.value;
  throw new UsageError(`${file} is not a JSON object: nothing was written`);
}

/** npm accepts a package.json with a byte order mark. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
