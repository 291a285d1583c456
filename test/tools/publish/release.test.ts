/** The release directory: its files, that it runs, reproducible, written whole or not at all. */
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTar } from "../../../generator/archives/tar.ts";
import type { Effects } from "../../../generator/effects/effects.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { replaceRelease } from "../../../generator/tools/publish/directory.ts";
import { releaseTime } from "../../../generator/tools/publish/timestamp.ts";
import { type Outcome, runHere, serve } from "../../support/command.ts";
import { areSumsRight } from "../../support/sums.ts";
import { project } from "../../support/project.ts";
import { digestsIn, namesIn } from "../../support/files.ts";

const ORIGIN = "https://registry.example";
const home = mkdtempSync(path.join(tmpdir(), "release-directory-"));
afterAll(() => rmSync(home, { recursive: true }));

const LABEL = "v22-wip";
const NAME = "golden-2026.11.1";

/** The small registry, recorded as a release must be. */
const recorded = path.join(home, "recorded");
cpSync(path.join(project, "test/golden/registry"), recorded, { recursive: true });
await runHere(["release-registry", "--registry", recorded, "--version", "2026.11.1", "--on", "2026-11-22"]);

interface Place {
  readonly into: string;
  readonly directory: string;
  readonly args: readonly string[];
}

/** A place for a release of the small registry. */
function place(name: string): Place {
  const folder = path.join(home, name);
  const into = path.join(folder, "release");
  const registry = path.join(folder, "registry");
  cpSync(recorded, registry, { recursive: true });
  const args = ["--origin", ORIGIN, "--registry", registry, "--out", path.join(folder, "dist"), "--into", into];
  return { into, directory: path.join(into, NAME), args: ["release", "--checked", ...args] };
}

/** A copy replaces the rebuild, which package.test.ts and reproducible.test.ts really do. */
function command(args: readonly string[]): Promise<Outcome> {
  const rebuild: Effects["run"] = ({ args: again }) => {
    cpSync(args[args.indexOf("--out") + 1] ?? "", again.at(-1) ?? "", { recursive: true });
    return Promise.resolve({ code: 0, stdout: "", stderr: "" });
  };
  return runHere(args, { effects: { ...fileSystem, run: rebuild } });
}

/** What the command does after build and checks, with the dist of the first release. */
function replace(
  into: string,
  more: Partial<Parameters<typeof replaceRelease>[1]> = {},
): Promise<{ directory: string }> {
  const inputs = { registry: recorded, content: path.join(project, "content"), origin: ORIGIN };
  const [out, day] = [path.join(home, "first/dist"), "2026-11-22"];
  const time = releaseTime(undefined, day);
  return replaceRelease(fileSystem, { ...inputs, out, into, day, earlier: 0, time, force: false, oci: false, ...more });
}

/** Another one makes other bytes. */
const OTHER = { time: releaseTime(1893456000, "2026-11-22") };

const sha256 = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

const first = place("first");
const again = path.join(home, "again");

