/**
 * Makes lib/ in this clone: the output of tsc for runtime/, generator/ and bench/, the validators
 * that Ajv writes, the modules that rolldown joins, the runtime's package.json and lock
 * file, and files that are copied unchanged, such as the handoffs. lib/ is then a complete program.
 * It holds a digest of its sources: if they have changed, the npm scripts make lib/ again, and the
 * program itself refuses to start. Plain JavaScript, because it runs before lib/ exists.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));
const lib = path.join(project, "lib");
const MADE_FROM = ".made-from";
const COPIED = {
  "runtime/package.json": "package.json",
  "runtime/package-lock.json": "package-lock.json",
  "generator/integration/handoffs": "generator/integration/handoffs",
  "generator/tools/dev/client.js": "generator/tools/dev/client.js",
  "generator/tools/vocabulary/begin/files": "generator/tools/vocabulary/begin/files",
  "generator/tools/hosts/files": "generator/tools/hosts/files",
};

/** The modules whose types others import; their declarations refer to no other file. */
const DECLARED = ["generator/api.d.ts", "generator/tools/log/module.d.ts", "runtime/plugin.d.ts"];
/**
 * Code that only some services run, and the file with its digests, which the identity lists
 * (runtime/release/identity.ts).
 */
const EXTRAS = "runtime/extras";
const EXTRAS_SUMS = "runtime/extras.sha256";
/** What `npx srs` runs. */
const PROGRAM = "generator/main.js";
/** A module that is written, and the one that prints it. */
const [WRITTEN, PRINTER] = ["runtime/contract/validators.js", "generator/contract/validators.js"];

/** The modules that a release publishes. */
const MODULES = "generator/documents/modules";

/** Whether lib/ was made from the current sources. */
export function isCurrent() {
  const file = path.join(lib, MADE_FROM);
  return fs.existsSync(file) && fs.readFileSync(file, "utf8") === digestSources();
}

/**
 * Lowercase hex SHA-256 over everything that determines lib/: sources, settings and the version of
 * the compiler.
 */
export function digestSources() {
  // A container image is built without bench/.
  const folders = ["runtime", "generator", "bench"].filter((folder) => fs.existsSync(path.join(project, folder)));
  const names = folders.flatMap((folder) => filesBelow(project, folder));
  const running = createHash("sha256");
  for (const name of [...names, "tsconfig.json", "package-lock.json"].sort((a, b) => (a < b ? -1 : 1))) {
    running
      .update(`${name}\n`)
      .update(fs.readFileSync(path.join(project, name)))
      .update("\n");
  }
  return `${running.digest("hex")}\n`;
}

function filesBelow(root, folder) {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(path.relative(root, entry.parentPath || entry.path), entry.name));
}

/** What `sha256sum` prints for the files below a folder, in byte order. */
function sumsOf(root, folder) {
  const digest = (name) =>
    createHash("sha256")
      .update(fs.readFileSync(path.join(root, name)))
      .digest("hex");
  return filesBelow(root, folder)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `${digest(name)}  ${name}\n`)
    .join("");
}

/** Makes lib/ in a temporary folder next to it, which then replaces it. Returns the exit code. */
async function compile() {
  const madeFrom = digestSources();
  removeLeftovers();
  const making = fs.mkdtempSync(`${lib}.making-${process.pid}-`);
  // A temporary folder is for its owner alone, but others may run what is compiled.
  fs.chmodSync(making, 0o777 & ~process.umask());
  try {
    const compiler = path.join(project, "node_modules/typescript/bin/tsc");
    // `npm run typecheck` checks the types; the output does not depend on them.
    const types = path.join(making, ".types");
    const args = [compiler, "--project", path.join(project, "generator"), "--outDir", making, "--noCheck"];
    args.push("--declaration", "--declarationDir", types);
    const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
    if (status !== 0) return 1;
    const { printValidators } = await import(pathToFileURL(path.join(making, PRINTER)).href);
    fs.writeFileSync(path.join(making, WRITTEN), printValidators());
    const { writeModules, writeVerifier } = await import("./bundle.js");
    await writeModules(making, path.join(making, MODULES));
    await writeVerifier(making);
    for (const [from, to] of Object.entries(COPIED)) {
      fs.cpSync(path.join(project, from), path.join(making, to), { recursive: true });
    }
    fs.writeFileSync(path.join(making, EXTRAS_SUMS), sumsOf(making, EXTRAS));
    for (const name of DECLARED) fs.renameSync(path.join(types, name), path.join(making, name));
    fs.rmSync(types, { recursive: true });
    // npm makes the programs of an installed package executable, but not those of a clone.
    fs.chmodSync(path.join(making, PROGRAM), 0o777 & ~process.umask());
    fs.writeFileSync(path.join(making, MADE_FROM), madeFrom);
    fs.rmSync(lib, { recursive: true, force: true });
    fs.renameSync(making, lib);
    return 0;
  } finally {
    fs.rmSync(making, { recursive: true, force: true });
  }
}

/** Removes the temporary folders that killed runs left; each has its process in its name. */
function removeLeftovers() {
  for (const name of fs.readdirSync(project)) {
    const [, maker] = /^lib\.making-([1-9][0-9]*)-/.exec(name) || [];
    if (maker && !isRunning(Number(maker))) fs.rmSync(path.join(project, name), { recursive: true, force: true });
  }
}

function isRunning(processId) {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] || "").href) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) {
    // Not awaited here, because older versions of Node cannot parse that.
    if (!isCurrent()) void compile().then((exitCode) => Object.assign(process, { exitCode }));
  } else {
    // runtime/text/node-version.ts has this message too, but it is not compiled yet. They can parse
    // the rest of this file.
    process.stderr.write(`Node.js 20.19 or newer is needed, and this is ${process.versions.node}\n`);
    process.exitCode = 2;
  }
}
