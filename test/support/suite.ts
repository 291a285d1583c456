/** What the configurations of all suites share: shared releases and the compiled program. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { project } from "./project.ts";

const JUDGED = /^(?:runtime|generator|bench)\//;

/**
 * Tests name the sources, and get what every command runs: lib/, which Node loads as it is. The
 * modules of sources would be transformed for each worker, and run slower.
 */
const compiled = {
  name: "compiled",
  enforce: "pre" as const,
  resolveId(source: string, importer: string | undefined) {
    if (importer === undefined || !/\.[jt]s$/.test(source)) return undefined;
    const name = path.relative(project, path.resolve(path.dirname(importer), source));
    return JUDGED.test(name) ? path.join(project, "lib", name.replace(/\.ts$/, ".js")) : undefined;
  },
};

/** No test needs a tenth of it, even beside other work. */
const WAITS_MAX_MS = 20 * 60_000;

/** A suite with these settings of its own. */
export function suite(test: NonNullable<ViteUserConfig["test"]>): ViteUserConfig {
  execFileSync(process.execPath, [path.join(project, "generator/compile.js")], { stdio: "inherit" });
  return defineConfig({
    plugins: [compiled],
    test: {
      globalSetup: path.join(project, "test/support/shared-releases.ts"),
      testTimeout: WAITS_MAX_MS,
      teardownTimeout: WAITS_MAX_MS,
      hookTimeout: WAITS_MAX_MS,
      server: { deps: { external: [/\/lib\/(?:runtime|generator|bench)\//] } },
      ...test,
    },
  });
}
