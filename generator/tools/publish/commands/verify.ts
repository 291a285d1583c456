/**
 * `verify`: checks that the built dist is intact, and that a build elsewhere gives the same bytes.
 */
import { distIn } from "../../../effects/output.ts";
import { countOf } from "../../../effects/print.ts";
import { checkRebuild } from "../rebuild.ts";
import { signatureFault } from "../signature.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { verifyRelease } from "../../../verify/verify.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { CONTENT, flag, type Option, REGISTRY, requireDirectory, text, withGiven } from "../../../commands/options.ts";

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
};

export const command = defineCommand({
  usage: "[DIR] [--rebuild] [--registry DIR] [--content DIR] [--signer FILE]",
  does:
    "Checks a built dist from its bytes only, with code of its own, and reports every fault. " +
    "With --rebuild, --registry or --content it is also built again from registry and content, elsewhere, and compared.",
  options: OPTIONS,
  takesArguments: true,
  run(outside, { out, ...options }, [named, ...others]) {
    if (others.length > 0 || (named !== undefined && out.named !== undefined))
      throw new UsageError("Name the release once: as an argument or with --out");
    const { registry, content, rebuild, signer } = options;
    return runVerify(outside, {
      out: named ?? out.named ?? out.fallback,
      signer,
      rebuild: rebuild || registry.isGiven || content.isGiven,
      registry: registry.value,
      content: content.value,
    });
  },
});

interface VerifyOptions {
  readonly out: string;
  readonly signer: string | undefined;
  readonly rebuild: boolean;
  readonly registry: string;
  readonly content: string;
}

/** Exit code 1 if there is a fault. */
export async function runVerify({ effects, console }: Outside, options: VerifyOptions): Promise<number> {
  const { registry, content, signer } = options;
  requireDirectory(effects, "out", options.out);
  const directory = distIn(effects, options.out);
  console.progress(`Checking ${directory}`);
  const faults = await verifyRelease(effects, directory);
  const unsigned = signer === undefined ? undefined : await signatureFault(effects, directory, signer);
  if (unsigned !== undefined) faults.push(unsigned);
  if (options.rebuild) {
    console.progress("Building it again elsewhere");
    requireDirectory(effects, "registry", registry);
    requireDirectory(effects, "content", content);
    for (const fault of await checkRebuild(effects, { directory, registry, content })) faults.push(fault);
  }
  console.progress("");
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) {
    console.error(`${countOf(faults.length, "fault")} in ${directory}`);
    return 1;
  }
  console.print(`${directory} is whole: every digest, concept, document, link and kit checked`);
  if (signer !== undefined) console.print(`Signed by the key in ${signer}`);
  if (options.rebuild) console.print("Built again in another place, time zone, locale and umask: the same bytes");
  return 0;
}
