/**
 * What `npm test` runs: test/unit (pure: no socket, no process, no whole release), test/service (real
 * sockets, processes and releases), and the same of each tool in test/tools/<name> (pure in its unit/). All need only Node, npm and
 * git; what needs other programs has configurations of its own (test/external, …).
 * Machines are shared, so nothing is timed: a test waits for an event, and the one limit of test/support/suite.ts, wide enough for a machine ten
 * times as slow, ends what waits for ever.
 */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { suite } from "./test/support/suite.ts";

/** A file system in memory, on Linux. */
const MEMORY = "/dev/shm";
const GIB = 2 ** 30;

/** Whether it has room for what tests write, and lets them run programs from it. */
function isMemoryUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < 2 * GIB) return false;
    const probe = mkdtempSync(path.join(MEMORY, "service-tests-"));
    try {
      // Refused where the file system is mounted without the right to execute.
      writeFileSync(path.join(probe, "program"), "", { mode: 0o700 });
      accessSync(path.join(probe, "program"), constants.X_OK);
    } finally {
      rmSync(probe, { recursive: true });
    }
    return true;
  } catch {
    return false;
  }
}

// Tests write thousands of small files. On a disk each costs the processor thirty times as much as in memory.
if (process.env["TMPDIR"] === undefined && isMemoryUsable()) process.env["TMPDIR"] = MEMORY;

export default suite({
  include: ["test/{unit,service,tools}/**/*.test.ts"],
  // One more than the cores of a small machine: some tests wait for time limits of the service.
  maxWorkers: 3,
  // The files of a worker share its modules: none of them holds state that a test could leave behind.
  isolate: false,
  // A larger space for what lives shortly: tests make much of it, and a tenth of their time was its collection.
  execArgv: ["--max-semi-space-size=64"],
});
