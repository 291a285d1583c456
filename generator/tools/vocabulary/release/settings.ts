/**
 * Settings of a registry release that a person gives: its version, and why expressions may be
 * reassigned.
 */
import { checkLabel } from "../../../registry/check-concept.ts";
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { REGISTRY_VERSION_PATTERN } from "../../../text/version.ts";

/** Throws UsageError if the text is not a version. */
export function parseVersion(version: string | undefined): string {
  if (version === undefined) throw new UsageError("--version is needed: YYYY.MM.N");
  if (!new RegExp(REGISTRY_VERSION_PATTERN).test(version))
    throw new UsageError(`--version ${quote(version)} is not a version: write YYYY.MM.N, such as 2026.12.1`);
  return version;
}

/** Throws UsageError if the text cannot be published. */
export function parseAcknowledgement(text: string | undefined): string | undefined {
  const [fault] = text === undefined ? [] : checkLabel(text, "acknowledgement");
  if (fault !== undefined) throw new UsageError(`--acknowledge: ${fault.text}`);
  return text;
}