describe("a release directory", () => {
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await command([...first.args, "--oci"]);
  });

  it("holds what runs, its tar, what it is made of and from, and the sums of it all", () => {
    expect([outcome.code, outcome.stderr]).toEqual([0, ""]);
    const { directory } = first;
    const found = namesIn(directory);
    expect(found.filter((name) => !/^(?:dist|runtime)\//.test(name))).toEqual(
      ["LICENSE", "README.md", "SHA256SUMS", "package-lock.json", "package.json"]
        .concat("provenance.intoto.json", "sbom.cdx.json", `${NAME}.tar`)
        .sort(),
    );
    const runtime = namesIn(path.join(project, "lib/runtime")).map((name) => `runtime/${name}`);
    expect(found.filter((name) => name.startsWith("runtime/"))).toEqual(runtime);
    expect(areSumsRight(directory)).toBe(true);
    const listed = readFileSync(path.join(directory, "SHA256SUMS"), "utf8").trimEnd().split("\n");
    expect(listed.map((line) => line.slice(66))).toEqual(found.filter((name) => name !== "SHA256SUMS"));
    expect(outcome.stdout).toContain(`${sha256(path.join(directory, "SHA256SUMS"))} is the digest of its SHA256SUMS`);
    expect(outcome.stdout).toContain(`${sha256(path.join(directory, `${NAME}.tar`))} that of ${NAME}.tar`);
  });

  it("names the day of its registry, where there is one", async () => {
    const lines = [first, await replace(path.join(home, "dayless"), { day: undefined })].map(
      ({ directory }) => readFileSync(path.join(directory, "README.md"), "utf8").split("\n")[2],
    );
    expect(lines).toEqual([
      expect.stringMatching(/^A release of this registry of \d{4}-\d\d-\d\d, with/),
      expect.stringMatching(/^A release of this registry, with/),
    ]);
  });

  it("is what the tar unpacks to, and runs from there with a verified identity", async () => {
    const unpacked = path.join(home, "unpacked");
    for await (const entry of readTar([readFileSync(path.join(first.directory, `${NAME}.tar`))]))
      await fileSystem.writeStream(path.join(unpacked, entry.path), entry.chunks);
    const root = path.join(unpacked, NAME);
    for (const name of namesIn(root))
      expect([name, sha256(path.join(root, name))]).toEqual([name, sha256(path.join(first.directory, name))]);
    const left = ["SHA256SUMS", "provenance.intoto.json", "sbom.cdx.json", `${NAME}.tar`];
    expect([...namesIn(root), ...left].sort()).toEqual(namesIn(first.directory));
    // As npm ci would: the packages, and nothing of the project.
    symlinkSync(path.join(project, "node_modules"), path.join(root, "node_modules"));
    const served = await serve(
      path.relative(project, path.join(root, "runtime/main.js")),
      ["--out", path.join(root, "dist")],
      {},
    );
    try {
      const reply = await fetch(`http://127.0.0.1:${served.port}/.well-known/service-semantics-deployment.json`);
      const { closure } = (await reply.json()) as {
        closure: { treeDigest: string; files: { path: string; sha256: string }[] };
      };
      expect([reply.status, reply.headers.get("x-service-semantics-deployment-identity")]).toEqual([200, "verified"]);
      for (const { path: name, sha256: expected } of closure.files)
        expect(sha256(path.join(root, name))).toBe(expected);
    } finally {
      served.child.kill();
      expect([await served.exit, served.stderr()]).toEqual([0, ""]);
    }
  });

  it("is attested: the statement names the tar, the bill and the sums of dist by their digests", () => {
    const { directory } = first;
    const read = (name: string): Record<string, unknown> =>
      JSON.parse(readFileSync(path.join(directory, name), "utf8")) as Record<string, unknown>;
    const names = ["dist/SHA256SUMS", "sbom.cdx.json", `${NAME}.tar`];
    expect(read("provenance.intoto.json")).toMatchObject({
      subject: names.sort().map((name) => ({ name, digest: { sha256: sha256(path.join(directory, name)) } })),
      predicate: { buildDefinition: { externalParameters: { origin: ORIGIN, packageVersion: LABEL } } },
    });
    expect(read("sbom.cdx.json")).toMatchObject({
      metadata: { timestamp: "2026-11-22T00:00:00Z", component: { version: LABEL } },
    });
  });

  it("A18: is the same twice, in another time zone too; the time shows in the tar, the bill and the statement alone", async () => {
    const zone = process.env["TZ"];
    process.env["TZ"] = "Asia/Tokyo";
    expect(new Date(0).getTimezoneOffset()).toBe(-540);
    const same = await replace(again, { oci: true });
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
    const later = await replace(path.join(home, "later"), OTHER);
    const [a, b, c] = [first, same, later].map(({ directory }) => digestsIn(directory));
    expect(b).toEqual(a);
    expect(Object.keys(a ?? {}).filter((name) => a?.[name] !== c?.[name])).toEqual(
      ["SHA256SUMS", "provenance.intoto.json", "sbom.cdx.json", `${NAME}.tar`].sort(),
    );
    expect(readFileSync(path.join(later.directory, "sbom.cdx.json"), "utf8")).toContain("2030-01-01T00:00:00Z");
  });

  it("takes no time that is none", async () => {
    const { code, stdout, stderr } = await runHere(["release", "--origin", ORIGIN], {
      env: { SOURCE_DATE_EPOCH: "now" },
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^SOURCE_DATE_EPOCH ".*" is not a whole number of seconds from 0 to 2147483647\n$/);
  });
});

