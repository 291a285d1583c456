import fs, {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { formatDocument } from "../../../runtime/text/json.ts";
import { ReleaseError } from "../../../runtime/release/plain-file.ts";
import { IndexError } from "../../../runtime/registry/index.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { formatSums } from "../../../runtime/release/manifest.ts";
import { sha256 } from "../../../runtime/http/digest.ts";
import { serve } from "../../support/command.ts";
import { freePort } from "../../support/free-port.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { ownRelease } from "../../support/release.ts";
import { serveFolder } from "../../support/service.ts";

/** What a server answers to an expression of the large registry; `refused` where it is gone. */
function ask(port: number): Promise<string> {
  return fetch(`http://127.0.0.1:${port}/api/v1/resolve`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ expression: "a rather long expression number 1" }),
  }).then(
    async (answer) => `${answer.status} ${await answer.text()}`,
    () => "refused",
  );
}

describe("a registry of many pieces", () => {
  const texts = Array.from({ length: 9000 }, (_, i) => expression("en", `a rather long expression number ${i}`));
  const names = ["registry.index", "registry/bundle.ndjson"];
  let directory: string;
  beforeAll(async () => {
    directory = await ownRelease(checkedRegistry({ concepts: [concept("LARGE", texts)] }));
  });
  afterAll(() => rmSync(path.dirname(directory), { recursive: true }));

  /** Calls `use` with each of some bits of a file changed. */
  async function withChanges(name: string, use: (at: number) => Promise<void> | void): Promise<void> {
    const file = path.join(directory, name);
    const whole = readFileSync(file);
    // Many blocks and pieces, and a last one that is shorter.
    expect(whole.length).toBeGreaterThan(450_000);
    for (const at of [70_000, 262_143, 262_144, 393_216, whole.length - 300, whole.length - 1]) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(file, bytes);
      await use(at);
    }
    writeFileSync(file, whole);
  }

  it("is opened and checked, in memory and by position", async () => {
    for (const limit of [0, Number.MAX_SAFE_INTEGER]) {
      const release = openRelease(directory, limit);
      expect(release.index.expressionCount).toBe(9000);
      expect(await release.check()).toBeUndefined();
      release.close();
    }
  });

  it.each(names)("is refused at once where it is held in memory: one other bit of %s", async (name) => {
    await withChanges(name, (at) => {
      expect(() => openRelease(directory).close(), String(at)).toThrow(ReleaseError);
    });
  });

  it.each(names)("is never answered from where it is not: by position, one other bit of %s", async (name) => {
    await withChanges(name, async (at) => {
      let release: Release;
      try {
        release = openRelease(directory, 0);
      } catch (error) {
        // What the opening reads.
        return expect(error).toBeInstanceOf(ReleaseError);
      }
      const { source } = release.index;
      const place = name === "registry.index" ? release.index.sections.bundle.length + at : at;
      expect(() => source.read(place, 1), String(at)).toThrow(IndexError);
      expect(() => source.read(place - 65_536, 65_540), String(at)).toThrow(IndexError);
      expect(source.read((place + 200_000) % source.length, 1).length).toBe(1);
      expect(await release.check()).toBe(
        `${path.join(directory, name)} differs from its digest in manifest.json: restore the file or build again`,
      );
      release.close();
    });
  });

  it("that is damaged ends a server that has already started, with exit code 2", async () => {
    const served = await serve("lib/runtime/main.js", ["--out", directory], { INDEX_MEMORY_MAX_BYTES: "0" });
    served.child.kill();
    expect([await served.exit, served.stderr()]).toEqual([0, ""]);
    const file = path.join(directory, "registry/bundle.ndjson");
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.concat([whole.subarray(0, 300_000), Buffer.from("X"), whole.subarray(300_001)]));
    const damaged = await serve("lib/runtime/main.js", ["--out", directory], { INDEX_MEMORY_MAX_BYTES: "0" });
    expect(await damaged.exit).toBe(2);
    expect(damaged.stderr().split("\n")).toContain(
      `${file} differs from its digest in manifest.json: restore the file or build again`,
    );
    writeFileSync(file, whole);
  });

  it("is reported as damaged if it is cut short after it was opened", async () => {
    const file = path.join(directory, "registry.index");
    const whole = readFileSync(file);
    const release = openRelease(directory, 0);
    truncateSync(file, 300_000);
    expect(await release.check()).toMatch(/registry\.index differs from its digest/);
    release.close();
    writeFileSync(file, whole);
  });

  it("is closed once, and a read after it throws, although its descriptor is that of another file by then", () => {
    const release = openRelease(directory, 0);
    release.close();
    const others = ["a", "b"].map((name) => openSync(path.join(directory, "..", name), "w"));
    release.close();
    expect(others.map((descriptor) => writeSync(descriptor, "x"))).toEqual([1, 1]);
    expect(() => release.index.postings("a rather long expression number 1")).toThrow(IndexError);
    for (const descriptor of others) closeSync(descriptor);
  });

  it("is not answered from once it was written to, though the same bytes were answered before: the server ends with 2", async () => {
    const file = path.join(directory, "registry.index");
    const whole = readFileSync(file);
    const served = await serve("lib/runtime/main.js", ["--out", directory], { INDEX_MEMORY_MAX_BYTES: "0" });
    expect(await ask(served.port)).toMatch(/^200 .*"LARGE"/);
    const changed = Buffer.from(whole);
    for (let at = 0; (at = changed.indexOf('"code":"LARGE"', at)) >= 0;) at += changed.write('"code":"OTHER"', at);
    try {
      writeFileSync(file, changed);
      expect(await ask(served.port)).toMatch(/^503 .*"registry_unavailable"|^refused$/);
      expect(await served.exit, served.stderr()).toBe(2);
      expect(served.stderr()).toMatch(/registry\.index differs from its digest in manifest\.json/);
    } finally {
      writeFileSync(file, whole);
    }
  });

  // As a write through a memory map may do: neither the size nor a time of the file changes.
  it.each([0, 65_536])("is 503, never another code, where its bytes change without a trace: %i bytes are held", async (limit) => {
    const service = await serveFolder(directory, limit);
    const { release, port } = service;
    const { readSync } = fs;
    try {
      expect(await ask(port)).toMatch(/^200 .*"LARGE"/);
      fs.readSync = ((descriptor: number, into: Buffer, ...rest: [number, number, number]) => {
        const length = readSync(descriptor, into, ...rest);
        const bytes = Buffer.from(into.buffer, into.byteOffset, into.length);
        for (let at = 0; (at = bytes.indexOf('"code":"LARGE"', at)) >= 0;) at += bytes.write('"code":"OTHER"', at);
        return length;
      }) as typeof readSync;
      const answers = [await ask(port)];
      // Other blocks replace those that are held.
      release.index.source.read(100_000, 200_000);
      answers.push(await ask(port));
      for (const answer of limit === 0 ? answers : answers.slice(1)) expect(answer).toMatch(/^503 .*"registry_unavailable"/);
      expect(answers.join()).not.toContain("OTHER");
      expect(await release.damage).toMatch(/differs from its digest in manifest\.json/);
      fs.readSync = readSync;
      expect(await ask(port)).toMatch(/^200 .*"LARGE"/);
    } finally {
      fs.readSync = readSync;
      await service.close();
    }
  }); // prettier-ignore

  it("is answered with 503 while its index is cut short, and with 200 once it is whole", async () => {
    const file = path.join(directory, "registry.index");
    const whole = readFileSync(file);
    const admin = `127.0.0.1:${await freePort()}`;
    const env = { INDEX_MEMORY_MAX_BYTES: "0", ADMIN_ADDRESS: admin };
    const served = await serve("lib/runtime/main.js", ["--out", directory], env);
    const readiness = async (): Promise<string> => (await fetch(`http://${admin}/readyz`)).text();
    // Until then, what is cut is damage: the whole was not compared with its digests yet.
    while ((await readiness()) !== "ready\n") await sleep(50);
    try {
      expect(await ask(served.port)).toMatch(/^200 .*"LARGE"/);
      truncateSync(file, 1000);
      expect(await ask(served.port)).toMatch(/^503 .*"registry_unavailable"/);
    } finally {
      writeFileSync(file, whole);
    }
    expect(await ask(served.port)).toMatch(/^200 .*"LARGE"/);
    served.child.kill();
    expect(await served.exit).toBe(0);
  });

  it.each(["manifest.json", "SHA256SUMS", "registry.blocks", "mcp.json"])("is refused unread where a file next to it is huge: %s", (name) => {
    const file = path.join(directory, name);
    const { size } = statSync(file);
    // More than one text can hold, and no more on disk than before.
    truncateSync(file, 600 * 1024 * 1024);
    try {
      const before = process.memoryUsage().rss;
      expect(() => openRelease(directory)).toThrow(/^[^\n]* has more than \d+ bytes, the most it can have: restore the file or build again$/);
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    } finally {
      truncateSync(file, size);
    }
  }); // prettier-ignore

  it("is refused if it is the whole index of another release, although its blocks match their digests", async () => {
    const manifest = JSON.parse(readFileSync(path.join(directory, "manifest.json"), "utf8")) as Manifest;
    const files = manifest.files.map((one) =>
      one.path === "registry.index" ? { ...one, sha256: "0".repeat(64) } : one,
    );
    const text = formatDocument({ ...manifest, files });
    writeFileSync(path.join(directory, "manifest.json"), text);
    const identity = ".well-known/service-semantics-deployment.json";
    const listed = [
      { path: "manifest.json", sha256: sha256(Buffer.from(text)) },
      { path: identity, sha256: "0".repeat(64) },
    ];
    writeFileSync(path.join(directory, "SHA256SUMS"), formatSums([...files, ...listed]));
    expect(() => openRelease(directory)).toThrow(/registry\.index differs from its digest/);
    const release = openRelease(directory, 0);
    expect(await release.check()).toMatch(/registry\.index differs from its digest/);
    release.close();
  });
});
