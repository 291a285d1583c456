/**
 * `verify`: checks that the built dist is intact, and that a build elsewhere gives the same bytes.
 */
import path from "node:path";
import type { Effects } from "../../../effects/effects.ts";
import { distIn } from "../../../effects/output.ts";
import { countOf } from "../../../effects/print.ts";
import { checkRebuild, type Sources } from "../rebuild.ts";
import { signatureFault } from "../signature.ts";
import { readLogHead, VKEY_FILE } from "../../../registry/log-head.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { verifyRelease } from "../../../verify/verify.ts";
import { defineCommand, type Program } from "../../../commands/command.ts";
import {
  CONTENT,
  flag,
  LOG,
  type Option,
  REGISTRY,
  requireDirectory,
  text,
  withGiven,
} from "../../../commands/options.ts";

/** The release may be named by the option or as an argument. */
const OUT_OR_NAMED: Option<{ readonly named: string | undefined; readonly fallback: string }> = {
  value: "DIR",
  help: "the built release, as DIR (dist)",
  read: (given, { settings }) => ({ named: given.at(-1), fallback: settings().out }),
};

const OPTIONS = {
  out: OUT_OR_NAMED,
  rebuild: flag("build it again in another place, time zone, locale and umask, and compare"),
  signer: text("FILE", "the public key (PEM) that must have signed SHA256SUMS of the release that it is part of"),
  registry: withGiven(REGISTRY),
  content: withGiven(CONTENT),
  log: withGiven(LOG),
};

export const command = defineCommand({
  usage: "[DIR] [--registry DIR] [--content DIR] [--rebuild] [--signer FILE] [--log DIR]",
  does:
    "Checks a built dist from its bytes only, and reports every fault. " +
    "With --registry or --content it is also built again from registry and content and compared, pages and prose too; " +
    "with --rebuild elsewhere. With a transparency log next to the registry, what is built here must agree with it.",
  options: OPTIONS,
  takesArguments: true,
  run(outside, { out, rebuild, registry, content, signer, log }, [named, ...others]) {
    if (others.length > 0 || (named !== undefined && out.named !== undefined))
      throw new UsageError("Name the release once: as an argument or with --out");
    const sources = { registry: registry.value, content: content.value, isElsewhere: rebuild };
    const isBuilt = rebuild || registry.isGiven || content.isGiven;
    const directory = named ?? out.named ?? out.fallback;
    const { effects } = outside;
    // The log next to the registry is of what is built here; another release may have another.
    const isLogged = log.isGiven || (isOwn(effects, directory, out.fallback) && hasLog(effects, log.value));
    return runVerify(outside, {
      out: directory,
      signer,
      ...(isLogged && { log: log.value }),
      ...(isBuilt && { sources }),
    });
  },
});

function isOwn(effects: Effects, directory: string, built: string): boolean {
  return effects.realPath(directory) === effects.realPath(built);
}

/** Whether a signed log is in the folder. */
export function hasLog(effects: Effects, folder: string): boolean {
  return readLogHead(effects, folder) !== undefined;
}

interface VerifyOptions {
  readonly out: string;
  readonly signer?: string | undefined;
  /** The transparency log that the release must agree with. */
  readonly log?: string;
  /** To build again. */
  readonly sources?: Sources;
}

/** Exit code 1 if there is a fault. */
export async function runVerify(program: Program, options: VerifyOptions): Promise<number> {
  const { effects, console } = program;
  const { sources, signer, log } = options;
  requireDirectory(effects, "out", options.out);
  const directory = distIn(effects, options.out);
  console.progress(`Checking ${directory}`);
  const faults = await verifyRelease(effects, directory);
  const unsigned = signer === undefined ? undefined : await signatureFault(effects, directory, signer);
  if (unsigned !== undefined) faults.push(unsigned);
  if (sources !== undefined) {
    console.progress("Building it again");
    requireDirectory(effects, "registry", sources.registry);
    requireDirectory(effects, "content", sources.content);
    for (const fault of await checkRebuild(effects, directory, sources)) faults.push(fault);
  }
  console.progress("");
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) {
    console.error(`${countOf(faults.length, "fault")} in ${directory}`);
    return 1;
  }
  console.print(`${directory} is whole: every digest, concept, document, link and kit checked`);
  if (signer !== undefined) console.print(`Signed by the key in ${signer}`);
  if (sources?.isElsewhere === true)
    console.print("Built again in another place, time zone, locale and umask: the same bytes");
  else if (sources !== undefined)
    console.print(`Built again from ${sources.registry} and ${sources.content}: the same bytes`);
  if (log === undefined) return 0;
  const vkey = path.join(log, VKEY_FILE);
  const code = await program.run(["log", "check", log, "--vkey", vkey, "--next", directory]);
  return code === 0 ? 0 : 1;
}
