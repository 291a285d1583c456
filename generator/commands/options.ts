/** Command lines: options by name, one clear line for a wrong one. */
import { parseArgs } from "node:util";
import { parseOrigin, quoteOrigin } from "../../runtime/http/origin.ts";
import type { Effects } from "../effects/effects.ts";
import { UsageError } from "../text/usage-error.ts";

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
  /** Where releases are written, or the registry that is imported into. */
  readonly into: string | undefined;
  /** The rest as it was written: each command reads what it takes. */
  readonly values: Readonly<Partial<Record<ValueOption, readonly string[]>>>;
  readonly flags: ReadonlySet<string>;
  /** The options that were given by name. */
  readonly given: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

const VALUE_OPTIONS = [
  "registry",
  "content",
  "out",
  "origin",
  "language",
  "into",
  "format",
  "from",
  "domain",
  "code-from",
  "review-as",
  "license",
  "source",
  "languages",
  "missing-definition",
  "fix",
  "findings",
  "where",
  "as",
  "on",
  "version",
  "acknowledge",
] as const;
const FLAGS = ["json", "rebuild", "checked", "list", "accept", "reject"] as const;

type ValueOption = (typeof VALUE_OPTIONS)[number];
export type OptionName = ValueOption | (typeof FLAGS)[number];

/** Reads `args`, allowing only the named options; falls back to the environment and the project's own folders. */
export function readOptions(args: readonly string[], allowed: readonly OptionName[], env: NodeJS.ProcessEnv): Options {
  const values = parse(args, allowed);
  for (const [name, given] of Object.entries(values.options)) {
    if (given.includes("")) throw new UsageError(`--${name} needs a value`);
  }
  const value = (name: ValueOption): string | undefined => values.options[name]?.at(-1);
  return {
    registry: value("registry") ?? "registry",
    content: value("content") ?? "content",
    out: value("out") ?? "dist",
    origin: allowed.includes("origin") ? readOrigin(value("origin"), env) : "",
    language: value("language"),
    json: values.flags.has("json"),
    rebuild: values.flags.has("rebuild"),
    checked: values.flags.has("checked"),
    into: value("into"),
    values: values.options,
    flags: values.flags,
    given: new Set([...Object.keys(values.options), ...values.flags]),
    positionals: values.positionals,
  };
}

/** The value of an option; where it was given several times, the last one. */
export function optionOf({ values }: Options, name: ValueOption): string | undefined {
  return values[name]?.at(-1);
}

/** The value of an option that admits only some; throws UsageError for another one. */
export function choiceOf<const T extends string>(
  options: Options,
  name: ValueOption,
  { admitted, fallback }: { readonly admitted: readonly T[]; readonly fallback?: T },
): T {
  const given = optionOf(options, name) ?? fallback;
  if (given === undefined) throw new UsageError(`--${name} is needed: ${admitted.join(", ")}`);
  const choice = admitted.find((one) => one === given);
  if (choice === undefined)
    throw new UsageError(`--${name} ${JSON.stringify(given)} is none of ${admitted.join(", ")}`);
  return choice;
}

/** What is listed with commas in an option, given once or several times. */
export function listOf({ values }: Options, name: ValueOption): string[] {
  return (values[name] ?? []).flatMap((given) => given.split(",")).filter((item) => item !== "");
}

/** Throws where a named folder does not exist. */
export function requireDirectory(effects: Effects, option: string, directory: string): void {
  if (effects.kind(directory) !== "directory") throw new UsageError(`--${option} ${directory} is not a directory`);
}

interface Parsed {
  readonly options: Partial<Record<ValueOption, readonly string[]>>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: string[];
}

function parse(args: readonly string[], allowed: readonly OptionName[]): Parsed {
  const names = VALUE_OPTIONS.filter((name) => allowed.includes(name));
  const flags = FLAGS.filter((name) => allowed.includes(name));
  try {
    const parsed = parseArgs({
      args: [...args],
      options: Object.fromEntries([
        ...names.map((name) => [name, { type: "string", multiple: true }] as const),
        ...flags.map((name) => [name, { type: "boolean" }] as const),
      ]),
      allowPositionals: true,
      strict: true,
    });
    const values: Readonly<Record<string, unknown>> = parsed.values;
    return {
      options: Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]])),
      flags: new Set(flags.filter((name) => values[name] === true)),
      positionals: parsed.positionals,
    };
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
