/** `npm run test:external`: the release judged by programs that are not ours. Apart from `npm test`, which needs none. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/external/*.external.ts"],
    globalSetup: "test/support/shared-releases.ts",
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
