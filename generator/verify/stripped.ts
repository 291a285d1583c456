/** The runtime's sources without types: those of the deployment identity, each what its source gives, where that is here to be asked. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "amaro";
import { STRIPPED_FILE } from "../../runtime/manifest.ts";
import { paths } from "../../runtime/policy.ts";
import type { Effects } from "../effects.ts";
import type { Dist, Faults } from "./dist.ts";
import { formatJson, memberAt, readObject } from "./json.ts";

const RUNTIME = fileURLToPath(new URL("../../runtime/", import.meta.url));

export function checkStripped(effects: Effects, dist: Dist): Faults {
  const stripped = readObject(dist.read(STRIPPED_FILE));
  if (stripped === undefined) return [`${STRIPPED_FILE}: missing, or no JSON object`];
  const faults: Faults =
    dist.text(STRIPPED_FILE) === formatJson(stripped) ? [] : [`${STRIPPED_FILE}: not in the form of a release`];
  const sources = sourcesOf(dist);
  const digests = new Set(sources.values());
  if (
    digests.size > 0 &&
    (digests.size !== Object.keys(stripped).length || [...digests].some((digest) => !Object.hasOwn(stripped, digest)))
  )
    faults.push(`${STRIPPED_FILE}: not the sources of the deployment identity`);
  for (const name of effects.list(RUNTIME)) {
    const file = path.join(RUNTIME, name);
    const digest = sources.get(`runtime/${name}`);
    if (digest === undefined || effects.digest(file).sha256 !== digest) continue;
    const { code } = transformSync(new TextDecoder().decode(effects.read(file)), { mode: "strip-only" });
    if (stripped[digest] !== Buffer.from(code).toString("base64"))
      faults.push(`${STRIPPED_FILE}: runtime/${name} is not what its source gives`);
  }
  return faults;
}

/** The digests of the sources with types that the deployment identity lists, by their paths. */
function sourcesOf(dist: Dist): Map<string, string> {
  const files = memberAt(readObject(dist.read(paths.deployment.slice(1))), "closure", "files");
  const listed = (Array.isArray(files) ? files : []).map((file) => [memberAt(file, "path"), memberAt(file, "sha256")]);
  return new Map(
    listed.flatMap(([name, digest]): [string, string][] =>
      typeof name === "string" && typeof digest === "string" && name.endsWith(".ts") ? [[name, digest]] : [],
    ),
  );
}
