/**
 * Faults under the running service: its files are cut, replaced, removed, made a pipe or a folder,
 * and reads fail. It gives the answer it gave before, says that it cannot, or ends with one line;
 * it never gives another.
 */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { run, serve, type Served } from "../support/command.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { ownRelease } from "../support/release.ts";
import { Chance, deadline, report, SEED, times } from "./chance.ts";
import { type Answer, faultOf, readAnswers } from "./replies.ts";
import { talk } from "./wire.ts";

const registry = checkedRegistry(nasty);
const EXPRESSIONS = ["taxi", "bank", "many", "café", "nobody said this", "Gift"];
const TARGETS = ["/api/v1/concepts", "/api/v1/concepts/N-TAXI", "/api/v1/concepts?q=name", "/registry/bundle.ndjson", "/openapi.json", "/concepts/N-MONEY"]; // prettier-ignore
const DEPLOYMENT = "/.well-known/service-semantics-deployment.json";

const REQUESTS = [
  ...EXPRESSIONS.map((expression) => {
    const body = JSON.stringify({ expression });
    return `POST /api/v1/resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }),
  ...[...TARGETS, DEPLOYMENT].map((target) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
];

/** One answer to each request; none where the connection ended without one. */
async function askAll(port: number): Promise<(Answer | undefined)[]> {
  const heard = await Promise.all(REQUESTS.map((request) => talk(port, [Buffer.from(request)])));
  return heard.map(({ bytes }) => readAnswers(bytes).answers[0]);
}

let right: readonly string[];
beforeAll(async () => {
  const served = await start(await ownRelease(registry));
  right = (await askAll(served.port)).map((answer) => answer?.comparable ?? "");
  served.child.kill();
  await served.exit;
  if (right.some((text) => !text.startsWith("HTTP/1.1 200 "))) throw new Error("The service does not answer");
});

/** Reads its registry by position, so that every answer needs a file. */
function start(dist: string, env: Record<string, string> = {}): Promise<Served> {
  return serve("lib/runtime/main.js", ["--out", dist], { INDEX_MEMORY_MAX_BYTES: "1", ...env });
}

/** What is wrong with answers while files are damaged. */
function judge(answers: readonly (Answer | undefined)[]): string[] {
  return answers.flatMap((answer, i) => {
    // A body that was begun may be cut, and a process that ends takes its connections with it.
    if (answer === undefined || answer.comparable === right[i]) return [];
    const wrong = faultOf(answer) ?? (answer.status === 503 ? undefined : `is ${answer.status} ${answer.body.toString().slice(0, 200)}`); // prettier-ignore
    return wrong === undefined ? [] : [`${REQUESTS[i]?.slice(0, 60)}: ${wrong}`];
  });
}

const HARMS: Readonly<Record<string, (file: string, chance: Chance) => void>> = {
  cut: (file, chance) => truncateSync(file, chance.below(statSync(file).size + 1)),
  flipped(file, chance) {
    const bytes = readFileSync(file);
    bytes[chance.below(bytes.length)]! ^= 1 << chance.below(8);
    writeFileSync(file, bytes);
  },
  replaced: (file) => (writeFileSync(`${file}.new`, "other"), renameSync(`${file}.new`, file)),
  removed: (file) => rmSync(file),
  "a pipe": (file) => (rmSync(file), void execFileSync("mkfifo", [file])),
  "a folder": (file) => (rmSync(file), mkdirSync(file)),
};

function harm(dist: string, chance: Chance): string {
  const names = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => statSync(path.join(dist, name)).isFile() && statSync(path.join(dist, name)).size > 0); // prettier-ignore
  const name = chance.once(2) ? chance.pick(["registry.index", "registry.blocks", "registry.root"].filter((one) => names.includes(one))) : chance.pick(names); // prettier-ignore
  const [how, act] = chance.pick(Object.entries(HARMS));
  act(path.join(dist, name), chance);
  return `${name} ${how}`;
}

describe("the files of the running service", () => {
  it("may be harmed: it answers as before, says that it cannot, or ends with a line", async () => {
    const end = deadline(0.06);
    const wrong: string[] = [];
    let [tries, refused, ended] = [0, 0, 0];
    for (; tries < 3 || performance.now() < end; tries++) {
      const chance = new Chance(3000 + tries);
      const dist = await ownRelease(registry);
      const served = await start(dist);
      // What was read and verified before the harm may still be answered from memory after it.
      if (chance.once(2)) wrong.push(...judge(await askAll(served.port)));
      const what = harm(dist, chance);
      await sleep(120);
      for (let round = 0; round < 3; round++) {
        const answers = await askAll(served.port);
        refused += answers.filter((answer) => answer?.status === 503).length;
        wrong.push(...judge(answers).map((fault) => `HOSTILE_SEED=${SEED} try ${tries}, ${what}: ${fault}`));
        await sleep(chance.below(300));
      }
      served.child.kill();
      const code = await served.exit;
      if (code === 2) ended++;
      if (code !== 0 && code !== 2) wrong.push(`try ${tries}, ${what}: exit code ${code}`);
      if (/\n\s+at |Unexpected error: (?!IndexError)/.test(served.stderr())) wrong.push(`try ${tries}, ${what}: ${served.stderr()}`);
      rmSync(path.dirname(dist), { recursive: true });
    }
    report("files of the running service harmed", { tries, "answers refused": refused, "ended with 2": ended, wrong: wrong.length }); // prettier-ignore
    expect(wrong).toEqual([]);
  });

  it("may be harmed before it starts: it refuses with a line, or serves what is right", async () => {
    const tries = times(60, 2);
    const wrong: string[] = [];
    for (let i = 0; i < tries; i++) {
      const dist = await ownRelease(registry);
      const what = harm(dist, new Chance(4000 + i));
      const started = await Promise.race([
        start(dist).catch((error: Error) => error),
        sleep(20_000).then(() => new Error("hangs")),
      ]);
      if (started instanceof Error) {
        if (!/^Exited with 2: [^\n]+\n$/.test(started.message)) wrong.push(`${what}: ${started.message}`);
      } else {
        wrong.push(...judge(await askAll(started.port)).map((fault) => `${what}: ${fault}`));
        started.child.kill();
        const code = await started.exit;
        if (code !== 0 && code !== 2) wrong.push(`${what}: exit code ${code}`);
      }
      rmSync(path.dirname(dist), { recursive: true });
    }
    report("files harmed before the start", { tries, wrong: wrong.length });
    expect(wrong.map((text) => `HOSTILE_SEED=${SEED} ${text}`)).toEqual([]);
  });

  it("may fail to be read: EIO, EMFILE, and reads that give less than was asked for", async () => {
    // A preload, so that it is the program itself that meets them, one read in five.
    const preload = `import fs from "node:fs";import{syncBuiltinESMExports as s}from"node:module";let n=${SEED % 97};const r=fs.readSync;
fs.readSync=(d,b,...o)=>{n=(n*75+74)%65537;if(armed&&n%5===0){if(n%3===0){const k=r(d,b,...o);return k>>1}const code=n%2?"EIO":"EMFILE";throw Object.assign(new Error(code),{code,syscall:"read"})}return r(d,b,...o)};
let armed=false;process.on("SIGUSR2",()=>armed=true);s();`;
    const dist = await ownRelease(registry);
    const served = await start(dist, { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}` });
    const end = deadline(0.02);
    const wrong: string[] = [];
    let [rounds, refused] = [0, 0];
    served.child.kill("SIGUSR2");
    await sleep(100);
    for (; rounds < 10 || performance.now() < end; rounds++) {
      if (served.child.exitCode !== null) break;
      const answers = await askAll(served.port);
      refused += answers.filter((answer) => answer?.status === 503).length;
      wrong.push(...judge(answers));
    }
    served.child.kill();
    const code = await served.exit;
    report("reads that fail", { requests: rounds * REQUESTS.length, refused, wrong: wrong.length, "exit code": String(code) });
    expect(wrong.map((text) => `HOSTILE_SEED=${SEED} ${text}`)).toEqual([]);
    expect([0, 2]).toContain(code);
    rmSync(path.dirname(dist), { recursive: true });
  });
}); // prettier-ignore

describe("a release that is not there", () => {
  it("is one line", async () => {
    expect(await run("lib/runtime/main.js", ["--out", "/nonexistent"])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^[^\n]+\n$/) as string }); // prettier-ignore
  });
});
