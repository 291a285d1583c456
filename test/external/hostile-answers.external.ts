/**
 * Answers that break the contract, JSON or HTTP, as bytes on a socket: every handoff, by every
 * interpreter at hand, makes of each what the published rules say, asks once, and goes nowhere
 * else. The rules alone decide, not what another handoff says.
 */
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Classification, HANDOFF_LANGUAGES } from "../../generator/contract/integration.ts";
import {
  type Client,
  copyKit,
  findClients,
  handoffOf,
  oneOfEach,
  readRequest,
  runHandoff,
  startStub,
  type Stub,
} from "../support/handoffs.ts";
import { hostileAnswers } from "../support/hostile-answers.ts";
import { type HostileAnswer, lineOf } from "../support/hostile-answers/answer.ts";
import { unpackKits } from "../support/kits.ts";
import { checkedRegistry } from "../support/registry.ts";
import { exitCodes } from "../../generator/integration/handoffs.ts";
import { empty } from "../support/nasty.ts";

/** Where the kit is made for; each copy of it asks another port. */
const ORIGIN = "http://127.0.0.1:9";
const clients = findClients();

let made: Awaited<ReturnType<typeof unpackKits>>;
let elsewhere: Stub;
beforeAll(async () => {
  made = await unpackKits(checkedRegistry(empty), ORIGIN);
  elsewhere = await startStub();
});
afterAll(async () => {
  await elsewhere.close();
  made.remove();
  clients.remove();
});

/** A client's answer with all that is permitted, so that a failure shows every wrong one. */
async function say(client: Client, root: string, { expression, slow }: HostileAnswer): Promise<string> {
  const argv = [...handoffOf(root, client.language).resolve, expression];
  const { code, stdout, stderr } = await runHandoff(client, { root, argv }, { waits: slow ?? false });
  return `${code} ${stdout}${stderr}`;
}

/**
 * What a library keeps from its program, so that another outcome must do: all that may differ, and
 * how. Python takes the end of the connection for the end of a head, and of the last chunk; .NET
 * writes a type anew before it gives it out; curl passes trailers on behind the body.
 */
const HIDDEN: Readonly<Record<string, Partial<Record<Client["language"], Classification>>>> = {
  "a status line alone": { python: { outcome: "malformed" } },
  "fields without end": { python: { outcome: "malformed" } },
  "half a last chunk": { python: { outcome: "resolved-valid", code: "C-1", registryVersion: "2026.11.1" } },
  "the type application/ json": {
    powershell: { outcome: "resolved-valid", code: "C-1", registryVersion: "2026.11.1" },
  },
  "chunks with extensions and a trailer": { curl: { outcome: "malformed" } },
  "another type in the trailer": { curl: { outcome: "malformed" } },
};

/** The line and the exit code, as the manifest has them. */
function expectedOf({ name, expected }: HostileAnswer, language: Client["language"]): string {
  const classification = HIDDEN[name]?.[language] ?? expected;
  const code = exitCodes.resolve.find(({ means }) => means.split(":")[0] === classification.outcome)?.code;
  return `${code} ${lineOf(classification)}`;
}

/** One client of each language in turn judges JSON; all with their own library judge HTTP. */
function judgesOf({ plain }: HostileAnswer, turn: number): readonly Client[] {
  const some = oneOfEach(clients, turn);
  return plain === undefined
    ? [
        ...clients.few.filter(({ language }) => language !== "curl"),
        ...some.filter(({ language }) => language === "curl"),
      ]
    : some;
}

describe.concurrent(`F29, A25, C14: by ${clients.few.map(({ name }) => name).join(", ")}`, () => {
  const live = hostileAnswers.filter(({ more }) => more !== true);

  it.each(live.map((answer, turn) => [answer.expected.outcome, answer.name, { answer, turn }] as const))(
    "%s: %s",
    async (_outcome, _name, { answer, turn }) => {
      const send = (socket: Socket): void => answer.send({ socket, elsewhere: elsewhere.port });
      const stub = await startStub(answer.atOnce === true ? { onConnection: send } : { onRequest: send });
      const copy = copyKit(made.kits[0]?.root ?? "", { from: ORIGIN, to: `http://127.0.0.1:${stub.port}` });
      const judges = judgesOf(answer, turn);
      try {
        const said = await Promise.all(
          judges.map(async (client) => [client.name, await say(client, copy.root, answer)] as const),
        );
        const expected = judges.map(({ name, language }) => [name, expectedOf(answer, language)] as const);
        expect(Object.fromEntries(said)).toEqual(Object.fromEntries(expected));
        // Each asked once, whatever came.
        expect(stub.connections()).toBe(judges.length);
        for (const request of stub.requests) expect(readRequest(request).line).toBe("POST /api/v1/resolve HTTP/1.1");
      } finally {
        await stub.close();
        copy.remove();
      }
    },
    // Several wait for each other's PowerShell.
    600_000,
  );
});

describe("every answer", () => {
  it("of which a library hides something is in the table", () => {
    const names = hostileAnswers.map(({ name }) => name);
    expect(Object.keys(HIDDEN).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("went nowhere else: no redirect was followed", () => {
    expect(elsewhere.connections()).toBe(0);
  });

  it("was judged in each language that can be run here", () => {
    const languages = new Set(clients.few.map(({ language }) => language));
    const missing = HANDOFF_LANGUAGES.filter((language) => !languages.has(language));
    if (missing.length > 0) console.warn(`Skipped, nothing here runs ${missing.join(", ")}`);
    expect(languages.has("node")).toBe(true);
  });
});
