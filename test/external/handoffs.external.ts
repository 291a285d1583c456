/**
 * Every handoff of every kit, run as its manifest says by every interpreter at hand: the proof without a network, a broken
 * kit, wrong usage, and live calls to the real server on the address that the kits are made for. What an answer means, is
 * hostile-answers.external.ts.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJson } from "../../generator/integration/handoffs/node/classify.mjs";
import { exitCodes } from "../../generator/integration/handoffs.ts";
import {
  type Classification,
  FIXTURE_OUTCOMES,
  type Fixture,
  type FixtureOutcome,
  type HandoffLanguage,
} from "../../generator/contract/integration.ts";
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import type { ResolveEnvelope } from "../../runtime/contract/resolution.ts";
import { openRelease, type Release } from "../../runtime/release/release.ts";
import {
  type Client,
  copyKit,
  findClients,
  handoffOf,
  oneOfEach,
  type RunOptions,
  readRequest,
  runHandoff,
  startStub,
  type Stub,
  treeOf,
} from "../support/handoffs.ts";
import { lineOf } from "../support/hostile-answers/answer.ts";
import { type UnpackedKit, unpackKits } from "../support/kits.ts";
import { LONGEST, LONGEST_ASTRAL, nasty } from "../support/nasty.ts";
import { execute, type Outcome } from "../support/npx.ts";
import { checkedRegistry, concept, expression } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";
import { listen, type Listening } from "../support/service.ts";
import { freePort } from "../support/free-port.ts";

const clients = findClients();
const languages = [...new Set(clients.all.map(({ language }) => language))];

/** Expressions that a shell, a formatter, an argument parser or a decoder might take for something else. */
const REVIEWED = [
  "$(id)",
  "`id`",
  "%s%n%d",
  "$HOME ${PATH}",
  "a;b|c&d>e",
  "*",
  "~",
  "!!",
  "\\",
  "\\n",
  "\\u0041",
  "\\\\",
  "/?",
  "?",
  "'",
  '"',
  "''\"\"",
  "it's",
  "-",
  "--",
  "-h",
  "--live",
  "--help",
  "-x:y",
  "-a:en",
  "-b:$true",
  "-c:",
  "-Verbose",
  "-c",
  "-?",
  "--%",
  "@-",
  "@x",
  "%",
  "prove",
  "resolve",
  "null",
  "true",
  "0",
  "1e5",
  "–x:y",
  "—",
  "#",
  "&&",
  "(",
  ")",
  "{0}",
  "{}",
  "[]",
  "a=b",
  "^",
  "😀",
  "👩‍💻",
  "שלום",
  "مرحبا",
  "́x",
  "ẹ́",
  "Å",
  "􏿽",
  "İ",
  "ß",
  "ﬁ",
  "日本語",
];

function registry() {
  const texts = REVIEWED.map((text) => text.normalize("NFC"));
  const reviewed = [...new Set(texts)].flatMap((text, i) => {
    const one = concept(`H-${i}`, [expression("en", text)], { domain: "hostile" });
    // What the registry itself refuses stays unknown to the service.
    return isAccepted(one) ? [one] : [];
  });
  return checkedRegistry({ ...nasty, concepts: [...nasty.concepts, ...reviewed] });
}

function isAccepted(one: ReturnType<typeof concept>): boolean {
  try {
    checkedRegistry({ concepts: [one] });
    return true;
  } catch {
    return false;
  }
}

let port: number;
let origin: string;
let dist: string;
let release: Release;
let app: Listening;
let made: Awaited<ReturnType<typeof unpackKits>>;
let kit: UnpackedKit;
beforeAll(async () => {
  port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const checked = registry();
  made = await unpackKits(checked, origin);
  kit = made.kits[0] as UnpackedKit;
  dist = await buildRelease(checked, origin);
  release = openRelease(dist);
  app = await listen(release, { port });
});
afterAll(async () => {
  await app.close();
  release.close();
  made.remove();
  clients.remove();
});

/** An empty folder, which is given back if it is still that; removed in any case. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), "handoff-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function says(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The start of a command that runs the rest of it without a network. */
const withoutNetwork = [
  ["unshare", "-n"],
  ["unshare", "-rn"],
].find(([command = "", ...args]) => says(command, [...args, "true"]));
if (withoutNetwork === undefined) console.warn("unshare makes no network namespace here: proofs run with the network");

