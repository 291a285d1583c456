/**
 * Runs a command line of the generator and kills itself, as the system would, at the call of a
 * given number that touches files; a write has written half by then. Plain JavaScript, so that Node
 * runs it as it is.
 *
 *   [BUILT=DIR] node test/hostile/die.js CALL COMMAND ...
 *
 * With BUILT, a program that it would start gives a copy of that folder at its last argument.
 */
import { cpSync } from "node:fs";
import { runAndReport } from "../../lib/generator/program.js";
import { fileSystem } from "../../lib/generator/effects/file-system.js";

const TOUCHING = "kind isLink list names read chunks digest write writeStream rename renameToNew remove realPath makeTemporary scratch".split(" "); // prettier-ignore
const [at, ...args] = process.argv.slice(2);
let calls = 0;

function counted(name, act) {
  return (...given) => {
    if (++calls === Number(at)) {
      if (name === "write") {
        const whole = Buffer.concat([...given[1]]);
        fileSystem.write(given[0], [whole.subarray(0, whole.length >> 1)]);
      }
      process.kill(process.pid, "SIGKILL");
    }
    const result = act(...given);
    if (name !== "scratch") return result;
    return { ...result, append: counted("append", result.append), read: counted("fill", result.read) };
  };
}

// With next to no memory, so that scratch files are needed.
const effects = Object.fromEntries(
  Object.entries({ ...fileSystem, memoryBytes: 1 << 7 }).map(([name, act]) =>
    TOUCHING.includes(name) ? [name, counted(name, act)] : [name, act],
  ),
);
const { BUILT: built } = process.env;
if (built !== undefined) {
  effects.run = ({ args: given }) => {
    cpSync(built, given.at(-1), { recursive: true });
    return Promise.resolve({ code: 0, stdout: "", stderr: "" });
  };
}
const console = { print: () => undefined, error: () => undefined, progress: () => undefined };
process.exitCode = await runAndReport({ effects, console, env: process.env }, args);
