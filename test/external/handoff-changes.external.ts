/** A changed kit fails its proof in every language, and sha256sum finds the change. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Classification,
  FIXTURE_OUTCOMES,
  HANDOFF_FILES,
  type FixtureOutcome,
} from "../../generator/contract/integration.ts";
import { copyKit, oneOfEach } from "../support/handoffs.ts";
import { lineOf } from "../support/hostile-answers/answer.ts";
import { execute, type Outcome } from "../support/npx.ts";
import { all, clients, each, NOTHING_ELSE, offlineKits } from "./live-kits.ts";
import { fixtureFile, proofOf, prove, readFixture, says } from "./proofs.ts";

const made = offlineKits();

/** A change to a fixture, and what the proof must say of it then. */
interface Break {
  readonly name: string;
  readonly id: FixtureOutcome;
  readonly change: (fixture: Mutable) => void;
  readonly says: (declared: Classification) => string;
}

/** A fixture that may become anything. */
interface Mutable {
  id: unknown;
  request: { expression: unknown };
  response: unknown;
  expected: Record<string, unknown>;
}

const NO_FIXTURE = "not a fixture of this name";
const lineFor = (result: Classification): string => lineOf(result).trimEnd();
const butDeclared = (found: Classification) => (declared: Classification) =>
  `${lineFor(found)}, but ${lineFor(declared)} is declared`;
/** What is found is as before, and something else is declared. */
const declares = (change: Readonly<Record<string, unknown>>) => (declared: Classification) =>
  `${lineFor(declared)}, but ${lineFor({ ...declared, ...change })} is declared`;

const breaks: readonly Break[] = [
  ...FIXTURE_OUTCOMES.map((id): Break => ({
    name: "another response",
    id,
    change(fixture) {
      fixture.response = id === "service-error" ? { status: 404, contentType: null, body: "" } : null;
    },
    says: butDeclared({ outcome: id === "service-error" ? "request-error" : "service-error" }),
  })),
  {
    name: "another code in the response",
    id: "resolved-valid",
    change({ response, expected }) {
      const answer = response as { body: string };
      answer.body = answer.body.replaceAll(JSON.stringify(expected["code"]), '"X-\u00e9"');
    },
    says: (declared) => butDeclared({ ...declared, code: "X-\u00e9" } as Classification)(declared),
  },
  {
    name: "another expression",
    id: "resolved-valid",
    change: ({ request }) => (request.expression = `${request.expression as string} `),
    says: butDeclared({ outcome: "malformed" }),
  },
  {
    name: "another expected code",
    id: "resolved-valid",
    change: ({ expected }) => (expected["code"] = "X-1"),
    says: declares({ code: "X-1" }),
  },
  {
    name: "another expected registryVersion",
    id: "resolved-valid",
    change: ({ expected }) => (expected["registryVersion"] = "0"),
    says: declares({ registryVersion: "0" }),
  },
  {
    name: "another expected reason",
    id: "unknown",
    change: ({ expected }) => (expected["reason"] = null),
    says: declares({ reason: null }),
  },
  {
    name: "no expected candidates",
    id: "ambiguous",
    change: ({ expected }) => (expected["candidates"] = []),
    says: declares({ candidates: [] }),
  },
  {
    name: "another expected candidate",
    id: "unknown",
    change: ({ expected }) => (expected["candidates"] = [{ code: "X-\u00e9", name: '"' }]),
    says: declares({ candidates: [{ code: "X-\u00e9", name: '"' }] }),
  },
  {
    name: "an expected candidate with a score",
    id: "ambiguous",
    change: ({ expected }) => (expected["candidates"] = [{ code: "X", name: "x", score: 1 }]),
    says: () => NO_FIXTURE,
  },
  {
    name: "no expected reason",
    id: "unknown",
    change: ({ expected }) => delete expected["reason"],
    says: () => NO_FIXTURE,
  },
  {
    name: "no response",
    id: "unknown",
    change: (fixture) => delete fixture.response,
    says: () => NO_FIXTURE,
  },
  {
    name: "an expression that is no string",
    id: "unknown",
    change: ({ request }) => (request.expression = 1),
    says: () => NO_FIXTURE,
  },
  {
    name: "another expected outcome",
    id: "ambiguous",
    change: ({ expected }) => (expected["outcome"] = "unknown"),
    says: () => NO_FIXTURE,
  },
];

