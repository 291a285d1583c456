/** A log from its first release to a dishonest owner, by the commands on real folders. */
import { createServer } from "node:http";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import canonicalize from "canonicalize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeBase64, parseVerifierKey, policyOfLog, webCrypto } from "../../../generator/tools/log/c2sp.ts";
import { nodeCryptography } from "../../../generator/tools/log/cryptography.ts";
import type * as ProverModule from "../../../generator/tools/log/browser.ts";
import type * as VerifierModule from "../../../generator/tools/log/module.ts";
import { parsePolicy } from "../../../generator/tools/log/policy.ts";
import { TreeWriter } from "../../../generator/tools/log/tiles.ts";
import { type Binding, type Entry, splitRecords, verifyProof } from "../../../generator/tools/log/verifier.ts";
import type { Outcome } from "../../support/command.ts";
import { filesIn } from "../../support/files.ts";
import { random } from "../../support/random.ts";
import { concept, expression } from "../../support/registry.ts";
import { appendAndSign, copyHome, forge, type Home, must, newHome, release, RELEASES, VERSIONS } from "./home.ts";
import { startWitness, type Witness } from "./witness-server.ts";

let home: Home;
/** The log as it was signed at each size. */
const logs: string[] = [];
let witness: Witness;

beforeAll(async () => {
  home = await newHome();
  witness = await startWitness(home.vkey);
  writeFileSync(home.at("log/policy"), `log ${home.vkey}\nwitness w ${witness.vkey} ${witness.url}\nquorum w\n`);
  for (const version of VERSIONS) {
    await release(home, version);
    await appendAndSign(home);
    await must(home.log("witness", "--to", witness.url));
    const log = home.at(`logs/${version}`);
    cpSync(home.at("log"), log, { recursive: true });
    logs.push(log);
  }
});
afterAll(() => witness.close());

const recordsOf = (place: string): unknown[] =>
  splitRecords(readFileSync(place), place).map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as unknown);
const entries = (): Entry[] => recordsOf(home.at("log/tile/entries/000.p/4")) as Entry[];
const bindings = (): Binding[] => {
  const folder = home.at("log/bindings/tile/entries/000.p");
  return recordsOf(path.join(folder, readdirSync(folder)[0] ?? "")) as Binding[];
};
const check = (log: string, ...args: string[]): Promise<Outcome> =>
  home.log("check", log, "--vkey", home.vkey, ...args);
async function prove(...args: string[]): Promise<string> {
  return (await must(home.log("prove", ...args))).stdout;
}
type Verifier = typeof VerifierModule & typeof ProverModule;

/** The module that a release serves makes the proof that the command makes. */
async function expectModuleToProve(address: string): Promise<void> {
  const file = path.resolve("lib/generator/documents/modules/verifier.js");
  const { proveExpressions, verifyProof: verifyInProgram } = (await import(file)) as Verifier;
  const policy = readFileSync(home.at("log/policy"), "utf8");
  const pairs = [
    { expression: "zwei", language: "DE" },
    { expression: "never", language: "en" },
    { expression: "pair", language: "en" },
  ];
  const proof = await proveExpressions(address, policy, pairs);
  const { registryVersion, bindings: proven } = await verifyInProgram(proof, policy);
  expect([registryVersion, proven?.map(({ expression: text }) => text).toSorted()]).toEqual([
    "2026.12.4",
    ["pair", "zwei"],
  ]);
  const other = (await newHome()).vkey;
  await expect(proveExpressions(address, `log ${other}\nquorum none\n`, pairs)).rejects.toThrow("has the key id");
  await expect(proveExpressions(`${address}/nowhere`, policy, pairs)).rejects.toThrow("has no checkpoint");
}

let proofs = 0;
function verify(proof: string, ...args: string[]): Promise<Outcome> {
  const file = home.at(`proof-${proofs++}`);
  writeFileSync(file, proof);
  return home.log("verify", file, "--vkey", home.vkey, ...args);
}

