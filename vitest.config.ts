/**
 * What `npm test` runs: test/unit (pure: no socket, no process, no whole release) and test/service (real sockets, processes and
 * releases). Both need only Node, npm and git; what needs other programs has configurations of its own (test/external, …).
 * Machines are shared, so time limits are generous; nothing is timed.
 */
import { suite } from "./test/support/suite.ts";

export default suite({
  include: ["test/{unit,service}/**/*.test.ts"],
  // One more than the cores of a small machine: some tests wait for time limits of the service.
  maxWorkers: 3,
  // The files of a worker share its modules: none of them holds state that a test could leave behind.
  isolate: false,
  // A larger space for what lives shortly: tests make much of it, and a tenth of their time was its collection.
  execArgv: ["--max-semi-space-size=64"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
});
