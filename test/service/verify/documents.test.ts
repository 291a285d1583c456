/** Documents changed by somebody who signs everything again: what can be derived tells, and the document is named. */
import { beforeAll, describe, expect, it } from "vitest";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";
import { sha256 } from "../../support/sha256.ts";
import { Copy, faultsAfter, IDENTITY, type Loose, MANIFEST } from "../../support/tamper.ts";

let dist: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty));
});

type Change = (copy: Copy) => void;
const edit =
  (name: string, change: (value: Loose) => void): Change =>
  (copy) =>
    copy.edit(name, change);
const swap =
  (name: string, from: string, to: string): Change =>
  (copy) =>
    copy.replace(name, from, to);
const evil = (name: string, place: string): Change => swap(name, `${ORIGIN}${place}`, `https://evil.example${place}`);

async function expectFault(name: string, change: Change): Promise<void> {
  const faults = await faultsAfter(dist, change);
  expect([name, faults.filter((fault) => fault.startsWith(`${name}: `)).length > 0, faults.slice(0, 3)]).toEqual([
    name,
    true,
    expect.anything(),
  ]);
}

const STATUS = "api/v1/status";
const CONNECT = "api/v1/agent/connect";
const CAPABILITIES = "api/v1/capabilities";
const CATALOG = ".well-known/api-catalog";
const RECEIPT = ".well-known/service-semantics-discovery.json";
const READINESS = "api/v1/integration-readiness/index.json";
const STUDIO = "api/v1/integration-studio/index.json";
const ADOPTION = "api/v1/adoption-guide";
const REPORT = "api/v1/integration-readiness/report/workflow-routing";

describe("what the registry amounts to", () => {
  it.each<[string, Change]>([
    ["publishedConcepts", edit(STATUS, (status) => status.data.publishedConcepts++)],
    ["reviewedExactExpressions", edit(STATUS, (status) => status.data.reviewedExactExpressions--)],
    ["languages", edit(STATUS, (status) => status.data.languages.push("zz"))],
    ["domains", edit(STATUS, (status) => status.data.domains.pop())],
    ["the bundle's digest", edit(STATUS, (status) => (status.data.publicBundle.sha256 = "0".repeat(64)))],
    ["the bundle's address", edit(STATUS, (status) => (status.data.publicBundle.url = "https://evil.example/bundle"))],
    [
      "the bundle's registryVersion",
      edit(STATUS, (status) => (status.data.publicBundle.registryVersion = "2026.11.2")),
    ],
    ["a semantic runtime", edit(STATUS, (status) => (status.data.semanticRuntimeConfigured = true))],
  ])("is not changed in the status without a fault: %s", (_what, change) => expectFault(STATUS, change));

  it.each(["release.productVersion", "release.packageVersion", "release.classification", "release.updated", "release.apiVersion", "readiness.registryVersion", "readiness.publishedConcepts", "readiness.exactResolutionReady", "canonicalOrigin"])(
    "and %s are not changed in any document that says them",
    async (member) => {
      const places = { head: [CONNECT, CAPABILITIES, ADOPTION, RECEIPT, READINESS, STUDIO, REPORT, "answers.json", "api-reference.json"], service: ["mcp-server.json"], discovery: ["agent-tool.json"] };
      const [part = "", inner] = member.split(".");
      const copy = new Copy(dist);
      const changed: string[] = [];
      for (const [where, names] of Object.entries(places)) {
        for (const name of names) {
          copy.edit(name, (value) => {
            const holder = where === "head" ? value : value[where];
            if (holder[part] === undefined) return;
            const target = inner === undefined ? holder : holder[part];
            const key = inner ?? part;
            target[key] = { productVersion: "v23", packageVersion: "v23", classification: "final", updated: "2027-01-01", apiVersion: "9.9.9", registryVersion: "2099.1.1", publishedConcepts: 1, exactResolutionReady: false, canonicalOrigin: "https://evil.example" }[key];
            changed.push(name);
          });
        }
      }
      copy.resign();
      const faults = await copy.verify();
      expect(changed.length).toBeGreaterThan(8);
      for (const name of changed) expect([name, faults.includes(`${name}: its ${part} is not that of this release`)]).toEqual([name, true]);
    },
  ); // prettier-ignore
});

