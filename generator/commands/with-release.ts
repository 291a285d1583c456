/** Opens a release and closes it when the command no longer uses it. */
import { openRelease, type Release } from "../../runtime/release/release.ts";

/** Throws ReleaseError if there is none to open. */
export async function withRelease<T>(directory: string, use: (release: Release) => T | Promise<T>): Promise<T> {
  const release = openRelease(directory);
  try {
    return await use(release);
  } finally {
    release.close();
  }
}
