/**
 * The runtime's sources without their types, for runtime/start.js: what Node would make of them at each start, by the same
 * library in the version of the pinned Node. Where types were there are spaces, so lines and columns stay.
 */
import path from "node:path";
import { transformSync } from "amaro";
import { sha256 } from "../runtime/digest.ts";
import { SOURCE_FOLDER } from "../runtime/identity.ts";
import { formatDocument } from "../runtime/json.ts";
import { PROJECT } from "./closure.ts";
import { type Effects, isVisible } from "./effects.ts";

/**
 * A JSON object: by the lowercase hex SHA-256 of a source, the source without types in Base64, so that nobody who looks for
 * words in a release takes those of its code for its own.
 */
export function stripSources(effects: Effects): Uint8Array {
  const folder = path.join(PROJECT, SOURCE_FOLDER);
  const names = effects.list(folder).filter((name) => isVisible(name) && name.endsWith(".ts"));
  const entries = names.map((name) => {
    const source = effects.read(path.join(folder, name));
    const { code } = transformSync(new TextDecoder().decode(source), { mode: "strip-only" });
    return [sha256(source), Buffer.from(code).toString("base64")];
  });
  return new TextEncoder().encode(formatDocument(Object.fromEntries(entries)));
}
