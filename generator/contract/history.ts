/** The history of a registry: its retired codes and its releases. Source: rulings O-16, O-57. */
import * as Type from "../../runtime/contract/type.ts";
import { endSchema, headSchema, Sha256, Text } from "../../runtime/contract/document.ts";
import { closed, nullable } from "../../runtime/contract/schema.ts";
import { Reassignment } from "./changes.ts";
import { LogHead } from "./log-head.ts";

/** A code that was published and is never reused. Nothing follows `replacedBy` automatically. */
export const RetiredCode = closed({
  code: Text,
  retiredIn: Text,
  replacedBy: nullable(Text),
  name: nullable(Text),
  reason: nullable(Text),
});
export type RetiredCode = Type.Static<typeof RetiredCode>;

export const RetiredCodes = closed({
  ...headSchema("registry-retired"),
  rule: Text,
  /** In code order. */
  retired: Type.Array(RetiredCode),
  ...endSchema,
});
export type RetiredCodes = Type.Static<typeof RetiredCodes>;

/** A digest that covers no address names the content of a release: it is the same everywhere. */
export const RegistryRelease = closed({
  registryVersion: Text,
  contentSha256: Sha256,
  reassigned: Type.Array(Reassignment),
  /** Why the change was made. */
  acknowledgement: nullable(Text),
  /** The transparency log as it was before this release was in it. */
  log: nullable(LogHead),
});

export const RegistryHistory = closed({
  ...headSchema("registry-history"),
  rule: Text,
  current: closed({ registryVersion: Text, contentSha256: Sha256, recorded: Type.Boolean() }),
  /** Oldest first. */
  releases: Type.Array(RegistryRelease),
  ...endSchema,
});
export type RegistryHistory = Type.Static<typeof RegistryHistory>;
