/**
 * `eject`: copies a file of the package's content to the owner's, and records the digest of the
 * original.
 */
import path from "node:path";
import { baseDigest, EJECTED_FILE, formatEjected, readEjected } from "../content/ejected.ts";
import { encoded } from "../text/chunks.ts";
import { BASE_CONTENT } from "../effects/closure.ts";
import { isVisible } from "../effects/effects.ts";
import { writeTogether } from "../effects/together.ts";
import { UsageError } from "../text/usage-error.ts";
import { defineCommand, type Outside } from "./command.ts";
import { CONTENT, flag, requireDirectory, type Values } from "./options.ts";

const OPTIONS = {
  content: CONTENT,
  keep: flag("leave your file unchanged, and record that it follows the package's current version"),
};

export const command = defineCommand({
  usage: "FILE [--keep]",
  does:
    "Copies a file of the package's content, such as pages/index.njk, into yours, for you to change. A build says when the " +
    `package has changed it since; ${EJECTED_FILE} records what it was copied from.`,
  options: OPTIONS,
  takesArguments: true,
  run: runEject,
});

function runEject(
  { effects, console }: Outside,
  { content, keep }: Values<typeof OPTIONS>,
  args: readonly string[],
): number {
  const [given, ...others] = args;
  if (given === undefined || others.length > 0) throw new UsageError("Name one file, such as pages/index.njk");
  requireDirectory(effects, "content", content);
  if (effects.realPath(content) === effects.realPath(BASE_CONTENT))
    throw new UsageError(`${content} is the package's own content: make a folder of yours, or name it with --content`);
  const file = path.posix.normalize(given);
  const listed = effects.list(BASE_CONTENT).filter(isVisible);
  if (!listed.includes(file)) {
    const near = listed.filter((one) => path.dirname(one) === path.dirname(file));
    const has = (near.length > 0 ? near : listed).slice(0, 12).join(", ");
    throw new UsageError(`The package's content has no ${JSON.stringify(given)}; it has ${has}`);
  }
  const own = path.join(content, file);
  const isThere = effects.kind(own) !== "none";
  if (isThere && !keep) {
    console.error(
      `${own} already exists: nothing was written; --keep records that it follows the package's current version`,
    );
    return 1;
  }
  const digests = new Map(readEjected(effects, content)).set(file, baseDigest(effects, file) ?? "");
  const list = path.join(content, EJECTED_FILE);
  // The list is first: without the file, the same command does the rest.
  const files = new Map<string, Iterable<Uint8Array>>([[list, encoded(formatEjected(digests))]]);
  if (!isThere) files.set(own, effects.chunks(path.join(BASE_CONTENT, file)));
  writeTogether(effects, files);
  console.print(`${isThere ? "Kept" : "Wrote"} ${own}; ${list} has the digest of the package's file`);
  return 0;
}