describe("the bindings of four releases", () => {
  it("hold every code that each pair ever had, with the version from which", () => {
    const said = bindings().map(({ codes, expression: text, language }) => [text, language, ...codes.flat()].join(" "));
    expect(said.sort()).toEqual([
      "deux fr C-3 2026.12.2",
      "one  C-1 2026.12.4 C-4 2026.12.4",
      "one en C-1 2026.12.1 C-4 2026.12.4",
      "pair en C-2 2026.12.1",
      "two  C-2 2026.12.2 C-3 2026.12.2",
      "two en C-2 2026.12.1 C-3 2026.12.2",
      "um pt-BR C-1 2026.12.1",
      "zwei de C-2 2026.12.1",
    ]);
  });

  it("are entries and leaves in the form of RFC 8785", () => {
    const folder = home.at("log/bindings/tile/entries/000.p");
    for (const place of [home.at("log/tile/entries/000.p/4"), path.join(folder, readdirSync(folder)[0] ?? "")])
      for (const bytes of splitRecords(readFileSync(place), place)) {
        const text = Buffer.from(bytes).toString();
        expect(text).toBe(canonicalize(JSON.parse(text)));
      }
  });

  it("are what a registry that begins its log later has of its release", async () => {
    const late = await newHome();
    for (const version of VERSIONS) await release(late, version);
    await appendAndSign(late);
    expect((await must(late.log("check", "log", "--vkey", late.vkey, "--dist", "dist"))).stdout).toContain(
      "1 release, 6",
    );
  });
});

describe("the entry of a release", () => {
  it("names what it is of, and counts reassignments", () => {
    const { bindings: tree, ...last } = entries()[3] as Entry;
    expect(last).toMatchObject({
      origin: "https://registry.example",
      previous: "2026.12.3",
      reassigned: 2,
      registry: "Test",
      registryVersion: "2026.12.4",
      schema: "service-semantics.log-entry.v1",
    });
    expect(tree.count).toBe(8);
  });
});

describe("the files of the log", () => {
  it("keep the partial tiles of every checkpoint", () => {
    expect(readdirSync(home.at("log/tile/0/000.p"))).toEqual(["1", "2", "3", "4"]);
    expect(readdirSync(home.at("log/tile/entries/000.p"))).toEqual(["1", "2", "3", "4"]);
  });

  it("are the same bytes from another machine with the key, cosignatures apart", async () => {
    const other = copyHome(home);
    for (const name of ["log/tile", "log/bindings", "log/checkpoint"]) rmSync(other.at(name), { recursive: true });
    for (const name of ["registry", "dist"]) rmSync(other.at(name), { recursive: true });
    for (const version of VERSIONS) {
      await release(other, version);
      await appendAndSign(other);
    }
    const plain = (place: string): Record<string, string> =>
      Object.fromEntries(
        Object.entries(filesIn(place))
          .filter(([name]) => /^(?:tile|bindings|vkey)|^checkpoint/.test(name))
          .map(([name, bytes]) => [name, bytes.toString("latin1").replace(/^.* witness.*\n/gm, "")]),
      );
    expect(plain(other.at("log"))).toEqual(plain(home.at("log")));
  });
});

