/**
 * What `npm test` runs: test/unit (pure: no socket, no process, no whole release) and test/service (real sockets, processes and
 * releases). Both need only Node, npm and git; what needs other programs has configurations of its own (test/external, …).
 * Machines are shared, so time limits are generous; nothing is timed.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { defineConfig } from "vitest/config";

const limits = { testTimeout: 120_000, hookTimeout: 120_000 };
/** The files of a worker share its modules: none of them holds state that a test could leave behind. */
const isolate = false;
/** A larger space for what lives shortly: tests make much of it, and a tenth of their time was its collection. */
const execArgv = ["--max-semi-space-size=64"];

/**
 * Tests name the sources, and get what every command runs: lib/, which Node loads as it is. The modules of sources would be
 * transformed for each worker, and run slower.
 */
const compiled = {
  name: "compiled",
  enforce: "pre" as const,
  resolveId(source: string, importer: string | undefined) {
    if (importer === undefined || !source.endsWith(".ts")) return undefined;
    const name = path.relative(import.meta.dirname, path.resolve(path.dirname(importer), source));
    if (!/^(?:runtime|generator|bench)\//.test(name)) return undefined;
    return path.join(import.meta.dirname, "lib", name.replace(/\.ts$/, ".js"));
  },
};
execFileSync(process.execPath, [path.join(import.meta.dirname, "generator/compile.js")], { stdio: "inherit" });

export default defineConfig({
  plugins: [compiled],
  test: {
    include: ["test/{unit,service}/**/*.test.ts"],
    globalSetup: "test/support/shared-releases.ts",
    // One more than the cores of a small machine: some tests wait for time limits of the service.
    maxWorkers: 3,
    isolate,
    execArgv,
    server: { deps: { external: [/\/lib\/(?:runtime|generator|bench)\//] } },
    ...limits,
  },
});
