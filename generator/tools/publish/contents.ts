/**
 * The files of a release directory: the sources of the runtime, the built dist, the licence and a
 * README. It contains nothing else of the project, so that it runs from exactly the files whose
 * digests its identity has.
 */
import path from "node:path";
import { product } from "../../../runtime/contract/product.ts";
import { listSources, PROGRAM, PROJECT } from "../../effects/closure.ts";
import type { Effects } from "../../effects/effects.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";

export interface ReleaseFile {
  /** Below the release directory, with `/`. */
  readonly path: string;
  readonly chunks: () => Iterable<Uint8Array>;
}

/** The facts that the README of a release states. */
interface About {
  readonly origin: string;
  readonly registry: Manifest["registry"];
  /** The day of the registry's release, YYYY-MM-DD. */
  readonly day: string | undefined;
}

/** The files of a release; `dist` is the built one. */
export function releaseFiles(effects: Effects, dist: string, about: About): ReleaseFile[] {
  const file = (name: string, source: string): ReleaseFile => ({ path: name, chunks: () => effects.chunks(source) });
  const text = new TextEncoder().encode(formatReadme(about));
  return [
    ...listSources(effects).map((name) => file(name, path.join(PROGRAM, name))),
    ...effects.list(dist).map((name) => file(`dist/${name}`, path.join(dist, name))),
    file("LICENSE", path.join(PROJECT, "LICENSE")),
    { path: "README.md", chunks: () => [text] },
  ];
}

function formatReadme({ origin, registry, day }: About): string {
  return `# ${registry.name} ${registry.registryVersion}

A release of this registry${day === undefined ? "" : ` of ${day}`}, with Semantic Resolution Service ${product.packageVersion}, built for ${origin}.
Content SHA-256: ${registry.contentSha256}

Check it with \`sha256sum --quiet -c SHA256SUMS\` in \`dist\`, and here unless you unpacked this from the tar: the list that
comes with the tar has the digest of the tar.

Run it, with Node 20.19 or newer:

    npm ci --omit=dev
    node runtime/main.js

It listens on HOST (127.0.0.1) and PORT (8080), and answers for ${origin}.
\`node runtime/main.js --help\` lists everything that can be set.

\`/.well-known/service-semantics-deployment.json\` of the running service says whether it runs from these very files; after
any change in \`runtime\` or \`dist\` it answers 503, until the directory is restored. Replace it as a whole, never file by file.
`;
}
