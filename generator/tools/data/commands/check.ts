/** `check`: judges the codes in a data set by a release. */
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { countOf } from "../../../effects/print.ts";
import { isOther } from "../../../effects/effects.ts";
import {
  BUILT,
  choiceOr,
  DELIMITER,
  flag,
  formatOption,
  givenFor,
  list,
  type Option,
  requireApart,
  text,
  type Values,
  withGiven,
} from "../../../commands/options.ts";
import { readOrigin } from "../../../commands/service-file.ts";
import { deliver, fileOf } from "../../../commands/export-target.ts";
import { nameOfInput, streamTable } from "../../../commands/stream-table.ts";
import { withRelease } from "../../../commands/with-release.ts";
import { suggestion } from "../../../text/nearest.ts";
import { separatedBy } from "../../../text/table-head.ts";
import { Checking } from "../checking.ts";
import { Migration } from "../migration.ts";
import { Replay } from "../replay.ts";
import { REPLAYED } from "../replay-verdicts.ts";
import type { Scheme } from "../scheme.ts";
import { JsonRows } from "../json-rows.ts";
import { Judge } from "../judge.ts";
import { openOrigin } from "../origin.ts";
import { readPast, type Source } from "../../../promise/past.ts";
import type { Column, Columns, RowReader } from "../records.ts";
import type { Report, Subject } from "../report.ts";
import { CsvReport, NdjsonReport } from "../report-rows.ts";
import { SarifReport } from "../report-sarif.ts";
import { TextReport } from "../report-text.ts";
import { TableRows } from "../table-rows.ts";
import { CHECKED } from "../verdicts.ts";

const OPTIONS = {
  out: withGiven(BUILT),
  origin: text("URL", "a running service to ask instead of a release"),
  from: text("FILE", "a row for each record, or - for standard input"),
  format: formatOption(["csv", "ndjson"], {
    endings: { csv: "csv", tsv: "csv", txt: "csv", ndjson: "ndjson", jsonl: "ndjson" },
    filesOf: (written) => givenFor(written, "from"),
    fallback: "csv",
  }),
  delimiter: DELIMITER,
  codeColumn: column("code", "the codes"),
  expressionColumn: column("expression", "the expressions"),
  languageColumn: column("language", "their languages; an empty cell names none"),
  nameColumn: column(undefined, "the names of the concepts"),
  versionColumn: column("registryVersion", "the versions that the codes are from"),
  allow: list("VERDICTS", "verdicts that the data may have, separated by commas"),
  recorded: flag("rows are answers kept from earlier: judge each by its version and by this release"),
  migrate: text("FILE", "also write the retired codes that the data has, with their successors, as CSV"),
  report: choiceOr("NAME", "text, csv, ndjson or sarif (text)", ["text", "csv", "ndjson", "sarif"]),
  into: text("FILE", "the file to write (standard output)"),
};

type CheckOptions = Values<typeof OPTIONS>;

function column(name: string | undefined, what: string): Option<Column> {
  const help = `the column with ${what}, or a JSON pointer (${name ?? "none"})`;
  return {
    value: "NAME",
    help,
    read: (given) => ({ name: given.at(-1) ?? name, isGiven: given.length > 0 }),
  };
}

function allowedBy(scheme: Scheme, names: readonly string[]): ReadonlySet<string> {
  const unknown = names.find((name) => !scheme.allowable.includes(name));
  if (unknown === undefined) return new Set(names);
  const known = suggestion(unknown, scheme.allowable) || `: ${scheme.allowable.join(", ")}`;
  throw new UsageError(`--allow ${quote(unknown)} is not a verdict${known}`);
}