/** What the files of a layout say of others. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: unknown;
}

describe("the image of a release", () => {
  const layout = `${first.directory}.oci`;
  const read = (name: string): unknown => JSON.parse(readFileSync(path.join(layout, name), "utf8"));
  const blobOf = ({ digest }: Descriptor): string => `blobs/${digest.replace(":", "/")}`;
  /** The one image, and what it is made of. */
  const open = () => {
    const [image, ...images] = (read("index.json") as { manifests: [Descriptor] }).manifests;
    const manifest = read(blobOf(image)) as { config: Descriptor; layers: [Descriptor]; annotations: unknown };
    const [layer, ...layers] = manifest.layers;
    expect([images, layers]).toEqual([[], []]);
    return { ...manifest, image, layer };
  };

  it("has one name, a config and one layer, each blob under its digest, and nothing else", () => {
    expect(read("oci-layout")).toEqual({ imageLayoutVersion: "1.0.0" });
    const { image, config, layer, annotations } = open();
    expect(image.annotations).toEqual({ "org.opencontainers.image.ref.name": "2026.11.1" });
    expect(annotations).toMatchObject({ "org.opencontainers.image.version": "2026.11.1" });
    expect([image, config, layer].map(({ mediaType }) => mediaType)).toEqual([
      "application/vnd.oci.image.manifest.v1+json",
      "application/vnd.oci.image.config.v1+json",
      "application/vnd.oci.image.layer.v1.tar",
    ]);
    expect(read(blobOf(config))).toMatchObject({ rootfs: { type: "layers", diff_ids: [layer.digest] } });
    for (const blob of [image, config, layer]) {
      const file = path.join(layout, blobOf(blob));
      expect([`sha256:${sha256(file)}`, statSync(file).size]).toEqual([blob.digest, blob.size]);
    }
    expect(namesIn(layout)).toEqual(["index.json", "oci-layout", ...[image, config, layer].map(blobOf)].toSorted());
  });

  it("unpacks to the dist of the release", async () => {
    const found = new Map<string, string>();
    for await (const { path: name, chunks } of readTar([readFileSync(path.join(layout, blobOf(open().layer)))]))
      found.set(name, createHash("sha256").update(await buffer(chunks)).digest("hex")); // prettier-ignore
    const dist = path.join(first.directory, "dist");
    expect([...found]).toEqual(namesIn(dist).map((name) => [name, sha256(path.join(dist, name))]));
  });

  it("is the same twice, and replaced with the release alone: other bytes are refused before either is written", async () => {
    expect(sha256(path.join(again, `${NAME}.oci`, "index.json"))).toBe(sha256(path.join(layout, "index.json")));
    const into = path.join(home, "image");
    const own = path.join(into, `${NAME}.oci`);
    cpSync(layout, own, { recursive: true });
    await expect(replace(into, { ...OTHER, oci: true })).rejects.toThrow(
      /\.oci is a release with other bytes, so it is not replaced/,
    );
    expect([readdirSync(into), digestsIn(own)]).toEqual([[`${NAME}.oci`], digestsIn(layout)]);
    writeFileSync(path.join(own, "oci-layout"), "damaged");
    await replace(into, { oci: true });
    expect(digestsIn(own)).toEqual(digestsIn(layout));
  });
});

describe("a release of a name that exists", () => {
  it("is refused with other bytes, unless --force says so; the same bytes and a damaged one are replaced", async () => {
    const into = path.join(home, "other");
    const directory = path.join(into, NAME);
    cpSync(first.directory, directory, { recursive: true });
    const whole = digestsIn(directory);
    await expect(replace(into, OTHER)).rejects.toThrow(/is a release with other bytes, so it is not replaced/);
    expect(digestsIn(directory)).toEqual(whole);
    writeFileSync(path.join(directory, "LICENSE"), "damaged");
    await replace(into);
    expect(digestsIn(directory)).toEqual(whole);
    // What is next to the files stays, as long as they are right.
    expect(await runHere(["verify", directory])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S+\/dist is whole/) as string,
    });
    writeFileSync(path.join(directory, "SHA256SUMS.sigstore.json"), "{}");
    await replace(into);
    expect(digestsIn(directory)).toMatchObject({ ...whole, "SHA256SUMS.sigstore.json": expect.any(String) as string });
    await replace(into, { ...OTHER, force: true });
    expect([areSumsRight(directory), digestsIn(directory)["SHA256SUMS"] === whole["SHA256SUMS"]]).toEqual([
      true,
      false,
    ]);
  });

  it("is not made for the address of this machine by mistake", async () => {
    const { code, stderr } = await command(["release", "--checked"]);
    expect([code, stderr]).toEqual([
      2,
      "--origin URL, or origin in service.yaml, is needed: the public address that the release is for\n",
    ]);
  });
});

describe("a release that fails", () => {
  it("leaves the one before as it was, when the registry has errors", async () => {
    const { args, directory } = first;
    const before = sha256(path.join(directory, "SHA256SUMS"));
    writeFileSync(path.join(directory, "../../registry/registry.yaml"), "name: [");
    expect(await command(args)).toMatchObject({ code: 1 });
    expect([areSumsRight(directory), sha256(path.join(directory, "SHA256SUMS"))]).toEqual([true, before]);
  });

  it("never replaces what is no release", async () => {
    const { into, directory } = place("foreign");
    cpSync(recorded, directory, { recursive: true });
    await expect(replace(into)).rejects.toThrow(/holds files that are not a release, so it is not replaced/);
    expect(digestsIn(directory)).toEqual(digestsIn(recorded));
  });
});