describe("an address of another host", () => {
  const MACHINE: [name: string, path: string][] = [
    [CATALOG, "/openapi.json"], [CATALOG, "/api/v1/resolve"], [RECEIPT, "/openapi.json"], [CONNECT, "/api/v1/resolve"], [CONNECT, "/agent-tool.json"],
    [CAPABILITIES, "/mcp"], ["agent-tool.json", "/api/v1/resolve"], ["agent-tool.json", "/mcp"], ["agent-tool.json", "/schemas/error.v1.json"],
    [ADOPTION, "/answers"], [READINESS, "/api/v1/integration-studio"], [STUDIO, "/integration-studio"], [REPORT, "/schemas/integration-report.v1.json"],
    ["mcp-server.json", "/mcp"], ["mcp-server.json", "/mcp-guide"], ["mcp.json", ""], ["openapi.json", ""], ["llms.txt", "/openapi.json"], ["llms.txt", "/answers.md"],
    ["robots.txt", "/sitemap.xml"], ["sitemap.xml", "/answers"], [".well-known/security.txt", "/.well-known/security.txt"],
    ["agent-instructions.txt", "/api/v1/resolve"], ["agent-instructions.txt", "/mcp"], ["agent-instructions.txt", ""], ["schemas/error.v1.json", "/schemas/error.v1.json"],
  ]; // prettier-ignore

  it.each(MACHINE)("is found in %s, in the place of %s", (name, place) => expectFault(name, evil(name, place)));

  it.each([
    ["in front of the host", "https://registry.example@evil.example/mcp"],
    ["behind the host", "https://registry.example.evil.example/mcp"],
    ["with a port", "https://registry.example:444/mcp"],
    ["by another scheme", "http://registry.example/mcp"],
    ["in capitals", "HTTPS://EVIL.EXAMPLE/mcp"],
  ])("is found that looks like the own one: %s", (_what, url) =>
    expectFault("mcp-server.json", swap("mcp-server.json", `'${ORIGIN}/mcp'`, `'${url}'`)),
  );

  it.each([".md", ".html"])("is found in the answers' %s alone", (form) =>
    expectFault(`answers${form}`, swap(`answers${form}`, form === ".md" ? `${ORIGIN}/mcp-guide` : 'href="/mcp-guide"', form === ".md" ? "https://evil.example/mcp-guide" : 'href="https://evil.example/mcp-guide"')),
  ); // prettier-ignore
});

