/**
 * A long time at 80 % of capacity: resolutions, documents, messages and filters, a tenth of them
 * hostile conversations, each from another client, on connections that come and go. Memory stays
 * level, and an answer is the one that it was at first. An hour of it is HOSTILE_LOAD_SECONDS=3600;
 * HOSTILE_CGROUP names a folder of a cgroup, which the service is put into.
 */
import { writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Served } from "../support/command.ts";
import { mcpRequest, TOOL } from "../support/mcp.ts";
import { Chance, MEMORY_MAX_MB, report, SEED, times, type Weighted } from "./chance.ts";
import { Crowd, serveToCrowd } from "./crowd.ts";
import { faultOf, readAnswers, STATUSES } from "./replies.ts";
import { held, residentMb, talk } from "./wire.ts";

const SECONDS = Number(process.env["HOSTILE_LOAD_SECONDS"] || times(30, 4));
const CALIBRATION_SECONDS = Math.min(20, SECONDS / 2);
const SHARE = 0.8;
/** How often the rest of the answers is looked at, in milliseconds. */
const TICK_MS = 10;
/** Requests that are sent together, at most, and how often a connection sends some. */
const TOGETHER_MAX = 21;
const TURNS_OF_CONNECTION = 6;
/** More than these wait for answers only where the service stands still. */
const TURNS_AT_ONCE_MAX = 400;

const get = (target: string, fields = ""): string => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;
function post(target: string, body: string, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.from(body).toString("latin1");
  return `POST ${target} HTTP/1.1\r\nHost: localhost\r\n${fields.join("")}Content-Length: ${bytes.length}\r\n\r\n${bytes}`;
}
const resolution = (expression: string, language?: string): string =>
  post("/api/v1/resolve", JSON.stringify({ expression, language }), { "Content-Type": "application/json" });
function message(method: string, params = {}): string {
  const { headers, body } = mcpRequest(method, params);
  return post("/mcp", body.toString(), headers);
}

const REQUESTS: Weighted<string> = [
  [300, resolution("taxi")],
  [100, resolution("bank", "de")],
  [100, resolution("nobody said this")],
  [100, resolution("café")],
  [150, get("/api/v1/concepts/N-TAXI")],
  [60, get("/api/v1/status")],
  [10, get("/openapi.json")],
  [20, get("/concepts/N-MONEY", "Accept: text/html\r\n")],
  [40, get("/api/v1/concepts?q=name")],
  [80, message("tools/call", { name: TOOL, arguments: { expression: "taxi" } })],
  [10, message("tools/list")],
];

/** Without what is new each time in a page. */
const lasting = (body: string): string => body.replaceAll(/nonce="[^"]*"/g, "");

const expected = new Map<string, string>();
const wrong: string[] = [];
const seen = { answers: 0, connections: 0, wrong: 0, unsent: 0 };
let latency: RecordableHistogram = createHistogram();
let overall: RecordableHistogram = createHistogram();

function complain(what: string): void {
  seen.wrong++;
  if (wrong.length < 20) wrong.push(what);
}

/** A connection that pipelines requests and parses their answers as cheaply as possible. */
class Client {
  turns = 0;
  #texts: readonly string[] = [];
  #at = 0;
  #rest: Buffer = Buffer.alloc(0);
  #sent = 0;
  #done: () => void = () => undefined;
  readonly #socket: net.Socket;