describe("log append", () => {
  it("changes nothing for a release that is there", async () => {
    const before = filesIn(home.at("log"));
    expect((await must(home.log("append"))).stdout).toBe("2026.12.4 with 8 bindings is entry 3 already\n");
    expect(filesIn(home.at("log"))).toEqual(before);
  });

  it("finishes what a killed run left, with the same bytes", async () => {
    const other = copyHome(home);
    rmSync(other.at("log"), { recursive: true });
    cpSync(logs[2] ?? "", other.at("log"), { recursive: true });
    // Killed after the bindings of the next release were in place.
    rmSync(other.at("log/bindings"), { recursive: true });
    cpSync(home.at("log/bindings"), other.at("log/bindings"), { recursive: true });
    await appendAndSign(other);
    expect(filesIn(other.at("log/bindings"))).toEqual(filesIn(home.at("log/bindings")));
    expect(filesIn(other.at("log/tile"))).toEqual(filesIn(home.at("log/tile")));
  });

  const refused: [string, (other: Home) => void, string][] = [
    [
      "a history that lost a release",
      (other) => edit(other.at("registry/history.yaml"), /^- registryVersion: 2026.12.2\n(?: .*\n)*/m, ""),
      "history",
    ],
    ["a dist of another release", (other) => copyOver(other.at("dists/2026.12.1"), other.at("dist")), "is 2026.12.1"],
    [
      "a log that lacks the release before",
      (other) => copyOver(logs[1] ?? "", other.at("log")),
      "2026.12.4 states the log of size 3: The log has size 2, but had 3 before: it was cut back",
    ],
    [
      "bindings that were changed",
      (other) => edit(other.at("log/bindings/tile/entries/000.p/8"), "C-4", "C-5"),
      "restore it from version control",
    ],
  ];
  it.each(refused)("refuses %s, and writes nothing", async (_, change, message) => {
    const other = copyHome(home);
    if (message.startsWith("restore")) copyOver(logs[2] ?? "", other.at("log"));
    change(message.startsWith("restore") ? damaged(other) : other);
    const before = filesIn(other.at("log"));
    const { code, stderr } = await other.log("append");
    expect([code > 0, stderr]).toEqual([true, expect.stringContaining(message)]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(filesIn(other.at("log"))).toEqual(before);
  });

  it("refuses a version that the log has with other bytes", async () => {
    const other = copyHome(home);
    const { registry, dist } = { registry: other.at("service.yaml"), dist: other.at("dist") };
    writeFileSync(registry, "origin: https://elsewhere.example\n");
    rmSync(dist, { recursive: true });
    await release(other, "2026.12.4");
    const { code, stderr } = await other.log("append");
    expect([code, stderr]).toEqual([1, expect.stringContaining("a version is logged once")]);
  });
});

/** Leaves of the third release with one code changed. */
function damaged(other: Home): Home {
  const place = other.at("log/bindings/tile/entries/000.p");
  const [name = ""] = readdirSync(place);
  edit(path.join(place, name), "C-3", "C-9");
  writeFileSync(path.join(place, "8"), readFileSync(path.join(place, name)));
  if (name !== "8") rmSync(path.join(place, name));
  return other;
}

function copyOver(from: string, to: string): void {
  rmSync(to, { recursive: true });
  cpSync(from, to, { recursive: true });
}

function edit(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(file, "latin1");
  writeFileSync(file, text.replace(from, to), "latin1");
}

describe("keys", () => {
  it("are files of mode 0600 outside the repository, never overwritten and never printed", async () => {
    expect(statSync(home.at("key")).mode & 0o777).toBe(0o600);
    const secret = readFileSync(home.at("key"), "utf8").split("\n")[1] ?? "x";
    const again = await home.log("init", "--key", home.at("key"), "--log", "other", "--name", "a");
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("never overwritten")]);
    expect(existsSync(home.at("other"))).toBe(false);
    const all = Object.values(filesIn(home.directory)).map(String).join("") + again.stderr + again.stdout;
    expect(all).not.toContain(secret);
  });

  it("are refused in a repository", async () => {
    const other = copyHome(home);
    writeFileSync(other.at(".git"), "gitdir: elsewhere\n");
    const { code, stderr } = await other.log("init", "--key", "key.pem", "--log", "second", "--name", "a");
    expect([code, stderr]).toEqual([2, expect.stringContaining("is in the repository")]);
  });

  it.each([
    ["that others can read", (file: string) => chmodSync(file, 0o644), "can be read by others"],
    ["of another log", (file: string) => cpSync(other.at("key"), file), "is not the key of registry.example/log"],
    [
      "that is no key",
      (file: string) => writeFileSync(file, "-----BEGIN PRIVATE KEY-----\nsecret\n"),
      "is not an Ed25519 key",
    ],
  ])("%s are not used to sign", async (_, change, message) => {
    const file = home.at("copy.pem");
    cpSync(home.at("key"), file);
    change(file);
    const { code, stderr, stdout } = await home.log("sign", "--key", file);
    expect([code, stderr, stdout]).toEqual([2, expect.stringContaining(message), ""]);
    expect(stderr).not.toContain("secret");
    rmSync(file);
  });
  let other: Home;
  beforeAll(async () => {
    other = await newHome();
  });

  it("never sign what contradicts a signed checkpoint", async () => {
    const copy = copyHome(home);
    const root = (size: number): string => {
      const tree = new TreeWriter(() => undefined);
      for (const entry of entries().slice(0, size)) tree.add(Buffer.from(JSON.stringify(entry)));
      return encodeBase64(tree.finish().root);
    };
    writeFileSync(copy.at("log/checkpoint.unsigned"), `registry.example/log\n3\n${root(3)}\n`);
    const { code, stderr } = await copy.log("sign", "--key", copy.at("key"));
    expect([code, stderr]).toEqual([1, expect.stringContaining("contradict the checkpoint of size 4")]);
  });
});