function prove(client: Client, root: string, options: RunOptions = {}): Promise<Outcome> {
  const before = withoutNetwork ?? [];
  return runHandoff(client, { root, argv: handoffOf(root, client.language).prove }, { before, ...options });
}

/** Runs a handoff with arguments of one's own. */
function use(client: Client, root: string, args: readonly string[]): Promise<Outcome> {
  return runHandoff(client, { root, argv: [...handoffOf(root, client.language).prove.slice(0, -1), ...args] });
}

/** What follows the kit's own words of a live call. */
function asking(client: Client, root: string, asked: readonly string[]): { root: string; argv: readonly string[] } {
  return { root, argv: [...handoffOf(root, client.language).resolve, ...asked] };
}

function resolve(client: Client, root: string, asked: readonly string[]): Promise<Outcome> {
  return runHandoff(client, asking(client, root, asked));
}

function fixtureFile(root: string, id: FixtureOutcome): string {
  return path.join(root, "fixtures", `${id}.json`);
}

function readFixture(root: string, id: FixtureOutcome): Fixture {
  return JSON.parse(readFileSync(fixtureFile(root, id), "utf8")) as Fixture;
}

function describeResult(result: Classification): string {
  return result.outcome === "resolved-valid"
    ? `${result.outcome} ${result.code} ${result.registryVersion}`
    : result.outcome;
}

/** What a proof prints of the fixtures as they are declared, but for these. */
function proofOf(root: string, but: Readonly<Partial<Record<FixtureOutcome, string>>> = {}): string {
  return FIXTURE_OUTCOMES.map((id) => `${id}: ${but[id] ?? describeResult(readFixture(root, id).expected)}\n`).join("");
}

/** What each of these clients said, by its name, so that a failure shows all that differ. */
async function each<T>(some: readonly Client[], ask: (client: Client) => Promise<T>): Promise<Record<string, T>> {
  return Object.fromEntries(await Promise.all(some.map(async (client) => [client.name, await ask(client)] as const)));
}

function all<T>(some: readonly Client[], value: T): Record<string, T> {
  return Object.fromEntries(some.map(({ name }) => [name, value]));
}

const NOTHING_ELSE = { stderr: "" };

