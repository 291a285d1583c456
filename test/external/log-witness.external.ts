/**
 * A log cosigned by a witness of others, litewitness, and a release's proof checked by spicy: both
 * from torchwood, with Go's own note and tlog. Skipped aloud where their programs are not here.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { splitRecords } from "../../generator/tools/log/verifier.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";
import { appendAndSign, copyHome, forge, type Home, must, newHome, release, VERSIONS } from "../tools/log/home.ts";

const PROGRAMS = ["litewitness", "witnessctl", "spicy-torchwood", "ssh-agent", "ssh-add", "ssh-keygen"];
const missing = PROGRAMS.filter((program) => spawnSync("which", [program]).status !== 0);
if (missing.length > 0)
  console.warn(`Skipped, ${missing.join(", ")} not here: apt-get install torchwood openssh-client`);

const running: ChildProcess[] = [];
afterAll(() => running.forEach((child) => child.kill()));

function succeed(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env: { ...process.env, ...env } });
  expect([program, status, status === 0 ? "" : stderr]).toEqual([program, 0, ""]);
  return stdout;
}

/** Starts a program, and waits until it says this or answers. */
async function start(program: string, args: readonly string[], isReady: (said: string) => boolean): Promise<string> {
  let said = "";
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await until(() => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${said}`);
    return isReady(said);
  });
  return said;
}

interface ForeignWitness {
  readonly url: string;
  readonly vkey: string;
  /** The size of the log that it saw last. */
  size(): number;
}

/** Its key is in an ssh-agent, which is where litewitness asks for signatures. */
async function startLitewitness(vkey: string): Promise<ForeignWitness> {
  const folder = mkdtempSync(path.join(tmpdir(), "lite-"));
  const at = (name: string): string => path.join(folder, name);
  succeed("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at("key")]);
  await start("ssh-agent", ["-D", "-a", at("agent")], (said) => said.includes("SSH_AUTH_SOCK"));
  succeed("ssh-add", ["-q", at("key")], { SSH_AUTH_SOCK: at("agent") });
  const fingerprint = succeed("ssh-keygen", ["-lf", at("key.pub")]).split(" ")[1] ?? "";
  const listen = `127.0.0.1:${await freePort()}`;
  const ofKey = ["-name", "witness.example/lite", "-key", fingerprint, "-ssh-agent", at("agent")];
  const said = await start("litewitness", ["-db", at("db"), "-listen", listen, ...ofKey], (text) =>
    text.includes("msg=listening"),
  );
  const origin = vkey.split("+")[0] ?? "";
  succeed("witnessctl", ["add-log", "-db", at("db"), "-origin", origin]);
  succeed("witnessctl", ["add-key", "-db", at("db"), "-origin", origin, "-key", vkey]);
  const size = (): number =>
    (JSON.parse(succeed("witnessctl", ["list-logs", "-db", at("db")])) as { size: number }).size;
  return { url: `http://${listen}`, vkey: /vkey=(\S+)/.exec(said)?.[1] ?? "", size };
}

describe.skipIf(missing.length > 0)("litewitness", () => {
  let home: Home;
  let witness: ForeignWitness;

  beforeAll(async () => {
    home = await newHome();
    witness = await startLitewitness(home.vkey);
    writeFileSync(home.at("log/policy"), `log ${home.vkey}\nwitness lite ${witness.vkey}\nquorum lite\n`);
    await release(home, VERSIONS[0] ?? "");
    await appendAndSign(home);
  });

  const ask = (from: Home) => from.log("witness", "--to", witness.url);
  const expectQuorum = async (size: number): Promise<void> => {
    expect(witness.size()).toBe(size);
    const { stdout } = await must(home.log("prove", "--release", VERSIONS[size - 1] ?? ""));
    writeFileSync(home.at("proof"), stdout);
    const verified = await must(
      home.log("verify", home.at("proof"), "--vkey", home.vkey, "--policy", home.at("log/policy")),
    );
    expect(verified.stdout).toContain("Seen by lite");
  };

  it("cosigns the first checkpoint, and the same again", async () => {
    for (let time = 0; time < 2; time++) {
      await must(ask(home));
      await expectQuorum(1);
    }
  });

  it("cosigns a checkpoint two releases later, with the proof from the size that it answers", async () => {
    for (const version of VERSIONS.slice(1, 3)) {
      await release(home, version);
      await appendAndSign(home);
    }
    await must(ask(home));
    await expectQuorum(3);
  });

  it("refuses a log that was cut back, a fork, and the key of another log", async () => {
    const entriesOf = (from: Home) =>
      splitRecords(readFileSync(from.at("log/tile/entries/000.p/3")), "entries").map(
        (bytes) => JSON.parse(Buffer.from(bytes).toString()) as Parameters<typeof forge>[1][number],
      );
    const entries = entriesOf(home);
    const [cut, fork, other] = [copyHome(home), copyHome(home), copyHome(home)];
    forge(cut, entries.slice(0, 2));
    forge(fork, [...entries.slice(0, 2), ...entries.slice(0, 2)]);
    const stranger = await newHome();
    writeFileSync(other.at("log/vkey"), `${stranger.vkey}\n`);
    writeFileSync(
      other.at("log/policy"),
      readFileSync(home.at("log/policy"), "utf8").replace(home.vkey, stranger.vkey),
    );
    forge(
      { ...other, vkey: stranger.vkey, at: (name) => (name === "key" ? stranger.at(name) : other.at(name)) },
      entries,
    );
    for (const [from, reason] of [
      [cut, "has seen a checkpoint of size 3, but this log has 2: it was cut back"],
      [fork, "answers 422: the checkpoint contradicts what it has seen"],
      [other, "answers 403: it does not know the key of this log"],
    ] as const) {
      const { code, stderr } = await ask(from);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
      expect(witness.size()).toBe(3);
    }
  });
});

describe.skipIf(missing.length > 0)("spicy", () => {
  it("finds a release in the log by its proof, and no other entry", async () => {
    const home = await newHome();
    for (const version of VERSIONS.slice(0, 3)) {
      await release(home, version);
      await appendAndSign(home);
    }
    const entries = splitRecords(readFileSync(home.at("log/tile/entries/000.p/3")), "entries");
    const isVerified = (version: string, entry: Uint8Array): boolean => {
      // A spicy signature is a tlog-proof without its first two lines, of the file next to it.
      const [, , ...rest] = readFileSync(home.at(`log/${version}.tlog-proof`), "utf8").split("\n");
      writeFileSync(home.at("entry"), entry);
      writeFileSync(home.at("entry.spicy"), rest.join("\n"));
      return spawnSync("spicy-torchwood", ["-verify", home.vkey, home.at("entry")]).status === 0;
    };
    for (const [i, version] of VERSIONS.slice(0, 3).entries())
      expect([version, ...entries.map((entry) => isVerified(version, entry))]).toEqual([
        version,
        ...entries.map((_entry, other) => other === i),
      ]);
  });
});