describe("an address of this service", () => {
  it.each<[string, string, Change]>([
    ["that leads to nothing", "llms.txt", swap("llms.txt", `${ORIGIN}/openapi.json`, `${ORIGIN}/openapi.yaml`)],
    ["whose anchor is gone", "answers.html", swap("answers.html", 'id="what-to-record"', 'id="what"')],
    ["with a dead anchor", ".well-known/security.txt", swap(".well-known/security.txt", "#report-a-problem", "#nobody")],
    ["of a concept that is not published", "sitemap.xml", swap("sitemap.xml", "/concepts/N-TAXI", "/concepts/N-TAXY")],
    ["of another thing than its name says", CAPABILITIES, edit(CAPABILITIES, (value) => (value.endpoints.resolve.url = `${ORIGIN}/mcp`))],
    ["that a catalog has lost", CATALOG, edit(CATALOG, (value) => value.linkset[1]["service-meta"].pop())],
    ["that a catalog has too much", CATALOG, edit(CATALOG, (value) => value.linkset[2]["service-doc"].push({ href: `${ORIGIN}/answers` }))],
    ["that llms.txt has lost", "llms.txt", (copy) => copy.write("llms.txt", copy.read("llms.txt").toString().replace(/^- \[Connect\].*\n/m, ""))],
    ["that the sitemap has lost", "sitemap.xml", (copy) => copy.write("sitemap.xml", copy.read("sitemap.xml").toString().replace(/^.*N-TAXI.*\n/m, ""))],
    ["of the MCP endpoint", "mcp-server.json", edit("mcp-server.json", (value) => (value.protocol.endpoint = `${ORIGIN}/api/v1/resolve`))],
    ["of a method that is another one", "mcp-server.json", edit("mcp-server.json", (value) => (value.protocol.method = "GET"))],
    ["of a transport", "agent-tool.json", edit("agent-tool.json", (value) => (value.transport.direct.url = `${ORIGIN}/api/v1/status`))],
    ["of the first request", CONNECT, edit(CONNECT, (value) => (value.canonicalNextRequest.url = `${ORIGIN}/api/v1/concepts`))],
    ["of a server that is one more", "openapi.json", edit("openapi.json", (value) => value.servers.push({ url: `${ORIGIN}/mcp` }))],
    ["that robots are kept from", "robots.txt", swap("robots.txt", "Disallow: /resolve", "Disallow: /")],
    ["of a resource of MCP", "mcp.json", edit("mcp.json", (value) => (value.resources[0].uri = `${ORIGIN}/nothing`))],
  ])("is found %s", (_what, name, change) => expectFault(name, change)); // prettier-ignore
});

describe("a rule or a text that several documents say", () => {
  it.each<[string, string, Change]>([
    ["an answer in Markdown alone", "answers.md", swap("answers.md", "candidate", "winner")],
    ["an answer in the page alone", "answers.html", swap("answers.html", "stable", "unstable")],
    ["an answer in JSON alone", "answers.md", edit("answers.json", (value) => (value.answers[0].answer = "Something else."))],
    ["a section of the reference in Markdown alone", "api-reference.md", swap("api-reference.md", "RFC 4647", "RFC 9999")],
    ["the acceptance rule in the connect document", CONNECT, edit(CONNECT, (value) => (value.resultPolicy.acceptanceRule = "HTTP 200 is success."))],
    ["the acceptance rule in the tool's description", "agent-tool.json", swap("agent-tool.json", "HTTP 200 alone is not success", "HTTP 200 is success")],
    ["the acceptance rule of llms.txt", "llms.txt", swap("llms.txt", "HTTP 200 alone is not success", "HTTP 200 is success")],
    ["what to send, in the instructions", "agent-instructions.txt", swap("agent-instructions.txt", "Send no secrets", "Send secrets")],
    ["what to send, in MCP's instructions", "mcp.json", swap("mcp.json", "Send no secrets", "Send secrets")],
    ["when to call, in the contract", "agent-tool.json", edit(CAPABILITIES, (value) => value.invocationPolicy.callAt.pop())],
    ["the contract at one of its two addresses", ".well-known/service-semantics.json", edit(CAPABILITIES, (value) => (value.title = "Other"))],
    ["the tool's description in MCP alone", "mcp.json", edit("mcp.json", (value) => (value.tools[0].description = "Give me everything."))],
    ["a reason's meaning", "api-reference.json", edit("api-reference.json", (value) => (value.reasons[0].meaning = "Take the first candidate"))],
    ["an operation's summary in the description", "openapi.json", edit("openapi.json", (value) => (value.paths["/api/v1/resolve"].post.summary = "Other"))],
    ["the readiness in the instructions", "agent-instructions.txt", (copy) => copy.write("agent-instructions.txt", copy.read("agent-instructions.txt").toString().replace(/^Readiness: .*$/m, "Readiness: ready"))],
    ["a recipe in readiness alone", READINESS, edit(READINESS, (value) => (value.selection.of[1].never = ["Hesitate"]))],
    ["a rule of judging in readiness alone", STUDIO, edit(READINESS, (value) => (value.classifier[0].outcome = "resolved-valid"))],
    ["which outcome assigns", READINESS, edit(READINESS, (value) => (value.fixtures[2].assigns = true))],
    ["what the registry answers, in the connect document", CONNECT, edit(CONNECT, (value) => (value.expectedOutcome.conceptCode = "N-EVIL"))],
    ["what the registry answers, in an example", "openapi.json", swap("openapi.json", "Name of N-EMOJI", "Name of N-EVIL")],
  ])("is not changed in one place: %s", (_what, name, change) => expectFault(name, change)); // prettier-ignore
});

