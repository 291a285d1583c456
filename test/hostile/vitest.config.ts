/**
 * `npm run test:hostile`: the suite that attacks, on this machine alone and bounded in time.
 * HOSTILE_SECONDS (600) is shared among its files, which run one after another; HOSTILE_SEED
 * repeats a run. Apart from `npm test`.
 */
import { suite } from "../support/suite.ts";

process.env["HOSTILE_SEED"] ||= String(Date.now() % 2 ** 31);
const { HOSTILE_SEED: seed, HOSTILE_SECONDS: seconds = "600" } = process.env;
console.log(`HOSTILE_SEED=${seed} HOSTILE_SECONDS=${seconds} npm run test:hostile repeats this run`);

export default suite({
  include: ["test/hostile/*.hostile.ts"],
  fileParallelism: false,
  testTimeout: (Number(seconds) + 120) * 1000,
  hookTimeout: 120_000,
});