describe("a proof", () => {
  it.each(clients.all.map((client) => [client.name, client] as const))(
    "F19, F24, F27, F29: by %s, of every kit: six lines as they are declared, and no file but what was there",
    async (_name, client) => {
      await inFolder(async (home) => {
        const folder = path.dirname(kit.root);
        const before = treeOf(folder);
        const env = { HOME: home, TMPDIR: home };
        const said = await Promise.all(made.kits.map(async ({ root }) => [root, await prove(client, root, { env })]));
        expect(said).toEqual(made.kits.map(({ root }) => [root, { code: 0, stdout: proofOf(root), ...NOTHING_ELSE }]));
        expect(treeOf(folder)).toBe(before);
        // PowerShell keeps notes of its own start wherever it runs anything.
        if (client.language !== "powershell") expect(treeOf(home)).toBe("");
      });
    },
  );

  it("F24: has six lines, of which the first alone has a code and a registryVersion", () => {
    for (const { root } of made.kits) {
      const [first, ...others] = proofOf(root).trimEnd().split("\n");
      expect(first).toMatch(/^resolved-valid: resolved-valid \S+ \S+$/);
      expect(others).toEqual(FIXTURE_OUTCOMES.slice(1).map((id) => `${id}: ${id}`));
    }
  });

  it("is run by the oldest and the newest Python there is", () => {
    const pythons = clients.all.filter(({ language }) => language === "python").map(({ name }) => name);
    if (pythons.length > 0) console.warn(`Pythons from ${pythons[0]} to ${pythons.at(-1)}: ${pythons.length}`);
    expect(clients.few.filter(({ language }) => language === "python").map(({ name }) => name)).toEqual([
      ...new Set([...pythons.slice(0, 1), ...pythons.slice(-1)]),
    ]);
  });

  it.skipIf(withoutNetwork === undefined)("F27: is run where no connection can be made", async () => {
    const stub = await startStub();
    const script = `require("node:net").connect(${stub.port}, "127.0.0.1").on("connect", () => process.exit(0))`;
    const [command = "", ...args] = withoutNetwork ?? [];
    const { code } = await execute(command, [...args, process.execPath, "-e", script], { cwd: tmpdir() });
    expect([code, stub.connections()]).toEqual([1, 0]);
    await stub.close();
  });

  it("F27, F29: is the same from another folder, through another name and in another locale", async () => {
    await inFolder(async (folder) => {
      const odd = path.join(folder, "a kit's näme $(id)");
      mkdirSync(odd);
      execFileSync("cp", ["-R", kit.root, odd]);
      const root = path.join(realpathSync(odd), path.basename(kit.root));
      const some = oneOfEach(clients, 1);
      for (const env of [
        { LC_ALL: "C", LANG: "C" },
        { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" },
      ]) {
        const said = await each(some, (client) => prove(client, root, { env }));
        // A shell may warn of a locale that the machine does not have.
        const lines = Object.fromEntries(
          Object.entries(said).map(([name, { code, stdout }]) => [name, { code, stdout }]),
        );
        expect(lines).toEqual(all(some, { code: 0, stdout: proofOf(root) }));
      }
      const elsewhere = await each(some, (client) => {
        const argv = handoffOf(root, client.language).prove.map((word) =>
          word.includes("/") ? path.join(root, word) : word,
        );
        return runHandoff(client, { root: folder, argv });
      });
      expect(elsewhere).toEqual(all(some, { code: 0, stdout: proofOf(root), ...NOTHING_ELSE }));
    });
  });
});

/** A change to a fixture, and what the proof must say of it then. */
interface Break {
  readonly name: string;
  readonly id: FixtureOutcome;
  readonly change: (fixture: Mutable) => void;
  readonly says: (declared: string) => string;
}

/** A fixture that may become anything. */
interface Mutable {
  id: unknown;
  request: { expression: unknown };
  response: unknown;
  expected: Record<string, unknown>;
}

const NO_FIXTURE = "not a fixture of this name";
const butDeclared = (found: string) => (declared: string) => `${found}, but ${declared} is declared`;

const breaks: readonly Break[] = [
  ...FIXTURE_OUTCOMES.map((id): Break => ({
    name: "another response",
    id,
    change(fixture) {
      fixture.response = id === "service-error" ? { status: 404, contentType: null, body: "" } : null;
    },
    says: butDeclared(id === "service-error" ? "request-error" : "service-error"),
  })),
  {
    name: "another code in the response",
    id: "resolved-valid",
    change({ response, expected }) {
      const answer = response as { body: string };
      answer.body = answer.body.replaceAll(JSON.stringify(expected["code"]), '"X-\u00e9"');
    },
    says: (declared) => `resolved-valid X-\\u00e9 ${declared.split(" ")[2]}, but ${declared} is declared`,
  },
  {
    name: "another expression",
    id: "resolved-valid",
    change: ({ request }) => (request.expression = `${request.expression as string} `),
    says: butDeclared("malformed"),
  },
  {
    name: "another expected code",
    id: "resolved-valid",
    change: ({ expected }) => (expected["code"] = "X-1"),
    says: (declared) => `${declared}, but resolved-valid X-1 ${declared.split(" ")[2]} is declared`,
  },
  {
    name: "another expected registryVersion",
    id: "resolved-valid",
    change: ({ expected }) => (expected["registryVersion"] = "0"),
    says: (declared) => `${declared}, but resolved-valid ${declared.split(" ")[1]} 0 is declared`,
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

/** Broken in what no client needs, so that only the exit code and the line's failure are required, not its words. */
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
  const copy = copyKit(kit.root);
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
          const stdout = proofOf(kit.root, { [id]: saysOf(describeResult(readFixture(kit.root, id).expected)) });
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
            const others = proofOf(kit.root)
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
      const stdout = proofOf(kit.root, but);
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
        // A flipped digit may be no digit, and then the line is none: only --strict calls that a failure.
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

describe("wrong usage", () => {
  let stub: Stub;
  let copy: ReturnType<typeof copyKit>;
  beforeAll(async () => {
    stub = await startStub();
    copy = copyKit(kit.root, { from: origin, to: `http://127.0.0.1:${stub.port}` });
  });
  afterAll(async () => {
    copy.remove();
    await stub.close();
  });

  it.each([
    [[]],
    [["prove", "extra"]],
    [["prove", ""]],
    [["prove", "--live"]],
    [["Prove"]],
    [["resolve"]],
    [["resolve", "X"]],
    [["resolve", "X", "en"]],
    [["resolve", "--live"]],
    [["resolve", "--LIVE", "X"]],
    [["resolve", "-live", "X"]],
    [["resolve", "X", "--live"]],
    [["resolve", "--live", "a", "b", "c"]],
    [["--live", "resolve", "X"]],
    [["unknown"]],
    [["unknown", "--live", "X"]],
    [["--help", "prove"]],
    [["-h"]],
    [[""]],
    [["", "--live", "X"]],
  ] as const)(
    "F20, F27: of %j ends with 2, prints nothing but the usage, and sends nothing, in every language",
    async (args) => {
      const some = oneOfEach(clients, args.length);
      const said = await each(some, async (client) => {
        const { code, stdout, stderr } = await use(client, copy.root, args);
        return { code, stdout, usage: stderr.startsWith("Usage: handoff.") };
      });
      expect(said).toEqual(all(some, { code: 2, stdout: "", usage: true }));
      expect(stub.connections()).toBe(0);
    },
  );

  it("is not to ask for help, which is the same in every language", async () => {
    const some = oneOfEach(clients, 0);
    const said = await each(some, async (client) => {
      const { code, stdout, stderr } = await use(client, copy.root, ["--help"]);
      return { code, stdout: stdout.replaceAll(/handoff\.\w+/g, "HANDOFF"), stderr };
    });
    const [first] = Object.values(said);
    expect(first?.stdout).toMatch(/^Usage: HANDOFF prove\n/);
    expect(said).toEqual(all(some, { code: 0, stdout: first?.stdout, ...NOTHING_ELSE }));
    expect(stub.connections()).toBe(0);
  });

  it("has the exit code that the manifest has", () => {
    const manifest = JSON.parse(readFileSync(path.join(kit.root, "manifest.json"), "utf8")) as { exitCodes: unknown };
    expect(manifest.exitCodes).toEqual(exitCodes);
    expect(exitCodes.resolve.find(({ means }) => means.startsWith("Wrong usage"))?.code).toBe(2);
    expect(exitCodes.prove.find(({ means }) => means === "Wrong usage")?.code).toBe(2);
  });
});

function codeOf({ outcome }: Classification): number {
  const found = exitCodes.resolve.find(({ means }) => means.split(":")[0] === outcome);
  if (found === undefined) throw new Error(`There is no exit code for ${outcome}`);
  return found.code;
}

function saidOf(expected: Classification): Outcome {
  return { code: codeOf(expected), stdout: lineOf(expected), ...NOTHING_ELSE };
}

/** What the service answers, read here by itself. */
async function answerTo(asked: readonly string[]): Promise<Classification> {
  const [text, language] = asked;
  const reply = await fetch(`${origin}/api/v1/resolve`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ expression: text, language }),
  });
  if (reply.status !== 200) return { outcome: "request-error" };
  const { data } = (await reply.json()) as ResolveEnvelope;
  expect(data.input.expression).toBe(text);
  const { concept: found } = data;
  if (found !== null) return { outcome: "resolved-valid", code: found.code, registryVersion: found.registryVersion };
  return { outcome: data.reason === "ambiguous_expression" ? "ambiguous" : "unknown" };
}

