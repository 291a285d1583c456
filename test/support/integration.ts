/**
 * The checklist, the reports, the studio and the kits of registries of every kind. What they must
 * be is written down here once more, from the contract and not from the generator; what they show
 * is asked of the service.
 */
import { DOCUMENTS } from "../../generator/documents/table.ts";
import { afterAll, beforeAll, expect } from "vitest";
import { answerOffline } from "../../generator/tools/query/commands/resolve.ts";
import { agentTool } from "../../generator/documents/agent-tool.ts";
import { fileSystem } from "../../generator/effects/file-system.ts";
import { makeIntegration } from "../../generator/integration/documents.ts";
import { readHandoffs } from "../../generator/integration/handoffs.ts";
import { openApi, openApiFragment } from "../../generator/openapi/openapi.ts";
import { findExamples } from "../../generator/view/examples.ts";
import { viewOf } from "./view.ts";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import type { ConceptDetail } from "../../runtime/contract/concept.ts";
import type {
  Fixture,
  IntegrationReadiness,
  IntegrationReport,
  IntegrationStudio,
  ProvenFixture,
} from "../../generator/contract/integration.ts";
import type { ResolveEnvelope } from "../../runtime/contract/resolution.ts";
import { reportPath } from "../../runtime/contract/policy.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import { starterContent } from "./build.ts";
import { getJson, members, publishedConcepts, RECIPES } from "./documents.ts";
import { readZip } from "./kits.ts";
import { ORIGIN } from "./release.ts";
import { type Service, startService } from "./service.ts";
import { type Name, isWhole, REGISTRIES, WHOLE, type Whole } from "./integration-registries.ts";

type RecipeId = (typeof RECIPES)[number];
export const OUTCOMES = ["resolved-valid", "unknown", "ambiguous", "malformed", "request-error", "service-error"];
export const UNASSIGNED = OUTCOMES.slice(1);
/** What a kit has below its root (O-41), in byte order. */
export const FILES = [
  "README.md",
  "SHA256SUMS",
  "curl/classify.awk",
  "curl/handoff.sh",
  ...OUTCOMES.toSorted().map((id) => `fixtures/${id}.json`),
  "instructions.txt",
  "manifest.json",
  "node/classify.mjs",
  "node/handoff.mjs",
  "node/log-proof.mjs",
  "node/verifier.mjs",
  "openapi.json",
  "powershell/handoff.ps1",
  "python/handoff.py",
  "python/log_proof.py",
  "registry-excerpt.ndjson",
  "report.json",
  "tool.json",
];

interface Kit {
  readonly zip: Buffer;
  /** Every name in the ZIP. */
  readonly names: readonly string[];
  /** A file below the root. */
  file(path: string): Buffer;
  text(path: string): string;
  json(path: string): unknown;
}

