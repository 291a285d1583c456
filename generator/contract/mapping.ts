/** A line of the mappings: an external identifier, and the concepts that claim it. */
import * as Type from "../../runtime/contract/type.ts";
import { closed } from "../../runtime/contract/schema.ts";

export const Claim = closed({
  code: Type.String(),
  /**
   * The member of the concept that makes the claim: its source's identifier, an exact match
   * elsewhere, or a notation.
   */
  by: Type.Enum(["sourceId", "exactMatch", "notation"]),
});
export type Claim = Type.Static<typeof Claim>;

/** A release holds its documents in memory, so mappings that would be longer are left out. */
export const MAPPINGS_MAX_LENGTH = 32 * 2 ** 20;

export const Mapping = closed({ key: Type.String(), claims: Type.Array(Claim) });
export type Mapping = Type.Static<typeof Mapping>;