describe("a live call", () => {
  it.each([
    ["resolved-valid", ["only money", "en"], "N-MONEY"],
    ["resolved-valid", ["only money"], "N-MONEY"],
    ["unknown", ["nobody has reviewed this"], undefined],
    ["ambiguous", ["bank"], undefined],
    ["request-error", [""], undefined],
    ["request-error", ["bank", "en_US"], undefined],
    ["request-error", ["bank", ""], undefined],
  ] as const)(
    "C14, A25, F29: gives %s of %j by every interpreter, and changes no file",
    async (outcome, asked, code) => {
      const before = treeOf(path.dirname(kit.root));
      const expected = await answerTo(asked);
      expect(expected).toMatchObject({ outcome, ...(code === undefined ? {} : { code }) });
      const said = await each(clients.all, (client) => resolve(client, kit.root, asked));
      expect(said).toEqual(all(clients.all, saidOf(expected)));
      expect(treeOf(path.dirname(kit.root))).toBe(before);
    },
  );

  it("F29: gives service-error where nothing listens", async () => {
    const copy = copyKit(kit.root, { from: origin, to: `http://127.0.0.1:${await freePort()}` });
    const said = await each(clients.all, (client) => resolve(client, copy.root, ["bank"]));
    expect(said).toEqual(all(clients.all, saidOf({ outcome: "service-error" })));
    copy.remove();
  });

  it.each(RECIPE_IDS.map((id, index) => [id, index] as const))(
    "F20, F29: of the kit %s goes to the address it was made for",
    async (_id, index) => {
      const some = oneOfEach(clients, index);
      const { root } = made.kits[index] as UnpackedKit;
      const said = await each(some, (client) => resolve(client, root, ["only money", "en"]));
      expect(said).toEqual(all(some, saidOf(await answerTo(["only money", "en"]))));
    },
  );
});

