/** `verify-origin`: checks that a server on the network answers as the release says. */
import path from "node:path";
import { sha256 } from "../../../../runtime/http/digest.ts";
import type { Identity } from "../../../../runtime/release/identity.ts";
import { IDENTITY_FILE } from "../../../../runtime/release/manifest.ts";
import { SUMS_FILE } from "../../../../runtime/contract/files.ts";
import { damaged, readFile, ReleaseError } from "../../../../runtime/release/plain-file.ts";
import type { Release } from "../../../../runtime/release/release.ts";
import { httpClient } from "../../../effects/http-client.ts";
import { type OriginReport, UnreachableError, checkOrigin } from "../origin-check.ts";
import { expectedAnswers, lawCases } from "../law.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand } from "../../../commands/command.ts";
import { BUILT, JSON_FLAG, requireDirectory } from "../../../commands/options.ts";
import { readOrigin } from "../../../commands/service-file.ts";
import { openBuilt } from "../../../commands/with-release.ts";

const OPTIONS = {
  release: BUILT,
  json: JSON_FLAG,
};

export const command = defineCommand({
  usage: "URL [--release DIR]",
  does:
    "Asks a server on the network for every document of a release, in every way that the contract names, and reports how " +
    "its answers differ. Exit code 0: they do not, 1: they do, 2: the server cannot be reached.",
  options: OPTIONS,
  takesArguments: true,
  async run({ effects, console }, { release: directory, json }, [written, ...others]) {
    if (written === undefined || others.length > 0) throw new UsageError("Name one URL, such as https://example.org");
    const url = readOrigin("URL", written);
    requireDirectory(effects, "release", directory);
    const release = openBuilt(directory);
    const client = httpClient();
    try {
      const expected = expectedAnswers(release, readIdentity(release));
      const cases = await lawCases(release, expected);
      const report = await checkOrigin({ url, cases, expected, client, progress: console.progress });
      console.progress("");
      if (json) console.print(JSON.stringify({ url, ...report }, null, 2), "data");
      else for (const line of textOf(url, report)) console.print(line);
      return report.differences.length === 0 ? 0 : 1;
    } catch (error) {
      if (error instanceof UnreachableError) throw new UsageError(error.message);
      throw error;
    } finally {
      client.close();
      release.close();
    }
  },
});

/**
 * The identity that a server of this release answers with. Opening the release read only its
 * digest. Throws ReleaseError.
 */
function readIdentity({ directory, identitySha256 }: Release): Identity {
  const file = path.join(directory, IDENTITY_FILE);
  const document = readFile(file);
  const treeDigest = /"treeDigest": "([0-9a-f]{64})"/.exec(new TextDecoder().decode(document))?.[1];
  if (treeDigest === undefined || sha256(document) !== identitySha256) throw new ReleaseError(damaged(file, SUMS_FILE));
  return { verified: true, document, sha256: identitySha256, treeDigest };
}

/** The maximum number of differences that are shown for a law. */
const SHOWN = 5;

function textOf(url: string, { laws, differences }: OriginReport): string[] {
  const lines = laws.flatMap(({ law, asked, failed }) => {
    const found = differences.filter((one) => one.law === law);
    const shown = found.slice(0, SHOWN).map(({ request, text }) => `    ${request} ${text}`);
    const more = found.length > SHOWN ? [`    and ${found.length - SHOWN} more`] : [];
    return [`${failed === 0 ? "kept  " : "broken"}  ${law}: ${asked - failed} of ${asked}`, ...shown, ...more];
  });
  const broken = laws.filter(({ failed }) => failed > 0).length;
  const verdict = broken === 0 ? "answers as the release says" : `breaks ${broken} of ${laws.length} laws`;
  return [...lines, `${url} ${verdict}`];
}
