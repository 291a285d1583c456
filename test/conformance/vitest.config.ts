/** `npm run test:conformance`: `POST /mcp` judged by the protocol's own programs. Apart from `npm test`, which needs no network. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/conformance/*.conformance.ts"],
    globalSetup: "test/support/shared-releases.ts",
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
