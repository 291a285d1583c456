/**
 * What the service holds over very many hostile requests, each from another client, on very many connections. A long run of it is
 * HOSTILE_REQUESTS=10000000. The answers are counted and not judged: requests.hostile.ts does that.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "../support/command.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { Chance, MEMORY_MAX_MB, report, SEED, times } from "./chance.ts";
import { makeRequest, mutate } from "./grammar.ts";
import { held, residentMb, talk } from "./wire.ts";

const REQUESTS = Number(process.env["HOSTILE_REQUESTS"] || times(200_000, 10_000));
const EACH = Math.min(100_000, REQUESTS / 10);
const TALKS_AT_ONCE = 64;
/** Conversations that are said again, each by others: to make one costs more than to answer it. */
const KNOWN = 2000;
const LAST = "GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

let served: Served;
beforeAll(async () => {
  const directory = await buildRelease(checkedRegistry(nasty));
  // As the unit and the image start it.
  const env = { NODE_OPTIONS: process.env["NODE_OPTIONS"] ?? "--max-semi-space-size=4", TRUSTED_PROXIES: "127.0.0.1" };
  served = await serve("lib/runtime/main.js", ["--out", directory], env);
});
afterAll(async () => {
  served.child.kill();
  await served.exit;
});

function makeText(chance: Chance): string {
  const bytes = Buffer.concat(chance.many(1, 12, () => makeRequest(chance, []).bytes));
  return (chance.once(4) ? mutate(bytes, chance) : bytes).toString("latin1") + LAST;
}

let clients = 0;
/** The same bytes, each request from a client that was never here before. */
function fromOthers(text: string): Buffer {
  const address = (): string => [clients >> 24, clients >> 16, clients >> 8, ++clients].map((part) => part & 255).join("."); // prettier-ignore
  return Buffer.from(
    text.replaceAll("\r\nHost:", () => `\r\nX-Forwarded-For: ${address()}\r\nHost:`),
    "latin1",
  );
}

function countAnswers(heard: Buffer): number {
  let count = 0;
  for (let at = heard.indexOf("HTTP/1.1 "); at >= 0; at = heard.indexOf("HTTP/1.1 ", at + 9)) count++;
  return count;
}

describe("memory", () => {
  it(`stays level over ${REQUESTS} hostile requests`, { timeout: 0 }, async () => {
    const chance = new Chance(7000);
    const known = Array.from({ length: KNOWN }, () => makeText(chance));
    const before = { mb: residentMb(served), descriptors: held(served) };
    const started = performance.now();
    const seen: number[] = [];
    const wrong: string[] = [];
    let [answers, connections] = [0, 0];
    const converse = async (): Promise<void> => {
      while (answers < REQUESTS) {
        const at = chance.below(KNOWN);
        if (chance.once(50)) known[at] = makeText(chance);
        connections++;
        const { bytes, trouble } = await talk(served.port, [fromOthers(known[at] ?? "")]);
        if (trouble !== undefined) wrong.push(`${trouble} after ${countAnswers(bytes)} answers: ${JSON.stringify(known[at])}`);
        answers += countAnswers(bytes);
        if (answers < (seen.length + 1) * EACH) continue;
        seen.push(residentMb(served));
        report("memory", { answers, connections, clients, MB: seen.at(-1) ?? 0, wrong: wrong.length, seconds: Math.round((performance.now() - started) / 1000) }); // prettier-ignore
      }
    };
    await Promise.all(Array.from({ length: TALKS_AT_ONCE }, converse));
    report("memory over all", { seed: SEED, answers, connections, clients, "MB before": before.mb, "MB at most": Math.max(...seen), "MB after": seen.at(-1) ?? 0 }); // prettier-ignore
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(Math.max(...seen)).toBeLessThan(MEMORY_MAX_MB);
    // What grows without end would show in the second half.
    const half = seen.length >> 1;
    expect(Math.max(...seen.slice(half))).toBeLessThan(Math.max(...seen.slice(0, half)) * 1.15);
    expect(held(served)).toBeLessThanOrEqual(before.descriptors + 2);
  });
}); // prettier-ignore
