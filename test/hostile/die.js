/**
 * Runs a command line of the generator and kills itself, as the system would, at the call of a given number that touches
 * files; a write has written half by then. Plain JavaScript, so that Node runs it as it is.
 *
 *   [BUILT=DIR] node test/hostile/die.js CALL COMMAND ...
 *
 * With BUILT, a program that it would start gives a copy of that folder at its last argument.
 */
import { cpSync } from "node:fs";
import { runAndReport } from "../../lib/generator/commands/program.js";
import { fileSystem } from "../../lib/generator/effects/file-system.js";

const TOUCHING = "kind isLink list names read chunks digest write writeStream rename renameToNew remove realPath makeTemporary".split(" "); // prettier-ignore
const [at, ...args] = process.argv.slice(2);
let calls = 0;

const effects = Object.fromEntries(
  Object.entries(fileSystem).map(([name, act]) => {
    if (!TOUCHING.includes(name)) return [name, act];
    const call = (...given) => {
      if (++calls === Number(at)) {
        if (name === "write") {
          const whole = Buffer.concat([...given[1]]);
          fileSystem.write(given[0], [whole.subarray(0, whole.length >> 1)]);
        }
        process.kill(process.pid, "SIGKILL");
      }
      return act(...given);
    };
    return [name, call];
  }),
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
