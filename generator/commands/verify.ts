/** `npm run verify`: is the built dist whole? */
import type { Console, Effects } from "../effects.ts";
import { type Options, requireDirectory } from "../options.ts";
import { verifyRelease } from "../verify/verify.ts";

/** Exit code 1 when something is wrong. */
export async function runVerify(effects: Effects, console: Console, { out }: Options): Promise<number> {
  requireDirectory(effects, "out", out);
  const faults = await verifyRelease(effects, out);
  for (const fault of faults) console.error(fault);
  if (faults.length === 0) console.print(`${out} is whole: every digest, concept, document, link and kit checked`);
  else console.error(`${faults.length} fault${faults.length === 1 ? "" : "s"} in ${out}`);
  return faults.length === 0 ? 0 : 1;
}
