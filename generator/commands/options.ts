/**
 * Options of commands: the placeholder of the value in the help, its meaning, and how the given
 * texts become a value.
 */
import path from "node:path";
import type { Console, Effects } from "../effects/effects.ts";
import { distIn } from "../effects/output.ts";
import { SEPARATORS } from "../text/table-head.ts";
import { UsageError } from "../text/usage-error.ts";
import { readOrigin, type Settings } from "./service-file.ts";

export interface Option<T> {
  /** The placeholder of the value in the help; an option without it is a flag. */
  readonly value?: string;
  readonly help: string;
  /**
   * Makes the value from the given texts, in order; a flag that is given has one text. Throws
   * UsageError.
   */
  read(given: readonly string[], named: Named): T;
}

interface Named {
  /** The option as it is written, with its dashes. */
  readonly flag: string;
  readonly env: NodeJS.ProcessEnv;
  readonly effects: Effects;
  /** The whole command line. */
  readonly written: CommandLine;
  /** The settings of service.yaml, or the defaults; read at the first call. */
  settings(this: void): Settings;
}

/** A parsed command line. */
export interface CommandLine {
  /** The texts that were given for an option, in order; `true` for a flag. */
  readonly options: Readonly<Record<string, readonly string[] | true>>;
  readonly args: readonly string[];
}

/** By their names in camel case: `codeFrom` is written `--code-from`. */
export type Options = Readonly<Record<string, Option<unknown>>>;
export type Values<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

export function flag(help: string): Option<boolean> {
  return { help, read: (given) => given.length > 0 };
}

/** A text; if it is given several times, the last one. */
export function text(value: string, help: string): Option<string | undefined> {
  return { value, help, read: (given) => given.at(-1) };
}

export function textOr(fallback: string, value: string, help: string): Option<string> {
  return { value, help, read: (given) => given.at(-1) ?? fallback };
}

/** Every text that was given. */
export function texts(value: string, help: string): Option<readonly string[]> {
  return { value, help, read: (given) => given };
}

/** Items separated by commas, given once or several times. */
export function list(value: string, help: string): Option<readonly string[]> {
  return { value, help, read: (given) => given.flatMap((one) => one.split(",")).filter((item) => item !== "") };
}

/** One of the admitted texts, which must be given. */
export function choice<const T extends string>(value: string, help: string, admitted: readonly T[]): Option<T> {
  const read = (given: readonly string[], { flag: name }: Named): T => {
    const written = given.at(-1);
    if (written === undefined) throw new UsageError(`${name} is needed: ${admitted.join(", ")}`);
    const chosen = admitted.find((one) => one === written);
    if (chosen === undefined)
      throw new UsageError(`${name} ${JSON.stringify(written)} is none of ${admitted.join(", ")}`);
    return chosen;
  };
  return { value, help, read };
}

/** How the names of files say a format. */
interface Naming {
  /** The formats by the endings of names, without the dot. */
  readonly endings: Readonly<Record<string, string>>;
  readonly filesOf: (written: CommandLine) => readonly string[];
  /** For names that do not say one. */
  readonly fallback?: string;
}

/** One of the admitted formats; if it is not given, the one that the names of all files say. */
export function formatOption<const T extends string>(admitted: readonly T[], naming: Naming): Option<T> {
  const option = choice("NAME", `${admitted.join(", ")} (by the ending of the file's name)`, admitted);
  return { ...option, read: (_given, named) => option.read([formatOf(named.written, naming) ?? []].flat(), named) };
}

/** The format as it is given, else as the names say it; undefined if they do not. */
export function formatOf(written: CommandLine, { endings, filesOf, fallback }: Naming): string | undefined {
  const said = new Set(filesOf(written).map((file) => endings[endingOf(file)]));
  const [format = fallback] = said.size > 1 ? [] : said;
  return givenFor(written, "format").at(-1) ?? format;
}

function endingOf(file: string): string {
  return /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
}

/** The texts that were given for an option. */
export function givenFor({ options }: CommandLine, name: string): readonly string[] {
  const given = options[name];
  return given === undefined || given === true ? [] : given;
}

/** One of the admitted texts; the first if none is given. */
export function choiceOr<const T extends string>(
  value: string,
  help: string,
  admitted: readonly [T, ...T[]],
): Option<T> {
  const option = choice(value, help, admitted);
  return { ...option, read: (given, named) => option.read([admitted[0], ...given], named) };
}

/** A folder; if it is not given, that of the settings. */
export function folderOption(help: string, fallback: (settings: Settings) => string): Option<string> {
  return { value: "DIR", help, read: (given, { settings }) => given.at(-1) ?? fallback(settings()) };
}

