/**
 * The bill of materials against what stands for itself: the official schema of CycloneDX 1.6, the
 * lock read here by other code, npm's own account of the lock, and the packages as they lie in
 * node_modules and as Node finds them.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import addFormats, { type FormatsPlugin } from "ajv-formats";
import { describe, expect, it, vi } from "vitest";
import { formatSbom, LockError } from "../../../generator/tools/publish/sbom.ts";
import { project } from "../../support/project.ts";

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(project, file), "utf8"));

interface Entry {
  readonly [field: string]: unknown;
  readonly version: string;
  readonly integrity: string;
  readonly license: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Record<string, string>;
}
interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Record<string, Entry>;
}
const lock = readJson("lib/package-lock.json") as Lock;

interface Component {
  readonly type: string;
  readonly "bom-ref": string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly Record<string, unknown>[];
  readonly externalReferences?: unknown;
}
interface Bom {
  readonly $schema: string;
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const SUBJECT = {
  name: "semantic-resolution-service",
  version: "v22-wip",
  sha256: "00112233445566778899aabbccddeeff".repeat(2),
  timestamp: "2026-09-02T12:00:00Z",
};
const text = formatSbom(lock, SUBJECT);
const bom = JSON.parse(text) as Bom;
const read = (from: unknown): Bom => JSON.parse(formatSbom(from, SUBJECT)) as Bom;

/** The library's copies of the official schemas, which refer to each other by local names. */
function compileOfficial(): (value: unknown) => unknown {
  const folder = "node_modules/@cyclonedx/cyclonedx-library/res/schema";
  const ajv = new Ajv({ strict: false, allErrors: true });
  (addFormats as unknown as FormatsPlugin)(ajv);
  ajv.addFormat(
    "iri-reference",
    (value: string) => !/[\s<>"{}|\\^`]/.test(value) && URL.canParse(value, "https://x.invalid/"),
  );
  ajv.addFormat("idn-email", /^[^\s@]+@[^\s@]+$/u);
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs"]) {
    const schema = readJson(`${folder}/${name}.SNAPSHOT.schema.json`) as object;
    ajv.addSchema(schema, `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  const validate = ajv.compile(readJson(`${folder}/bom-1.6.SNAPSHOT.schema.json`) as object);
  return (value) => (validate(value) ? [] : validate.errors);
}
const faults = compileOfficial();

const installed = Object.entries(lock.packages).filter(([key, { dev }]) => key !== "" && dev !== true);

/**
 * The key of the package that `name` is for the package at `key`, as Node finds it on this disk.
 */
function locate(key: string, name: string): string | undefined {
  for (let folder = key; ; folder = path.posix.dirname(folder)) {
    const found = path.posix.join(folder, "node_modules", name);
    if (existsSync(path.join(project, found, "package.json"))) return found;
    if (folder === "." || folder === "") return undefined;
  }
}

describe("the bill of this project", () => {
  it("is valid by the official schema of CycloneDX 1.6, which refuses a damaged one", () => {
    expect(faults(bom)).toEqual([]);
    expect([bom.bomFormat, bom.specVersion]).toEqual(["CycloneDX", "1.6"]);
    expect(bom.$schema).toBe("http://cyclonedx.org/schema/bom-1.6.schema.json");
    const [first] = bom.components;
    for (const wrong of [
      { ...bom, serialNumber: "urn:uuid:1" },
      { ...bom, more: 1 },
      { ...bom, components: [first, first] },
      { ...bom, components: [{ ...first, licenses: [{ license: { id: "No-Such-Licence" } }] }] },
      { ...bom, components: [{ ...first, hashes: [{ alg: "SHA-512", content: "00" }] }] },
      { ...bom, metadata: { timestamp: "now" } },
    ])
      expect(faults(wrong)).not.toEqual([]);
  });

  it("lists exactly the packages of the lock that are not for development alone", () => {
    expect(installed.length).toBeGreaterThan(40);
    const expected = installed.map(([key, { version, integrity, license, optional }]) => {
      const [, group, name = ""] = /node_modules\/(?:(@[^/]+)\/)?([^/]+)$/.exec(key) ?? [];
      const prefix = group === undefined ? "" : `%40${group.slice(1)}/`;
      return {
        type: "library",
        name,
        ...(group !== undefined && { group }),
        version,
        "bom-ref": key,
        scope: optional === true ? "optional" : "required",
        hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") }],
        licenses: [{ license: { id: license } }],
        purl: `pkg:npm/${prefix}${name}@${version}`,
      };
    });
    expect(bom.components).toEqual(expected.toSorted((a, b) => Buffer.compare(Buffer.from(a["bom-ref"]), Buffer.from(b["bom-ref"])))); // prettier-ignore
  });

  it("lists exactly what npm itself says that it installs, and nothing as optional", () => {
    const runtime = path.join(project, "runtime");
    const args = ["ls", "--omit=dev", "--all", "--parseable", "--package-lock-only", "--offline"];
    const lines = execFileSync("npm", args, { cwd: runtime, encoding: "utf8" }).trim().split("\n");
    const keys = lines.map((line) => path.relative(runtime, line)).filter((key) => key !== "");
    expect(keys.toSorted()).toEqual(bom.components.map((component) => component["bom-ref"]).toSorted());
    expect(bom.components.filter(({ scope }) => scope === "optional")).toEqual([]);
  });

  it("says of each package what its own package.json says", () => {
    const present = bom.components.filter((component) => existsSync(path.join(project, component["bom-ref"])));
    expect(present.length).toBe(bom.components.length);
    for (const { "bom-ref": key, group, name, version, licenses } of present) {
      const own = readJson(`${key}/package.json`) as Record<string, string>;
      expect([group === undefined ? name : `${group}/${name}`, version]).toEqual([own["name"], own["version"]]);
      expect([key, licenses]).toEqual([key, [{ license: { id: own["license"] } }]]);
    }
  });

  it("has a whole graph: each component once, every reference resolved, all reached from the application", () => {
    const root = bom.metadata.component["bom-ref"];
    const refs = [root, ...bom.components.map((component) => component["bom-ref"])];
    expect(new Set(refs).size).toBe(refs.length);
    expect(bom.dependencies.map(({ ref }) => ref)).toEqual(refs);
    const edges = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
    for (const targets of edges.values()) expect(targets.filter((target) => !edges.has(target))).toEqual([]);
    const reached = new Set([root]);
    for (const ref of reached) for (const target of edges.get(ref) ?? []) reached.add(target);
    expect([...reached].toSorted()).toEqual(refs.toSorted());
  });

  it("lets each package depend on what Node finds for it", () => {
    const runs = new Set(installed.map(([key]) => key));
    const { dependencies, optionalDependencies } = readJson("lib/package.json") as Record<
      string,
      Record<string, string>
    >;
    const rootTargets = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => `node_modules/${name}`);
    expect(bom.dependencies[0]?.dependsOn).toEqual(rootTargets.toSorted());
    for (const { ref, dependsOn = [] } of bom.dependencies.slice(1)) {
      if (!existsSync(path.join(project, ref))) continue;
      const own = readJson(`${ref}/package.json`) as Record<string, Record<string, string>>;
      const names = Object.keys({ ...own["dependencies"], ...own["optionalDependencies"], ...own["peerDependencies"] });
      const found = names
        .map((name) => locate(ref, name))
        .flatMap((key) => (key !== undefined && runs.has(key) ? [key] : []));
      expect([ref, dependsOn]).toEqual([ref, found.toSorted()]);
    }
    const nested = bom.dependencies.find(({ ref }) => ref === "node_modules/@fastify/ajv-compiler");
    expect(nested?.dependsOn).toContain("node_modules/@fastify/ajv-compiler/node_modules/fast-uri");
    expect(nested?.dependsOn).not.toContain("node_modules/fast-uri");
  });

  it("is of the application, with the given time and a serial number of its digest", () => {
    const { type, name, version, licenses } = bom.metadata.component;
    expect([type, name, version]).toEqual(["application", SUBJECT.name, SUBJECT.version]);
    expect(licenses).toEqual([{ license: { id: "Apache-2.0" } }]);
    expect([bom.metadata.timestamp, bom.version]).toEqual([SUBJECT.timestamp, 1]);
    // RFC 9562: version 8 in the 13th digit, variant 10xx in the 17th; all other bits are the
    // digest's.
    expect(bom.serialNumber).toBe("urn:uuid:00112233-4455-8677-8899-aabbccddeeff");
    const variants = Array.from("0123456789abcdef", (digit) => {
      const sha256 = `${"f".repeat(16)}${digit}${"f".repeat(47)}`;
      return (JSON.parse(formatSbom(lock, { ...SUBJECT, sha256 })) as Bom).serialNumber;
    });
    expect(new Set(variants.map((serial) => serial.slice(28, 29))).size).toBe(4);
    for (const serial of variants) expect(serial).toMatch(/^urn:uuid:ffffffff-ffff-8fff-[89ab]fff-f{12}$/);
  });
});

describe("the bytes of a bill", () => {
  it("are the same without clock, chance and locale, and in the form of every document", () => {
    const stop = (): never => {
      throw new Error("Neither clock nor chance nor locale");
    };
    const spies = [
      vi.spyOn(Date, "now").mockImplementation(stop),
      vi.spyOn(Math, "random").mockImplementation(stop),
      vi.spyOn(String.prototype, "localeCompare").mockImplementation(stop),
    ];
    const again = formatSbom(lock, SUBJECT);
    for (const spy of spies) spy.mockRestore();
    expect(again).toBe(text);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    expect(text.match(/\d{4}-\d\d-\d\dT[^"]*/g)).toEqual([SUBJECT.timestamp]);
  });

  it("are the same under every order of the lock", () => {
    const turn = (value: unknown): unknown =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed().map(([key, member]) => [key, turn(member)])) // prettier-ignore
        : value;
    expect(Object.keys((turn(lock) as Lock).packages)).not.toEqual(Object.keys(lock.packages));
    expect(formatSbom(turn(lock), SUBJECT)).toBe(text);
  });

  it("are those of no other lock, digest or time", () => {
    const others = [
      formatSbom(lock, { ...SUBJECT, sha256: "f".repeat(64) }),
      formatSbom(lock, { ...SUBJECT, timestamp: "2026-09-02T12:00:01Z" }),
      formatSbom(lock, { ...SUBJECT, version: "v23" }),
    ];
    expect(new Set([text, ...others]).size).toBe(4);
  });
});

const HASH = Buffer.alloc(64, 7).toString("base64");
const entry = (more: object = {}): object => ({
  version: "1.0.0",
  integrity: `sha512-${HASH}`,
  license: "MIT",
  ...more,
});
const lockOf = (packages: Record<string, object>, root: object = {}): object => ({
  lockfileVersion: 3,
  packages: { "": { name: "x", ...root }, ...packages },
});
const needs = (...names: string[]): object => ({ dependencies: Object.fromEntries(names.map((name) => [name, "*"])) });

describe("a bill of another lock", () => {
  it("is in the order of code points, which is no locale's", () => {
    const names = ["b", "a-b", "B", "a_b", "a", "@z/a", "a.b"];
    const made = read(
      lockOf(Object.fromEntries(names.map((name) => [`node_modules/${name}`, entry()])), needs(...names)),
    );
    const sorted = ["@z/a", "B", "a", "a-b", "a.b", "a_b", "b"].map((name) => `node_modules/${name}`);
    expect(made.components.map((component) => component["bom-ref"])).toEqual(sorted);
    expect(made.dependencies[0]?.dependsOn).toEqual(sorted);
    expect(faults(made)).toEqual([]);
  });

  it("finds nested packages as Node does: its own first, then outwards, never a neighbour's", () => {
    const made = read(
      lockOf(
        {
          "node_modules/a": entry(needs("c", "@s/b", "d")),
          "node_modules/a/node_modules/c": entry(needs("d", "@s/b")),
          "node_modules/@s/b": entry(needs("c")),
          "node_modules/@s/b/node_modules/d": entry(),
          "node_modules/c": entry({ version: "2.0.0", ...needs("c") }),
          "node_modules/d": entry(),
        },
        needs("a"),
      ),
    );
    expect(Object.fromEntries(made.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))).toEqual({
      "semantic-resolution-service@v22-wip": ["node_modules/a"],
      "node_modules/a": ["node_modules/@s/b", "node_modules/a/node_modules/c", "node_modules/d"],
      "node_modules/a/node_modules/c": ["node_modules/@s/b", "node_modules/d"],
      "node_modules/@s/b": ["node_modules/c"],
      "node_modules/@s/b/node_modules/d": undefined,
      "node_modules/c": undefined,
      "node_modules/d": undefined,
    });
    expect(faults(made)).toEqual([]);
  });

  it("says what is said of a package: its alias, its address, its licence of whatever kind", () => {
    const url = "https://registry.npmjs.org/real/-/real-1.0.0.tgz";
    const made = read(
      lockOf({
        "node_modules/alias": entry({ name: "@real/name", resolved: url, license: "(MIT OR Apache-2.0)" }),
        "node_modules/m": entry({ license: "SEE LICENSE IN LICENCE.txt", integrity: `sha1-AAAA sha512-${HASH}` }),
        "node_modules/n": { version: "1.0.0-rc.1", integrity: `sha512-${HASH}`, devOptional: true },
        "node_modules/o": entry({ license: "constructor", optional: true }),
        "node_modules/p": { dev: true },
      }),
    );
    expect(faults(made)).toEqual([]);
    const [alias, m, n, o, ...more] = made.components;
    expect(more).toEqual([]);
    expect(alias).toMatchObject({
      group: "@real",
      name: "name",
      purl: "pkg:npm/%40real/name@1.0.0",
      scope: "required",
    });
    expect(alias?.externalReferences).toEqual([{ url, type: "distribution" }]);
    expect([alias, m, n, o].map((component) => component?.licenses)).toEqual([
      [{ expression: "(MIT OR Apache-2.0)" }],
      [{ license: { name: "SEE LICENSE IN LICENCE.txt" } }],
      undefined,
      [{ license: { name: "constructor" } }],
    ]);
    expect([n?.version, n?.purl, n?.scope, o?.scope]).toEqual([
      "1.0.0-rc.1",
      "pkg:npm/n@1.0.0-rc.1",
      "optional",
      "optional",
    ]);
    expect(m?.hashes).toEqual([{ alg: "SHA-512", content: "07".repeat(64) }]);
  });

  it("passes over what may be missing: an optional package, an optional peer, one that is for development", () => {
    const peers = { peerDependencies: { q: "*", r: "*" }, peerDependenciesMeta: { q: { optional: true } } };
    const made = read(
      lockOf({
        "node_modules/a": entry({ ...peers, optionalDependencies: { gone: "*" } }),
        "node_modules/q": { dev: true },
        "node_modules/r": entry(),
      }),
    );
    expect(made.dependencies[1]).toEqual({ ref: "node_modules/a", dependsOn: ["node_modules/r"] });
  });

  const BROKEN: [what: string, lock: unknown, message: RegExp][] = [
    ["nothing", undefined, /^package-lock\.json must be an object$/],
    ["version 2", { lockfileVersion: 2, packages: { "": {} } }, /^lockfileVersion must be 3$/],
    ["no packages", { lockfileVersion: 3 }, /^package-lock\.json lacks the property "packages"$/],
    ["no project", { lockfileVersion: 3, packages: {} }, /^The project in package-lock\.json must be an object$/],
    [
      "no version",
      lockOf({ "node_modules/a": { integrity: "" } }),
      /^node_modules\/a in .* lacks the property "version"$/,
    ],
    [
      "a link",
      lockOf({ "node_modules/a": { resolved: "../a", link: true } }),
      /^node_modules\/a in .* lacks the property/,
    ],
    [
      "no digest",
      lockOf({ "node_modules/a": { version: "1.0.0" } }),
      /^node_modules\/a in .* lacks the property "integrity"$/,
    ],
    [
      "SHA-1 alone",
      lockOf({ "node_modules/a": entry({ integrity: "sha1-AAAA" }) }),
      /^node_modules\/a in .* has no SHA-512/,
    ],
    [
      "half a digest",
      lockOf({ "node_modules/a": entry({ integrity: "sha512-AAAA" }) }),
      /^node_modules\/a in .* has no SHA-512/,
    ],
    [
      "a hole",
      lockOf({ "node_modules/a": entry(needs("b")) }),
      /^node_modules\/a needs b, which package-lock\.json does not/,
    ],
    ["a hole at the root", lockOf({}, needs("b")), /^The project needs b, which/],
    ["a need of development's", lockOf({ "node_modules/b": { dev: true } }, needs("b")), /^The project needs b, which/],
  ];

  it.each(BROKEN)("is refused in one line for a lock with %s", (_what, from, message) => {
    let fault: unknown;
    try {
      formatSbom(from, SUBJECT);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(LockError);
    expect((fault as Error).message).toMatch(message);
    expect((fault as Error).message).not.toContain("\n");
  });
});