/** Breaks what no client needs: only the exit code and a failure line are required. */
const oddities: readonly Omit<Break, "says">[] = [
  {
    name: "a code that is expected of an outcome that has none",
    id: "unknown",
    change: ({ expected }) => Object.assign(expected, { code: "X-1", registryVersion: "1" }),
  },
  {
    name: "an expected code alone",
    id: "resolved-valid",
    change: ({ expected }) => delete expected["registryVersion"],
  },
  { name: "no expected code", id: "resolved-valid", change: ({ expected }) => delete expected["code"] },
  { name: "an expected code that is a number", id: "resolved-valid", change: ({ expected }) => (expected["code"] = 1) },
  { name: "a response that is false", id: "service-error", change: (fixture) => (fixture.response = false) },
  { name: "a response that is text", id: "service-error", change: (fixture) => (fixture.response = "") },
  {
    name: "a status that is text",
    id: "request-error",
    change: ({ response }) => ((response as { status: unknown }).status = "400"),
  },
];

async function withBroken(change: (root: string) => void, work: (root: string) => Promise<void>): Promise<void> {
  const copy = copyKit(made.kit.root);
  try {
    change(copy.root);
    await work(copy.root);
  } finally {
    copy.remove();
  }
}

function rewrite(root: string, id: FixtureOutcome, change: Break["change"]): void {
  const fixture = readFixture(root, id);
  change(fixture);
  writeFileSync(fixtureFile(root, id), JSON.stringify(fixture));
}