/** What no registry takes but a client may be given all the same. */
const UNREVIEWED = [
  "a\nb",
  "\n",
  "a\r\nb",
  "\t",
  "a\tb ",
  " ",
  "  x  ",
  "a\u0001b",
  "\u001b[31m",
  "\u007f",
  "\u0085",
  "\u202eabc\u202c",
  "\u200b",
  "\ufeffx",
  "\u2028",
  "\ufffd",
  "\uffff",
  "x".repeat(1000),
  LONGEST,
  LONGEST_ASTRAL,
  String.raw`say "hi" \ </script>`,
  'x"}{"',
  String.raw`\"`,
];

/** The environment of a machine whose owner has settings for everything. */
function hostileHome(home: string, proxyPort: number): Record<string, string> {
  const settings = [`trace = "${home}/log"`, `output = "${home}/body"`, `proxy = "http://127.0.0.1:${proxyPort}"`];
  const curlrc = [
    ...settings,
    'user = "a:b"',
    'cookie = "a=b"',
    `cookie-jar = "${home}/jar"`,
    'header = "Expect: 100-continue"',
  ];
  writeFileSync(path.join(home, ".curlrc"), `${curlrc.join("\n")}\n`);
  writeFileSync(path.join(home, ".netrc"), "machine 127.0.0.1 login a password b\ndefault login a password b\n", {
    mode: 0o600,
  });
  writeFileSync(path.join(home, ".npmrc"), `proxy=http://127.0.0.1:${proxyPort}\n`);
  const proxy = `http://a:b@127.0.0.1:${proxyPort}`;
  const names = ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY"];
  return {
    ...Object.fromEntries(names.map((name) => [name, proxy])),
    HOME: home,
    CURL_HOME: home,
    XDG_CONFIG_HOME: home,
    NETRC: path.join(home, ".netrc"),
    // Node's own switch: it then takes the proxies above.
    NODE_USE_ENV_PROXY: "1",
  };
}