interface Reply {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** What is drawn from a registry, and how requests about it are answered. */
export interface Drawn {
  readonly reports: Readonly<Record<RecipeId, IntegrationReport>>;
  readonly concepts: readonly ConceptDetail[];
  ask(request: Fixture["request"]): Promise<Reply>;
}

export interface Integration extends Drawn {
  readonly service: Service;
  readonly readiness: IntegrationReadiness;
  readonly studio: IntegrationStudio;
  readonly kits: Readonly<Record<RecipeId, Kit>>;
}

/** Without a release: the reports alone, and the answers from the index in memory. */
export async function draw(registry: CheckedRegistry): Promise<Drawn> {
  const view = viewOf(registry, ORIGIN, starterContent().site);
  const openapi = formatDocument(openApiFragment(openApi(view, findExamples(view), DOCUMENTS)));
  const parts = { openapi, sources: readHandoffs(fileSystem), tool: formatDocument(agentTool(view)) };
  const { reports } = await makeIntegration(view, parts);
  const { index } = view;
  const bundle = Buffer.from(index.read(index.sections.bundle)).toString().split("\n").slice(0, -1);
  return {
    reports: await ofEach((id) => Promise.resolve(JSON.parse(reports.get(reportPath(id)) ?? "") as IntegrationReport)),
    concepts: bundle.map((line) => JSON.parse(line) as ConceptDetail),
    ask(request) {
      const { text, code } = answerOffline(index, request);
      return Promise.resolve({ status: code === 0 ? 200 : 400, contentType: "application/json", body: `${text}\n` });
    },
  };
}

async function kitOf(service: Service, recipeId: RecipeId): Promise<Kit> {
  const reply = await service.send("GET", `/api/v1/integration-studio/kit/${recipeId}.zip`);
  expect([recipeId, reply.status]).toEqual([recipeId, 200]);
  const files = new Map((await readZip(reply.body)).map(({ name, bytes }) => [name, bytes]));
  const file = (path: string): Buffer => {
    const bytes = files.get(`service-semantics-${recipeId}/${path}`);
    if (bytes === undefined) throw new Error(`The kit of ${recipeId} has no ${path}`);
    return bytes;
  };
  return {
    zip: reply.body,
    names: [...files.keys()],
    file,
    text: (path) => new TextDecoder("utf-8", { fatal: true }).decode(file(path)),
    json: (path) => JSON.parse(file(path).toString()) as unknown,
  };
}

async function ofEach<T>(make: (recipeId: RecipeId) => Promise<T>): Promise<Record<RecipeId, T>> {
  const made = await Promise.all(RECIPES.map(async (id) => [id, await make(id)] as const));
  return Object.fromEntries(made) as Record<RecipeId, T>;
}

async function open(registry: CheckedRegistry): Promise<Integration> {
  const service = await startService(registry);
  return {
    service,
    readiness: await getJson(service, "/api/v1/integration-readiness"),
    studio: await getJson(service, "/api/v1/integration-studio"),
    reports: await ofEach((id) => getJson(service, `/api/v1/integration-readiness/report/${id}`)),
    kits: await ofEach((id) => kitOf(service, id)),
    concepts: (await service.send("GET", "/registry/bundle.ndjson")).body.length === 0 ? [] : await publishedConcepts(service),
    async ask(request) {
      const { status, headers, body } = await service.resolve(request);
      return { status, contentType: headers["content-type"], body: body.toString() };
    },
  }; // prettier-ignore
}

interface Opened {
  readonly all: Readonly<Record<Whole, Integration>>;
  readonly drawnOf: Readonly<Record<Name, Drawn>>;
}

/** The named registries for the tests of a file, whole ones served: ready before the first test. */
export function integrations(names: readonly Name[] = WHOLE): Opened {
  const all = {} as Record<Whole, Integration>;
  const drawnOf = {} as Record<Name, Drawn>;
  beforeAll(async () => {
    // One after the other: a build is all computation.
    for (const name of names) {
      if (isWhole(name)) drawnOf[name] = all[name] = await open(REGISTRIES[name]());
      else drawnOf[name] = await draw(REGISTRIES[name]());
    }
  });
  afterAll(() => Promise.all(Object.values(all).map(({ service }) => service.close())));
  return { all, drawnOf };
}

/** The documents of one release, by what they are called in a failure. */
export function documentsOf({ readiness, studio, reports, kits }: Integration): [string, unknown][] {
  return [
    ["readiness", readiness],
    ["studio", studio],
    ...RECIPES.map((id): [string, unknown] => [`report ${id}`, reports[id]]),
    ...RECIPES.map((id): [string, unknown] => [`manifest ${id}`, kits[id].json("manifest.json")]),
  ];
}

export function* fixturesOf({ reports }: Pick<Drawn, "reports">): Generator<ProvenFixture, void> {
  for (const id of RECIPES) yield* reports[id].fixtures;
}

export function fixture({ fixtures }: IntegrationReport, id: string): ProvenFixture {
  const found = fixtures.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no fixture ${id}`);
  return found;
}

/** The body of a fixture as an envelope. */
export function envelopeOf({ response }: Fixture): ResolveEnvelope {
  return JSON.parse(response?.body ?? "") as ResolveEnvelope;
}

/** Every code that a fixture's body names, as concept or as candidate. */
export function codesIn({ response }: Fixture): string[] {
  if (response === null || response.contentType !== "application/json") return [];
  return [...members(JSON.parse(response.body))].flatMap(({ pointer, name, value }) =>
    name === "code" && pointer.startsWith("/data/") ? [String(value)] : [],
  );
}

export const ACCEPTANCE =
  /data\.status is "resolved" and data\.concept\.code is present.*HTTP 200 alone is not success/;

/** Kinds of fixture whose answer is the service's own, and must be what it answers. */
export const ANSWERED = ["resolved-valid", "unknown", "ambiguous"];

/** Sends a fixture's request and holds the answer against what the fixture says came back. */
export async function expectLive(one: Drawn, each: Fixture): Promise<void> {
  const { status, contentType, body } = await one.ask(each.request);
  const { recipeId, id, response } = each;
  expect([recipeId, id, status, contentType, body]).toEqual([
    recipeId,
    id,
    response?.status,
    response?.contentType,
    response?.body,
  ]);
}
