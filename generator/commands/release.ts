/** `release`: check, build, verify with a rebuild, and only then the release directory, at once or not at all. */
import path from "node:path";
import { isClone, PROJECT } from "../effects/closure.ts";
import { releaseDirectory, replaceRelease } from "../release/directory.ts";
import { releaseTime } from "../release/timestamp.ts";
import { runBuild } from "./build.ts";
import { defineCommand, type Outside } from "./command.ts";
import { BUILD, flag, setting } from "./options.ts";
import { runVerify } from "./verify.ts";

/** Exit code 1 where a step fails; nothing of an earlier release is touched then. */
export const command = defineCommand({
  usage: "[options]",
  does:
    "Checks, builds, verifies with a rebuild, and writes release/<packageVersion>/: what runs, a tar of it, SBOM, " +
    "provenance and sums. SOURCE_DATE_EPOCH, else the date of the release label, is the one time in them.",
  options: {
    ...BUILD,
    into: setting("DIR", "the folder to write releases into (release)", ({ home }) => path.join(home, "release")),
    checked: flag("in a clone: npm run check has just passed, so do not run it again"),
  },
  async run(outside, { checked, ...options }) {
    const { effects, console, env } = outside;
    const time = releaseTime(env["SOURCE_DATE_EPOCH"]);
    if (!checked && isClone(effects) && !(await passesCheck(outside))) return 1;
    if ((await runBuild(outside, options)) !== 0) return 1;
    if ((await runVerify(outside, { ...options, rebuild: true })) !== 0) return 1;
    const directory = releaseDirectory(options.into);
    console.progress(`Writing ${directory}`);
    const { sha256, tar } = await replaceRelease(effects, { ...options, time });
    console.progress("");
    console.print(
      `Released ${directory} for ${options.origin}: ${sha256} is the digest of its SHA256SUMS, ` +
        `${tar.sha256} that of ${tar.path}`,
    );
    return 0;
  },
});

async function passesCheck({ effects, console }: Outside): Promise<boolean> {
  const { code } = await effects.run({ program: "npm", args: ["run", "check"], directory: PROJECT, shown: true });
  if (code !== 0) console.error("npm run check failed, so there is no release (where it has just passed: --checked)");
  return code === 0;
}
