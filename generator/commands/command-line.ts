/** The command line of the generator: names, options, exit codes. 0 done, 1 findings or a refusal, 2 wrong usage. */
import { serve, SettingError } from "../../runtime/serve.ts";
import { ReleaseError } from "../../runtime/release/plain-file.ts";
import { fileSystem, terminal } from "../effects/effects.ts";
import { type OptionName, type Options, readOptions } from "./options.ts";
import { UsageError } from "../text/usage-error.ts";
import { OutputError } from "../effects/output.ts";
import { releaseTime } from "../release/timestamp.ts";

interface Command {
  readonly usage: string;
  readonly does: string;
  readonly options: readonly OptionName[];
  /** Arguments that are no options. */
  readonly positionals: number;
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
      const { runBuildIfStale } = await import("./build.ts");
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
    run: async (options) => (await import("./build.ts")).runBuild(fileSystem, terminal, options),
  },
  verify: {
    usage: "npm run verify [-- DIR] [--rebuild]",
    does:
      "Checks a built dist from its bytes alone, with code of its own, and names every fault.\n" +
      "With --rebuild it is also built again from registry and content, elsewhere, and compared.",
    options: ["out", "rebuild", "registry", "content"],
    positionals: 1,
    run: async (options) => (await import("./verify.ts")).runVerify(fileSystem, terminal, options),
  },
  resolve: {
    usage: 'npm run resolve -- "<expression>" [--language TAG]',
    does: "Resolves offline: same resolver, same JSON as POST /api/v1/resolve.",
    options: ["out", "language"],
    positionals: 1,
    run: async (options) => (await import("./resolve.ts")).runResolve(terminal, options),
  },
  explain: {
    usage: 'npm run explain -- "<expression>" [--language TAG]',
    does: "Says which rule allowed or stopped a resolution.",
    options: ["out", "registry", "language", "json"],
    positionals: 1,
    run: async (options) => (await import("./explain.ts")).runExplain(fileSystem, terminal, options),
  },
  lint: {
    usage: "npm run lint:registry",
    does: "Lists every finding of the registry, notices included.",
    options: ["registry"],
    positionals: 0,
    run: async (options) => (await import("./lint.ts")).runLint(fileSystem, terminal, options),
  },
  import: {
    usage: "npm run import -- --format skos|csv --from FILE... --into DIR",
    does:
      "Brings a vocabulary into a registry, new or not: SKOS as Turtle, N-Triples, RDF/XML or JSON-LD, or CSV. Codes stay when\n" +
      "a newer dump is imported. Every fault is told; what it brings waits for review, unless you vouch for it.",
    options: [
      "format",
      "from",
      "into",
      "domain",
      "code-from",
      "review-as",
      "license",
      "source",
      "languages",
      "language",
      "missing-definition",
      "fix",
      "findings",
      "version",
    ],
    positionals: Infinity,
    run: async (options) => (await import("./import.ts")).runImport(fileSystem, terminal, options),
  },
  review: {
    usage: "npm run review -- --list|--accept|--reject [--where KEYS] --as ROLE --on DATE",
    does: "Changes the review status of what is chosen, and says what will change before it does.",
    options: ["registry", "list", "accept", "reject", "where", "as", "on", "json"],
    positionals: 0,
    run: async (options) => (await import("./review.ts")).runReview(fileSystem, terminal, options),
  },
  "release-registry": {
    usage: "npm run release:registry -- --version V",
    does:
      "Records the content of the registry as a release, and says which expressions now resolve otherwise.\n" +
      "Exit code 3: an expression resolves to another code, which --acknowledge WHY lets pass and writes down.",
    options: ["registry", "version", "acknowledge", "json"],
    positionals: 0,
    run: async (options) => (await import("./release-registry.ts")).runReleaseRegistry(fileSystem, terminal, options),
  },
  export: {
    usage: "npm run export -- --format skos|csv|json|tbx [--into FILE]",
    does:
      "Prints the registry for others. skos (Turtle, or JSON-LD where FILE ends in .jsonld) and csv hold all of it and can be\n" +
      "imported again; json is the public bundle, tbx a term base of what is published.",
    options: ["format", "registry", "into", "language", "origin"],
    positionals: 0,
    run: async (options) => (await import("./export.ts")).runExport(fileSystem, terminal, options),
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
      return (await import("./release.ts")).runRelease(fileSystem, terminal, { ...options, time });
    },
  },
  diff: {
    usage: "npm run diff -- A B [--json]",
    does:
      "Says what differs between two releases: folders, .zip or .tar of a dist, or git revisions, which are built.\n" +
      "Exit codes: 0 every byte is the same, 1 different, 2 cannot be compared, 3 an expression resolves to another code.",
    options: ["json", "origin"],
    positionals: 2,
    run: async (options) => (await import("./diff.ts")).runDiff(fileSystem, terminal, options),
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
  into: "--into DIR       the folder to write releases into (release); the registry to import into",
  format: "--format NAME    skos or csv; export also json and tbx",
  from: "--from FILE      a file to read; several may follow",
  domain: "--domain NAME    the domain of concepts that name none (the name of the first file)",
  "code-from": "--code-from HOW  mint, notation or uri: where new codes come from (mint)",
  "review-as": "--review-as HOW  in_review, or reviewed where you vouch for the file (in_review)",
  license: "--license SPDX   the licence of the source (what the file says, else NOASSERTION)",
  source: "--source TEXT    the name of the source (its title, else the name of the first file)",
  languages: "--languages TAGS the languages to take, with commas (all)",
  "missing-definition": "--missing-definition HOW  label: its name stands in; error: nothing is imported (label)",
  fix: "--fix KINDS      mend nfc, spaces, tags, and report each",
  findings: "--findings FILE  write every finding there, as lines of JSON",
  where: "--where KEYS     language=TAG,type=NAME,concept=CODE,domain=NAME,status=NAME; all of them must hold",
  as: "--as ROLE        who reviewed: a role, never a personal name",
  on: "--on DATE        the date of the review, YYYY-MM-DD",
  version: "--version V      the registryVersion, YYYY.MM.N",
  acknowledge: "--acknowledge WHY  expressions may come to mean another code, for this reason",
  list: "--list           print what is chosen, and change nothing",
  accept: "--accept         what waits becomes reviewed",
  reject: "--reject         what waits or is reviewed becomes rejected",
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

/** Runs the program. */
export async function start(): Promise<void> {
  // Whoever reads may stop early, as head does.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    terminal.progress("");
    const system = error instanceof Error && "syscall" in error;
    if (!system && !EXPECTED.some((kind) => error instanceof kind)) throw error;
    terminal.error((error as Error).message);
    process.exitCode = system ? 1 : 2;
  }
}