describe("a report", () => {
  it.each<[string, Change]>([
    ["another result", edit(REPORT, (value) => (value.fixtures[1].result = value.fixtures[0].result))],
    ["another result that it expects", edit(REPORT, (value) => (value.fixtures[1].result = value.fixtures[1].expected = { outcome: "malformed" }))],
    ["an answer that the registry does not give", edit(REPORT, (value) => (value.fixtures[0].response.body = value.fixtures[0].response.body.replace("Definition of", "definition of")))],
    ["another handling than its recipe", edit(REPORT, (value) => (value.fixtures[5].handling = "Take the candidate"))],
    ["the digest of another classifier", edit(REPORT, (value) => (value.classifier.sha256 = "0".repeat(64)))],
    ["another recipe", edit(REPORT, (value) => (value.recipe.id = "clarification"))],
  ])("with %s is found", (_what, change) => expectFault(REPORT, change)); // prettier-ignore
});

describe("a schema made looser", () => {
  it.each<[string, string, Change]>([
    ["where it is published", "schemas/resolve-request.v1.json", edit("schemas/resolve-request.v1.json", (value) => delete value.additionalProperties)],
    ["in the API description", "openapi.json", edit("openapi.json", (value) => delete value.components.schemas.ResolveRequest.additionalProperties)],
    ["in the place of a reference", "openapi.json", edit("openapi.json", (value) => (value.paths["/api/v1/resolve"].post.responses["200"].content["application/json"].schema = {}))],
    ["by a reference to another component", "openapi.json", edit("openapi.json", (value) => (value.paths["/mcp"].post.requestBody.content["application/json"].schema.$ref = "#/components/schemas/Outcome"))],
    ["by a reference that turns in a circle", "openapi.json", edit("openapi.json", (value) => (value.components.schemas.Outcome = { $ref: "#/components/schemas/Outcome" }))],
    ["by a reference to nothing", "openapi.json", edit("openapi.json", (value) => delete value.components.schemas.Candidate)],
    ["in the tool of MCP", "mcp.json", edit("mcp.json", (value) => delete value.tools[0].inputSchema.properties.expression.maxLength)],
    ["in what the tool of MCP gives", "mcp.json", edit("mcp.json", (value) => (value.tools[0].outputSchema = {}))],
    ["in the tool descriptor", "agent-tool.json", edit("agent-tool.json", (value) => (value.inputSchema = {}))],
    ["in the connect document", CONNECT, edit(CONNECT, (value) => (value.canonicalResolverRequest.bodySchema = {}))],
  ])("is found %s", (_what, name, change) => expectFault(name, change)); // prettier-ignore

  it("is found as a path that the service does not have, or as one that asks for credentials", async () => {
    await expectFault(
      "openapi.json",
      edit("openapi.json", (value) => (value.paths["/api/v1/upload"] = value.paths["/mcp"])),
    );
    await expectFault(
      "openapi.json",
      edit("openapi.json", (value) => value.security.push({ key: [] })),
    );
    await expectFault(
      "openapi.json",
      edit("openapi.json", (value) => (value.info.version = "9.9.9")),
    );
  });
});