/** Exit code 0 if every row agrees or is allowed; 1 if some do not, or the data cannot be read. */
export const command = defineCommand({
  usage: "--from FILE [--report text|csv|ndjson|sarif] [--into FILE]",
  does:
    "Judges each row of a data set by a release, offline: whether its code is published, its expression resolves to that " +
    "code, and its name is the concept's. The verdict is the first that holds: not_a_code, unknown_code, retired, " +
    "other_version, name_differs, disagrees, ambiguous, expression_unknown, unused, agrees, blank.\n\n" +
    "Exit code 1 if a row does not agree and its verdict is not allowed. The data set itself is never changed.",
  options: OPTIONS,
  run(outside, options) {
    const { from, into } = options;
    if (from === undefined) throw new UsageError("Name the data: --from FILE, or - for standard input");
    if (from !== "-" && isOther(outside.effects, from))
      throw new UsageError(`--from ${from} is not a regular file: - reads standard input`);
    const { value: out, isGiven } = options.out;
    const read = [...(from === "-" ? [] : [from]), out];
    if (into !== undefined) requireApart(outside.effects, ["into", into], read);
    if (options.migrate !== undefined)
      requireApart(outside.effects, ["migrate", options.migrate], [...read, ...(into === undefined ? [] : [into])]);
    allowedBy(schemeOf(options), options.allow);
    const use = (source: Source): Promise<number> => check(outside, source, { ...options, from });
    if (options.origin === undefined)
      return withRelease(out, ({ index, documents }) => use({ name: out, index, documents }));
    if (isGiven) throw new UsageError("Use only one of --out and --origin");
    return openOrigin(outside.effects, readOrigin("--origin", options.origin)).then(use);
  },
});

async function check(
  outside: Outside,
  source: Source,
  options: CheckOptions & { readonly from: string },
): Promise<number> {
  const { from, into, delimiter, migrate } = options;
  const { console } = outside;
  const scheme = schemeOf(options);
  const judge = new Judge(source.index, readPast(source));
  const registryVersion = judge.past.current;
  const subject = {
    file: from === "-" ? undefined : from,
    registryVersion,
    allowed: allowedBy(scheme, options.allow),
    scheme,
  };
  const reader = readerOf(options);
  const migration = new Migration(judge);
  const judging = options.recorded ? replaying(console, judge) : judge;
  const report = reportOf(options.report, subject);
  const parts = { reader, report, judge: judging.judge.bind(judging), see: migration.see.bind(migration) };
  const checking = new Checking(parts);
  if (!(await streamTable(outside, { from, into }, checking))) return 1;
  if (migrate !== undefined) await deliver(outside, migration.table(), fileOf(outside.effects, migrate));
  if (delimiter === undefined && reader.delimiter !== undefined && reader.delimiter !== ",")
    console.error(`${nameOfInput(from)}: ${separatedBy(reader.delimiter)}`);
  const [rows, open] = [checking.rows(), checking.open(subject)];
  console.error(
    `Complete: ${countOf(rows, "row")}, ${rows - open} agree or are allowed, ${open} not; registry ${registryVersion}`,
  );
  return open === 0 ? 0 : 1;
}

function schemeOf({ recorded }: Pick<CheckOptions, "recorded">): Scheme {
  return recorded ? REPLAYED : CHECKED;
}

function replaying(console: Outside["console"], judge: Judge): Replay {
  const replay = new Replay(judge);
  const { unreached } = replay;
  if (unreached.length > 0)
    console.error(`Versions that cannot be judged, because changes after them are missing: ${unreached.join(", ")}`);
  return replay;
}

function readerOf({ format, delimiter, ...options }: CheckOptions): RowReader {
  const columns: Columns = {
    code: options.codeColumn,
    expression: options.expressionColumn,
    language: options.languageColumn,
    name: options.nameColumn,
    registryVersion: options.versionColumn,
  };
  return format === "csv" ? new TableRows(columns, delimiter) : new JsonRows(columns);
}

function reportOf(name: CheckOptions["report"], subject: Subject): Report {
  switch (name) {
    case "text":
      return new TextReport(subject);
    case "csv":
      return new CsvReport();
    case "ndjson":
      return new NdjsonReport();
    case "sarif":
      return new SarifReport(subject);
  }
}