/** An option, and whether it was given. */
export function withGiven<T>(option: Option<T>): Option<{ readonly value: T; readonly isGiven: boolean }> {
  return { ...option, read: (given, named) => ({ value: option.read(given, named), isGiven: given.length > 0 }) };
}

/** An option that has no effect without something else, which `what` names: refused without it. */
export function goesWith<T>(what: string, isThere: (written: CommandLine) => boolean, option: Option<T>): Option<T> {
  return {
    ...option,
    read(given, named) {
      if (given.length > 0 && !isThere(named.written)) throw new UsageError(`${named.flag} goes with ${what}`);
      return option.read(given, named);
    },
  };
}

export const REGISTRY = folderOption("the registry to read (registry)", ({ registry }) => registry);
export const CONTENT = folderOption("your content, over that of the package (content)", ({ content }) => content);
export const LOG = folderOption("the folder of the transparency log (log)", ({ home }) => path.join(home, "log"));
export const OUT = folderOption("the built release (dist)", ({ out }) => out);
/** The same to read: a dist, or the folder of a release around it. */
export const BUILT: Option<string> = {
  ...OUT,
  read: (given, named) => distIn(named.effects, OUT.read(given, named)),
};
/** Undefined if it is not given. */
export const DELIMITER: Option<string | undefined> = {
  value: "CHARACTER",
  help: "the separator of the cells: , or ; or tab or | (as in the header)",
  read(given, { flag: name }) {
    const written = given.at(-1);
    if (written === undefined) return undefined;
    const separator = SEPARATORS[written] ?? Object.values(SEPARATORS).find((one) => one === written);
    if (separator !== undefined) return separator;
    throw new UsageError(`${name} ${JSON.stringify(written)} is none of ${Object.keys(SEPARATORS).join(" ")}`);
  },
};
/** Of commands that change a registry. */
export const DRY_RUN = flag("print the same report, and write nothing");
export const JSON_FLAG = flag("print JSON");
export const LANGUAGE = text("TAG", "BCP 47 tag of the expression; omit it when unknown");
export const ORIGIN: Option<string> = {
  value: "URL",
  help: "the public origin (SERVICE_ORIGIN, else service.yaml, else http://127.0.0.1:PORT)",
  read: (given, named) => originOf(given.at(-1), named),
};
/** `--port`, else PORT. */
export function portOption(fallback: number): Option<number> {
  return {
    value: "PORT",
    help: `the port to listen on (PORT, else ${fallback})`,
    read: (_given, named) => portOf(named, fallback),
  };
}

function portOf({ env, written }: Named, fallback: number): number {
  const given = givenFor(written, "port").at(-1);
  const port = given ?? (env["PORT"] || String(fallback));
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new UsageError(`${given === undefined ? "PORT" : "--port"} ${JSON.stringify(port)} is not a port number`);
}

/**
 * Reports that the port is in use or not allowed; throws every other error. Returns the exit code.
 */
export function refuseTakenPort(error: unknown, port: number, console: Console): number {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  const why = syscall === "listen" ? { EADDRINUSE: "in use", EACCES: "not allowed" }[code] : undefined;
  if (why === undefined) throw error;
  console.error(`Port ${port} is ${why}: name another one with --port`);
  return 1;
}

/** The inputs and the output of a build. */
export const BUILD = { registry: REGISTRY, content: CONTENT, out: OUT, origin: ORIGIN };
export type BuildOptions = Values<typeof BUILD>;

/**
 * `--origin`, else SERVICE_ORIGIN, else service.yaml, else the loopback address with the port; an
 * empty variable counts as unset.
 */
function originOf(option: string | undefined, named: Named): string {
  const { env, settings } = named;
  if (option !== undefined) return readOrigin("--origin", option);
  if (env["SERVICE_ORIGIN"]) return readOrigin("SERVICE_ORIGIN", env["SERVICE_ORIGIN"]);
  const { origin } = settings();
  if (origin !== undefined) return origin;
  return new URL(`http://127.0.0.1:${portOf(named, 8080)}`).origin;
}

/** Throws if a named folder does not exist. */
export function requireDirectory(effects: Effects, option: string, directory: string): void {
  if (effects.kind(directory) !== "directory") throw new UsageError(`--${option} ${directory} is not a directory`);
}

/** Throws if the output would replace an input, or be in a folder that is read. */
export function requireApart(
  effects: Effects,
  [option, output]: readonly [option: string, output: string],
  inputs: readonly string[],
): void {
  const target = effects.realPath(output);
  const changed = inputs.find((input) => {
    const source = effects.realPath(input);
    return isWithin(target, source) || isWithin(source, target);
  });
  if (changed !== undefined)
    throw new UsageError(`--${option} ${output} would change ${changed}, which is read: name another place`);
}

/** Whether a file is the folder, or below it; both are real paths. */
export function isWithin(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return !/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative);
}
