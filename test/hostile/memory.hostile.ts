/**
 * What the service holds over very many hostile requests, each from another client, on very many
 * connections. A long run of it is HOSTILE_REQUESTS=10000000. The answers are counted and not
 * judged: requests.hostile.ts does that.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Served } from "../support/command.ts";
import { MEMORY_MAX_MB, report, SEED, times } from "./chance.ts";
import { Crowd, serveToCrowd } from "./crowd.ts";
import { held, residentMb, talk } from "./wire.ts";

const REQUESTS = Number(process.env["HOSTILE_REQUESTS"] || times(200_000, 10_000));
const EACH = Math.min(100_000, REQUESTS / 10);
const TALKS_AT_ONCE = 64;

let served: Served;
beforeAll(async () => {
  served = await serveToCrowd();
});
afterAll(async () => {
  served.child.kill();
  await served.exit;
});

function countAnswers(heard: Buffer): number {
  let count = 0;
  for (let at = heard.indexOf("HTTP/1.1 "); at >= 0; at = heard.indexOf("HTTP/1.1 ", at + 9)) count++;
  return count;
}

describe("memory", () => {
  it(`stays level over ${REQUESTS} hostile requests`, { timeout: 0 }, async () => {
    const crowd = new Crowd(7000);
    const before = { mb: residentMb(served), descriptors: held(served) };
    const started = performance.now();
    const seen: number[] = [];
    const wrong: string[] = [];
    let [answers, connections] = [0, 0];
    const converse = async (): Promise<void> => {
      while (answers < REQUESTS) {
        const text = crowd.next();
        connections++;
        const { bytes, trouble } = await talk(served.port, [crowd.say(text)]);
        if (trouble !== undefined) wrong.push(`${trouble} after ${countAnswers(bytes)} answers: ${JSON.stringify(text)}`);
        answers += countAnswers(bytes);
        if (answers < (seen.length + 1) * EACH) continue;
        seen.push(residentMb(served));
        report("memory", { answers, connections, clients: crowd.count, MB: seen.at(-1) ?? 0, wrong: wrong.length, seconds: Math.round((performance.now() - started) / 1000) }); // prettier-ignore
      }
    };
    await Promise.all(Array.from({ length: TALKS_AT_ONCE }, converse));
    report("memory over all", { seed: SEED, answers, connections, clients: crowd.count, "MB before": before.mb, "MB at most": Math.max(...seen), "MB after": seen.at(-1) ?? 0 }); // prettier-ignore
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(Math.max(...seen)).toBeLessThan(MEMORY_MAX_MB);
    // What grows without end would show in the second half.
    const half = seen.length >> 1;
    expect(Math.max(...seen.slice(half))).toBeLessThan(Math.max(...seen.slice(0, half)) * 1.15);
    expect(held(served)).toBeLessThanOrEqual(before.descriptors + 2);
  });
}); // prettier-ignore
