/** Opens a release and closes it when the command no longer uses it. */
import { MissingFileError } from "../../runtime/release/plain-file.ts";
import { openRelease, type Release } from "../../runtime/release/release.ts";
import { invocation } from "../effects/invocation.ts";
import { folderArgument } from "../text/shell.ts";
import { UsageError } from "../text/usage-error.ts";

/** Throws ReleaseError if there is none to open, or UsageError with the command that builds one. */
export async function withRelease<T>(directory: string, use: (release: Release) => T | Promise<T>): Promise<T> {
  const release = openBuilt(directory);
  try {
    return await use(release);
  } finally {
    release.close();
  }
}

/** The same for a command that closes it itself. */
export function openBuilt(directory: string): Release {
  try {
    return openRelease(directory);
  } catch (error) {
    if (!(error instanceof MissingFileError)) throw error;
    throw new UsageError(`${error.message} (${invocation("build", folderArgument("out", directory))})`);
  }
}