  constructor(port: number) {
    seen.connections++;
    this.#socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (part: Buffer) => this.#hear(part));
    this.#socket.on("error", (error) => complain(error.message));
    this.#socket.on("close", () => {
      if (this.#at < this.#texts.length) complain(`closed before answer ${this.#at + 1} of ${this.#texts.length}`);
      this.#done();
    });
  }

  ask(texts: readonly string[], crowd: Crowd): Promise<void> {
    this.turns++;
    [this.#texts, this.#at, this.#sent] = [texts, 0, performance.now()];
    this.#socket.write(crowd.say(texts.join("")));
    return new Promise((resolve) => (this.#done = resolve));
  }

  end(): void {
    this.#socket.end();
  }

  #hear(part: Buffer): void {
    let bytes = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part]);
    for (;;) {
      const end = bytes.indexOf("\r\n\r\n") + 4;
      const head = end < 4 ? "" : bytes.toString("latin1", 0, end);
      const next = end + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (end < 4 || next > bytes.length) break;
      this.#take(head.slice(9, 12), bytes.toString("latin1", end, next));
      bytes = bytes.subarray(next);
    }
    this.#rest = bytes;
    if (this.#at === this.#texts.length) this.#done();
  }

  #take(status: string, body: string): void {
    const text = this.#texts[this.#at++] ?? "";
    seen.answers++;
    const micros = Math.max(1, Math.round((performance.now() - this.#sent) * 1000));
    latency.record(micros);
    overall.record(micros);
    const known = expected.get(text);
    if (known === undefined) expected.set(text, body);
    const isSame = (known ?? body) === body || lasting(known ?? "") === lasting(body);
    if (status !== "200" || !isSame) complain(`${status} ${body.slice(0, 300)} to ${text.slice(0, 80)}`);
  }
}

class Load {
  readonly crowd = new Crowd(8000);
  readonly #chance = new Chance(8001);
  readonly #idle: Client[] = [];
  readonly #port: number;
  #under = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Some requests on a connection, or a hostile conversation. */
  async turn(): Promise<void> {
    this.#under++;
    await (this.#chance.once(10) ? this.#attack() : this.#ask());
    this.#under--;
  }

  /** As fast as the answers come; gives turns a second. */
  async capacity(): Promise<number> {
    const [started, end] = [performance.now(), performance.now() + CALIBRATION_SECONDS * 1000];
    let turns = 0;
    const go = async (): Promise<void> => {
      for (; performance.now() < end; turns++) await this.turn();
    };
    await Promise.all(Array.from({ length: 32 }, go));
    return (turns * 1000) / (performance.now() - started);
  }

  /** At a rate, whether answers come or not. */
  async hold(rate: number, seconds: number): Promise<void> {
    const started = performance.now();
    for (let sent = 0; performance.now() - started < seconds * 1000; await sleep(TICK_MS)) {
      for (const due = ((performance.now() - started) / 1000) * rate; sent < due; sent++) {
        if (this.#under < TURNS_AT_ONCE_MAX) void this.turn();
        else seen.unsent++;
      }
    }
  }

  /** Waits for the answers, and closes what is open. */
  async end(): Promise<void> {
    for (let i = 0; this.#under > 0 && i < 6000; i++) await sleep(TICK_MS);
    for (const client of this.#idle) client.end();
  }

  async #ask(): Promise<void> {
    const client = this.#idle.shift() ?? new Client(this.#port);
    await client.ask(this.#chance.many(1, TOGETHER_MAX, () => this.#chance.draw(REQUESTS)), this.crowd);
    if (client.turns < TURNS_OF_CONNECTION) this.#idle.push(client);
    else client.end();
  } // prettier-ignore

  async #attack(): Promise<void> {
    seen.connections++;
    const text = this.crowd.next();
    const { bytes, trouble } = await talk(this.#port, [this.crowd.say(text)]);
    const { answers, fault } = readAnswers(bytes);
    seen.answers += answers.length;
    const unexpected = answers.find(({ status }) => !STATUSES.has(status))?.status;
    const what = trouble ?? fault ?? unexpected ?? answers.map(faultOf).find((one) => one !== undefined);
    if (what !== undefined) complain(`${what} after ${answers.length} answers to ${JSON.stringify(text)}`);
  }
}

let served: Served;
beforeAll(async () => {
  served = await serveToCrowd();
  void served.exit.then((code) => complain(`the service ended with ${code}: ${served.stderr()}`));
  const group = process.env["HOSTILE_CGROUP"];
  if (group !== undefined) writeFileSync(path.join(group, "cgroup.procs"), String(served.child.pid));
});
afterAll(async () => {
  served.child.kill();
  await served.exit;
});

const ms = (histogram: RecordableHistogram, percentile: number): number => Math.round(histogram.percentile(percentile) / 100) / 10; // prettier-ignore

it(`holds ${SHARE * 100} % of capacity for ${SECONDS} s with a level memory`, { timeout: 0 }, async () => {
  const load = new Load(served.port);
  const before = { mb: residentMb(served), descriptors: held(served) };
  await load.capacity();
  seen.answers = 0;
  // Once more, now that what is called often is compiled.
  const rate = SHARE * (await load.capacity());
  report("capacity", { answers: seen.answers, seconds: CALIBRATION_SECONDS, "answers a second": Math.round(seen.answers / CALIBRATION_SECONDS) });
  [seen.answers, latency, overall] = [0, createHistogram(), createHistogram()];
  const memory: number[] = [];
  const steps = Math.max(10, Math.round(SECONDS / 60));
  for (let i = 1; i <= steps; i++) {
    await load.hold(rate, SECONDS / steps);
    memory.push(residentMb(served));
    report("load", { second: Math.round((SECONDS / steps) * i), ...seen, clients: load.crowd.count, MB: memory.at(-1) ?? 0, "p50 ms": ms(latency, 50), "p99 ms": ms(latency, 99) });
    latency = createHistogram();
  }
  await load.end();
  report("load over all", { seed: SEED, seconds: SECONDS, ...seen, clients: load.crowd.count, "answers a second": Math.round(seen.answers / SECONDS), "p50 ms": ms(overall, 50), "p99 ms": ms(overall, 99), "slowest ms": overall.max / 1000, "MB before": before.mb, "MB at most": Math.max(...memory), "MB after": memory.at(-1) ?? 0 });
  expect(wrong).toEqual([]);
  expect(seen.unsent).toBeLessThan(seen.answers / 1000);
  expect(Math.max(...memory)).toBeLessThan(MEMORY_MAX_MB);
  const half = memory.length >> 1;
  expect(Math.max(...memory.slice(half))).toBeLessThan(Math.max(...memory.slice(0, half)) * 1.15);
  await sleep(100);
  expect(held(served)).toBeLessThanOrEqual(before.descriptors + 2);
}); // prettier-ignore
