/**
 * What handoffs make of their arguments, by every interpreter at hand: wrong usage sends nothing; a
 * live call sends the expression as it was given, once, and gives what the service answers. What an
 * answer means, is hostile-answers.external.ts.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJson } from "../../generator/integration/handoffs/node/classify.mjs";
import { exitCodes } from "../../generator/integration/handoffs.ts";
import { readGaps } from "../../generator/text/gap.ts";
import { RECIPE_IDS } from "../../runtime/contract/recipe.ts";
import { freePort } from "../support/free-port.ts";
import {
  type Client,
  copyKit,
  handoffOf,
  oneOfEach,
  readRequest,
  runHandoff,
  type RunOptions,
  startStub,
  type Stub,
  treeOf,
} from "../support/handoffs.ts";
import type { UnpackedKit } from "../support/kits.ts";
import { LONGEST, LONGEST_ASTRAL } from "../support/nasty.ts";
import type { Outcome } from "../support/npx.ts";
import {
  all,
  answerTo,
  asking,
  clients,
  each,
  inFolder,
  liveKits,
  NOTHING_ELSE,
  resolve,
  REVIEWED,
  saidOf,
} from "./live-kits.ts";

const live = liveKits();

/** Runs a handoff with arguments of one's own. */
function use(client: Client, root: string, args: readonly string[]): Promise<Outcome> {
  return runHandoff(client, { root, argv: [...handoffOf(root, client.language).prove.slice(0, -1), ...args] });
}

describe("wrong usage", () => {
  let stub: Stub;
  let copy: ReturnType<typeof copyKit>;
  beforeAll(async () => {
    stub = await startStub();
    copy = copyKit(live.kit.root, { from: live.origin, to: `http://127.0.0.1:${stub.port}` });
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
    [["resolve", "--live", "--keep", "f", "a", "b", "c"]],
    [["resolve", "--live", "a", "--keep", "f"]],
    [["resolve", "--keep", "f", "--live", "a"]],
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
    const manifest = JSON.parse(readFileSync(path.join(live.kit.root, "manifest.json"), "utf8")) as {
      exitCodes: unknown;
    };
    expect(manifest.exitCodes).toEqual(exitCodes);
    expect(exitCodes.resolve.find(({ means }) => means.startsWith("Wrong usage"))?.code).toBe(2);
    expect(exitCodes.prove.find(({ means }) => means === "Wrong usage")?.code).toBe(2);
  });
});

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
      const before = treeOf(path.dirname(live.kit.root));
      const expected = await answerTo(live.origin, asked);
      expect(expected).toMatchObject({ outcome, ...(code === undefined ? {} : { code }) });
      const said = await each(clients.all, (client) => resolve(client, live.kit.root, asked));
      expect(said).toEqual(all(clients.all, saidOf(expected)));
      expect(treeOf(path.dirname(live.kit.root))).toBe(before);
    },
  );

  it.each([
    ["unknown", ["nobody has reviewed this"]],
    ["unknown", ['sa\u0301y "hi" \\ $(id) \u202e=1', "pt-BR"]],
    ["ambiguous", ["bank"]],
    ["resolved-valid", ["only money", "en"]],
    ["request-error", [""]],
  ] as const)(
    "F27: keeps an abstention in a file that is named, as gaps reads it, and nothing of %s else: %j",
    async (outcome, asked) => {
      await inFolder(async (folder) => {
        const expected = await answerTo(live.origin, asked);
        expect(expected.outcome).toBe(outcome);
        for (const client of clients.few) {
          const file = path.join(folder, `-kept by ${client.name.replaceAll("/", " ")}:`);
          const args = ["resolve", "--live", "--keep", file, ...asked];
          const said = [await use(client, live.kit.root, args), await use(client, live.kit.root, args)];
          expect([client.name, said]).toEqual([client.name, [saidOf(expected), saidOf(expected)]]);
          const kept = existsSync(file) ? [...readGaps([readFileSync(file)])] : [];
          const [expression, language = null] = asked;
          const day: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
          const gap = "reason" in expected ? [{ expression, language, reason: expected.reason, count: 1, day }] : [];
          expect([client.name, kept]).toEqual([client.name, [...gap, ...gap]]);
        }
      });
    },
  );

  it("F27: that cannot keep an abstention says so, and prints and exits as it would without", async () => {
    await inFolder(async (folder) => {
      const args = ["resolve", "--live", "--keep", path.join(folder, "none/gaps.ndjson"), "bank"];
      const said = await each(clients.few, (client) => use(client, live.kit.root, args));
      const stderr = "The abstention was not kept: the file cannot be written\n";
      expect(said).toEqual(all(clients.few, { ...saidOf(await answerTo(live.origin, ["bank"])), stderr }));
    });
  });

  it("F29: gives service-error where nothing listens", async () => {
    const copy = copyKit(live.kit.root, { from: live.origin, to: `http://127.0.0.1:${await freePort()}` });
    const said = await each(clients.all, (client) => resolve(client, copy.root, ["bank"]));
    expect(said).toEqual(all(clients.all, saidOf({ outcome: "service-error" })));
    copy.remove();
  });

  it.each(RECIPE_IDS.map((id, index) => [id, index] as const))(
    "F20, F29: of the kit %s goes to the address it was made for",
    async (_id, index) => {
      const some = oneOfEach(clients, index);
      const { root } = live.kits[index] as UnpackedKit;
      const said = await each(some, (client) => resolve(client, root, ["only money", "en"]));
      expect(said).toEqual(all(some, saidOf(await answerTo(live.origin, ["only money", "en"]))));
    },
  );
});

/** What no registry takes but a client may be given all the same. */
// prettier-ignore
const UNREVIEWED = [
  "a\nb", "\n", "a\r\nb", "\t", "a\tb ", " ", "  x  ", "a\u0001b", "\u001b[31m", "\u007f", "\u0085", "\u202eabc\u202c", "\u200b",
  "\ufeffx", "\u2028", "\ufffd", "\uffff", "x".repeat(1000), LONGEST, LONGEST_ASTRAL, String.raw`say "hi" \ </script>`, 'x"}{"',
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
        const upstream = connect(live.port, "127.0.0.1");
        // A service behind another name closes when it has answered, so that the client sees an
        // end.
        upstream.on("error", () => socket.destroy()).pipe(socket);
        upstream.write(request);
        socket.on("close", () => upstream.destroy());
      },
    });
    copy = copyKit(live.kit.root, { from: live.origin, to: `http://127.0.0.1:${relay.port}` });
  });
  afterAll(async () => {
    copy.remove();
    await relay.close();
    await proxy.close();
  });

  /**
   * Runs one client and gives the requests that came of it: the tests here run one after another.
   */
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
      const expected = saidOf(await answerTo(live.origin, asked));
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
        expect([client.name, said]).toEqual([client.name, saidOf(await answerTo(live.origin, ["only money"]))]);
        expect(["log", "body", "jar"].filter((name) => existsSync(path.join(home, name)))).toEqual([]);
        if (client.language !== "powershell") expect(treeOf(home)).toBe(before);
      });
    }
    expect(proxy.connections()).toBe(0);
  });
});
