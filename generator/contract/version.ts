/** The forms of a registryVersion (O-16). */

/** Of a release, as part of a pattern. */
export const RELEASE_VERSION = String.raw`\d{4}\.\d{2}\.\d+`;

const DRAFT = "-draft";
/** Of a release or of a draft, as part of a pattern. */
export const SHOWN_VERSION = `${RELEASE_VERSION}(?:${DRAFT})?`;

/** The version that a draft is shown under: no release has it. */
export function draftOf(registryVersion: string): string {
  return registryVersion + DRAFT;
}

export function isDraftVersion(registryVersion: string): boolean {
  return registryVersion.endsWith(DRAFT);
}

/** The version of the release, or the one that a draft would be released as. */
export function releaseVersionOf(registryVersion: string): string {
  return isDraftVersion(registryVersion) ? registryVersion.slice(0, -DRAFT.length) : registryVersion;
}