describe("a proof", () => {
  it("says that an expression never meant another code", async () => {
    const proof = await prove("--expression", "pair", "--language", "en");
    const { stdout } = await must(verify(proof, "--expression", "pair", "--language", "en", "--expect", "C-2"));
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "Test 2026.12.4 is entry 3 of 4 in registry.example/log",
      "No witness is part of this: who controls the log could show others another history",
      '"pair" in en has meant C-2 from 2026.12.1, and no other code',
    ]);
  });

  it("shows a reassignment for ever", async () => {
    const { code, stderr } = await verify(await prove("--expression", "two", "--language", "en"), "--expect", "C-3");
    expect([code, stderr]).toEqual([1, '"two" has meant C-2 from 2026.12.1, C-3 from 2026.12.2, not C-3 alone\n']);
    const bare = await must(verify(await prove("--expression", "two", "--without-language")));
    expect(bare.stdout).toContain('"two" in no language has meant C-2 from 2026.12.2, then C-3 from 2026.12.2\n');
  });

  it("says that an expression was never bound, by its neighbours, and nothing of any other", async () => {
    for (const text of ["never", "a", "zz", "zwei", "é", "e\u0301"]) {
      const asked = ["--expression", text, "--language", "fr"];
      const proof = await prove(...asked);
      expect((await must(verify(proof, ...asked))).stdout).toContain("was never bound to a code");
    }
    const other = await verify(
      await prove("--expression", "never", "--language", "fr"),
      "--expression",
      "two",
      "--language",
      "en",
    );
    expect([other.code, other.stderr]).toEqual([1, 'The proof is not about "two" in en\n']);
  });

  it("is of every expression of a code, and of a release alone", async () => {
    const { stdout } = await must(verify(await prove("--code", "C-1"), "--expression", "um"));
    expect(stdout).toContain('"um" in pt-BR has meant C-1 from 2026.12.1, and no other code');
    const own = await must(verify(await prove("--release", "2026.12.2")));
    expect(own.stdout).toContain("2026.12.2 is entry 1 of 4");
    const wrong = await verify(await prove("--release", "2026.12.2"), "--expression", "two");
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("of the release 2026.12.2 alone")]);
  });

  it("answers a request in a dialect by the language that has the expression", async () => {
    const proof = await prove("--expression", "zwei", "--language", "de-AT");
    expect((await must(verify(proof, "--language", "de"))).stdout).toContain('"zwei" in de has meant C-2');
  });

  it("asks for the language of an expression that is in several, or in none", async () => {
    const none = await home.log("prove", "--expression", "never");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("never bound in any language")]);
  });

  it("counts with a policy only if its quorum has cosigned", async () => {
    const proof = await prove("--release", "2026.12.4");
    const seen = await must(verify(proof, "--policy", home.at("log/policy")));
    expect(seen.stdout).toContain("Seen by w\n");
    const alone = proof.replace(/^.* witness.*\n/m, "");
    const { code, stderr } = await verify(alone, "--policy", home.at("log/policy"));
    expect([code, stderr]).toEqual([
      1,
      'The checkpoint is cosigned by no known witness, which is not the "quorum w"\n',
    ]);
  });

  it("is verified by the module that other programs import", async () => {
    const proof = await prove("--expression", "pair", "--language", "en");
    const policy = readFileSync(home.at("log/policy"), "utf8");
    const file = path.resolve("lib/generator/tools/log/module.js");
    const { verifyProof: verifyInProgram } = (await import(file)) as typeof VerifierModule;
    const proven = await verifyInProgram(proof, policy, { expression: "pair", language: "en", code: "C-2" });
    expect(proven).toMatchObject({
      log: { origin: "registry.example/log", size: 4 },
      witnesses: [{ name: "w" }],
      registryVersion: "2026.12.4",
      bindings: [{ codes: [["C-2", "2026.12.1"]], expression: "pair", language: "en" }],
    });
    const other = { expression: "pair", language: "en", code: "C-3" };
    await expect(verifyInProgram(proof, policy, other)).rejects.toThrow('"pair" has meant C-2 from 2026.12.1');
  });

  it("of each release was written when it was signed, and still holds", async () => {
    for (const version of VERSIONS) {
      const proof = readFileSync(home.at(`log/${version}.tlog-proof`), "utf8");
      expect((await must(verify(proof))).stdout).toContain(`${version} is entry ${VERSIONS.indexOf(version)} of`);
    }
  });

  it("verifies by WebCrypto as by Node, for 1,000 random pairs", async () => {
    const policy = policyOfLog(await parseVerifierKey(home.vkey, webCrypto));
    const texts = ["one", "two", "pair", "zwei", "deux", "um", "x", "never"];
    const chance = random(1);
    const made = new Map<string, string>();
    for (let i = 0; i < 1000; i++) {
      const text = texts[chance(texts.length)] ?? "";
      const language = ["en", "de", "fr", "pt-BR"][chance(4)] ?? "";
      const asked = { expression: text, language };
      const known = `${text} ${language}`;
      const proof = made.get(known) ?? (await prove("--expression", text, "--language", language));
      made.set(known, proof);
      const cryptography = i % 2 === 0 ? webCrypto : nodeCryptography;
      const { bindings: found } = await verifyProof(proof, { policy, asked, cryptography });
      const due = bindings().filter((one) => one.expression === text && one.language === language);
      expect(found ?? []).toEqual(due);
      // One changed character is refused, wherever it is.
      const at = chance(proof.length);
      const changed = proof.slice(0, at) + (proof[at] === "A" ? "B" : "A") + proof.slice(at + 1);
      const isOfWitness = at > proof.lastIndexOf("\u2014") || proof[at] === "\u2014";
      if (!isOfWitness) await expect(verifyProof(changed, { policy, asked, cryptography })).rejects.toThrow(/./);
    }
  });

  it.each([
    ["of another normal form", (binding: Binding) => ({ ...binding, expression: "e\u0301" }), "is not in Unicode NFC"],
    ["with a member more", (binding: Binding) => ({ ...binding, more: 1 }), "not canonical JSON"],
    ["without a code", (binding: Binding) => ({ ...binding, codes: [] }), "not canonical JSON"],
  ])("of a binding %s is refused", async (_, change, message) => {
    const copy = copyHome(home);
    const changed = bindings().map((binding, i) => (i === 3 ? change(binding) : binding));
    const tree = new TreeWriter(() => undefined);
    for (const one of changed) tree.add(Buffer.from(JSON.stringify(one)));
    const { size, root } = tree.finish();
    const [last = {} as Entry] = entries().slice(-1);
    forge(copy, [...entries().slice(0, -1), { ...last, bindings: { count: size, root: encodeBase64(root) } }], changed);
    const { code, stderr } = await copy.log("check", "log", "--vkey", home.vkey);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe("log witness", () => {
  it("answers a 409 with the right proof, from any size that the witness saw", () => {
    expect(witness.sizes.get("registry.example/log")?.size).toBe(4);
    const lines = readFileSync(home.at("log/checkpoint"), "utf8").trimEnd().split("\n").slice(4);
    expect(lines.map((line) => line.split(" ")[1])).toEqual(["registry.example/log", "witness.example/w1"]);
  });

  it("replaces the cosignature of the same witness", async () => {
    witness.time += 60;
    await must(home.log("witness", "--to", witness.url));
    const note = readFileSync(home.at("log/checkpoint"), "utf8");
    expect(note.match(/witness\.example/g)).toHaveLength(1);
    const policy = await parsePolicy(readFileSync(home.at("log/policy"), "utf8"), nodeCryptography);
    const { checkpoint } = await verifyProof(await prove("--release", "2026.12.4"), {
      policy,
      cryptography: nodeCryptography,
    });
    expect(checkpoint.witnesses).toEqual([{ name: "w", time: witness.time }]);
  });

  it.each([
    { does: "refuses", status: 403, body: "no", message: "answers 403: it does not know the key of this log" },
    { does: "does not know the log", status: 404, body: "no", message: "answers 404: it does not know this log" },
    {
      does: "finds a contradiction",
      status: 422,
      body: "no",
      message: "answers 422: the checkpoint contradicts what it has seen",
    },
    { does: "has seen more", status: 409, body: "5\n", message: "was cut back" },
    { does: "answers no size", status: 409, body: "five", message: "not a decimal number" },
    { does: "answers nothing that can be read", status: 200, body: "hello", message: "no signature" },
    {
      does: "signs with a key that nobody knows",
      status: 200,
      body: "\u2014 other.example YWFhYWFhYWE=\n",
      message: "signatures of unknown keys",
    },
    {
      does: "signs something else",
      status: 200,
      body: "OWN",
      message: "The signature of witness.example/w1 does not verify",
    },
  ])("leaves everything as it was when the witness $does", async ({ status, body, message }) => {
    const before = filesIn(home.at("log"));
    const own = `\u2014 witness.example/w1 ${Buffer.concat([Buffer.from(witness.vkey.split("+")[1] ?? "", "hex"), Buffer.alloc(8), Buffer.alloc(64, 1)]).toString("base64")}\n`;
    witness.misbehave = (response) => response.writeHead(status).end(body === "OWN" ? own : body);
    const { code, stderr } = await home.log("witness", "--to", witness.url);
    witness.misbehave = undefined;
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(filesIn(home.at("log"))).toEqual(before);
  });

  it("leaves everything as it was when the witness closes the connection", async () => {
    const before = filesIn(home.at("log"));
    witness.misbehave = (response) => response.destroy();
    const { code, stderr } = await home.log("witness", "--to", witness.url);
    witness.misbehave = undefined;
    expect([code, stderr]).toEqual([2, expect.stringContaining("closed the connection")]);
    expect(filesIn(home.at("log"))).toEqual(before);
  });
});

describe("log check", () => {
  it("finds the log of every size whole, each continuing the one before", async () => {
    const remember = home.at("seen.json");
    for (const log of logs) await must(check(log, "--remember", remember, "--policy", home.at("log/policy")));
    const dists = VERSIONS.flatMap((version) => ["--dist", home.at(`dists/${version}`)]);
    const { stdout } = await must(check("log", "--remember", remember, ...dists));
    expect(stdout).toBe("registry.example/log is whole: 4 releases, 8 bindings, and continues what was remembered\n");
  });

  it("reads a log over HTTP as from a folder, and exits with 2 if it cannot", async () => {
    const server = createServer((request, response) => {
      const place = home.at(`log${(request.url ?? "").replace("/log", "")}`);
      if (existsSync(place) && statSync(place).isFile()) response.end(readFileSync(place));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const address = `http://127.0.0.1:${port}/log`;
    expect((await must(check(`${address}/`))).stdout).toContain("4 releases, 8 bindings");
    expect(await prove("--log", address, "--code", "C-2")).toBe(await prove("--code", "C-2"));
    await expectModuleToProve(address);
    const other = await check(`http://127.0.0.1:${port}/nowhere`);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("has no checkpoint")]);
    await new Promise((resolve) => server.close(resolve));
    const gone = await check(`http://127.0.0.1:${port}/log`);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("nothing is listening there")]);
  });

  it("says that a key from the log itself is not pinned", async () => {
    const { code, stderr } = await home.log("check", "log");
    expect([code, stderr]).toEqual([0, expect.stringContaining("pin it with --vkey")]);
  });
});

