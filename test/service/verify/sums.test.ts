/** Changed bytes, signed again or not: every file and kind of damage; the file is named. */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { Copy, IDENTITY, type Loose, MANIFEST, SUMS } from "../../support/tamper.ts";

let dist: string;
let pipe: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty));
  pipe = path.join(mkdtempSync(path.join(tmpdir(), "pipe-")), "pipe");
  execFileSync("mkfifo", [pipe]);
});

type Damage = (copy: Copy, name: string) => void;

const changed =
  (change: (bytes: Buffer) => Uint8Array): Damage =>
  (copy, name) =>
    copy.write(name, change(copy.read(name)));
const flipped = (at: (length: number) => number): Damage =>
  changed((bytes) => {
    const place = at(bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    return bytes;
  });
const replaced =
  (replace: Damage): Damage =>
  (copy, name) => {
    rmSync(copy.at(name));
    replace(copy, name);
  };

describe("the same damage to every file at once", () => {
  it.each<[string, Damage]>([
    ["the first byte flipped", flipped(() => 0)],
    ["a byte in the middle flipped", flipped((length) => length >> 1)],
    ["the last byte flipped", flipped((length) => length - 1)],
    ["the last byte cut off", changed((bytes) => bytes.subarray(0, -1))],
    ["half of it cut off", changed((bytes) => bytes.subarray(0, bytes.length >> 1))],
    ["a byte appended", changed((bytes) => Buffer.concat([bytes, Buffer.from(" ")]))],
    ["everything in it gone", changed(() => Buffer.alloc(0))],
    ["nothing in its place", replaced(() => undefined)],
    ["a folder in its place", replaced((copy, name) => mkdirSync(copy.at(name)))],
    ["a link to the same bytes in its place", replaced((copy, name) => symlinkSync(path.join(dist, name), copy.at(name)))],
    ["a link to itself in its place", replaced((copy, name) => symlinkSync(copy.at(name), copy.at(name)))],
    ["a pipe that nobody writes to in its place", replaced((copy, name) => linkSync(pipe, copy.at(name)))],
  ])("names each of them, and the sums by themselves: %s", async (_title, damage) => {
    const copy = new Copy(dist);
    const names = copy.names().filter((name) => name !== SUMS);
    expect(names.length).toBeGreaterThan(60);
    for (const name of names) damage(copy, name);
    const faults = await copy.verify();
    expect(names.filter((name) => !faults.some((fault) => fault.startsWith(`${name}: `)))).toEqual([]);
    expect(faults.filter((fault) => fault.includes("\n"))).toEqual([]);
    const other = new Copy(dist);
    damage(other, SUMS);
    expect(other.sums().filter((fault) => fault.includes(SUMS))).not.toEqual([]);
  }); // prettier-ignore
});

describe("a flipped byte of a concept", () => {
  it.each('{":,}[]'.split(""))("is reported as a fault of the bundle: %s", async (sign) => {
    const copy = new Copy(dist);
    const bytes = copy.read("registry/bundle.ndjson");
    const at = bytes.indexOf(sign, bytes.indexOf("\n"));
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    copy.write("registry/bundle.ndjson", bytes);
    expect((await copy.verify()).some((fault) => fault.startsWith("registry/bundle.ndjson: "))).toBe(true);
  });
});

describe("in the place of a file", () => {
  it.each([
    ["answers.md", "api-reference.md"],
    ["schemas/error.v1.json", "schemas/status.v1.json"],
    ["api/v1/integration-studio/kit/clarification.zip", "api/v1/integration-studio/kit/workflow-routing.zip"],
    ["index.html", "shell.html"],
    ["manifest.json", "registry.index"],
  ])("another file is found: %s and %s changed places, and both are named", (one, other) => {
    const copy = new Copy(dist);
    const bytes = copy.read(one);
    copy.write(one, copy.read(other));
    copy.write(other, bytes);
    const faults = copy.sums();
    for (const name of [one, other]) expect(faults).toContainEqual(expect.stringContaining(`${name}: `));
  });

  it("a renamed one is found: both names are named", () => {
    const copy = new Copy(dist);
    const names = copy.names().filter((name) => ![SUMS, MANIFEST].includes(name));
    for (const name of names) renameSync(copy.at(name), copy.at(`${name}x`));
    const faults = copy.sums();
    expect(names.filter((name) => !faults.includes(`${name}: missing`))).toEqual([IDENTITY]);
    expect(names.filter((name) => !faults.includes(`${name}x: not listed in SHA256SUMS`))).toEqual([]);
  });
});

describe("a file that no release has", () => {
  it("is reported as not listed, in any folder, with control characters of its name escaped", async () => {
    const copy = new Copy(dist);
    const names = ["extra", ".hidden", "api/v1/.x", "schemas/new.v1.json", "assets/evil.js", "a\nb: fine", "e\u001B[2Jf", "\u202Egnp"]; // prettier-ignore
    for (const name of names) copy.write(name, "x");
    const faults = await copy.verify();
    expect(faults.filter((fault) => fault.endsWith(": not listed in SHA256SUMS")).length).toBe(names.length);
    expect(faults.join("")).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });
});

describe("faults", () => {
  it("that have nothing to do with each other are all named, in the same order in another folder", async () => {
    const faults = await Promise.all(
      [new Copy(dist), new Copy(dist)].map((copy) => {
        copy.edit("api/v1/agent/connect", (connect) => delete connect.title);
        copy.write("extra", "x");
        copy.replace("sitemap.xml", "<loc>https://registry.example/answers<", "<loc>https://registry.example/none<");
        rmSync(copy.at("api/v1/integration-studio/kit/clarification.zip"));
        return copy.verify();
      }),
    );
    expect(faults[0]).toEqual(
      expect.arrayContaining([
        "extra: not listed in SHA256SUMS",
        "api/v1/integration-studio/kit/clarification.zip: missing",
        'api/v1/agent/connect: it lacks the property "title"',
        "sitemap.xml: links to /none, which does not exist",
        "sitemap.xml: not the pages and concepts of this release",
      ]),
    );
    expect(faults[1]).toEqual(faults[0]);
  });
});

describe("a manifest or an identity signed again", () => {
  it.each<[string, string, (value: Loose) => void, RegExp]>([
    [MANIFEST, "is out of order", (value) => (value.files = value.files.toReversed()), /^manifest\.json: not in byte order/],
    [MANIFEST, "lists a file twice", (value) => value.files.splice(1, 0, value.files[0]), /^manifest\.json: not in byte order/],
    [MANIFEST, "lists a file outside", (value) => (value.files[0].path = "../../etc/passwd"), /^manifest\.json: files\[0\]\.path must match/],
    [MANIFEST, "lists a file that is not there", (value) => value.files.push({ ...value.files[0], path: "zzz" }), /^zzz: missing/],
    [MANIFEST, "leaves a file out", (value) => value.files.shift(), /^\.well-known\/agent-skills\/index\.json: not in manifest\.json/],
    [MANIFEST, "has another size of a file", (value) => value.files[0].bytes++, /^\.well-known\/agent-skills\/index\.json: its size differs/],
    [MANIFEST, "has another label", (value) => (value.productVersion = "v23"), /^manifest\.json: not the label of this release/],
    [MANIFEST, "is for another origin", (value) => (value.origin = "https://evil.example"), /^\.well-known\/service-semantics-deployment\.json: its origin is not/],
    [MANIFEST, "has no origin", (value) => (value.origin = "https://evil.example/x"), /^manifest\.json: names no origin/],
    [IDENTITY, "has another label", (value) => (value.classification = "final"), /deployment\.json: not the label of this release/],
    [IDENTITY, "is for another origin", (value) => (value.canonicalOrigin = "https://evil.example"), /deployment\.json: its origin is not that of manifest\.json/],
    [IDENTITY, "lists what is not its own", (value) => value.closure.files.push({ ...value.closure.files[0], path: "zzz" }), /deployment\.json: it lists a file that does not belong to a closure/],
    [IDENTITY, "does not list what runs", (value) => (value.closure.files = value.closure.files.filter((file: Loose) => file.path !== "runtime/main.js")), /deployment\.json: it does not list/],
    [IDENTITY, "is out of order", (value) => (value.closure.files = value.closure.files.toReversed()), /deployment\.json: its files are not in byte order/],
  ])("is found where %s %s", (...[name, _what, change, fault]) => {
    const copy = new Copy(dist);
    copy.edit(name, change);
    copy.resignIdentity();
    expect(copy.sums()).toContainEqual(expect.stringMatching(fault));
  }); // prettier-ignore

  it("is found where the manifest has another registryVersion than the index", async () => {
    const copy = new Copy(dist);
    copy.edit(MANIFEST, (value) => (value.registry.registryVersion = "1"));
    copy.resignIdentity();
    expect(await copy.verify()).toContainEqual(expect.stringMatching(/^registry\.index: another registryVersion/));
  });

  it.each([
    [MANIFEST, "not in the form of a release"],
    [IDENTITY, "not in the form of a release"],
    ["api/v1/status", "differs from its digest in manifest.json"],
  ])("is found in another form, though it says the same: %s", (name, fault) => {
    const copy = new Copy(dist);
    copy.resign();
    copy.write(name, JSON.stringify(JSON.parse(copy.read(name).toString())));
    if (name === MANIFEST) copy.resignIdentity();
    copy.resignSums();
    expect(copy.sums()).toContain(`${name}: ${fault}`);
  });
});
