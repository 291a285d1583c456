/**
 * Makes lib/ of this clone: what tsc makes of runtime/, generator/ and bench/, the runtime's package.json and lock, and the
 * handoffs as they are, so that lib/ is a whole program. The digest of what it was made from lies in it: a lib/ made from
 * other sources is made again by the npm scripts and refused by the program itself. Plain JavaScript, because it runs before
 * lib/ exists.
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
  "generator/dev/client.js": "generator/dev/client.js",
  "generator/scaffold/files": "generator/scaffold/files",
  "generator/hosting/files": "generator/hosting/files",
};

/** The one module whose types others import; its declarations name no other file. */
const DECLARED = "generator/api.d.ts";

/** Whether lib/ was made from the sources as they are. */
export function isCurrent() {
  const file = path.join(lib, MADE_FROM);
  return fs.existsSync(file) && fs.readFileSync(file, "utf8") === digestSources();
}

/** Lowercase hex SHA-256 over everything that lib/ follows from: sources, settings and the version of the compiler. */
function digestSources() {
  // An image is built without the bench.
  const folders = ["runtime", "generator", "bench"].filter((folder) => fs.existsSync(path.join(project, folder)));
  const names = folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(project, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(path.relative(project, entry.parentPath || entry.path), entry.name)),
  );
  const running = createHash("sha256");
  for (const name of [...names, "tsconfig.json", "package-lock.json"].sort((a, b) => (a < b ? -1 : 1))) {
    running
      .update(`${name}\n`)
      .update(fs.readFileSync(path.join(project, name)))
      .update("\n");
  }
  return `${running.digest("hex")}\n`;
}

/** Makes lib/ in a folder beside it, which then takes its place. Returns the exit code. */
function compile() {
  const madeFrom = digestSources();
  const making = fs.mkdtempSync(`${lib}.making-`);
  try {
    const compiler = path.join(project, "node_modules/typescript/bin/tsc");
    // Types are checked by `npm run typecheck`; what is written does not depend on them.
    const types = path.join(making, ".types");
    const args = [compiler, "--project", path.join(project, "generator"), "--outDir", making, "--noCheck"];
    args.push("--declaration", "--declarationDir", types);
    const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
    if (status !== 0) return 1;
    for (const [from, to] of Object.entries(COPIED)) {
      fs.cpSync(path.join(project, from), path.join(making, to), { recursive: true });
    }
    fs.renameSync(path.join(types, DECLARED), path.join(making, DECLARED));
    fs.rmSync(types, { recursive: true });
    fs.writeFileSync(path.join(making, MADE_FROM), madeFrom);
    fs.rmSync(lib, { recursive: true, force: true });
    fs.renameSync(making, lib);
    return 0;
  } finally {
    fs.rmSync(making, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] || "").href) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) {
    if (!isCurrent()) process.exitCode = compile();
  } else {
    // runtime/text/node-version.ts says the same; it is not compiled yet. This file keeps to what older Nodes can parse.
    process.stderr.write(`Node.js 20.19 or newer is needed, and this is ${process.versions.node}\n`);
    process.exitCode = 2;
  }
}