/** A log signed by the owner, and who finds what. */
interface Dishonest {
  readonly deed: string;
  readonly make: (copy: Home) => void | Promise<void>;
  /** What the monitor finds without any memory; undefined if it cannot. */
  readonly monitor: string | undefined;
  readonly memory: string | undefined;
  /** A monitor that has the published releases. */
  readonly dist?: string;
  readonly witness: boolean;
}

const DEEDS: readonly Dishonest[] = [
  {
    deed: "rewrites history and adapts everything",
    async make(copy) {
      for (const name of ["registry", "dist", "dists", "log/tile", "log/bindings"])
        rmSync(copy.at(name), { recursive: true });
      for (const name of readdirSync(copy.at("log")))
        if (/proof$|^checkpoint/.test(name)) rmSync(copy.at(`log/${name}`));
      const first = [concept("C-1", [expression("en", "one")]), concept("C-2", [expression("en", "another")])];
      for (const version of VERSIONS) {
        await release(copy, version, version === "2026.12.1" ? first : RELEASES[version]);
        await appendAndSign(copy);
      }
    },
    monitor: undefined,
    memory: "history was rewritten",
    dist: "dists/2026.12.1",
    witness: true,
  },
  {
    deed: "forks the log for one client",
    make: (copy) => forge(copy, [...entries().slice(0, 3), { ...(entries()[3] as Entry), sumsSha256: "0".repeat(64) }]),
    monitor: "2026.12.4.tlog-proof: The first 4 entries make the root",
    memory: "history was rewritten",
    dist: "dists/2026.12.4",
    witness: true,
  },
  {
    deed: "cuts the log back",
    make(copy) {
      copyOver(path.join(logs[2] ?? "", "bindings"), copy.at("log/bindings"));
      forge(copy, entries().slice(0, 3));
    },
    monitor: undefined,
    memory: "has size 3, but had 4 before: it was cut back",
    witness: true,
  },
  {
    deed: "drops a release",
    make: (copy) =>
      forge(
        copy,
        entries().filter(({ registryVersion }) => registryVersion !== "2026.12.2"),
      ),
    monitor: "2026.12.3 says that it follows 2026.12.2, but the entry before it is 2026.12.1",
    memory: "was cut back",
    witness: true,
  },
  {
    deed: "inserts a release",
    make(copy) {
      const [first, ...rest] = entries();
      forge(copy, [first as Entry, { ...(first as Entry), registryVersion: "2026.12.0" }, ...rest]);
    },
    monitor: "2026.12.0 does not come after 2026.12.1",
    memory: "history was rewritten",
    witness: true,
  },
  {
    deed: "logs a version twice",
    make: (copy) => forge(copy, [...entries(), { ...(entries()[3] as Entry), sumsSha256: "0".repeat(64) }]),
    monitor: "2026.12.4 has two entries",
    memory: undefined,
    witness: false,
  },
  {
    deed: "changes one binding of an old release and adapts everything",
    make(copy) {
      const changed = bindings().map((binding) =>
        binding.expression === "pair" ? { ...binding, codes: [["C-3", "2026.12.1"]] as const } : binding,
      );
      const known = new Set<string>();
      const made = entries().map((entry) => {
        known.add(entry.registryVersion);
        const tree = new TreeWriter(() => undefined);
        for (const { codes, ...rest } of changed) {
          const then = codes.filter(([, version]) => known.has(version));
          if (then.length > 0) tree.add(Buffer.from(JSON.stringify({ codes: then, ...rest })));
        }
        const { size, root } = tree.finish();
        return { ...entry, bindings: { count: size, root: encodeBase64(root) } };
      });
      for (const version of VERSIONS) rmSync(copy.at(`log/${version}.tlog-proof`));
      forge(copy, made, changed);
    },
    monitor: undefined,
    memory: "history was rewritten",
    dist: "dists/2026.12.1",
    witness: true,
  },
  {
    deed: "binds one expression twice",
    make(copy) {
      const [first = {} as Binding, ...rest] = bindings();
      const changed = [first, { ...first, codes: [["C-9", "2026.12.4"]] as const }, ...rest];
      const tree = new TreeWriter(() => undefined);
      for (const one of changed) tree.add(Buffer.from(JSON.stringify(one)));
      const { size, root } = tree.finish();
      const last = { ...(entries()[3] as Entry), bindings: { count: size, root: encodeBase64(root) } };
      forge(copy, [...entries().slice(0, 3), last], changed);
    },
    monitor: "has two bindings in the tree",
    memory: "history was rewritten",
    witness: true,
  },
];

