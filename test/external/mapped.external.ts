/**
 * Bytes that are written through a memory map: the file system may move no time of the file for it,
 * so only whoever compares the bytes notices. Node cannot map files; Python can.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../support/command.ts";
import { checkedRegistry, concept, expression } from "../support/registry.ts";
import { ownRelease } from "../support/release.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) process.stderr.write("Not run: writes through a memory map need python3\n");

/** Maps a file, touches each page, says so; then writes another code where a line says so. */
const WRITER = `
import mmap, sys
file = open(sys.argv[1], "r+b")
mapped = mmap.mmap(file.fileno(), 0)
for at in range(0, len(mapped), 4096): mapped[at] = mapped[at]
print("mapped", flush=True)
sys.stdin.readline()
at = mapped.find(b'"code":"MAPPED"')
while at >= 0:
    mapped[at + 8:at + 14] = b"FORGED"
    at = mapped.find(b'"code":"MAPPED"')
print("written", flush=True)
sys.stdin.readline()
`;

interface Writer {
  readonly child: ChildProcess;
  /** Resolves to the next line. */
  line(): Promise<string>;
}

async function mapFile(file: string): Promise<Writer> {
  const child = spawn("python3", ["-c", WRITER, file], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await lines.next()).value);
  expect(await line()).toBe("mapped");
  return { child, line };
}

const texts = Array.from({ length: 9000 }, (_, i) => expression("en", `a rather long expression number ${i}`));

/** What a server answers; `refused` where it has ended. */
const ask = (port: number, n: number): Promise<string> =>
  fetch(`http://127.0.0.1:${port}/api/v1/resolve`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ expression: `a rather long expression number ${n}` }),
  }).then(
    async (answer) => `${answer.status} ${await answer.text()}`,
    () => "refused",
  );

describe.runIf(hasPython)("a registry on disk that somebody has mapped", () => {
  it.each([["0"], ["65536"]])("is never answered from with another code, strict or not, with %s bytes held: 503, and the end with 2", async (held) => {
    for (const strict of [[], ["--strict"]]) {
      const directory = await ownRelease(checkedRegistry({ concepts: [concept("MAPPED", texts)] }));
      onTestFinished(() => rmSync(path.dirname(directory), { recursive: true, force: true }));
      const file = path.join(directory, "registry.index");
      const writer = await mapFile(file);
      const served = await serve("lib/runtime/main.js", ["--out", directory, ...strict], { INDEX_MEMORY_MAX_BYTES: held }); // prettier-ignore
      onTestFinished(() => void served.child.kill("SIGKILL"));
      expect(await ask(served.port, 1)).toMatch(/^200 .*"code":"MAPPED"/);
      const before = statSync(file, { bigint: true });
      writer.child.stdin?.write("go\n");
      expect(await writer.line()).toBe("written");
      expect(readFileSync(file).includes('"code":"FORGED"')).toBe(true);
      const after = statSync(file, { bigint: true });
      // In memory, no time of a file moves for it; on a disk one may.
      if (directory.startsWith("/dev/shm/"))
        expect([after.mtimeNs, after.ctimeNs]).toEqual([before.mtimeNs, before.ctimeNs]);
      // What is held is right for as long as it is; the rest of the registry takes its place.
      expect(await ask(served.port, 2)).toMatch(held === "0" ? /^503 |^refused$/ : /^200 .*"code":"MAPPED"/);
      await fetch(`http://127.0.0.1:${served.port}/registry/bundle.ndjson`)
        .then((answer) => answer.text())
        .catch(() => undefined);
      expect(await ask(served.port, 2)).toMatch(/^503 |^refused$/);
      expect(await served.exit).toBe(2);
      expect(served.stderr()).toContain("registry.index differs from its digest in manifest.json");
    }
  }); // prettier-ignore

  it("is found by the deployment identity, which compares bytes, where nobody asks for them", async () => {
    const directory = await ownRelease(checkedRegistry({ concepts: [concept("MAPPED", texts)] }));
    onTestFinished(() => rmSync(path.dirname(directory), { recursive: true, force: true }));
    const writer = await mapFile(path.join(directory, "registry.index"));
    // Held in memory as a whole, so no answer can change.
    const served = await serve("lib/runtime/main.js", ["--out", directory], {});
    onTestFinished(() => void served.child.kill("SIGKILL"));
    const identity = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${served.port}/.well-known/service-semantics-deployment.json`)).status;
    expect(await identity()).toBe(200);
    writer.child.stdin?.write("go\n");
    expect(await writer.line()).toBe("written");
    expect(await ask(served.port, 1)).toMatch(/^200 .*"code":"MAPPED"/);
    // A pass is used for a second.
    while ((await identity()) === 200) await sleep(50);
    expect(await ask(served.port, 2)).toMatch(/^200 .*"code":"MAPPED"/);
  });
});
