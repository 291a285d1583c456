/**
 * Runs the tests against the seeded faults of list.txt, one at a time, in copies of the project,
 * and says which test file catches each. Where the named tests miss a fault, the whole suite runs,
 * but with --named; with --check nothing runs, and only the list is checked.
 * At the end the tests that caught something run without any fault: one that fails anyway catches
 * nothing. Plain JavaScript, so that every Node that the project supports runs it as it is.
 *
 *   node test/mutants/run.js [--check] [--named] [--jobs N] [ID ...]
 */
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const project = path.resolve(import.meta.dirname, "../..");
const NOT_COPIED = /^(?:node_modules|dist|release|coverage|bench\/\.cache|lib\.making-.*|dist\.building.*)$/;
const HEAD = /^@ (?<id>[a-z0-9-]+) (?<file>\S+): (?<tests>.+)$/;
/** Sources of which lib/ has a module each, and nothing else that is made from them. */
const ONE_MODULE = /^generator\/(?!contract\/|tools\/log\/).*\.ts$/;
/** A fault may make a loop endless: the limits of one test file and of all. */
const [FILE_LIMIT_MS, SUITE_LIMIT_MS] = [10 * 60_000, 60 * 60_000];

const testFiles = readdirSync(path.join(project, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:test|hostile)\.ts$/.test(name))
  .map((name) => `test/${name}`)
  .sort();

/**
 * The faults of the list: `find` and `replace` are texts, `tests` the files that the names stand
 * for.
 */
function readFaults() {
  const text = readFileSync(path.join(import.meta.dirname, "list.txt"), "utf8");
  const faults = [];
  for (const line of text.split("\n")) {
    const { id, file, tests } = HEAD.exec(line)?.groups ?? {};
    if (id !== undefined) faults.push({ id, file, names: tests.split(" "), find: [], replace: [] });
    else if (line.startsWith("- ")) faults.at(-1)?.find.push(line.slice(2).trim());
    else if (line.startsWith("+")) faults.at(-1)?.replace.push(line.slice(1).trim());
  }
  return faults.map(({ find, replace, names, ...fault }) => {
    const tests = names.flatMap((name) =>
      testFiles.filter((file) => file.endsWith(`/${name}.test.ts`) || file.endsWith(`/${name}.ts`)),
    );
    return { ...fault, names, tests, find: find.join("\n"), replace: replace.join("\n") };
  });
}

/** What is wrong with the list itself, one line each. */
function checkFaults(faults) {
  return faults.flatMap(({ id, file, find, names, tests }, i) => {
    if (tests.length < names.length) return [`${id}: no test has one of the names ${names.join(" ")}`];
    if (faults.findIndex((fault) => fault.id === id) < i) return [`${id}: the id is there twice`];
    if (!existsSync(path.join(project, file))) return [`${id}: there is no ${file}`];
    const count = readFileSync(path.join(project, file), "utf8").split(find).length - 1;
    return count === 1 ? [] : [`${id}: its text occurs ${count} times in ${file}, not once`];
  });
}

/** The test files without which, as far as the list says, every fault is still caught. */
function checkTests(faults) {
  const named = new Set(faults.flatMap(({ tests }) => tests));
  const unnamed = testFiles.filter((test) => test.endsWith(".test.ts") && !named.has(test));
  return unnamed.map((test) => `${test}: no fault names it, so every fault is caught without it`);
}

/** A compiled copy of the project in a folder of its own, with the packages installed here. */
function copyProject() {
  const copy = mkdtempSync(path.join(tmpdir(), "mutants-"));
  process.on("exit", () =>
    [copy, `${copy}.json`, `${copy}.lib`].map((place) => rmSync(place, { recursive: true, force: true })),
  );
  cpSync(project, copy, { recursive: true, filter: (name) => !NOT_COPIED.test(path.relative(project, name)) });
  symlinkSync(path.join(project, "node_modules"), path.join(copy, "node_modules"));
  runProgram(copy, "generator/compile.js");
  return copy;
}

function runProgram(copy, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  if (status !== 0) throw new Error(`The copy cannot be compiled: ${stdout}${stderr}`);
}

/** Compiles a changed source of a copy; alone, if its module is all that is made from it. */
async function compileChange(copy, file) {
  if (!ONE_MODULE.test(file)) return runProgram(copy, "generator/compile.js");
  const settings = path.join(copy, "one-module.json");
  const compilerOptions = { noResolve: true, noCheck: true, types: [], rootDir: ".", outDir: "lib" };
  const alone = { extends: "./generator/tsconfig.json", compilerOptions, files: [file], include: [] };
  writeFileSync(settings, JSON.stringify(alone));
  runProgram(copy, "node_modules/typescript/bin/tsc", "--project", settings);
  rmSync(settings);
  const { digestSources } = await import(pathToFileURL(path.join(copy, "generator/compile.js")).href);
  writeFileSync(path.join(copy, "lib/.made-from"), digestSources());
}

