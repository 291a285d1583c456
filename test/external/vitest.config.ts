/**
 * `npm run test:external`: the release judged by other programs, which `npm test` does not need.
 */
import { suite } from "../support/suite.ts";

export default suite({
  include: ["test/external/*.external.ts"],
  maxWorkers: 2,
  // The tests of a file that run side by side wait for the time limits of what they ask.
  maxConcurrency: 16,
});
