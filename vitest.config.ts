/** Tests run real processes and real sockets on shared machines, so their time limit is generous; nothing is timed. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 2 },
});
