/**
 * `release`: checks, builds, verifies with a rebuild, and only then writes the release directory,
 * completely or not at all.
 */
import path from "node:path";
import { product } from "../../../../runtime/contract/product.ts";
import { isClone, PROJECT } from "../../../effects/closure.ts";
import { replaceRelease } from "../directory.ts";
import { earlierOnDay, releaseDay } from "../../../registry/checked.ts";
import { parseEpoch, releaseTime } from "../timestamp.ts";
import { originNotices } from "../../../text/public-origin.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { checkReleasable } from "../../../promise/promise.ts";
import { buildAndReport } from "../../../commands/build.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { BUILD, flag, folderOption, LOG, type Option, ORIGIN, requireApart } from "../../../commands/options.ts";
import { hasLog, runVerify } from "./verify.ts";

/** No client could reach a release at the loopback address of the machine that made it. */
const PUBLIC_ORIGIN: Option<string> = {
  value: "URL",
  help: "the public origin (SERVICE_ORIGIN, else service.yaml)",
  read(given, named) {
    if (given.length === 0 && !named.env["SERVICE_ORIGIN"] && named.settings().origin === undefined)
      throw new UsageError(
        "--origin URL, or origin in service.yaml, is needed: the public address that the release is for",
      );
    return ORIGIN.read(given, named);
  },
};

/** Exit code 1 if a step fails; nothing of an earlier release is touched then. */
export const command = defineCommand({
  usage: "--origin URL",
  does:
    "Checks, builds, verifies with a rebuild, and writes release/<registry>-<version>/: the files to run, a tar of them, SBOM, " +
    "provenance and sums. The version must be recorded, with every reassignment acknowledged and no concept gone, and must agree with the transparency log if there is one. " +
    "SOURCE_DATE_EPOCH, else the day of the registry's release or last review, is the only time in them.",
  options: {
    ...BUILD,
    origin: PUBLIC_ORIGIN,
    into: folderOption("the folder to write releases into (release)", ({ home }) => path.join(home, "release")),
    checked: flag("in a clone: npm run check has just passed, so do not run it again"),
    log: LOG,
    oci: flag("write the data as an OCI image layout too: <registry>-<version>.oci, next to the release"),
    force: flag("replace a release of the same name that has other bytes"),
  },
  async run(outside, { checked, force, oci, log, ...options }) {
    const { effects, console, env } = outside;
    const epoch = parseEpoch(env["SOURCE_DATE_EPOCH"]);
    requireApart(effects, ["into", options.into], [options.registry, options.content, options.out]);
    if (!checked && isClone(effects) && !(await passesCheck(outside))) return 1;
    const built = await buildAndReport(outside, options, checkReleasable);
    if (built === undefined) return 1;
    const day = releaseDay(built.registry, built.facts);
    const sources = { ...options, isElsewhere: true };
    const logged = hasLog(effects, log) ? { log } : {};
    if ((await runVerify(outside, { out: options.out, sources, ...logged })) !== 0) return 1;
    console.progress(`Writing ${options.into}`);
    const time = releaseTime(epoch, day ?? product.updated);
    const { directory, sha256, tar, image } = await replaceRelease(effects, {
      ...options,
      time,
      day,
      earlier: earlierOnDay(built.registry),
      force,
      oci,
    });
    console.progress("");
    for (const line of originNotices("the release", options.origin)) console.error(line);
    console.print(
      `Released ${directory} for ${options.origin}: ${sha256} is the digest of its SHA256SUMS, ` +
        `${tar.sha256} that of ${tar.path}`,
    );
    if (image !== undefined) console.print(`Image of the data in ${image.directory}: ${image.digest}`);
    return 0;
  },
});

async function passesCheck({ effects, console }: Outside): Promise<boolean> {
  const { code } = await effects.run({ program: "npm", args: ["run", "check"], directory: PROJECT, shown: true });
  if (code !== 0) console.error("npm run check failed, so there is no release (if it has just passed: --checked)");
  return code === 0;
}
