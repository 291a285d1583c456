/** `store`: fills and cleans a store of the blocks of releases. */
import { countOf } from "../../../effects/print.ts";
import path from "node:path";
import { readStore, SettingError } from "../../../../runtime/operations/settings.ts";
import { IndexError } from "../../../../runtime/registry/index.ts";
import { BLOCKS_FILE } from "../../../../runtime/contract/files.ts";
import { ReleaseError } from "../../../../runtime/release/plain-file.ts";
import { readRelease } from "../../../../runtime/release/release.ts";
import { connectRedis, loadClient, nameOf, type RedisConnection } from "../../../../runtime/extras/store/redis.ts";
import { collect, digestsIn, push } from "../blocks.ts";
import { distIn } from "../../../effects/output.ts";
import { printable } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import {
  choiceOr,
  flag,
  goesWith,
  type Option,
  BUILT,
  requireDirectory,
  text,
  texts,
  type Values,
} from "../../../commands/options.ts";
import { withRelease } from "../../../commands/with-release.ts";

const OPTIONS = {
  to: text("URL", "redis://host:port, or several of one cluster with commas (STORE_URL)"),
  out: forVerb("push", BUILT),
  check: forVerb(
    "push",
    choiceOr("sample|all", "which values are compared with their digests (sample)", ["sample", "all"]),
  ),
  keep: forVerb("gc", {
    ...texts("DIR", "a release that is still needed; repeat the option for several"),
    read: (given, { effects }) => given.map((folder) => distIn(effects, folder)),
  }),
  dryRun: forVerb("gc", flag("only count")),
  yes: forVerb("gc", flag("do not ask")),
};

function forVerb<T>(verb: "push" | "gc", option: Option<T>): Option<T> {
  return goesWith(verb, ({ args }) => args[0] === verb, { ...option, help: `${verb}: ${option.help}` });
}

/** A server may need a while to scan or to receive megabytes. */
const TIMEOUT_MS = 30_000;

export const command = defineCommand({
  usage: "push|gc [--to URL] [options]",
  does:
    "push copies the blocks of a built release into a store; those already there are not sent again. gc removes the blocks that " +
    "none of the releases of --keep needs. Exit code 1: the store cannot be used; run the same command again to do the rest.",
  options: OPTIONS,
  takesArguments: true,
  async run(outside, options, [verb, ...others]) {
    if ((verb !== "push" && verb !== "gc") || others.length > 0) throw new UsageError("Use push or gc");
    const urls =
      options.to === undefined ? readTarget("STORE_URL", outside.env["STORE_URL"]) : readTarget("--to", options.to);
    for (const directory of verb === "push" ? [options.out] : options.keep)
      requireDirectory(outside.effects, verb === "push" ? "out" : "keep", directory);
    if (verb === "gc" && options.keep.length === 0)
      throw new UsageError("--keep is needed: the releases whose blocks stay");
    await loadClient();
    let connection: RedisConnection | undefined;
    try {
      connection = await connectRedis(urls, { timeoutMs: TIMEOUT_MS, useReplicas: false });
      return await (verb === "push" ? runPush : runCollect)(outside, options, connection);
    } catch (error) {
      if (error instanceof UsageError || error instanceof ReleaseError) throw error;
      if (error instanceof IndexError) throw new ReleaseError(`${options.out}: ${error.message}`);
      outside.console.progress("");
      outside.console.error(`${nameOf(urls)} cannot be used: ${printable((error as Error).message)}`);
      return 1;
    } finally {
      connection?.close();
    }
  },
});

/** Throws UsageError, which must not quote a password. */
function readTarget(name: string, written = ""): string[] {
  const form = "redis://host:port, or several of one cluster with commas";
  if (written === "") throw new UsageError(`--to or STORE_URL is needed: ${form}`);
  try {
    const urls = readStore(name, written);
    if (urls.every((url) => url.startsWith("redis"))) return urls;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
  }
  throw new UsageError(`${name} is not ${form}`);
}

type Run = (outside: Outside, options: Values<typeof OPTIONS>, connection: RedisConnection) => Promise<number>;

const runPush: Run = ({ effects, console }, { out, check }, { redis }) =>
  withRelease(out, async (release) => {
    const digests = digestsIn(effects.read(path.join(out, BLOCKS_FILE)));
    const { source } = release.index;
    const { written, checked, replaced } = await push(redis, { source, digests, check, progress: console.progress });
    console.progress("");
    console.print(`${countOf(digests.length, "block")}: ${written} written, ${digests.length - written} were there`);
    console.print(`${checked} checked, ${replaced === 0 ? "all right" : `${replaced} wrong and written again`}`);
    return 0;
  });

const runCollect: Run = async ({ console }, { keep, dryRun, yes }, connection) => {
  const digests = keep.flatMap((directory) => digestsIn(readRelease(directory).blocks));
  let remove = yes && !dryRun;
  let found = await collect(connection, digests, { remove });
  if (!remove && !dryRun && found.unneeded > 0) {
    if (console.ask === undefined)
      throw new UsageError("There is no terminal to ask on: --yes removes without a question");
    const question = `Remove ${countOf(found.unneeded, "block")}, and keep ${found.kept}? (y/n) `;
    if (!/^y/i.test(await console.ask(question))) return 1;
    remove = true;
    found = await collect(connection, digests, { remove });
  }
  console.print(
    `${countOf(found.kept, "block")} kept, ${found.unneeded} ${remove ? "removed" : "needed by none of the releases"}`,
  );
  return 0;
};
