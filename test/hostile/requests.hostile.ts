/**
 * Generated requests to two servers of one release: every answer is explained and as the contract
 * has it, the connection ends or goes on as the answers say, and the other server, which is
 * restarted now and then, says the same.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type Served } from "../support/command.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { AS_DEPLOYED, Chance, deadline, MEMORY_MAX_MB, report, SEED } from "./chance.ts";
import { makeRequest, mutate, type Sent } from "./grammar.ts";
import { type Answer, faultOf, quote, readAnswers, STATUSES } from "./replies.ts";
import { residentMb, split, talk } from "./wire.ts";

const TALKS_AT_ONCE = 16;
const TALKS_BEFORE_RESTART = 4000;
/** Asked last on each connection, so that what state it is in shows. */
const LAST = Buffer.from("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

let directory: string;
let one: Served;
let other: Served;
const start = (): Promise<Served> => serve("lib/runtime/main.js", ["--out", directory], AS_DEPLOYED);
const stop = async (served: Served): Promise<void> => {
  served.child.kill();
  expect([await served.exit, served.stderr()]).toEqual([0, ""]);
};

beforeAll(async () => {
  directory = await buildRelease(checkedRegistry(nasty));
  [one, other] = await Promise.all([start(), start()]);
});
afterAll(async () => Promise.all([one, other].map(stop)));

interface Conversation {
  readonly bytes: Buffer;
  /** The requests; undefined where their bytes were changed, so that nobody knows what they are. */
  readonly requests: readonly Sent[] | undefined;
}

function makeConversation(chance: Chance, tags: readonly string[]): Conversation {
  const requests = chance.many(1, chance.once(3) ? 6 : 1, () => makeRequest(chance, tags));
  const bytes = Buffer.concat(requests.map((request) => request.bytes));
  return chance.once(3) ? { bytes: mutate(bytes, chance), requests: undefined } : { bytes, requests };
}

/** Why answers are wrong for a conversation; undefined where they are right. */
function judge({ bytes, requests }: Conversation, heard: Buffer): string | undefined {
  const { answers, fault } = readAnswers(heard);
  if (fault !== undefined) return fault;
  // A body that is not read may be broken: its request was already answered, so the connection
  // ends.
  const isWhole = requests?.every(({ faulty }) => !faulty) ?? false;
  const mayEnd = !isWhole && /\n(?:content-length|transfer-encoding):/i.test(bytes.toString("latin1"));
  for (const [i, answer] of answers.entries()) {
    const wrong = faultOf(answer) ?? unexplained(answer, requests?.[i]);
    if (wrong !== undefined) return `answer ${i + 1} (${answer.status}) ${wrong}`;
    const closes = answer.fields.get("connection") === "close";
    if (closes !== (i + 1 === answers.length) && (closes || !mayEnd)) return `answer ${i + 1} of ${answers.length} ${closes ? "closes" : "does not close"}`; // prettier-ignore
  }
  // A connection that no answer closes gets to its last request.
  const last = answers.at(-1);
  if (last === undefined) return "no answer";
  if (requests !== undefined && last.status < 400 && answers.length <= requests.length && !/Connection:\s*close/i.test(bytes.toString("latin1")))
    return "the last request got no answer";
  return undefined;
} // prettier-ignore

function unexplained({ status, fields }: Answer, request: Sent | undefined): string | undefined {
  if (!STATUSES.has(status)) return "is never explained";
  if (status === 405 && !fields.has("allow")) return "lacks Allow";
  if (request === undefined) return undefined;
  // A path of the grammar may be one that does not exist.
  if (status === 200 ? !request.faulty : request.explained.has(status)) return undefined;
  if ((status === 404 || status === 400) && request.method !== "POST" && !request.faulty) return undefined;
  return `is not explained by its request`;
}

const REFUSED_UNREAD = /"(?:The request is not valid HTTP\/1\.1|The request header fields are too large)"/;

/** How two servers' answers differ, if they do. Packets may close a connection earlier. */
function difference(a: Buffer, b: Buffer, inPackets: boolean): string | undefined {
  const [first, second] = [readAnswers(a).answers, readAnswers(b).answers];
  const isRefusedUnread = ({ body }: Answer): boolean => REFUSED_UNREAD.test(body.toString("latin1"));
  const differ = (left: Answer, right: Answer): boolean => {
    if (!inPackets) return left.comparable !== right.comparable;
    // If it is refused before it is parsed, only its last packet is known, not its path or that it
    // is HEAD.
    if (isRefusedUnread(left) || isRefusedUnread(right)) return left.status !== right.status;
    const [here, there] = [left, right].map(({ comparable }) => comparable.replaceAll(/\r\n(?:Connection|Keep-Alive): [^\r]*/gi, "")); // prettier-ignore
    return here !== there;
  };
  const common = Math.min(first.length, second.length);
  for (let i = 0; i < common; i++) {
    const [left, right] = [first[i], second[i]];
    if (left && right && differ(left, right)) return `answer ${i + 1} differs: ${left.comparable.slice(0, 600)} | ${right.comparable.slice(0, 600)}`; // prettier-ignore
  }
  if (first.length === second.length || inPackets) return undefined;
  return `${first.length} and ${second.length} answers`;
}

/** Holds one conversation; gives what is wrong, with what repeats it. */
async function hold(turn: number, conversation: Conversation, chance: Chance): Promise<string | undefined> {
  const { bytes } = conversation;
  const whole = Buffer.concat([bytes, LAST]);
  const inPackets = chance.once(2);
  const [here, there] = await Promise.all([
    talk(one.port, [whole]),
    talk(other.port, inPackets ? split(whole, chance) : [whole]),
  ]);
  const wrong =
    here.trouble ?? judge(conversation, here.bytes) ??
    // A server that has refused a request need not read the rest of it.
    (there.trouble === undefined || /EPIPE|ECONNRESET/.test(there.trouble) ? undefined : there.trouble) ??
    judge(conversation, there.bytes) ??
    difference(here.bytes, there.bytes, inPackets); // prettier-ignore
  return wrong === undefined ? undefined : `${wrong}\n  HOSTILE_SEED=${SEED} turn ${turn}: ${quote(bytes).slice(0, 3000)}`;
} // prettier-ignore

/** Every fault that this suite has found: the right statuses, and the bytes that showed it. */
const found = readFileSync(path.join(import.meta.dirname, "found.txt"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, statuses, text] = /^([\d ]+) (".*")$/.exec(line) ?? [];
    return text === undefined ? [] : [[statuses, JSON.parse(text) as string] as const];
  });

