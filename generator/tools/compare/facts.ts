/**
 * Compares what a release says about itself outside its documents: the manifest, the deployment
 * identity, the head of the index. Their digests of single files follow from the rest; the label,
 * origin, registry and closure of the release are reported here.
 */
import { CLOSURE_MANIFEST } from "../../../runtime/release/identity.ts";
import { parseJson } from "../../../runtime/text/json.ts";
import { IDENTITY_FILE } from "../../../runtime/release/manifest.ts";
import { INDEX_FILE, MANIFEST_FILE, SUMS_FILE } from "../../../runtime/contract/files.ts";
import type { Fact } from "./comparison.ts";
import { jsonChanges } from "./json-changes.ts";
import { reviewedExpressions } from "./quotes.ts";
import type { Snapshot } from "./snapshot.ts";

/** The files that follow from the rest of a release. */
export const DERIVED: ReadonlySet<string> = new Set([INDEX_FILE, MANIFEST_FILE, SUMS_FILE, IDENTITY_FILE]);

export function compareFacts(a: Snapshot, b: Snapshot): Fact[] {
  const heads: readonly [string, (snapshot: Snapshot) => unknown][] = [
    [MANIFEST_FILE, ({ manifest }) => without(manifest, "files")],
    [
      INDEX_FILE,
      (snapshot) => {
        const { registryVersion, concepts, expressions } = snapshot.side;
        return { registryVersion, concepts, expressions, reviewedExactExpressions: reviewedExpressions(snapshot) };
      },
    ],
    [IDENTITY_FILE, identityOf],
  ];
  return heads.flatMap(([file, head]) => jsonChanges(head(a), head(b)).map((change) => ({ file, ...change })));
}

/**
 * Without the origin, which is in the manifest, and without the tree digest and the sizes of files:
 * with these, a change of one file would be reported three times.
 */
function identityOf({ files, read }: Snapshot): unknown {
  if (!files.some(({ path }) => path === IDENTITY_FILE)) return null;
  const json = parseJson(read(IDENTITY_FILE));
  if (!json.ok) return "not JSON";
  const { closure, ...own } = without(json.value, "canonicalOrigin") as { closure?: { files?: unknown } };
  const listed = closure?.files;
  return { ...own, closure: { files: Array.isArray(listed) ? listed.map(closureFile) : listed } };
}

/** The manifest is in every closure, and differs whenever anything does. */
function closureFile(file: unknown): unknown {
  const { path } = (file ?? {}) as { path?: unknown };
  return without(path === CLOSURE_MANIFEST ? { path } : file, "bytes");
}

function without(value: unknown, member: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== member));
}
