/** Command lines: options by name, one clear line for a wrong one. */
import { parseArgs } from "node:util";
import { parseOrigin, quoteOrigin } from "../runtime/origin.ts";
import type { Effects } from "./effects.ts";

/** A wrong option, directory or value: one line, exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Every option there is; a command names the ones it takes. */
export interface Options {
  readonly registry: string;
  readonly content: string;
  readonly out: string;
  readonly origin: string;
  readonly language: string | undefined;
  readonly json: boolean;
  readonly rebuild: boolean;
  readonly checked: boolean;
  /** Where releases are written. */
  readonly into: string;
  /** The options that were given by name. */
  readonly given: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

const VALUE_OPTIONS = ["registry", "content", "out", "origin", "language", "into"] as const;
const FLAGS = ["json", "rebuild", "checked"] as const;

export type OptionName = (typeof VALUE_OPTIONS)[number] | (typeof FLAGS)[number];

/** Reads `args`, allowing only the named options; falls back to the environment and the project's own folders. */
export function readOptions(args: readonly string[], allowed: readonly OptionName[], env: NodeJS.ProcessEnv): Options {
  const values = parse(args, allowed);
  const value = (name: (typeof VALUE_OPTIONS)[number]): string | undefined => {
    const given = values.options[name];
    if (given === "") throw new UsageError(`--${name} needs a value`);
    return typeof given === "string" ? given : undefined;
  };
  return {
    registry: value("registry") ?? "registry",
    content: value("content") ?? "content",
    out: value("out") ?? "dist",
    origin: allowed.includes("origin") ? readOrigin(value("origin"), env) : "",
    language: value("language"),
    json: values.options["json"] === true,
    rebuild: values.options["rebuild"] === true,
    checked: values.options["checked"] === true,
    into: value("into") ?? "release",
    given: new Set(Object.keys(values.options)),
    positionals: values.positionals,
  };
}

/** Throws where a named folder does not exist. */
export function requireDirectory(effects: Effects, option: string, directory: string): void {
  if (effects.kind(directory) !== "directory") throw new UsageError(`--${option} ${directory} is not a directory`);
}

function parse(
  args: readonly string[],
  allowed: readonly OptionName[],
): { options: Record<string, string | boolean | undefined>; positionals: string[] } {
  try {
    const isFlag = (name: OptionName): boolean => FLAGS.some((flag) => flag === name);
    const options = Object.fromEntries(
      allowed.map((name) => [name, { type: isFlag(name) ? ("boolean" as const) : ("string" as const) }]),
    );
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { options: { ...values }, positionals };
  } catch (error) {
    // The first sentence says what is wrong; the rest is advice for another kind of command line.
    const [wrong = "Wrong option"] = (error as Error).message.split(". ");
    throw new UsageError(`${wrong}; an argument that begins with - goes after --`);
  }
}

/** `--origin`, else SERVICE_ORIGIN, else the loopback address with PORT; an empty variable counts as unset. */
function readOrigin(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const [source, text] =
    option !== undefined
      ? ["--origin", option]
      : env["SERVICE_ORIGIN"]
        ? ["SERVICE_ORIGIN", env["SERVICE_ORIGIN"]]
        : ["PORT", `http://127.0.0.1:${env["PORT"] || "8080"}`];
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  if (source === "PORT") throw new UsageError(`PORT ${JSON.stringify(text.split(":").at(-1))} is not a port number`);
  throw new UsageError(`${source} ${quoteOrigin(text)} is not an absolute http(s) origin such as https://example.org`);
}
