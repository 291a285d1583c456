/** `npm run test:browser`: the pages in a real browser, which `npm test` does not need. */
import { suite } from "../support/suite.ts";

export default suite({
  include: ["test/browser/**/*.browser.ts"],
  maxWorkers: 2,
  // The files of a worker share its modules and its browser.
  isolate: false,
});
