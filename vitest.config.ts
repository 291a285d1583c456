/**
 * What `npm test` runs: `unit` (pure: no socket, no process, no whole release) and `service` (real sockets, processes and
 * releases). Both need only Node, npm and git; what needs other programs has configurations of its own (test/external, …).
 * Machines are shared, so time limits are generous; nothing is timed.
 */
import { defineConfig } from "vitest/config";

const limits = { testTimeout: 120_000, hookTimeout: 120_000 };
/** The files of a project share its modules: none of them holds state that a test could leave behind. */
const isolate = false;

export default defineConfig({
  test: {
    // One more than the cores of a small machine: some tests wait for time limits of the service.
    maxWorkers: 3,
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], isolate, ...limits } },
      {
        test: {
          name: "service",
          include: ["test/service/**/*.test.ts"],
          globalSetup: "test/support/shared-releases.ts",
          isolate,
          ...limits,
        },
      },
    ],
  },
});
