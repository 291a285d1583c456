/**
 * Writes the modules that browsers load from a release, each as one file that imports nothing: the
 * resolver for static hosts, which also runs in Node, and MiniSearch, which ranks pages. rolldown
 * joins their files, leaves out what nothing reaches, and renames nothing that need not be renamed;
 * comments go, because the sources have them. A part of the compile step: an installed package has
 * the result.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const MINISEARCH = fileURLToPath(import.meta.resolve("minisearch"));
/** In the folder that contains dist/es. */
const MINISEARCH_LICENSE = path.resolve(MINISEARCH, "../../../LICENSE.txt");

const RESOLVER_HEAD = `/**
 * Resolves exactly, from the files of a release on a host that only serves files:
 *
 *   const registry = await openRegistry(location.origin, { sha256: "..." });
 *   const { status, body } = await registry.resolve({ expression: "...", language: "en" });
 *
 * The answer is that of POST /api/v1/resolve. \`sha256\`, the digest of registry.root, pins the
 * registry; without it SHA256SUMS is trusted. Anything that cannot be read throws a StorageError.
 */
`;

/** Writes both modules into a folder; \`lib\` is the compiled program. */
export async function writeModules(lib, folder) {
  fs.mkdirSync(folder);
  const resolver = await bundle({
    openRegistry: path.join(lib, "runtime/extras/store/remote-registry.js"),
    StorageError: path.join(lib, "runtime/registry/block-source.js"),
  });
  fs.writeFileSync(path.join(folder, "resolver.js"), RESOLVER_HEAD + resolver);
  const license = fs.readFileSync(MINISEARCH_LICENSE, "utf8").trim();
  const minisearch = await bundle({ default: MINISEARCH });
  fs.writeFileSync(path.join(folder, "minisearch.js"), `/*\nMiniSearch\n\n${license}\n*/\n${minisearch}`);
}

const ENTRY = "\0entry";

/** The text of a module with these names; each comes from the file beside it. */
async function bundle(names) {
  const entry = Object.entries(names).map(([name, file]) => `export { ${name} } from ${JSON.stringify(file)};\n`);
  const bundled = await rolldown({
    input: ENTRY,
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? entry.join("") : undefined),
      },
    ],
    // Both only declare.
    treeshake: { moduleSideEffects: false },
    // Otherwise the places of the files are in the text.
    experimental: { attachDebugInfo: "none" },
  });
  const comments = { legal: false, annotation: false, jsdoc: false };
  const { output } = await bundled.generate({ format: "esm", minify: false, comments });
  await bundled.close();
  return `${output[0].code.trimEnd()}\n`;
}