describe("hostile requests", () => {
  it.each(found)("found before: %s for %j", async (statuses, text) => {
    const { bytes } = await talk(one.port, [Buffer.from(text, "latin1")]);
    const { answers, fault } = readAnswers(bytes);
    expect([fault, answers.map(({ status }) => status).join(" ")]).toEqual([undefined, statuses]);
    expect(answers.map(({ fields }) => fields.get("connection") === "close").indexOf(true)).toBe(answers.length - 1);
  });

  it("have explained answers, the same from another server and after its restart, and break no connection", async () => {
    const end = deadline(0.4);
    const tags = await entityTags();
    const wrong: string[] = [];
    let [turn, requests, restarts] = [Number(process.env["HOSTILE_TURN"] ?? 0), 0, 0];
    const first = turn;
    const before = residentMb(one);
    while (performance.now() < end && wrong.length === 0) {
      const turns = Array.from({ length: TALKS_AT_ONCE }, () => turn++);
      const faults = await Promise.all(
        turns.map((at) => {
          const chance = new Chance(at);
          const conversation = makeConversation(chance, tags);
          requests += (conversation.requests?.length ?? 1) + 1;
          return hold(at, conversation, chance);
        }),
      );
      wrong.push(...faults.filter((fault) => fault !== undefined));
      if ((turn - first) % TALKS_BEFORE_RESTART < TALKS_AT_ONCE) {
        await stop(other);
        other = await start();
        restarts++;
      }
    }
    const memory = residentMb(one);
    report("requests", { seed: SEED, conversations: turn - first, "requests to each of two servers": requests, restarts, "MB before": before, "MB after": memory, faults: wrong.length }); // prettier-ignore
    expect(wrong).toEqual([]);
    expect(memory).toBeLessThan(MEMORY_MAX_MB);
    expect([one.stderr(), other.stderr()]).toEqual(["", ""]);
  });
});

/** Some that the service has, with their quotes. */
async function entityTags(): Promise<string[]> {
  const targets = ["/answers.json", "/openapi.json", "/api/v1/concepts", "/api/v1/concepts/N-TAXI", "/mcp-server.json"];
  const answers = await Promise.all(targets.map((target) => fetch(`http://127.0.0.1:${one.port}${target}`)));
  return answers.map(({ headers }) => headers.get("etag") ?? "");
}
