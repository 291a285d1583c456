/** Documents changed and signed again: derived content is compared, and the document named. */
import { rmSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";
import { sha256 } from "../../support/sha256.ts";
import { type Copy, edit, faultsAfter, type Loose, MANIFEST, swap, type Tampering } from "../../support/tamper.ts";

let dist: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty));
});

const STATUS = "api/v1/status";
const CONNECT = "api/v1/agent/connect";
const CAPABILITIES = "api/v1/capabilities";
const CATALOG = ".well-known/api-catalog";
const RECEIPT = ".well-known/service-semantics-discovery.json";
const READINESS = "api/v1/integration-readiness/index.json";
const STUDIO = "api/v1/integration-studio/index.json";
const ADOPTION = "api/v1/adoption-guide";
const REPORT = "api/v1/integration-readiness/report/workflow-routing";
const RETIRED = "registry/retired.json";
const HISTORY = "registry/history.json";
const COVERAGE = "registry/coverage.json";
const CONTEXT = "registry/contexts/2026.11.1.jsonld";
const INSTRUCTIONS = "agent-instructions.txt";

/** Exchanges the first two places of a file that look like this. */
function exchange(copy: Copy, name: string, form: RegExp): void {
  const text = copy.read(name).toString();
  const [first = "", second = ""] = text.match(form) ?? [];
  const swapped = text.replace(first, "\0").replace(second, () => first);
  copy.write(
    name,
    swapped.replace("\0", () => second),
  );
}

/** Without a fault, the document is printed again. */
type Row = readonly [what: string, change: Tampering, fault: string] | readonly [what: string, change: Tampering];

