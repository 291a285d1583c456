/**
 * The deployment identity against everything that can happen to the files: found at the next look,
 * gone when they are whole; and when it looks: how often, how many files, and that it remembers
 * nothing.
 */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import fsPromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DeploymentIdentity, IdentityFailure } from "../../../runtime/contract/identity.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { identityCheck } from "../../../runtime/release/identity-check.ts";
import { formatIdentity } from "../../../runtime/release/identity.ts";
import { deploy, type Deployment, type Watched, watchDeployment } from "../../support/deployment.ts";
import { sha256 } from "../../support/sha256.ts";
import { empty, nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { ORIGIN } from "../../support/release.ts";
import { CATEGORIES, expectServing, expectUnavailable } from "../../support/unavailable.ts";

let own: Deployment;
let watched: Watched;
beforeAll(async () => {
  // Some of the sources: nothing runs from them.
  own = await deploy(checkedRegistry(nasty), { some: /^runtime\/(?:[^/]*|(?:contract|routes)\/.*)$/ });
  watched = await watchDeployment(own);
  await own.build(own.at("../other"), checkedRegistry(empty));
  await own.build(own.at("../moved"), checkedRegistry(nasty), "https://other.example");
  await watched.ask();
});
afterAll(async () => {
  await watched.close();
  own.remove();
});

type Change = [what: string, change: () => void, told?: RegExp];

const read = (): string => readFileSync(own.document, "utf8");
const write = (text: string | Uint8Array): void => writeFileSync(own.document, text);

/** Changes the document as a value and writes it in its form. */
function edit(change: (identity: Record<string, unknown> & DeploymentIdentity) => unknown): void {
  const identity = JSON.parse(read()) as Record<string, unknown> & DeploymentIdentity;
  write(`${JSON.stringify(change(identity) ?? identity, null, 2)}\n`);
}

type Listed = Record<string, unknown>;

/** The document with its list of files changed. */
const editFiles = (change: (files: Listed[]) => Listed[]): void =>
  edit((identity) => ({
    ...identity,
    closure: { ...identity.closure, files: change([...identity.closure.files]) },
  }));

/** The document with one file of its list changed, and a tree digest that fits. */
function relist(
  change: (files: DeploymentIdentity["closure"]["files"]) => DeploymentIdentity["closure"]["files"],
): void {
  const { closure } = JSON.parse(read()) as DeploymentIdentity;
  write(formatIdentity(ORIGIN, change([...closure.files])));
}

/** Replaces a file or folder by a link to a true copy of it. */
function link(name: string): void {
  const copy = own.at(`../copy-${name.replaceAll("/", "-")}`);
  cpSync(own.at(name), copy, { recursive: true });
  rmSync(own.at(name), { recursive: true });
  symlinkSync(copy, own.at(name));
}

const DOCUMENT = "dist/.well-known/service-semantics-deployment.json";
const INDEX = "dist/registry.index";
const BUNDLE = "dist/registry/bundle.ndjson";

const cases: Readonly<Record<Exclude<IdentityFailure, "canonical_origin_invalid">, readonly Change[]>> = {
  identity_document_invalid_json: [
    ["no JSON", () => write("verified\n"), /^the document is not JSON in UTF-8/],
    ["truncated", () => truncateSync(own.document, 1000)],
    ["empty", () => write("")],
    ["with a byte order mark", () => write(`\uFEFF${read()}`)],
    ["with a member twice", () => write(read().replace("{\n", '{\n  "schema": "service-semantics.deployment.v1",\n'))],
    ["not UTF-8", () => write(Buffer.concat([Buffer.from(read()), Buffer.from([0xff])]))],
    ["followed by something", () => appendFileSync(own.document, "{}")],
  ],
  identity_document_missing_or_unsafe: [
    ["deleted", () => rmSync(own.document), /dist\/\.well-known\/service-semantics-deployment\.json /],
    ["deleted with its folder", () => rmSync(path.dirname(own.document), { recursive: true })],
    ["a directory", () => (rmSync(own.document), mkdirSync(own.document))],
    ["a pipe", () => (rmSync(own.document), void execFileSync("mkfifo", [own.document]))],
    ["a link to an identical file", () => link(DOCUMENT)],
    ["a link to itself", () => (rmSync(own.document), symlinkSync(own.document, own.document))],
    ["in a linked folder", () => link("dist/.well-known")],
    ["writable by anybody", () => chmodSync(own.document, 0o646), /^anybody may write to .*-deployment\.json/],
    ["in a folder that anybody may write to", () => chmodSync(path.dirname(own.document), 0o757)],
    ["in a release that anybody may write to", () => chmodSync(own.dist, 0o777)],
    ["larger than 1 MiB", () => write(" ".repeat(1024 * 1024) + read())],
    ["with the whole release gone", () => rmSync(own.dist, { recursive: true })],
  ],
  identity_validation_failed: [
    ["null", () => write("null\n")],
    ["a list", () => edit((identity) => [identity])],
    [
      "of another schema",
      () => edit((identity) => ({ ...identity, schema: "service-semantics.deployment.v2" })),
      /^the document .*schema/,
    ],
    ["with a member more", () => edit((identity) => ({ ...identity, signature: "trusted" }))],
    ["with another product version", () => edit((identity) => ({ ...identity, productVersion: "v23" }))],
    ["called final", () => edit((identity) => ({ ...identity, classification: "final" }))],
    ["for another origin", () => cpSync(own.at(`../moved/${DOCUMENT.slice(5)}`), own.document)],
    ["that assigns", () => edit((identity) => ({ ...identity, semanticAssignment: true }))],
    ["with another algorithm", () => write(read().replace('"algorithm": "sha256"', '"algorithm": "sha512"'))],
    ["with another tree digest", () => write(read().replace(/("treeDigest": ")[0-9a-f]{64}/, `$1${sha256("x")}`))],
    ["with a tree digest in upper case", () => write(read().replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase()))],
    ["with files in another order", () => editFiles((files) => files.toReversed())],
    ["without a file", () => editFiles((files) => files.slice(1))],
    [
      "with a digest that is another file's",
      () => editFiles(([a, b, ...rest]) => [{ ...a, sha256: b?.["sha256"] }, b ?? {}, ...rest]),
    ],
    ["with a size that is text", () => editFiles(([a, ...rest]) => [{ ...a, bytes: "1" }, ...rest])],
    ["with a path that leads out", () => editFiles(([a, ...rest]) => [{ ...a, path: "../x" }, ...rest])],
    ["with its members in another order", () => edit(({ schema, ...rest }) => ({ ...rest, schema }))],
    ["on one line", () => write(JSON.stringify(JSON.parse(read())))],
    ["with lines that end in CRLF", () => write(read().replaceAll("\n", "\r\n")), /its own list of files gives/],
    ["with an escape where none is due", () => write(read().replace('"wip"', String.raw`"w\u0069p"`))],
    ...["schema", "closure", "authorizationGranted"].map((name): Change => [
      `without its ${name}`,
      () => edit((identity) => (delete identity[name], identity)),
    ]),
  ],
  runtime_source_drift: [
    [
      "a list with another size",
      () => relist(([a, ...rest]) => (a === undefined ? [] : [{ ...a, bytes: a.bytes + 1 }, ...rest])),
    ],
    [
      "a list with another digest that fits itself",
      () => relist(([a, ...rest]) => (a === undefined ? [] : [{ ...a, sha256: sha256("x") }, ...rest])),
    ],
    ["a list with a file twice", () => relist((files) => [...files, ...files.slice(0, 1)])],
    ["a list with a file too few that fits itself", () => relist((files) => files.slice(0, -1))],
    [
      "a list with a file too many that fits itself",
      () => relist((files) => [...files, { path: "runtime/more.ts", bytes: 0, sha256: sha256("") }]),
    ],
    [
      "a changed byte",
      () => rewrite("runtime/contract/code.js", (text) => text.replace("/", "\\")),
      /^runtime\/contract\/code\.js was changed$/,
    ],
    ["a file added", () => writeFileSync(own.at("runtime/more.ts"), ""), /^runtime\/more\.ts was added$/],
    ["a hidden file added", () => writeFileSync(own.at("runtime/.hidden"), "")],
    [
      "a file added in a new folder",
      () => (mkdirSync(own.at("runtime/a/b"), { recursive: true }), writeFileSync(own.at("runtime/a/b/c"), "")),
    ],
    ["a pipe added", () => void execFileSync("mkfifo", [own.at("runtime/pipe")])],
    ["a link added that leads nowhere", () => symlinkSync("/nonexistent", own.at("runtime/nowhere.ts"))],
    ["a file removed", () => rmSync(own.at("runtime/contract/limits.js"))],
    ["a file renamed", () => renameSync(own.at("runtime/contract/limits.js"), own.at("runtime/contract/Limits.js"))],
    ["a file that is a link to its copy", () => link("runtime/server.js")],
    ["a folder that is a link to its copy", () => link("runtime/contract")],
    ["all sources behind a link to their copy", () => link("runtime")],
    ["all sources gone", () => rmSync(own.at("runtime"), { recursive: true })],
    [
      "a file that is a folder",
      () => (rmSync(own.at("runtime/contract/limits.js")), mkdirSync(own.at("runtime/contract/limits.js"))),
    ],
    ["package.json changed", () => appendFileSync(own.at("package.json"), "\n")],
    ["package.json a link", () => link("package.json")],
    ["the lock changed", () => rewrite("package-lock.json", (text) => text.replace("sha512-", "sha512-A"))],
    [
      "the lock removed",
      () => rmSync(own.at("package-lock.json")),
      /^package-lock\.json is missing or not a regular file$/,
    ],
    ["the manifest changed", () => appendFileSync(own.at("dist/manifest.json"), " ")],
    ["a document changed", () => appendFileSync(own.at("dist/answers.json"), " ")],
    ["a document removed", () => rmSync(own.at("dist/openapi.json"))],
    ["a document a link", () => link("dist/llms.txt")],
    ["a file added to the release", () => writeFileSync(own.at("dist/more.html"), "")],
    ["the digests changed", () => appendFileSync(own.at("dist/SHA256SUMS"), "\n")],
    ["a changed byte in the index", () => flip(INDEX)],
    ["a changed byte in the bundle", () => flip(BUNDLE)],
    ["the bundle removed", () => rmSync(own.at(BUNDLE))],
    ["a changed byte in the digests of the blocks", () => flip("dist/registry.blocks")],
    ["the index removed", () => rmSync(own.at(INDEX))],
    ["the index a link", () => link(INDEX)],
    ["the index a folder", () => (rmSync(own.at(INDEX)), mkdirSync(own.at(INDEX)))],
    ["the index of another release", () => cpSync(own.at("../other/registry.index"), own.at(INDEX))],
    ["another whole release in its place, which the process does not run", () => swap("../other")],
    [
      "a release for another origin in its place",
      () => (swap("../moved"), cpSync(own.at(`../clean/${DOCUMENT}`), own.document)),
    ],
    // The process still runs the sources that it was started from.
    [
      "a source and the document that now fits it",
      () => (appendFileSync(own.at("runtime/contract/code.js"), " "), relist(() => measured())),
    ],
  ],
};

/** The closure as it is now. */
function measured(): DeploymentIdentity["closure"]["files"] {
  const { closure } = JSON.parse(read()) as DeploymentIdentity;
  return closure.files.map(({ path: name }) => {
    const bytes = readFileSync(own.at(name));
    return { path: name, bytes: bytes.length, sha256: sha256(bytes) };
  });
}

function rewrite(name: string, change: (text: string) => string): void {
  const before = readFileSync(own.at(name), "utf8");
  const after = change(before);
  if (after === before) throw new Error(`Nothing to change in ${name}`);
  writeFileSync(own.at(name), after);
}

/** Changes a byte, and gives the file its size and times back. */
function flip(name: string): void {
  const { atime, mtime } = statSync(own.at(name));
  const bytes = readFileSync(own.at(name));
  const at = Math.min(200, bytes.length - 1);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(own.at(name), bytes);
  utimesSync(own.at(name), atime, mtime);
}

function swap(from: string): void {
  rmSync(own.dist, { recursive: true });
  cpSync(own.at(from), own.dist, { recursive: true });
}

describe.each(Object.entries(cases))("G03 G04 G05 G07 G08 G09 G10 O-58 %s", (category, changes) => {
  let said: unknown;
  it.each(changes)("is said of a deployment with this, in the same words: %s", async (_what, change, detail = /./) => {
    const before = read();
    watched.told.length = 0;
    try {
      change();
      watched.later();
      if (said === undefined) {
        said = { data: null, error: await expectUnavailable(watched.port, category as IdentityFailure) };
        await expectServing(watched.port);
      } else {
        const reply = await watched.ask();
        expect([reply.status, await reply.json()]).toEqual([503, said]);
      }
      const told = { verified: false, failureCategory: category, detail: expect.stringMatching(detail) as string };
      expect(watched.told).toMatchObject([told]);
    } finally {
      own.restore();
      watched.later();
    }
    expect([(await watched.ask()).status, read() === before]).toEqual([200, true]);
    expect(watched.told).toMatchObject([{ verified: false }, { verified: true }]);
  });
});

it("B53 B54 B55 B56 B57 B58 B59 B60 B61 B62 B63 V16 O-32: each category has fixed texts of its own, and the same four steps around them", async () => {
  const errors: Awaited<ReturnType<typeof expectUnavailable>>[] = [];
  for (const category of CATEGORIES) {
    const isOrigin = category === "canonical_origin_invalid";
    const [, change] = isOrigin ? [] : (cases[category][0] ?? []);
    const service = isOrigin ? await watchDeployment(own, "x") : watched;
    change?.();
    service.later();
    errors.push(await expectUnavailable(service.port, category), await expectUnavailable(service.port, category));
    if (isOrigin) await service.close();
    own.restore();
    watched.later();
  }
  const different = (of: (error: (typeof errors)[number]) => unknown): number => new Set(errors.map(of)).size;
  expect(different(({ failureCategory }) => failureCategory)).toBe(5);
  expect(different(({ message }) => message)).toBe(5);
  expect([0, 1, 2, 3].map((step) => different(({ recoverySteps }) => recoverySteps[step]))).toEqual([1, 5, 1, 1]);
  expect(different(({ nextAction }) => nextAction)).toBe(1);
});

describe("a look at the files", () => {
  /** How many files a use of the service opens. */
  async function opened(use: () => Promise<unknown>): Promise<number> {
    const { open } = fsPromises;
    let count = 0;
    fsPromises.open = (...rest: Parameters<typeof open>) => (count++, open(...rest));
    syncBuiltinESMExports();
    try {
      await use();
      return count;
    } finally {
      fsPromises.open = open;
      syncBuiltinESMExports();
    }
  }

  it("O-35: is shared by simultaneous requests, used for less than a second, and taken anew after that", async () => {
    watched.later();
    const one = await opened(() => watched.ask());
    expect(one).toBeGreaterThan(100);
    watched.later();
    expect(await opened(() => Promise.all(Array.from({ length: 40 }, () => watched.ask())))).toBe(one);
    watched.later(0.5);
    expect(await opened(() => watched.ask())).toBe(0);
    watched.later(0.499);
    expect(await opened(() => watched.ask())).toBe(0);
    watched.later(0.001);
    expect(await opened(() => watched.ask())).toBe(one);
  });

  it("O-35: runs one check at a time, and requests that came during it get the next one", async () => {
    const release = openRelease(own.at("dist"));
    let [passes, time] = [0, 0];
    let end = (): void => undefined;
    const check = (): Promise<undefined> => {
      passes++;
      return new Promise((resolve) => (end = () => resolve(undefined)));
    };
    const identity = identityCheck({ ...release, check }, { now: () => time, project: own.root });
    const asked = [identity()];
    for (time = 1; time < 5; time++) asked.push(identity());
    expect(passes).toBe(1);
    end();
    await asked[0];
    expect(passes).toBe(2);
    for (time = 5; time < 9; time++) asked.push(identity());
    expect(passes).toBe(2);
    end();
    await asked[5];
    expect(passes).toBe(3);
    end();
    expect((await Promise.all(asked)).map(({ verified }) => verified)).toEqual(asked.map(() => true));
    expect(passes).toBe(3);
    release.close();
  });

  it("O-35 O-58: compares the index by its bytes, whether or not its times say that somebody wrote to it", async () => {
    const index = own.at("dist/registry.index");
    utimesSync(index, 1, 1);
    watched.later();
    expect((await watched.ask()).status).toBe(200);
    const bytes = readFileSync(index);
    // As a write through a memory map may leave them.
    const former = lstatSync(index, { bigint: true });
    const { lstat } = fsPromises;
    fsPromises.lstat = (async (...asked: [string]) => (asked[0] === index ? former : lstat(...asked))) as typeof lstat;
    syncBuiltinESMExports();
    try {
      writeFileSync(index, Buffer.from(bytes).fill(7, 300, 301));
      watched.later();
      await expectUnavailable(watched.port, "runtime_source_drift");
      writeFileSync(index, bytes);
      watched.later();
      expect((await watched.ask()).status).toBe(200);
    } finally {
      fsPromises.lstat = lstat;
      syncBuiltinESMExports();
    }
    // Another file in its place and back again.
    renameSync(index, own.at("index"));
    writeFileSync(index, bytes.toReversed());
    watched.later();
    await expectUnavailable(watched.port, "runtime_source_drift");
    renameSync(own.at("index"), index);
    watched.later();
    expect((await watched.ask()).status).toBe(200);
  });

  it("O-58: remembers nothing: a file that differs, another, and none, as they come and go", async () => {
    const source = own.at("runtime/contract/code.js");
    const size = statSync(source).size;
    watched.told.length = 0;
    for (const name of ["runtime/contract/code.js", "runtime/contract/limits.js", "runtime/contract/code.js"]) {
      appendFileSync(own.at(name), " ");
      watched.later();
      await expectUnavailable(watched.port, "runtime_source_drift");
      own.restore();
      watched.later();
      expect((await watched.ask()).status).toBe(200);
    }
    expect(statSync(source).size).toBe(size);
    expect(watched.told.map((state) => (state.verified ? "verified" : state.detail))).toEqual([
      "runtime/contract/code.js was changed",
      "verified",
      "runtime/contract/limits.js was changed",
      "verified",
      "runtime/contract/code.js was changed",
      "verified",
    ]);
  });

  it("G03: follows a release folder that is a link, and sees when it leads elsewhere", async () => {
    const current = own.at("../current");
    symlinkSync(own.dist, current);
    const linked = await watchDeployment({ ...own, dist: current });
    expect((await linked.ask()).status).toBe(200);
    rmSync(current);
    symlinkSync(own.at("../other"), current);
    linked.later();
    await expectUnavailable(linked.port, "runtime_source_drift");
    rmSync(current);
    cpSync(own.dist, current, { recursive: true });
    linked.later();
    expect((await linked.ask()).status).toBe(200);
    await linked.close();
  });
});