describe("a kit that was changed", () => {
  it.each(breaks.map((one, turn) => [one.name, one.id, { ...one, turn }] as const))(
    "F24, F29: with %s in the fixture %s fails its proof, and the line says so, in every language",
    async (_name, id, { change, says: saysOf, turn }) => {
      await withBroken(
        (root) => rewrite(root, id, change),
        async (root) => {
          const some = oneOfEach(clients, turn);
          const stdout = proofOf(made.kit.root, {
            [id]: saysOf(readFixture(made.kit.root, id).expected),
          });
          expect(await each(some, (client) => prove(client, root))).toEqual(
            all(some, { code: 1, stdout, ...NOTHING_ELSE }),
          );
        },
      );
    },
  );

  it.each(oddities.map((one, turn) => [one.name, one.id, { ...one, turn }] as const))(
    "A25, F29: with %s in the fixture %s fails its proof in every language, and says so in its line",
    async (_name, id, { change, turn }) => {
      await withBroken(
        (root) => rewrite(root, id, change),
        async (root) => {
          const some = oneOfEach(clients, turn);
          const said = await each(some, async (client) => {
            const { code, stdout, stderr } = await prove(client, root);
            const others = proofOf(made.kit.root)
              .split("\n")
              .filter((line) => !line.startsWith(`${id}:`));
            const lines = stdout.split("\n");
            const own = lines.find((line) => line.startsWith(`${id}:`)) ?? "";
            const failed = own.endsWith(NO_FIXTURE) || own.endsWith(" is declared");
            return { code, failed, others: lines.filter((line) => line !== own).join() === others.join(), stderr };
          });
          expect(said).toEqual(all(some, { code: 1, failed: true, others: true, ...NOTHING_ELSE }));
        },
      );
    },
  );

  it.each([
    ["python/json.py", "import os\nopen('ran', 'w').close()\n"],
    ["python/http/client.py", "open('ran', 'w').close()\n"],
    ["python/_ctypes.py", "open('ran', 'w').close()\n"],
    ["node/fs.mjs", "process.exit(0);\n"],
    ["curl/od", "#!/bin/sh\ntouch ran\n"],
    ["powershell/handoff.psm1", "New-Item ran\n"],
  ])("F24: with %s besides its programs is not proven in any language, and the file never runs", async (name, text) => {
    const add = (root: string): void => {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    };
    await withBroken(add, async (root) => {
      const stdout = `programs: the folders of the kit do not hold exactly ${HANDOFF_FILES.join(" ")}\n`;
      expect(await each(clients.few, (client) => prove(client, root))).toEqual(
        all(clients.few, { code: 1, stdout, ...NOTHING_ELSE }),
      );
      expect(existsSync(path.join(root, "ran"))).toBe(false);
    });
  });

  const nothing = (id: FixtureOutcome) => (root: string) => rmSync(fixtureFile(root, id));
  const everything = Object.fromEntries(FIXTURE_OUTCOMES.map((id) => [id, NO_FIXTURE]));
  const replaced = (text: string | Uint8Array) => (root: string) =>
    FIXTURE_OUTCOMES.forEach((id) => writeFileSync(fixtureFile(root, id), text));

  it.each([
    ["a fixture that is missing", nothing("malformed"), { malformed: NO_FIXTURE }],
    ["its first fixture missing", nothing("resolved-valid"), { "resolved-valid": NO_FIXTURE }],
    ["its last fixture missing", nothing("service-error"), { "service-error": NO_FIXTURE }],
    ["no fixtures", (root: string) => rmSync(path.join(root, "fixtures"), { recursive: true }), everything],
    ["fixtures that are no JSON", replaced("{"), everything],
    ["fixtures that are empty", replaced(""), everything],
    ["fixtures that are null", replaced("null"), everything],
    ["fixtures that are a list", replaced("[]"), everything],
    ["fixtures that are not UTF-8", replaced(Uint8Array.from([0x22, 0xff, 0x22])), everything],
    [
      "a byte order mark before a fixture",
      (root: string) =>
        writeFileSync(fixtureFile(root, "unknown"), `\ufeff${readFileSync(fixtureFile(root, "unknown"), "utf8")}`),
      { unknown: NO_FIXTURE },
    ],
    [
      "a name twice in a fixture",
      (root: string) => {
        const text = readFileSync(fixtureFile(root, "unknown"), "utf8");
        writeFileSync(fixtureFile(root, "unknown"), text.replace("{", '{"title":"x",'));
      },
      { unknown: NO_FIXTURE },
    ],
  ] as const)("F24, F29: with %s fails its proof in every language", async (_name, change, but) => {
    await withBroken(change, async (root) => {
      const some = oneOfEach(clients, 0);
      const stdout = proofOf(made.kit.root, but);
      expect(await each(some, (client) => prove(client, root))).toEqual(
        all(some, { code: 1, stdout, ...NOTHING_ELSE }),
      );
    });
  });

  const noSums = says("sha256sum", ["--version"]) ? undefined : "there is no sha256sum";
  if (noSums !== undefined) console.warn(`Skipped, ${noSums}`);
  it.skipIf(noSums !== undefined)("F26: in one byte of any file is found by sha256sum", async () => {
    await withBroken(
      () => undefined,
      async (root) => {
        // A flipped digit may be no digit, and then the line is none: only --strict calls that a
        // failure.
        const check = (): Promise<Outcome> => execute("sha256sum", ["--strict", "-c", "SHA256SUMS"], { cwd: root });
        const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
          statSync(path.join(root, name)).isFile(),
        );
        expect((await check()).stdout.split("\n").filter(Boolean).toSorted()).toEqual(
          files
            .filter((name) => name !== "SHA256SUMS")
            .map((name) => `${name}: OK`)
            .toSorted(),
        );
        for (const name of files) {
          const file = path.join(root, name);
          const bytes = readFileSync(file);
          const at = Math.floor(bytes.length / 2);
          writeFileSync(file, bytes.with(at, (bytes[at] ?? 0) ^ 1));
          const { code, stdout } = await check();
          expect([name, code]).toEqual([name, 1]);
          if (name !== "SHA256SUMS")
            expect(stdout.split("\n").filter((line) => line.endsWith(": FAILED"))).toEqual([`${name}: FAILED`]);
          writeFileSync(file, bytes);
        }
        expect((await check()).code).toBe(0);
      },
    );
  });
});