const evil = (name: string, place: string): Row => [
  `${name}, in the place of ${place}`,
  swap(name, `${ORIGIN}${place}`, `https://evil.example${place}`),
  `${name}: names https://evil.example`,
];
const endpoint = (what: string, url: string): Row => [
  what,
  swap("mcp-server.json", `'${ORIGIN}/mcp'`, `'${url}'`),
  `mcp-server.json: names ${url.slice(0, -4).toLowerCase()}`,
];
const release = {
  registryVersion: "2026.11.1",
  contentSha256: "0".repeat(64),
  reassigned: [],
  acknowledgement: null,
  log: null,
};
const SCHEMA_200 = ["/api/v1/resolve", "post", "responses", "200", "content", "application/json"];
const at = (value: Loose, ...names: string[]): Loose => names.reduce((inner, name) => inner[name], value);

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  "what the registry amounts to, in the status": [
    ["publishedConcepts", edit(STATUS, (status) => status.data.publishedConcepts++)],
    ["reviewedExactExpressions", edit(STATUS, (status) => status.data.reviewedExactExpressions--)],
    ["languages", edit(STATUS, (status) => status.data.languages.push("zz"))],
    ["domains", edit(STATUS, (status) => status.data.domains.pop())],
    ["the bundle's digest", edit(STATUS, (status) => (status.data.publicBundle.sha256 = "0".repeat(64)))],
    ["the bundle's address", edit(STATUS, (status) => (status.data.publicBundle.url = "https://evil.example/bundle"))],
    ["the bundle's registryVersion", edit(STATUS, (status) => (status.data.publicBundle.registryVersion = "2026.11.2"))],
    ["a semantic runtime", edit(STATUS, (status) => (status.data.semanticRuntimeConfigured = true))],
  ],
  "an address of another host": [
    evil(CATALOG, "/openapi.json"), evil(CATALOG, "/api/v1/resolve"), evil(RECEIPT, "/openapi.json"), evil(CONNECT, "/api/v1/resolve"),
    evil(CONNECT, "/agent-tool.json"), evil(CAPABILITIES, "/mcp"), evil("agent-tool.json", "/api/v1/resolve"), evil("agent-tool.json", "/mcp"),
    evil("agent-tool.json", "/schemas/error.v1.json"), evil(ADOPTION, "/answers"), evil(READINESS, "/api/v1/integration-studio"),
    evil(STUDIO, "/integration-studio"), evil(REPORT, "/schemas/integration-report.v1.json"), evil("mcp-server.json", "/mcp"),
    evil("mcp-server.json", "/mcp-guide"), evil("mcp.json", ""), evil("openapi.json", ""), evil("llms.txt", "/openapi.json"),
    evil("llms.txt", "/answers.md"), evil("robots.txt", "/sitemap.xml"), evil("sitemap.xml", "/answers"),
    evil(".well-known/security.txt", "/.well-known/security.txt"), evil(INSTRUCTIONS, "/api/v1/resolve"), evil(INSTRUCTIONS, "/mcp"),
    evil(INSTRUCTIONS, ""), evil("schemas/error.v1.json", "/schemas/error.v1.json"),
    endpoint("like the own one, with more in front of the host", "https://registry.example@evil.example/mcp"),
    endpoint("like the own one, with more behind the host", "https://registry.example.evil.example/mcp"),
    endpoint("like the own one, with a port", "https://registry.example:444/mcp"),
    endpoint("like the own one, by another scheme", "http://registry.example/mcp"),
    endpoint("in capitals", "HTTPS://EVIL.EXAMPLE/mcp"),
    ["the answers in Markdown alone", swap("answers.md", `${ORIGIN}/mcp-guide`, "https://evil.example/mcp-guide"), "answers.md: does not say what the JSON says at api-or-mcp"],
    ["the canonical address of a page", swap("index.html", "</head>", '<link rel="canonical" href="https://evil.example/"></head>'), "index.html: gives https://evil.example/ as its own address"],
    ["another form of a page", swap("api-reference.html", 'href="/api-reference.json"', `href="${ORIGIN}.evil.example/api-reference.json"`), `api-reference.html: gives ${ORIGIN}.evil.example/api-reference.json as its own address`],
    ["what a preview links to", swap("mcp-guide.html", "</head>", '<meta property="og:url" content="https://evil.example/mcp-guide"></head>'), "mcp-guide.html: gives https://evil.example/mcp-guide as its own address"],
    ["the canonical address of a page that calls itself a feed", swap("index.html", "</head>", '<link rel="canonical" type="application/rss+xml" href="https://evil.example/"></head>'), "index.html: gives https://evil.example/ as its own address"],
    ["another form with a feed in its type", swap("shell.html", "</head>", '<link rel=alternate type="text/html;x=atom+xml" href="//evil.example/de"></head>'), "shell.html: gives //evil.example/de as its own address"],
    ["what a preview links to, under a name", swap("mcp-guide.html", "</head>", '<meta name="og:url" content="https://evil.example/mcp-guide"></head>'), "mcp-guide.html: gives https://evil.example/mcp-guide as its own address"],
    ["what a preview links to, as one of two properties", swap("mcp-guide.html", "</head>", '<meta property="OG:url x:y" content="https://evil.example/mcp-guide"></head>'), "mcp-guide.html: gives https://evil.example/mcp-guide as its own address"],
    ["the page of the answers alone", swap("answers.html", 'href="/mcp-guide', 'href="https://evil.example/mcp-guide'), "answers.html: does not say what the JSON says at api-or-mcp"],
  ],
  "an address of this service": [
    ["that leads to nothing", swap("llms.txt", `${ORIGIN}/openapi.json`, `${ORIGIN}/openapi.yaml`)],
    ["whose anchor is gone", swap("answers.html", 'id="what-to-record"', 'id="what"'), "answers.html: links to /answers#what-to-record"],
    ["of a page, with spaces in its attribute", swap("answers.html", "</main>", '<a href = "/nowhere">x</a></main>'), "answers.html: links to /nowhere"],
    ["with a dead anchor", swap(".well-known/security.txt", "#report-a-problem", "#nobody"), ".well-known/security.txt: links to /answers#nobody"],
    ["of a concept that is not published", swap("sitemap.xml", "/concepts/N-TAXI", "/concepts/N-TAXY"), "sitemap.xml: links to /concepts/N-TAXY"],
    ["of another thing than its name says", edit(CAPABILITIES, (value) => (value.endpoints.resolve.url = `${ORIGIN}/mcp`))],
    ["missing in a catalog", edit(CATALOG, (value) => value.linkset[1]["service-meta"].pop())],
    ["too many in a catalog", edit(CATALOG, (value) => value.linkset[2]["service-doc"].push({ href: `${ORIGIN}/answers` }))],
    ["twice in a catalog", edit(CATALOG, (value) => value.linkset.push(value.linkset[2]))],
    ["of a computed answer, with another type", edit(CATALOG, (value) => (value.linkset[0].item[1].type = "text/plain"))],
    ["missing in llms.txt", swap("llms.txt", /^- \[Connect\].*\n/m, "")],
    ["to report a fault to, that is a script", swap(".well-known/security.txt", /Contact: .*/, "Contact: javascript:alert(1)"), ".well-known/security.txt: not a contact, an expiry"],
    ["to report a fault to, that is only a scheme", swap(".well-known/security.txt", /Contact: .*/, "Contact: mailto:"), ".well-known/security.txt: not a contact, an expiry"],
    ["to report a fault to, without a host", swap(".well-known/security.txt", /Contact: .*/, "Contact: https:evil"), ".well-known/security.txt: not a contact, an expiry"],
    ["to report a fault to, until no day", swap(".well-known/security.txt", /Expires: .{10}/, "Expires: 2027-13-45"), ".well-known/security.txt: not a contact, an expiry"],
    ["missing in the sitemap", swap("sitemap.xml", /^.*N-TAXI.*\n/m, ""), "sitemap.xml: not the pages and concepts of this release"],
    ["of the MCP endpoint", edit("mcp-server.json", (value) => (value.protocol.endpoint = `${ORIGIN}/api/v1/resolve`))],
    ["of another method", edit("mcp-server.json", (value) => (value.protocol.method = "GET"))],
    ["that keeps sessions", edit("mcp-server.json", (value) => (value.protocol.stateless = false))],
    ["of another revision of a request", edit("mcp-server.json", (value) => (value.requestRequirements.meta["io.modelcontextprotocol/protocolVersion"] = "2025-06-18"))],
    ["of another header field", edit("mcp-server.json", (value) => delete value.requestRequirements.headers["Mcp-Name"])],
    ["of another address for a host", edit("mcp-server.json", (value) => (value.clients.configuration.vsCode.servers["semantic-resolution-service"].url = `${ORIGIN}/api/v1/resolve`))],
    ["of another kind of manifest", edit("mcp-server.json", (value) => (value.schema = "other"))],
    ["of a transport", edit("agent-tool.json", (value) => (value.transport.direct.url = `${ORIGIN}/api/v1/status`))],
    ["of the first request", edit(CONNECT, (value) => (value.canonicalNextRequest.url = `${ORIGIN}/api/v1/concepts`))],
    ["of a server for one operation alone", edit("openapi.json", (value) => (value.paths["/api/v1/resolve"].post.servers = [{ url: "/mcp" }]))],
    ["that asks for credentials in one operation alone", edit("openapi.json", (value) => (value.paths["/api/v1/concepts"].get.security = [{ key: [] }]))],
    ["of one server more", edit("openapi.json", (value) => value.servers.push({ url: `${ORIGIN}/mcp` }))],
    ["closed to robots", swap("robots.txt", "Disallow: /resolve", "Disallow: /")],
    ["of a resource of MCP", edit("mcp.json", (value) => (value.resources[0].uri = `${ORIGIN}/nothing`))],
  ],
  "a rule or a text that several documents say": [
    ["an answer in Markdown alone", swap("answers.md", "candidate", "winner"), "answers.md: does not say what the JSON says at first-request"],
    ["an answer in the page alone", swap("answers.html", "stable", "unstable"), "answers.html: does not say what the JSON says at what-is-it"],
    ["two questions in Markdown alone", { file: "answers.md", apply: (copy) => exchange(copy, "answers.md", /^### .*$/gm) }, "answers.md: has another answer to what-is-it"],
    ["two questions in the page alone", { file: "answers.html", apply: (copy) => exchange(copy, "answers.html", /<h3\b.*<\/h3>/g) }, "answers.html: has another answer to what-is-it"],
    ["an answer in JSON alone", edit("answers.json", (value) => (value.answers[0].answer = "Something else.")), "answers.md: does not say what the JSON says at what-is-it"],
    ["an answer less in JSON alone", edit("answers.json", (value) => value.answers.pop()), "answers.json: its answers are not those of the page"],
    ["another name for an answer in JSON alone", edit("answers.json", (value) => (value.answers[5].id = "other")), "answers.json: its answers are not those of the page"],
    ["the evidence of an answer in JSON alone", edit("answers.json", (value) => (value.answers[0].evidence[0].url = `${ORIGIN}/schemas/error.v1.json`)), "answers.html: does not say what the JSON says at "],
    ["the address of an answer", edit("answers.json", (value) => (value.answers[0].url = "https://evil.example/")), "answers.json: its address of what-is-it does not lead to its article"],
    ["the last error in the reference", edit("api-reference.json", (value) => value.errors.pop())],
    ["a header field that nobody explains", edit("api-reference.json", (value) => (value.fields = value.fields.filter((one: Loose) => one.name !== "Retry-After")))],
    ["what a code permits, in the contract", edit(CAPABILITIES, (value) => (value.authority = value.authority.map((one: string) => one.replace("grants no permission", "grants permission"))))],
    ["what a code permits, in the readiness", edit(READINESS, (value) => (value.authorizationRecord.rule = "A code authorizes."))],
    ["what a code permits, in the instructions", swap(INSTRUCTIONS, "authorizes no action", "authorizes any action")],
    ["what a code permits, in MCP's instructions", swap("mcp.json", "authorizes no action", "authorizes any action")],
    ["what the tool permits", swap("agent-tool.json", "grant neither semantic", "grant semantic")],
    ["an error in the reference in JSON alone", edit("api-reference.json", (value) => (value.errors[0].status = 200)), "api-reference.md: does not say what the JSON says at errors"],
    ["a field in the reference in JSON alone", edit("api-reference.json", (value) => (value.fields[0].description = "Nothing")), "api-reference.html: does not say what the JSON says at fields"],
    ["a limit in JSON alone", edit("api-reference.json", (value) => (value.limits[1].value = 9000)), "api-reference.md: does not say what the JSON says at limits"],
    ["a field of the first request", edit(CONNECT, (value) => (value.canonicalNextRequest.headers["Content-Type"] = "text/plain"))],
    ["a section of the reference in Markdown alone", swap("api-reference.md", "RFC 4647", "RFC 9999"), "api-reference.md: does not say what the JSON says at language"],
    ["the acceptance rule in the connect document", edit(CONNECT, (value) => (value.resultPolicy.acceptanceRule = "HTTP 200 is success."))],
    ["the acceptance rule in the tool's contract", edit("agent-tool.json", (value) => (value.outputContract.acceptanceRule = "HTTP 200 is success."))],
    ["the acceptance rule of llms.txt", swap("llms.txt", "HTTP 200 alone is not success", "HTTP 200 is success")],
    ["what to send, in the instructions", swap(INSTRUCTIONS, "no secrets", "all secrets")],
    ["what to send, in MCP's instructions", swap("mcp.json", "no secrets", "all secrets")],
    ["when to call, in the tool's policy", edit("agent-tool.json", (value) => (value.invocationPolicy.intendedUse = "Ask for every utterance."))],
    ["what to send, in the adoption guide", swap(ADOPTION, "1 to 1000 characters", "1 to 2000 characters")],
    ["the first request of llms.txt", swap("llms.txt", "/api/v1/resolve`", "/mcp`")],
    ["the contract at one of its two addresses", edit(CAPABILITIES, (value) => (value.title = "Other"))],
    ["the order of the steps of a decision", edit(CAPABILITIES, (value) => value.decisionProcedure.push(value.decisionProcedure.shift()))],
    ["the order of a checklist", edit(READINESS, (value) => value.checklist.push(value.checklist.shift()))],
    ["a safety boundary", edit(ADOPTION, (value) => (value.safetyBoundaries[0] = "A code grants permission"))],
    ["the order of the stages", edit(ADOPTION, (value) => (value.stagedAdoption[0].stage = 2))],
    ["the order of the journey, with its numbers", edit(STUDIO, ({ journey }) => ([journey[2].id, journey[3].id] = [journey[3].id, journey[2].id]))],
    ["a use case that is no recipe", edit(ADOPTION, (value) => (value.useCases[0].id = "other"))],
    ["what the registry answers, in a note", swap(CONNECT, "data.concept.code is N-", "data.concept.code is M-")],
    ["what the registry answers, in MCP's instructions", swap("mcp.json", "data.concept.code N-", "data.concept.code M-")],
    ["the order of what is checked, with its numbers", edit(CAPABILITIES, ({ decisionProcedure: steps }) => ([steps[3].check, steps[4].check] = [steps[4].check, steps[3].check]))],
    ["what a prompt checks first", swap("mcp.json", '1. data.status is', '1. error.status is')],
    ["the tool's description in MCP alone", edit("mcp.json", (value) => (value.tools[0].description = "Give me everything."))],
    ["a reason's meaning", edit("api-reference.json", (value) => (value.reasons[0].meaning = "Take the first candidate"))],
    ["an operation's summary in the description", edit("openapi.json", (value) => (value.paths["/api/v1/resolve"].post.summary = "Other"))],
    ["the readiness in the instructions", swap(INSTRUCTIONS, /^Readiness: .*$/m, "Readiness: ready")],
    ["a recipe in readiness alone", edit(READINESS, (value) => (value.selection.of[1].never = ["Hesitate"]))],
    ["a rule of judging in readiness alone", edit(READINESS, (value) => (value.classifier[0].outcome = "resolved-valid"))],
    ["which outcome assigns", edit(READINESS, (value) => (value.fixtures[2].assigns = true))],
    ["what the registry answers, in the connect document", edit(CONNECT, (value) => (value.expectedOutcome.conceptCode = "N-EVIL"))],
    ["what the registry answers, in the instructions", swap(INSTRUCTIONS, '"code":"N-EMOJI"', '"code":"N-EVIL"')],
    ["the type of a link of the catalog", edit(".well-known/api-catalog", (value) => (value.linkset[1]["service-doc"][0].type = "text/plain"))],
    ["a concept, in an example", edit("openapi.json", (value) => delete value.paths["/api/v1/concepts/{code}"].get.responses["200"].content["application/json"].examples.concept.value.expressions[0].provenance)],
    ["what the registry answers, in an example", swap("openapi.json", "Name of N-EMOJI", "Name of N-EVIL")],
  ],
  "a report with": [
    ["another result", edit(REPORT, (value) => (value.fixtures[1].result = value.fixtures[0].result))],
    ["another result that it expects", edit(REPORT, (value) => (value.fixtures[1].result = value.fixtures[1].expected = { outcome: "malformed" }))],
    ["an answer that the registry does not give", edit(REPORT, (value) => (value.fixtures[0].response.body = value.fixtures[0].response.body.replace("Definition of", "definition of")))],
    ["another handling than its recipe", edit(REPORT, (value) => (value.fixtures[5].handling = "Take the candidate"))],
    ["the digest of another classifier", edit(REPORT, (value) => (value.classifier.sha256 = "0".repeat(64)))],
    ["another recipe", edit(REPORT, (value) => (value.recipe.id = "clarification"))],
  ],
  "a looser schema": [
    ["where it is published", edit("schemas/resolve-request.v1.json", (value) => delete value.additionalProperties), "schemas/resolve-request.v1.json: not the schema of this release"],
    ["in the API description", edit("openapi.json", (value) => delete value.components.schemas.ResolveRequest.additionalProperties)],
    ["in the place of a reference", edit("openapi.json", (value) => (at(value.paths, ...SCHEMA_200).schema = {}))],
    ["of a concept that is a list", edit("openapi.json", (value) => (value.paths["/api/v1/concepts/{code}"].get.responses["200"].content["application/json"].schema.$ref = "#/components/schemas/ConceptList"))],
    ["of a document that is another one", edit("openapi.json", (value) => (value.paths["/answers"].get.responses["200"].content["application/json"].schema.$ref = "#/components/schemas/ApiReference"))],
    ["of a refusal that is an answer", edit("openapi.json", (value) => (value.paths["/api/v1/concepts"].get.responses["4XX"].content["application/json"].schema.$ref = "#/components/schemas/ConceptList"))],
    ["of a text that is a number", edit("openapi.json", (value) => (value.paths["/answers.md"].get.responses["200"].content["text/markdown"].schema.type = "integer"))],
    ["by a reference to another component", edit("openapi.json", (value) => (value.paths["/mcp"].post.requestBody.content["application/json"].schema.$ref = "#/components/schemas/Outcome"))],
    ["by a reference that turns in a circle", edit("openapi.json", (value) => (value.components.schemas.Outcome = { $ref: "#/components/schemas/Outcome" }))],
    ["by a reference that is not to a component", edit("openapi.json", (value) => (value.paths["/api/v1/concepts/{code}"].get.responses["200"].content["application/json"].schema.$ref = "ConceptDetail"))],
    ["by a reference to nothing", edit("openapi.json", (value) => delete value.components.schemas.Candidate)],
    ["in what the tool of MCP gives", edit("mcp.json", (value) => (value.tools[0].outputSchema = {}))],
    ["in the tool of MCP", edit("mcp.json", (value) => delete value.tools[0].inputSchema.properties.expression.maxLength)],
    ["in the tool descriptor", edit("agent-tool.json", (value) => (value.inputSchema = {}))],
    ["in the connect document", edit(CONNECT, (value) => (value.canonicalResolverRequest.bodySchema = {}))],
  ],
  "an API description of": [
    ["longer requests", edit("openapi.json", (value) => (value.paths["/api/v1/concepts"].get.parameters[0].schema.maxLength = 1_000))],
    ["a code that may be anything", edit("openapi.json", (value) => (value.paths["/api/v1/concepts/{code}"].head.parameters[0].schema = {}))],
    ["a recipe more", edit("openapi.json", (value) => value.paths["/api/v1/integration-readiness/report/{recipeId}"].get.parameters[0].schema.enum.push("x"))],
    ["a header field that may be missing", edit("openapi.json", (value) => (value.paths["/mcp"].post.parameters[1].required = false))],
    ["a header field that is no text", edit("openapi.json", (value) => (value.paths["/answers"].get.parameters[0].schema.type = "integer"))],
    ["a parameter that says more", edit("openapi.json", (value) => (value.paths["/answers.md"].get.parameters[0].deprecated = true))],
    ["a body that is none", edit("openapi.json", (value) => (value.paths["/mcp"].post.requestBody.content["application/json"] = null))],
    ["a header field of a request that is explained otherwise", edit("openapi.json", (value) => (value.paths["/mcp"].post.parameters[0].description = "Optional"))],
    ["a header field of another form", edit("openapi.json", (value) => (value.components.headers.ETag.schema = {}))],
    ["a header field that is another one", edit("openapi.json", (value) => (value.paths["/answers"].get.responses["200"].headers.ETag.$ref = "#/components/headers/Allow"))],
    ["parameters that are none", edit("openapi.json", (value) => (value.paths["/mcp"].post.parameters = [null]))],
    ["a path that the service does not have", edit("openapi.json", (value) => (value.paths["/api/v1/upload"] = value.paths["/mcp"]))],
    ["a service that asks for credentials", edit("openapi.json", (value) => value.security.push({ key: [] }))],
    ["a path less", edit("openapi.json", (value) => delete value.paths["/api/v1/concepts/{code}"])],
    ["a document less", edit("openapi.json", (value) => delete value.paths["/api/v1/status"])],
    ["another version", edit("openapi.json", (value) => (value.info.version = "9.9.9"))],
  ],
  "another version of the registry": [
    ["on a page", swap("coverage.html", '<span class="nowrap">2026.11.1', '<span class="nowrap">2026.10.1'), "coverage.html: is of version 2026.10.1 of the registry"],
    ["on a page, in other quotes", swap("coverage.html", '<span class="nowrap">2026.11.1', "<span class='nowrap'>2026.10.1"), "coverage.html: is of version 2026.10.1 of the registry"],
    ["on a page, with an entity and in capitals", swap("coverage.html", ' <span class="nowrap">2026.11.1</span>', '\n<SPAN class="nowrap" >2026.1&#48;.1</SPAN>'), "coverage.html: is of version 2026.10.1 of the registry"],
    ["on all rendered pages", swap("shell.html", '<span class="nowrap">2026.11.1', '<span class="nowrap">2026.10.1'), "shell.html: is of version 2026.10.1 of the registry"],
  ],
  "texts that rendered pages lack": [
    ["all of them", edit("interface.json", (value) => (value.languages[0].texts = {})), "interface.json: its text concepts.title in en is missing"],
    ["one that is a number", edit("interface.json", (value) => (value.languages[0].texts["concept.cite"] = 7)), 'interface.json: languages[0].texts["concept.cite"] must be a string'],
    ["a shell that is a number", edit("interface.json", (value) => (value.languages[0].shell = 7)), "interface.json: languages[0].shell must be a string"],
    ["an address that is a script", edit("interface.json", (value) => (value.proposals = "javascript:alert(1)//{expression}")), "interface.json: proposals must match"],
    ["a log that is a script", edit("interface.json", (value) => (value.log = { address: "javascript:alert(1)" })), "interface.json: log.address must match"],
    ["a value that a page has", edit("interface.json", (value) => (value.languages[0].texts["reason.registry_empty"] = "{code}")), "interface.json: its text reason.registry_empty in en"],
    ["their innocence", edit("interface.json", (value) => (value.languages[0].texts["concept.cite"] = "<img src=x onerror=alert(1)>")), 'interface.json: has <img src="x" onerror="alert(1)", which the policy of pages forbids'],
    ["a place for a page", swap("shell.html", '<main id="main">', "<main>"), "shell.html: has no place for a page"],
  ],
  "what pages search": [
    ["nothing", { file: "search.json", apply: (copy) => rmSync(copy.at("search.json")) }, "search.json: missing"],
    ["an entry of another form", edit("search.json", (value) => (value.pages = [{ a: 1 }])), 'search.json: pages[0] lacks the property "title"'],
    ["an entry that leads elsewhere", edit("search.json", (value) => (value.pages[0].url = "//evil.example")), "search.json: pages[0].url must match"],
    ["an entry that leads to nothing", edit("search.json", (value) => (value.pages[0].url = "/nothing")), "search.json: links to /nothing, which does not exist"],
    ["the number of concepts", edit("search.json", (value) => value.concepts++)],
    ["whether there are files of names", edit("search.json", (value) => (value.named = false))],
  ],
  "a description of the linked data with another number of": [
    ["statements", swap(".well-known/void", /void:triples \d+/, "void:triples 1"), ".well-known/void: does not count what registry/concepts.jsonld says"],
    ["concepts", swap(".well-known/void", /void:entities \d+/, "void:entities 1"), ".well-known/void: does not count what registry/concepts.jsonld says"],
  ],
  "a context of the concepts that says": [
    ["of near expressions that they are labels", swap(CONTEXT, "srs:label", "rdfs:label"), `${CONTEXT}: does not say what the members of a concept mean`],
    ["of a provenance of null that it has members", edit(CONTEXT, (value) => (value["@context"].provenance = "@nest")), `${CONTEXT}: does not say what the members of a concept mean`],
    ["nothing of sources", edit(CONTEXT, (value) => delete value["@context"].sourceId), `${CONTEXT}: does not say what the members of a concept mean`],
  ],
  "coverage that the index does not hold": [
    ["the number of concepts", edit(COVERAGE, (value) => value.concepts++)],
    ["the number of a domain's", edit(COVERAGE, (value) => value.domains.listed[0].concepts++)],
    ["a domain less", edit(COVERAGE, (value) => value.domains.listed.pop())],
    ["what a language covers", edit(COVERAGE, (value) => value.languages.listed[0].concepts++)],
    ["what it covers of a domain", edit(COVERAGE, (value) => value.languages.listed[0].byDomain[1]++)],
    ["what is found under a tag", edit(COVERAGE, (value) => value.languages.listed[8].tags.listed.pop())],
    ["a concept that is not lacking", edit(COVERAGE, (value) => value.languages.listed[0].lacking.listed.pop())],
    ["a language less", edit(COVERAGE, (value) => value.languages.listed.pop())],
    ["another order", edit(COVERAGE, (value) => value.languages.listed.push(value.languages.listed.shift()))],
    ["an ambiguous expression less", edit(COVERAGE, (value) => value.ambiguous.withinLanguage.listed.pop())],
    ["one in the other list", edit(COVERAGE, (value) => value.ambiguous.withinLanguage.listed.push(value.ambiguous.acrossLanguages.listed.pop()))],
    ["a meaning less", edit(COVERAGE, (value) => value.ambiguous.withinLanguage.listed[0].concepts.listed.pop())],
    ["how many meanings", edit(COVERAGE, (value) => value.ambiguous.withinLanguage.listed[1].concepts.total--)],
    ["a tag of a meaning", edit(COVERAGE, (value) => (value.ambiguous.acrossLanguages.listed[0].concepts.listed[0].tags.listed[0] = "fr"))],
    ["a limit", edit(COVERAGE, (value) => (value.limits.lacking = 1))],
    ["an address", edit(COVERAGE, (value) => (value.$schema = "https://evil.example/schemas/registry-coverage.v1.json"))],
  ],
  "retired codes that the content digest does not cover": [
    ["one less", edit(RETIRED, (value) => value.retired.pop()), "registry/retired.json: with the concepts it does not give the content digest of the manifest"],
    ["one more", edit(RETIRED, (value) => value.retired.push({ ...value.retired[0], code: "N-RETIRED-TOO" })), "registry/retired.json: with the concepts it does not give the content digest of the manifest"],
    ["another successor", edit(RETIRED, (value) => (value.retired[0].replacedBy = "N-RIVER")), "registry/retired.json: with the concepts it does not give the content digest of the manifest"],
    ["no successor", edit(RETIRED, (value) => (value.retired[0].replacedBy = null)), "registry/retired.json: with the concepts it does not give the content digest of the manifest"],
    ["itself as its successor", edit(RETIRED, (value) => (value.retired[0].replacedBy = "N-RETIRED")), "registry/retired.json: N-RETIRED is replaced by itself"],
    ["another version", edit(RETIRED, (value) => (value.retired[0].retiredIn = "2026.10.2")), "registry/retired.json: with the concepts it does not give the content digest of the manifest"],
    ["one that is published", edit(RETIRED, (value) => (value.retired[0].code = "N-TAXI")), "registry/retired.json: N-TAXI is published"],
    ["an address", edit(RETIRED, (value) => (value.canonicalOrigin = "https://evil.example"))],
  ],
  "a history that is not that of the manifest": [
    ["another version", edit(HISTORY, (value) => (value.current.registryVersion = "2026.11.2")), "registry/history.json: its current release is not that of the manifest"],
    ["another content", edit(HISTORY, (value) => (value.current.contentSha256 = "0".repeat(64))), "registry/history.json: its current release is not that of the manifest"],
    ["recorded, and not listed", edit(HISTORY, (value) => (value.current.recorded = true)), "registry/history.json: is wrong about whether its current release is recorded"],
    ["listed, and not recorded", edit(HISTORY, (value) => value.releases.push({ ...release, contentSha256: value.current.contentSha256 })), "registry/history.json: is wrong about whether its current release is recorded"],
    ["listed with another content", edit(HISTORY, (value) => (value.releases.push(release), (value.current.recorded = true))), "registry/history.json: records another content for its current release"],
    ["a release above it", edit(HISTORY, (value) => value.releases.push({ ...release, registryVersion: "2026.11.10" })), "registry/history.json: its releases are not in the order of their versions"],
    ["releases that are not in order", edit(HISTORY, (value) => value.releases.push({ ...release, registryVersion: "2026.10.10" }, { ...release, registryVersion: "2026.10.9" })), "registry/history.json: its releases are not in the order of their versions"],
  ],
}; // prettier-ignore

describe.each(Object.entries(TABLES))("%s", (_subject, rows) => {
  it.each(rows)("is found: %s", async (...[, change, fault = `${change.file}: `]) => {
    expect(await faultsAfter(dist, change.apply)).toContainEqual(expect.stringContaining(fault));
  });
});

it("a rule of acceptance that is the contrary everywhere is found", async () => {
  const faults = await faultsAfter(dist, (copy) => {
    for (const name of copy
      .names()
      .filter((one) => /\.(?:json|md|html|txt)$|^api\/v1/.test(one) && !one.endsWith(".zip"))) {
      const before = copy.read(name).toString();
      const after = before.replaceAll("HTTP 200 alone is not success", "HTTP 200 alone is success");
      if (after !== before) copy.write(name, after);
    }
  });
  expect(faults).toContainEqual(expect.stringContaining("api/v1/capabilities: line "));
});

/** A text in every document that has it. */
const everywhere =
  (from: string, to: string) =>
  (copy: Copy): void => {
    for (const name of copy.names().filter((one) => /\.(?:json|md|html|txt)$|^api\/v1|^\.well-known/.test(one)))
      if (!/\.zip$|schemas|deployment|^manifest/.test(name) && copy.read(name).toString().includes(from))
        copy.replace(name, from, to);
  };

it.each([
  [
    "that an abstention gives a code, in both contracts for agents",
    (copy: Copy) =>
      [CAPABILITIES, ".well-known/service-semantics.json"].forEach((name) =>
        copy.edit(name, (value) => (value.resultPolicy.outcomes[1].conceptCode = true)),
      ),
    CAPABILITIES,
  ],
  ["another length of an expression", everywhere("1 to 1000 characters", "1 to 2000 characters"), CAPABILITIES],
  [
    "another limit",
    (copy: Copy) => copy.edit("api-reference.json", (value) => (value.limits[6].value = 12)),
    "api-reference.md",
  ],
  [
    "another error",
    everywhere("The request did not arrive in time", "The request came too early"),
    "api-reference.json",
  ],
])("is found where several documents say it: %s", async (_what, change, file) => {
  expect(await faultsAfter(dist, change)).toContainEqual(expect.stringContaining(`${file}: `));
});

describe("what every document says of the release", () => {
  const HEADS = [CONNECT, CAPABILITIES, ADOPTION, RECEIPT, READINESS, STUDIO, REPORT, "mcp-server.json", "agent-tool.json"]; // prettier-ignore
  const PROSE = ["answers.json", "api-reference.json"];
  const heads = (value: Loose): Loose => ({ "mcp-server.json": value.service, "agent-tool.json": value.discovery });

  it.each([
    ["release.productVersion", "v23"], ["release.apiVersion", "9.9.9"], ["readiness.registryVersion", "2099.1.1"],
    ["readiness.exactResolutionReady", false], ["canonicalOrigin", "https://evil.example"],
  ])("is not changed in any that has %s", async (member, other) => {
    const [part = "", inner] = member.split(".");
    // The audit names what leads to another host; only then is prose printed again.
    for (const names of [HEADS, PROSE]) {
      const changed: string[] = [];
      const faults = await faultsAfter(dist, (copy) => {
        for (const name of names) {
          copy.edit(name, (value) => {
            const holder = heads(value)[name] ?? value;
            if (holder[part] === undefined) return;
            (inner === undefined ? holder : holder[part])[inner ?? part] = other;
            changed.push(name);
          });
        }
      });
      expect(changed.length).toBeGreaterThan(names.length - 3);
      expect(faults.map((fault) => fault.split(":")[0])).toEqual(expect.arrayContaining(changed));
    }
  }); // prettier-ignore
});

describe("a content digest", () => {
  it("is found that its concepts and retired codes do not give", async () => {
    const faults = await faultsAfter(dist, (copy) => {
      const digest = "0".repeat(64);
      copy.edit(MANIFEST, (value) => (value.registry.contentSha256 = digest));
      copy.edit(HISTORY, (value) => (value.current.contentSha256 = digest));
    });
    expect(faults).toEqual([expect.stringMatching(/^registry\/retired\.json: with the concepts it does not give/)]);
  });
});

describe("a receipt", () => {
  it("with another route, and the digest of that, is found", async () => {
    const faults = await faultsAfter(dist, (copy) =>
      copy.edit(RECEIPT, (value) => {
        value.routes[2].cachePolicy = value.routes[2].representations[0].cachePolicy = "no-store";
        value.routeInventorySha256 = sha256(JSON.stringify(sorted(value.routes)));
      }),
    );
    expect(faults).toEqual([expect.stringContaining(`${RECEIPT}: line `)]);
  });

  it("with the digest of other routes is found", async () => {
    const change = edit(RECEIPT, (value) => (value.routeInventorySha256 = "0".repeat(64)));
    expect(await faultsAfter(dist, change.apply)).toContainEqual(expect.stringContaining(`${RECEIPT}: `));
  });

  /** RFC 8785 for these values. */
  function sorted(value: Loose): Loose {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object") return value;
    return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])])); // prettier-ignore
  }
});
