/** The Node version that the program needs; the same as `engines` in package.json. */

/** The message for an older Node, on one line; undefined if the version is new enough. */
export function missingNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return `Node.js 20.19 or newer is needed, and this is ${version}: install a newer one from https://nodejs.org`;
}
