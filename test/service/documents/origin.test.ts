/** Bytes of a release: one origin, one label, no placeholder, no trace of a machine. */
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import type { ReleaseLabel } from "../../../runtime/contract/document.ts";
import type { ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import type { StatusEnvelope } from "../../../generator/contract/status.ts";
import { isNamesFile } from "../../../runtime/contract/added-resources.ts";
import { schemaNames } from "../../../runtime/contract/policy.ts";
import { folder, runHere } from "../../support/command.ts";
import { DOCUMENTS, getJson, members, publishedConcepts, RECIPES, starterRegistry } from "../../support/documents.ts";
import { readZip } from "../../support/kits.ts";
import { ORIGIN } from "../../support/release.ts";
import { type Service, startService } from "../../support/service.ts";
import { project } from "../../support/project.ts";

const OTHER = "https://a.example";
const PERSON = { USER: "zz-user-name", LOGNAME: "zz-user-name", HOME: "/zz-home", HOSTNAME: "zz-host-name" };

let service: Service;
/**
 * Every file of a release that the build command made for `OTHER`, as text; the compiled index is
 * `registry.index`. A kit is its entries, `<zip>!<entry>`, and their names, `<zip>!`.
 */
let dist: Map<string, string>;
beforeAll(async () => {
  const out = path.join(folder({}), "dist");
  const args = ["build", "--origin", OTHER, "--out", out];
  for (const [name, value] of Object.entries(PERSON)) vi.stubEnv(name, value);
  const { code, stderr } = await runHere(args);
  vi.unstubAllEnvs();
  if (code !== 0) throw new Error(stderr);
  const files = fileSystem
    .list(out)
    .map((name): [string, Buffer] => [name, Buffer.from(fileSystem.read(path.join(out, name)))]);
  dist = new Map(
    (await Promise.all(files.map(([name, bytes]) => textsOf(name, bytes)))).flatMap((texts) => [...texts]),
  );
  service = await startService(starterRegistry());
});
afterAll(() => service.close());

/** What is no text. */
const COMPILED = ["registry.index", "registry.blocks", "registry.root"];

/** A kit's place in dist. */
const kitPathOf = (id: string): string => `api/v1/integration-studio/kit/${id}.zip`;

async function textsOf(name: string, bytes: Buffer): Promise<Map<string, string>> {
  if (!name.endsWith(".zip")) return new Map([[name, bytes.toString(COMPILED.includes(name) ? "latin1" : "utf8")]]);
  const entries = await readZip(bytes);
  return new Map([
    [`${name}!`, entries.map((entry) => `${entry.name}\n`).join("")],
    ...entries.map((entry) => [`${name}!${entry.name}`, entry.bytes.toString()] as const),
  ]);
}

/** The programs for integrators, as this project has them. */
const HANDOFFS = path.join(project, "generator/integration/handoffs");
/** Made from sources of its own. */
const VERIFIER = "node/verifier.mjs";
const PROGRAMS = [...fileSystem.list(HANDOFFS).filter((name) => !name.endsWith(".d.mts")), VERIFIER].toSorted();
const sourceOf = (name: string): string =>
  readFileSync(name === VERIFIER ? "lib/generator/tools/log/module.js" : path.join(HANDOFFS, name), "utf8");

/** The program that a file of a release is a copy of. */
function programOf(name: string): string | undefined {
  if (/^assets\/classify\.[0-9a-f]{16}\.js$/.test(name)) return "node/classify.mjs";
  return PROGRAMS.find((program) => name.includes("!") && name.endsWith(`/${program}`));
}

const JSON_PATHS = [...DOCUMENTS.map(({ path: target }) => target), "/openapi.json"];

const site = load(readFileSync(path.join(project, "content/site.yaml"), "utf8")) as { security: { expires: string } };

/** Files by what a pattern finds in them, as `file: finding`. */
function found(pattern: RegExp, files: Iterable<readonly [string, string]> = dist): string[] {
  return [...files].flatMap(([name, text]) => (text.match(pattern) ?? []).map((finding) => `${name}: ${finding}`));
}

/** All but the registry's own text. */
const written = (): [string, string][] =>
  [...dist].filter(
    ([name]) =>
      !COMPILED.includes(name) &&
      !/^registry\/(?:bundle\.ndjson|concepts\.\w+)$|\/registry-excerpt\.ndjson$/.test(name) &&
      !isNamesFile(`/${name}`),
  );

const kitDocuments = (): [string, unknown][] =>
  [...dist].flatMap(([name, text]) => (/!.*\.json$/.test(name) ? [[name, JSON.parse(text) as unknown]] : []));

describe("a built release", () => {
  it("has the files that these tests look into", () => {
    expect(dist.size).toBeGreaterThan(35);
    for (const name of ["index.html", "answers.md", "openapi.json", "llms.txt", "manifest.json", "registry.index"]) {
      expect([name, (dist.get(name) ?? "").length > 100]).toEqual([name, true]);
    }
    for (const id of RECIPES) {
      const kit = `${kitPathOf(id)}!service-semantics-${id}/`;
      for (const name of ["README.md", "SHA256SUMS", "fixtures/unknown.json", "registry-excerpt.ndjson", ...PROGRAMS]) {
        expect([kit, name, (dist.get(kit + name) ?? "").length > 100]).toEqual([kit, name, true]);
      }
    }
    expect(PROGRAMS.length).toBe(9);
  });

  it("V11: has the programs of this project, with recipe and address in the place of their marks, and nothing else", () => {
    const programs = [...dist].filter(([name]) => programOf(name) !== undefined);
    // Six in each kit, and the classifier that pages run.
    expect(programs.length).toBe(PROGRAMS.length * RECIPES.length + 1);
    for (const [name, text] of programs) {
      const source = sourceOf(programOf(name) ?? "");
      const [, recipe = "no recipe"] = /!service-semantics-([^/]+)\//.exec(name) ?? [];
      const filled = source
        .replaceAll("@ORIGIN@", OTHER)
        .replaceAll("@RESOLVE_URL@", `${OTHER}/api/v1/resolve`)
        .replaceAll("@RECIPE_ID@", recipe)
        .replaceAll("@PROGRAMS@", PROGRAMS.toSorted().join(" "));
      expect([name, text === filled]).toEqual([name, true]);
    }
    const marks = PROGRAMS.map((name) => sourceOf(name).match(/@\w+@/g) ?? []);
    expect(new Set(marks.flat())).toEqual(new Set(["@ORIGIN@", "@RESOLVE_URL@", "@RECIPE_ID@", "@PROGRAMS@"]));
  });

  it("V11: has no placeholder and no slip of a template in any file", () => {
    expect(
      found(/\{base_url\}|\$\{|\{\{|\{%|%\}|\{#|\[object \w+\]|\bTODO\b|\bFIXME\b|lorem ipsum/gi, withoutScripts()),
    ).toEqual([]);
    expect(found(/\bundefined\b|\bNaN\b/g, withoutScripts())).toEqual([]);
    expect(found(/\{base_url\}|\[object \w+\]/gi)).toEqual([]);
    // A script has its own undefined and its own ${}; what it must not have is a template's.
    expect(found(/\{\{|\{%/g, withoutPrograms())).toEqual([]);
    expect(found(/@[A-Z][A-Z_]*@/g)).toEqual([]);
  });

  /** All text but the programs, each of which is held to its source above. */
  function withoutPrograms(): [string, string][] {
    return written().filter(([name]) => programOf(name) === undefined);
  }

  /** All text but authored scripts, which are copied as they are. */
  function withoutScripts(): [string, string][] {
    return withoutPrograms().filter(([name]) => !name.endsWith(".js"));
  }

  const FOREIGN = [
    "https://www.rfc-editor.org/info/rfc9727",
    "https://json-schema.org/draft/2020-12/schema",
    "http://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.w3.org/2000/svg",
    "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  ];

  it("V13: names its own origin and no other, but six identifiers", () => {
    // A comma behind an origin belongs to the sentence.
    const URLS = /\bhttps?:\/\/[^\s"'<>()`\\&]*/gi;
    const isRdf = ([name]: readonly [string, string]): boolean => /\.(?:ttl|jsonld)$|\/void$/.test(name);
    const urls = found(URLS, [...dist].filter((file) => !isRdf(file))).map((finding) => finding.replace(/^[^:]*: |,$/g, "")); // prettier-ignore
    expect(urls.filter((url) => url.startsWith(`${OTHER}/`) || url === OTHER).length).toBeGreaterThan(200);
    const others = urls.filter((url) => url !== OTHER && !url.startsWith(`${OTHER}/`));
    expect([...new Set(others)].sort()).toEqual(FOREIGN.toSorted());
    // Linked data names its words by addresses that nobody follows.
    const named = found(URLS, [...dist].filter(isRdf)).map((finding) => finding.replace(/^[^:]*: /, ""));
    const words = [...new Set(named)].filter((url) => !url.startsWith(`${OTHER}/`));
    expect(words.filter((url) => !/^https?:\/\/(?:www\.w3\.org|purl\.org|rdfs\.org|xmlns\.com|spdx\.org|www\.iana\.org)\//.test(url))).toEqual([]); // prettier-ignore
    expect(found(/\/\/a\.example(?!["'/\s<),.\\]|&quot;|$)/gm)).toEqual([]);
  });

  it("V13: has no loopback address, path, user or host of the machine that built it", () => {
    expect(found(/localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]/gi)).toEqual([]);
    // A colon ends a line of Python; an address has something behind it.
    expect(found(/\bfile:(?!\n)/gi)).toEqual([]);
    expect(found(/\bfile:/gi, withoutPrograms())).toEqual([]);
    const traces = [
      `${project}/`,
      `${os.tmpdir()}/`,
      ...Object.values(PERSON),
      "/home/",
      "/Users/",
      "node_modules",
      "registry/concepts/",
    ];
    const withOwn = traces.filter((trace) => trace !== "registry/concepts/");
    for (const trace of withOwn) expect(found(new RegExp(trace.replaceAll(/[.\\+]/g, "\\$&"), "g"))).toEqual([]);
  });

  it("V13 O-65: has no date but those of its inputs: label, protocol, expiry, reviews", () => {
    const reviewed = new Set<string>();
    for (const { provenance, expressions } of starterRegistry().concepts) {
      for (const each of [provenance, ...expressions.map((entry) => entry.provenance)]) {
        if (typeof each?.reviewedAt === "string") reviewed.add(each.reviewedAt);
      }
    }
    const inputs = ["2026-09-02", "2026-07-28", site.security.expires, ...reviewed];
    const dates = found(/\b\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?/g).map((each) =>
      each.replace(/^[^:]*: /, ""),
    );
    expect(dates.length).toBeGreaterThan(20);
    expect([...new Set(dates)].filter((date) => !inputs.includes(date))).toEqual([]);
    // Milliseconds since 1970, or a date in words, would be a clock too.
    expect(found(/\b1[6-9]\d{11}\b/g, written())).toEqual([]);
    expect(found(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \w+ \d+/g, written())).toEqual([]);
  });

  it("differs from a release for another origin in nothing but the origin", async () => {
    // An MCP server is named after the host of the service.
    const replaced = (text: string): string =>
      text.replaceAll(ORIGIN, OTHER).replaceAll("example.registry/", "example.a/");
    for (const [name, target] of [
      ["api/v1/capabilities", "/api/v1/capabilities"],
      ["answers.json", "/answers.json"],
      ["answers.md", "/answers.md"],
      ["openapi.json", "/openapi.json"],
      ["llms.txt", "/llms.txt"],
      ["sitemap.xml", "/sitemap.xml"],
      ["mcp-server.json", "/mcp-server.json"],
      ["api/v1/integration-readiness/index.json", "/api/v1/integration-readiness"],
      ...RECIPES.map((id) => `api/v1/integration-readiness/report/${id}`).map(
        (report) => [report, `/${report}`] as const,
      ),
    ] as const) {
      const served = (await service.send("GET", target)).body.toString();
      expect([name, replaced(served) === dist.get(name)]).toEqual([name, true]);
    }
  });

  it.each(RECIPES)(
    "differs in its kits from those for another origin in nothing but the origin, and the digests and sizes of that: %s",
    async (id) => {
      const served = await textsOf(kitPathOf(id), (await service.send("GET", `/${kitPathOf(id)}`)).body);
      const own = [...dist.keys()].filter((name) => name.startsWith(`${kitPathOf(id)}!`));
      expect([...served.keys()]).toEqual(own);
      for (const [name, text] of served) {
        const listed = (list: string): string =>
          /\/(?:manifest\.json|SHA256SUMS)$/.test(name)
            ? list.replaceAll(/\b[0-9a-f]{64}\b/g, "digest").replaceAll(/(?<="bytes": )\d+/g, "size")
            : list;
        expect([name, listed(text.replaceAll(ORIGIN, OTHER)) === listed(dist.get(name) ?? "")]).toEqual([name, true]);
      }
    },
  );
});

describe("the names of the contract", () => {
  // That they are used as written: the table of test/service/documents/openapi.test.ts.
  it("V12: stand for no other brand: every name with these words is one of the known forms", () => {
    const known = [
      ...schemaNames.map((name) => `service-semantics.${name}.v1`),
      // The folder in a kit.
      ...RECIPES.map((id) => `service-semantics-${id}`),
      "service-semantics.manifest.v1",
      "service-semantics.mcp.v1",
      // The entry of a release in a transparency log, which the verifier reads.
      "service-semantics.log-entry.v1",
      "service-semantics.json",
      "service-semantics-discovery.json",
      "service-semantics-deployment.json",
      "resolve_service_semantics",
      "X-Service-Semantics-Deployment-Identity",
    ];
    const names = found(/[\w.-]*service[_-]semantics[\w.-]*/gi).map((each) => each.replace(/^[^:]*: |\.$/g, ""));
    // Prose may speak of the names by their common beginning.
    const odd = new Set(names.filter((name) => !known.includes(name) && name !== "service-semantics"));
    expect([...odd]).toEqual([]);
    expect(new Set(names).size).toBeGreaterThan(15);
    expect(known.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe("the release label", () => {
  const LABEL: ReleaseLabel = {
    productVersion: "v22",
    packageVersion: "v22-wip",
    classification: "wip",
    updated: "2026-09-02",
    apiVersion: "1.7.0",
  };

  it("O-65: is one everywhere: no document disagrees in any version, classification or date", async () => {
    const said = new Map<string, Set<unknown>>();
    const say = (where: string, document: unknown): void => {
      for (const { name, value, pointer } of members(document)) {
        // Schemas describe the members; they do not say them.
        if (!(name in LABEL) || typeof value !== "string" || /\/(?:properties|required)$/.test(pointer)) continue;
        said.set(name, (said.get(name) ?? new Set()).add(value));
        expect([where, pointer, name, value]).toEqual([where, pointer, name, LABEL[name as keyof ReleaseLabel]]);
      }
    };
    for (const target of JSON_PATHS) say(target, await getJson(service, target));
    say("manifest.json", JSON.parse(dist.get("manifest.json") ?? ""));
    for (const [name, document] of kitDocuments()) say(name, document);
    expect(Object.fromEntries([...said].map(([name, values]) => [name, [...values]]))).toEqual(
      Object.fromEntries(Object.entries(LABEL).map(([name, value]) => [name, [value]])),
    );
  });

  it("O-65: names no other version in prose", () => {
    const versions = found(/\bv\d+(?:-wip)?\b(?!\.json|\/|["'])/g, written()).map((each) =>
      each.replace(/^[^:]*: /, ""),
    );
    const ofSchemas = versions.filter(
      (version) => version !== "v1" && version !== LABEL.packageVersion && version !== LABEL.productVersion,
    );
    expect(ofSchemas).toEqual([]);
    expect(versions).toContain(LABEL.packageVersion);
  });
});

describe("the registry version", () => {
  it("V09 O-16: is one: of every concept, resolved answer, status and receipt", async () => {
    const { data } = await getJson<StatusEnvelope>(service, "/api/v1/status");
    const { registryVersion } = data.publicBundle;
    expect(registryVersion).toMatch(/^\d{4}\.\d{2}\.\d+$/);
    const concepts = await publishedConcepts(service);
    expect(concepts.length).toBe(data.publishedConcepts);
    expect(new Set(concepts.map((concept) => concept.registryVersion))).toEqual(new Set([registryVersion]));
    const list = await getJson<{ data: { registryVersion: string }[] }>(service, "/api/v1/concepts");
    expect(list.data.length).toBe(concepts.length);
    expect(new Set(list.data.map((summary) => summary.registryVersion))).toEqual(new Set([registryVersion]));
    const said: unknown[] = [];
    for (const { path: target } of DOCUMENTS) {
      for (const { name, value } of members(await getJson(service, target)))
        if (name === "registryVersion") said.push(value);
    }
    for (const [, document] of kitDocuments()) {
      // Schemas describe the member; they do not say it.
      for (const { name, value, pointer } of members(document))
        if (name === "registryVersion" && !pointer.endsWith("/properties")) said.push(value);
    }
    expect(said.length).toBeGreaterThan(concepts.length + 50);
    expect(new Set(said)).toEqual(new Set([registryVersion]));
    for (const expression of ["refund request", "ciao", "no such expression"]) {
      const { concept } = ((await service.resolve({ expression })).json() as ResolveEnvelope).data;
      expect([undefined, registryVersion]).toContain(concept?.registryVersion);
    }
    const manifest = JSON.parse(dist.get("manifest.json") ?? "") as { registry: { registryVersion: string } };
    expect(manifest.registry.registryVersion).toBe(registryVersion);
  });
});

describe("every JSON body", () => {
  /** What each flag may be, wherever it stands as a value. */
  const FLAGS: Readonly<Record<string, readonly unknown[]>> = {
    authorizationGranted: ["none", false],
    semanticAssignment: [false],
    downstreamSideEffects: [0],
    downstreamAuthorization: [false],
    sideEffects: ["none"],
    publisherAuthenticity: [false],
    isAuthorization: [false],
    isDeploymentProof: [false],
  };

  /** A flag's value; where the body is a schema, the constant it allows. */
  function flagOf(value: unknown): unknown {
    return typeof value === "object" && value !== null && "const" in value ? value.const : value;
  }

  it("A10 V14: grants nothing: wherever a flag stands, it is none, false or 0", async () => {
    const targets = [...JSON_PATHS, ...schemaNames.map((name) => `/schemas/${name}.v1.json`)];
    const bodies: [string, unknown][] = [];
    for (const target of targets) bodies.push([target, await getJson(service, target)]);
    bodies.push(...kitDocuments());
    const refusals: [string, string, Record<string, string>?, string?][] = [
      ["GET", "/answers", { accept: "image/png" }],
      ["GET", "/api-reference.json", { accept: "text/html" }],
      ["GET", "/.well-known/api-catalog", { accept: "text/html;q=1, */*;q=0" }],
      ["GET", "/api/v1/concepts/NONE"],
      ["GET", "/api/v1/concepts?q=a&q=b"],
      ["GET", "/nope"],
      ["GET", "/api/v1/integration-readiness/report/none"],
      ["GET", "/api/v1/integration-studio/kit/none.zip"],
      ["PUT", "/api/v1/resolve"],
      ["POST", "/api/v1/resolve", { "content-type": "text/plain" }, "x"],
      ["POST", "/api/v1/resolve", { "content-type": "application/json" }, "{"],
      ["POST", "/api/v1/resolve", { "content-type": "application/json" }, '{"expression":"no such"}'],
      ["POST", "/api/v1/resolve", { "content-type": "application/json" }, '{"expression":"ciao"}'],
    ];
    for (const [method, target, headers = {}, body] of refusals) {
      const reply = await service.send(method, target, { headers, ...(body === undefined ? {} : { body }) });
      bodies.push([`${method} ${target} ${reply.status}`, reply.json()]);
    }
    const seen = new Map<string, number>();
    for (const [where, body] of bodies) {
      for (const { name, value, pointer } of members(body)) {
        const allowed = FLAGS[name];
        if (allowed === undefined) continue;
        seen.set(name, (seen.get(name) ?? 0) + 1);
        expect([where, pointer, name, flagOf(value), allowed.includes(flagOf(value))]).toEqual([
          where,
          pointer,
          name,
          flagOf(value),
          true,
        ]);
      }
      // And under no other name either.
      for (const { name, value } of members(body)) {
        if (/^(?:granted|authoriz(?:ed|ation)|permissions?|scopes?|token)$/i.test(name))
          expect([where, name, value]).toEqual([where, name, undefined]);
      }
    }
    expect([...seen.keys()].sort()).toEqual(Object.keys(FLAGS).sort());
    expect(seen.get("authorizationGranted")).toBeGreaterThan(12);
    expect(seen.get("downstreamSideEffects")).toBeGreaterThan(3);
  });
});
