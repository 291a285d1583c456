/**
 * One digest over everything a build reads: registry, content, generator, runtime, the package manifest and lock, and the origin. The same
 * digest means the same dist, so `npm start` need not build again.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import { SOURCE_FILES } from "../runtime/identity.ts";
import { PROJECT } from "./closure.ts";
import { type Effects, isVisible } from "./effects.ts";

export interface Inputs {
  readonly registry: string;
  readonly content: string;
  readonly origin: string;
}

/** Lowercase hex SHA-256 over names and digests; folder paths do not enter it. */
export function digestInputs(effects: Effects, { registry, content, origin }: Inputs): string {
  const running = createHash("sha256").update(`origin ${origin}\n`);
  const folders = { registry, content, generator: `${PROJECT}generator`, runtime: `${PROJECT}runtime` };
  for (const [name, directory] of Object.entries(folders)) {
    for (const file of effects.list(directory).filter(isVisible)) {
      const source = path.join(directory, file);
      const digest = effects.kind(source) === "file" ? effects.digest(source).sha256 : "no file";
      running.update(`${digest}  ${name}/${file}\n`);
    }
  }
  for (const file of SOURCE_FILES) running.update(`${effects.digest(PROJECT + file).sha256}  ${file}\n`);
  return running.digest("hex");
}
