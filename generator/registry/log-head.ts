/**
 * Reads what the transparency log next to a registry committed to last. It believes the file: the
 * tool of the log checks signatures, and compares what releases state with its entries.
 * Source: c2sp.org/tlog-checkpoint, Note text.
 */
import path from "node:path";
import { LogHead } from "../contract/log-head.ts";
import { type Effects, readTextIfFile } from "../effects/effects.ts";
import { compileSchema } from "../text/compile-schema.ts";
import { UsageError } from "../text/usage-error.ts";

/** The signed checkpoint, in the folder of a log. */
export const CHECKPOINT_FILE = "checkpoint";
/** Its verifier key. */
export const VKEY_FILE = "vkey";

const parse = compileSchema(LogHead);

/** Undefined without a signed checkpoint. Throws UsageError if it is not one. */
export function readLogHead(effects: Effects, folder: string): LogHead | undefined {
  const file = path.join(folder, CHECKPOINT_FILE);
  const text = readTextIfFile(effects, file);
  if (text === undefined) return undefined;
  const [origin, size, root] = text.split("\n");
  const head = { origin, size: /^[1-9][0-9]*$/.test(size ?? "") ? Number(size) : 0, root };
  if (parse(head).ok) return head as LogHead;
  throw new UsageError(`${file} is not a checkpoint: restore it from version control`);
}
