/** What `host` may replace: only what it wrote itself. */
import path from "node:path";
import type { Effects } from "../effects/effects.ts";
import { UsageError } from "../text/usage-error.ts";

/** How the main file of each host begins. */
const WRITTEN =
  /^(?:# (?:nginx|Apache httpd|Caddy) as a host of |\/\/ https?:\S+ as a Worker|# Fields of |\{\n {2}"origin": )/;

/** Throws UsageError where one of these files and folders is there, and no file says that `host` wrote it. */
export function assertOwn(effects: Effects, target: string, names: readonly string[]): void {
  const taken = names.filter((name) => effects.kind(path.join(target, name)) !== "none");
  const isOurs = (name: string): boolean => {
    const place = path.join(target, name);
    if (effects.kind(place) !== "file") return false;
    const [beginning] = effects.chunks(place);
    return WRITTEN.test(decoder.decode(beginning?.subarray(0, 100)));
  };
  if (taken.length === 0 || effects.names(target).some(isOurs)) return;
  throw new UsageError(
    `--into ${target} has ${taken.join(", ")}, which \`host\` did not write, so nothing is replaced: name another folder`,
  );
}

const decoder = new TextDecoder();
