/**
 * What a transparency log committed to at a size, as releases state it: whoever keeps a release can
 * tell from it whether the log was rewritten (docs/log.md).
 */
import { Text } from "../../runtime/contract/document.ts";
import { closed } from "../../runtime/contract/schema.ts";
import * as Type from "../../runtime/contract/type.ts";

/** The lines of a checkpoint (c2sp.org/tlog-checkpoint). */
export const LogHead = closed({
  /** The name of the log. */
  origin: Text,
  /** The number of its releases. */
  size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  /** The root of its tree: 32 bytes in base64. */
  root: Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$" }),
});
export type LogHead = Type.Static<typeof LogHead>;