describe.each(DEEDS)("an owner who $deed", ({ make, monitor, memory, dist, witness: isSeen }) => {
  let copy: Home;
  beforeAll(async () => {
    copy = copyHome(home);
    await make(copy);
  });
  const look = (...args: string[]): Promise<Outcome> => copy.log("check", "log", "--vkey", home.vkey, ...args);
  const expectFound = ({ code, stderr }: Outcome, message: string | undefined): void => {
    if (message === undefined) expect([code, stderr]).toEqual([0, ""]);
    else expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  };

  it(`${monitor === undefined ? "passes" : "is found by"} a monitor that looks for the first time`, async () => {
    expectFound(await look(), monitor);
  });

  it(`is ${memory === undefined ? "a continuation for" : "found by"} a client that remembers`, async () => {
    const remember = copy.at("seen.json");
    await must(check(logs[3] ?? "", "--remember", remember));
    const before = readFileSync(remember);
    const { code, stderr } = await look("--remember", remember);
    if (memory === undefined) expect([code, stderr]).toEqual([1, expect.not.stringContaining("rewritten")]);
    else expectFound({ code, stderr, stdout: "" }, memory);
    // What was seen first stays, as the evidence.
    expect(readFileSync(remember)).toEqual(before);
  });

  it.runIf(dist !== undefined)("is found by a monitor that has a published release", async () => {
    const faults = await look("--dist", home.at(dist ?? ""));
    expect([faults.code, faults.stderr]).toEqual([1, expect.stringContaining(home.at(dist ?? ""))]);
  });

  it(`is ${isSeen ? "refused" : "not refused"} by a witness`, async () => {
    writeFileSync(copy.at("log/policy"), `log ${home.vkey}\nwitness w ${witness.vkey}\nquorum none\n`);
    const before = new Map(witness.sizes);
    const { code, stderr } = await copy.log("witness", "--to", witness.url);
    for (const [origin, seen] of before) witness.sizes.set(origin, seen);
    if (!isSeen) expect([code, stderr]).toEqual([0, ""]);
    else expect([code, stderr]).toEqual([1, expect.stringMatching(/answers 422|cut back/)]);
  });
});