/** Runs test files in a copy, all where none is named; gives the files that failed. */
async function runTests(copy, tests, ...more) {
  const report = `${copy}.json`;
  rmSync(report, { force: true });
  const vitest = [path.join(project, "node_modules/vitest/vitest.mjs"), "run", "--reporter=json"];
  if (tests[0]?.includes(".hostile.")) vitest.push("--config=test/hostile/vitest.config.ts");
  const child = spawn(process.execPath, [...vitest, `--outputFile=${report}`, ...more, ...tests], {
    cwd: copy,
    env: { HOSTILE_SECONDS: "60", HOSTILE_SEED: "1", ...process.env },
    stdio: "ignore",
    detached: true,
  });
  const stop = () => process.kill(-Number(child.pid), "SIGKILL");
  process.prependOnceListener("exit", stop);
  const timer = setTimeout(stop, tests.length === 1 ? FILE_LIMIT_MS : SUITE_LIMIT_MS);
  const [code, signal] = await new Promise((resolve) => child.on("exit", (...end) => resolve(end)));
  clearTimeout(timer);
  process.off("exit", stop);
  if (signal !== null) return ["the time limit"];
  if (code === 0) return [];
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  return testResults.filter(({ status }) => status === "failed").map(({ name }) => path.relative(copy, name));
}

/**
 * Applies a fault to a copy, runs its tests one file after another, then all, and takes it back;
 * gives the file that caught it.
 */
async function tryFault(copy, { file, find, replace, tests }) {
  const place = path.join(copy, file);
  const text = readFileSync(place, "utf8");
  const [before = "", after = ""] = text.split(find);
  const [lib, kept] = [path.join(copy, "lib"), `${copy}.lib`];
  cpSync(lib, kept, { recursive: true });
  writeFileSync(place, before + replace + after);
  await compileChange(copy, file);
  let failed = [];
  for (const some of [...tests.map((test) => [test]), ...(values.named ? [] : [[]])]) {
    if (failed.length === 0) failed = await runTests(copy, some, "--bail=1");
    // What fails among all may have failed for want of time: it must fail by itself.
    if (failed.length > 0 && some.length === 0) failed = await runTests(copy, failed);
  }
  writeFileSync(place, text);
  rmSync(lib, { recursive: true });
  renameSync(kept, lib);
  return failed[0];
}

function readArguments() {
  const options = { check: { type: "boolean" }, named: { type: "boolean" }, jobs: { type: "string", default: "1" } };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    console.error(`${error.message.split(". ")[0]}: node test/mutants/run.js [--check] [--named] [--jobs N] [ID ...]`);
    process.exit(2);
  }
}

const { values, positionals } = readArguments();
const faults = readFaults();
const chosen = faults.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const wrong = [...checkFaults(faults), ...(values.check ? checkTests(faults) : [])];
wrong.push(...positionals.filter((id) => !faults.some((fault) => fault.id === id)).map((id) => `${id}: no such fault`));
for (const line of wrong) console.log(line);
if (wrong.length > 0) process.exit(1);
console.log(`${faults.length} faults in the list, each of a text that occurs once`);
if (values.check) process.exit(0);
process.on("SIGINT", () => process.exit(130)).on("SIGTERM", () => process.exit(143));

const copies = Array.from({ length: Number(values.jobs) }, copyProject);
const waiting = [...chosen];
const caught = new Map();
const work = copies.map(async (copy) => {
  for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
    const start = performance.now();
    const file = await tryFault(copy, fault);
    const seconds = Math.round((performance.now() - start) / 1000);
    if (file !== undefined) caught.set(fault.id, file);
    console.log(`${fault.id}: ${file === undefined ? "SURVIVED" : `caught by ${file}`} (${seconds} s)`);
  }
});
await Promise.all(work);
// A test that fails anyway catches nothing.
const catching = [...new Set(caught.values())].filter((file) => testFiles.includes(file));
const anyway = [];
for (const some of [/\.test\./, /\.hostile\./].map((kind) => catching.filter((file) => kind.test(file))))
  if (some.length > 0) anyway.push(...(await runTests(copies[0], some)));
for (const [id, file] of caught) {
  if (!anyway.includes(file)) continue;
  caught.delete(id);
  console.log(`${id}: SURVIVED, for ${file} fails without it too`);
}
const survived = chosen.length - caught.size;
console.log(`${caught.size} caught, ${survived} survived`);
process.exitCode = survived > 0 ? 1 : 0;
