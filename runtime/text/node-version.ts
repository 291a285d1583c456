/** The Node that the program needs; the same as `engines` in package.json. */

/** What is to be said to an older Node, in one line; undefined where the version will do. */
export function missingNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return `Node.js 20.19 or newer is needed, and this is ${version}: install a newer one from https://nodejs.org`;
}
