/**
 * Writes the modules that run without the program, each as one file that imports nothing: those
 * that browsers load from a release, which are the resolver for static hosts, the verifier of proofs
 * of a transparency log, which makes them too, and MiniSearch, which ranks pages, with the rule for
 * names with typing errors; and the verifier alone. Resolver and verifier run in Node too. rolldown
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

const OUTCOME_HEAD = `/**
 * Makes the page of an answer from a registry that the resolver has opened, for the form on the
 * home page.
 */
`;

const VERIFIER_HEAD = `/**
 * Verifies proofs of a registry's transparency log offline; one file that imports nothing:
 *
 *   const policy = "log " + verifierKey + "\\nquorum none\\n";
 *   const asked = { expression: "...", language: "en", code: "..." };
 *   const { registryVersion, bindings } = await verifyProof(text, policy, asked);
 *
 * Rejects with an Error that says what contradicts what. Needs WebCrypto with Ed25519.
 */
`;

const PROVER_HEAD = `/**
 * Makes them too, from the published files of a log:
 *
 *   const text = await proveExpressions(address, policy, [{ expression: "...", language: "en" }]);
 */
`;

/** Makes one file of the compiled verifier; `lib` is the compiled program. */
export async function writeVerifier(lib) {
  const file = path.join(lib, "generator/tools/log/module.js");
  fs.writeFileSync(file, VERIFIER_HEAD + (await bundle({ verifyProof: file })));
}

/** Writes the modules of a release into a folder; `lib` is the compiled program. */
export async function writeModules(lib, folder) {
  fs.mkdirSync(folder);
  const resolver = await bundle({
    openRegistry: path.join(lib, "runtime/extras/store/remote-registry.js"),
    StorageError: path.join(lib, "runtime/registry/block-source.js"),
  });
  fs.writeFileSync(path.join(folder, "resolver.js"), RESOLVER_HEAD + resolver);
  const outcome = await bundle({ remotePage: path.join(lib, "runtime/extras/store/remote-page.js") });
  fs.writeFileSync(path.join(folder, "outcome.js"), OUTCOME_HEAD + outcome);
  const verifier = await bundle({
    verifyProof: path.join(lib, "generator/tools/log/module.js"),
    proveExpressions: path.join(lib, "generator/tools/log/browser.js"),
  });
  fs.writeFileSync(path.join(folder, "verifier.js"), VERIFIER_HEAD + PROVER_HEAD + verifier);
  const license = fs.readFileSync(MINISEARCH_LICENSE, "utf8").trim();
  const minisearch = await bundle({
    default: MINISEARCH,
    similarNames: path.join(lib, "runtime/registry/similar.js"),
    searchTerms: path.join(lib, "runtime/text/search-text.js"),
  });
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