describe("a request", () => {
  /** Sees what a client sends, and lets the real service answer. */
  let relay: Stub;
  let proxy: Stub;
  let copy: ReturnType<typeof copyKit>;
  beforeAll(async () => {
    proxy = await startStub();
    relay = await startStub({
      onRequest(socket, request) {
        const upstream = connect(port, "127.0.0.1");
        // A service behind another name closes when it has answered, so that the client sees an end.
        upstream.on("error", () => socket.destroy()).pipe(socket);
        upstream.write(request);
        socket.on("close", () => upstream.destroy());
      },
    });
    copy = copyKit(kit.root, { from: origin, to: `http://127.0.0.1:${relay.port}` });
  });
  afterAll(async () => {
    copy.remove();
    await relay.close();
    await proxy.close();
  });

  /** Runs one client and gives the requests that came of it: the tests here run one after another. */
  async function requestOf(client: Client, asked: readonly string[], options: RunOptions = {}) {
    const [requests, connections] = [relay.requests.length, relay.connections()];
    const said = await runHandoff(client, asking(client, copy.root, asked), options);
    expect([client.name, asked, relay.connections() - connections]).toEqual([client.name, asked, 1]);
    const sent = relay.requests.slice(requests).map(readRequest);
    expect([client.name, asked, sent.length]).toEqual([client.name, asked, 1]);
    const [request] = sent;
    if (request === undefined) throw new Error("Nothing was sent");
    return { said, request };
  }

  /** All that may be sent of one who asks. */
  function expectMinimal({ line, fields, body }: ReturnType<typeof readRequest>, asked: readonly string[]): void {
    const [text, language] = asked;
    const expected = language === undefined ? { expression: text } : { expression: text, language };
    expect(JSON.parse(body)).toEqual(expected);
    // No name twice, nothing behind, in this order.
    expect(JSON.stringify(readJson(Buffer.from(body)))).toBe(JSON.stringify(expected));
    expect(line).toBe("POST /api/v1/resolve HTTP/1.1");
    expect(fields["host"]).toEqual([`127.0.0.1:${relay.port}`]);
    expect(fields["content-type"]).toEqual(["application/json"]);
    expect(fields["accept"]).toEqual(["application/json"]);
    expect(fields["content-length"]).toEqual([String(Buffer.byteLength(body))]);
    const usual = ["host", "content-type", "content-length", "accept", "connection", "user-agent", "accept-encoding"];
    expect(Object.keys(fields).filter((name) => !usual.includes(name))).toEqual([]);
    // Nothing of the answer may be packed, as nobody here unpacks it.
    expect(fields["accept-encoding"] ?? ["identity"]).toEqual(["identity"]);
  }

  it.each(
    [...REVIEWED, ...UNREVIEWED].map(
      (text, turn) => [text.length > 40 ? `${text.length} units` : text, text, turn] as const,
    ),
  )(
    "F27, F29: of %j arrives as it was given, once, with nothing else, from every language",
    async (_name, text, turn) => {
      const before = treeOf(path.dirname(copy.root));
      const asked = turn % 2 === 0 ? [text] : [text, "en"];
      const expected = saidOf(await answerTo(asked));
      for (const client of oneOfEach(clients, turn)) {
        const { said, request } = await requestOf(client, asked);
        expectMinimal(request, asked);
        expect([client.name, said]).toEqual([client.name, expected]);
      }
      expect(treeOf(path.dirname(copy.root))).toBe(before);
    },
  );

  it("F27, F29: uses no proxy, no settings and no credentials of the machine, by any interpreter", async () => {
    for (const client of clients.few) {
      await inFolder(async (home) => {
        const env = hostileHome(home, proxy.port);
        const before = treeOf(home);
        const { said, request } = await requestOf(client, ["only money"], { env });
        expectMinimal(request, ["only money"]);
        expect([client.name, said]).toEqual([client.name, saidOf(await answerTo(["only money"]))]);
        expect(["log", "body", "jar"].filter((name) => existsSync(path.join(home, name)))).toEqual([]);
        if (client.language !== "powershell") expect(treeOf(home)).toBe(before);
      });
    }
    expect(proxy.connections()).toBe(0);
  });
});

describe("PowerShell's handoff, whether or not PowerShell is here", () => {
  const PARSER = ["tree-sitter-powershell@0.26.4", "web-tree-sitter@0.27.1"];

  interface Tree {
    readonly rootNode: { readonly hasError: boolean; toString(): string };
  }
  interface TreeSitter {
    readonly Parser: {
      init(): Promise<void>;
      new (): { setLanguage(language: unknown): void; parse(text: string): Tree };
    };
    readonly Language: { load(file: string): Promise<unknown> };
  }

  it("F29: is PowerShell by its grammar, and a version with a brace less is not", async ({ skip }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "grammar-"));
    try {
      const args = ["install", "--ignore-scripts", "--no-save", "--prefix", folder, ...PARSER];
      const { code, stderr } = await execute("npm", args, { cwd: folder, timeout: 150_000 });
      if (code !== 0) {
        console.warn(`Skipped, npm cannot install ${PARSER.join(" and ")}: ${stderr.split("\n")[0]}`);
        return skip();
      }
      const modules = path.join(folder, "node_modules");
      const main = pathToFileURL(path.join(modules, "web-tree-sitter/web-tree-sitter.js")).href;
      const { Parser, Language } = (await import(main)) as TreeSitter;
      await Parser.init();
      const parser = new Parser();
      parser.setLanguage(await Language.load(path.join(modules, "tree-sitter-powershell/tree-sitter-powershell.wasm")));
      const script = readFileSync(path.join(kit.root, "powershell/handoff.ps1"), "utf8");
      expect(parser.parse(script).rootNode.hasError).toBe(false);
      const last = script.lastIndexOf("\n}\n");
      expect(last).toBeGreaterThan(0);
      expect(parser.parse(script.slice(0, last) + script.slice(last + 2)).rootNode.hasError).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Of each language that nothing here runs, a warning has been given; Node runs everywhere. */
describe("the languages", () => {
  it("F29: that are run here are those of the kit's folders", () => {
    const folders: readonly HandoffLanguage[] = ["python", "node", "powershell", "curl"];
    expect(folders.filter((language) => !existsSync(path.join(kit.root, language)))).toEqual([]);
    expect(languages).toContain("node");
  });
});
