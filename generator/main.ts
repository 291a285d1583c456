/** The command line of the generator: names, options, exit codes. 0 done, 1 findings or a refusal, 2 wrong usage. */
import { serve, SettingError } from "../runtime/main.ts";
import { ReleaseError } from "../runtime/release.ts";
import { fileSystem, terminal } from "./effects.ts";
import { type OptionName, type Options, readOptions, UsageError } from "./options.ts";
import { OutputError } from "./output.ts";
import { releaseTime } from "./release/timestamp.ts";

interface Command {
  readonly usage: string;
  readonly does: string;
  readonly options: readonly OptionName[];
  /** Arguments that are no options. */
  readonly positionals: 0 | 1 | 2;
  /** Loads its code when it runs: a resolve need not wait for the tools of a build. */
  run(options: Options): Promise<number>;
}

const BUILD_OPTIONS: readonly OptionName[] = ["registry", "content", "out", "origin"];

const commands: Record<string, Command> = {
  start: {
    usage: "npm start",
    does: "Builds dist when it is missing or its inputs changed, then serves it.",
    options: BUILD_OPTIONS,
    positionals: 0,
    async run(options) {
      const { runBuildIfStale } = await import("./commands/build.ts");
      return (
        (await runBuildIfStale(fileSystem, terminal, options)) ||
        (await serve(options.out, options.origin, process.env))
      );
    },
  },
  build: {
    usage: "npm run build",
    does: "Turns registry and content into dist; on findings, dist stays as it was.",
    options: BUILD_OPTIONS,
    positionals: 0,
    run: async (options) => (await import("./commands/build.ts")).runBuild(fileSystem, terminal, options),
  },
  verify: {
    usage: "npm run verify [-- DIR] [--rebuild]",
    does:
      "Checks a built dist from its bytes alone, with code of its own, and names every fault.\n" +
      "With --rebuild it is also built again from registry and content, elsewhere, and compared.",
    options: ["out", "rebuild", "registry", "content"],
    positionals: 1,
    run: async (options) => (await import("./commands/verify.ts")).runVerify(fileSystem, terminal, options),
  },
  resolve: {
    usage: 'npm run resolve -- "<expression>" [--language TAG]',
    does: "Resolves offline: same resolver, same JSON as POST /api/v1/resolve.",
    options: ["out", "language"],
    positionals: 1,
    run: async (options) => (await import("./commands/resolve.ts")).runResolve(terminal, options),
  },
  explain: {
    usage: 'npm run explain -- "<expression>" [--language TAG]',
    does: "Says which rule allowed or stopped a resolution.",
    options: ["out", "registry", "language", "json"],
    positionals: 1,
    run: async (options) => (await import("./commands/explain.ts")).runExplain(fileSystem, terminal, options),
  },
  lint: {
    usage: "npm run lint:registry",
    does: "Lists every finding of the registry, notices included.",
    options: ["registry"],
    positionals: 0,
    run: async (options) => (await import("./commands/lint.ts")).runLint(fileSystem, terminal, options),
  },
  release: {
    usage: "npm run release",
    does:
      "Checks, builds, verifies with a rebuild, and writes release/<packageVersion>/: what runs, a tar of it, SBOM,\n" +
      "provenance and sums. SOURCE_DATE_EPOCH, else the date of the release label, is the one time in them.",
    options: [...BUILD_OPTIONS, "into", "checked"],
    positionals: 0,
    async run(options) {
      const time = releaseTime(process.env["SOURCE_DATE_EPOCH"]);
      return (await import("./commands/release.ts")).runRelease(fileSystem, terminal, { ...options, time });
    },
  },
  diff: {
    usage: "npm run diff -- A B [--json]",
    does:
      "Says what differs between two releases: folders, .zip or .tar of a dist, or git revisions, which are built.\n" +
      "Exit codes: 0 every byte is the same, 1 different, 2 cannot be compared, 3 an expression resolves to another code.",
    options: ["json", "origin"],
    positionals: 2,
    run: async (options) => (await import("./commands/diff.ts")).runDiff(fileSystem, terminal, options),
  },
};

const DESCRIPTIONS: Record<OptionName, string> = {
  registry: "--registry DIR   the registry to read (registry)",
  content: "--content DIR    the authored content to read (content)",
  out: "--out DIR        the built release (dist)",
  origin: "--origin URL     the public origin (SERVICE_ORIGIN, else http://127.0.0.1:PORT)",
  language: "--language TAG   BCP 47 tag of the expression; left out when unknown",
  json: "--json           print JSON",
  rebuild: "--rebuild        build it again in another place, time zone, locale and umask, and compare",
  checked: "--checked        npm run check has just passed: do not run it again",
  into: "--into DIR       the folder to write releases into (release)",
};

async function main(args: readonly string[]): Promise<number> {
  const [name = "--help", ...rest] = args;
  const command = commands[name];
  if (name === "--help" || name === "-h") {
    terminal.print(
      Object.values(commands)
        .map(({ usage, does }) => `${usage}\n  ${does}`)
        .join("\n"),
    );
    return 0;
  }
  if (command === undefined)
    throw new UsageError(`Unknown command ${JSON.stringify(name)}: ${Object.keys(commands).join(", ")}`);
  const own = beforeTerminator(rest);
  if (own.includes("--help") || own.includes("-h")) {
    terminal.print(formatHelp(command));
    return 0;
  }
  const options = readOptions(rest, command.options, process.env);
  const extra = options.positionals[command.positionals];
  if (extra !== undefined && command.positionals === 0)
    throw new UsageError(`Unexpected argument ${JSON.stringify(extra)}`);
  return command.run(options);
}

/** The arguments before `--`, where options end: `-- -h` names an expression. */
function beforeTerminator(args: readonly string[]): readonly string[] {
  return args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
}

function formatHelp({ usage, does, options }: Command): string {
  return [
    usage,
    "",
    does,
    "",
    ...options.map((option) => `  ${DESCRIPTIONS[option]}`),
    "  --help           this text",
  ].join("\n");
}

/** What a person can mend, told in one line; the operating system's refusals are told in its own words. */
const EXPECTED = [UsageError, OutputError, ReleaseError, SettingError];

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  terminal.progress("");
  const system = error instanceof Error && "syscall" in error;
  if (!system && !EXPECTED.some((kind) => error instanceof kind)) throw error;
  terminal.error((error as Error).message);
  process.exitCode = system ? 1 : 2;
}
