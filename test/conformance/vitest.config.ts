/**
 * `npm run test:conformance`: `POST /mcp` judged by the protocol's own programs. Apart from `npm
 * test`, which needs no network.
 */
import { suite } from "../support/suite.ts";

export default suite({
  include: ["test/conformance/*.conformance.ts"],
  maxWorkers: 2,
});
