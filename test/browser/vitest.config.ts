/** `npm run test:browser`: the pages in a real browser. Apart from `npm test`, which needs no browser. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/*.browser.ts"],
    globalSetup: "test/support/shared-releases.ts",
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