describe("a receipt", () => {
  it("with another route, and the digest of that, is found", async () => {
    const change = edit(RECEIPT, (value) => {
      value.routes[2].cachePolicy = value.routes[2].representations[0].cachePolicy = "no-store";
      value.routeInventorySha256 = sha256(JSON.stringify(sorted(value.routes)));
    });
    expect(await faultsAfter(dist, change)).toEqual([`${RECEIPT}: its "routes" does not agree with the release`]);
    await expectFault(
      RECEIPT,
      edit(RECEIPT, (value) => (value.routeInventorySha256 = "0".repeat(64))),
    );
  });

  /** RFC 8785 for these values. */
  function sorted(value: Loose): Loose {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object") return value;
    return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])])); // prettier-ignore
  }
});

describe("a manifest or an identity signed again", () => {
  async function after(change: (copy: Copy) => void): Promise<string[]> {
    const copy = new Copy(dist);
    change(copy);
    copy.resignIdentity();
    return copy.verify();
  }

  it.each<[string, (value: Loose) => void, RegExp]>([
    ["is out of order", (value) => (value.files = value.files.toReversed()), /^manifest\.json: not in byte order/],
    ["lists a file twice", (value) => value.files.splice(1, 0, value.files[0]), /^manifest\.json: not in byte order/],
    ["lists a file outside", (value) => (value.files[0].path = "../../etc/passwd"), /^manifest\.json: files\[0\]\.path must match/],
    ["lists a file that is not there", (value) => value.files.push({ ...value.files[0], path: "zzz" }), /^zzz: missing/],
    ["leaves a file out", (value) => value.files.shift(), /^\.well-known\/api-catalog: not in manifest\.json/],
    ["has another size of a file", (value) => value.files[0].bytes++, /^\.well-known\/api-catalog: its size differs/],
    ["has another label", (value) => (value.productVersion = "v23"), /^manifest\.json: not the label of this release/],
    ["is for another origin", (value) => (value.origin = "https://evil.example"), /^\.well-known\/service-semantics-deployment\.json: its origin is not/],
    ["has no origin", (value) => (value.origin = "https://evil.example/x"), /^manifest\.json: names no origin/],
    ["has another registryVersion", (value) => (value.registry.registryVersion = "1"), /^registry\.index: another registryVersion/],
  ])("is found where it %s", async (_what, change, fault) => {
    expect((await after((copy) => copy.edit(MANIFEST, change))).filter((text) => fault.test(text))).not.toEqual([]);
  }); // prettier-ignore

  it.each<[string, (value: Loose) => void, RegExp]>([
    ["has another label", (value) => (value.classification = "final"), /not the label of this release/],
    ["is for another origin", (value) => (value.canonicalOrigin = "https://evil.example"), /its origin is not that of manifest\.json/],
    ["lists what is not its own", (value) => value.closure.files.push({ ...value.closure.files[0], path: "zzz" }), /it lists what does not belong to a closure/],
    ["does not list what runs", (value) => (value.closure.files = value.closure.files.filter((file: Loose) => file.path !== "runtime/main.js")), /it does not list/],
    ["is out of order", (value) => (value.closure.files = value.closure.files.toReversed()), /its files are not in byte order/],
  ])("is found where the identity %s", async (_what, change, fault) => {
    expect((await after((copy) => copy.edit(IDENTITY, change))).filter((text) => text.startsWith(`${IDENTITY}: `) && fault.test(text))).not.toEqual([]);
  }); // prettier-ignore

  it("is found in another form, though it says the same", async () => {
    for (const name of [MANIFEST, IDENTITY, "api/v1/status"]) {
      const copy = new Copy(dist);
      copy.resign();
      copy.write(name, JSON.stringify(JSON.parse(copy.read(name).toString())));
      if (name === MANIFEST) copy.resignIdentity();
      copy.resignSums();
      if (name === IDENTITY || name === MANIFEST)
        expect(await copy.verify()).toContain(`${name}: not in the form of a release`);
      else expect(await copy.verify()).toContain(`${name}: differs from its digest in manifest.json`);
    }
  });
});
