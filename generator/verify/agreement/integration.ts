/**
 * Checks that readiness, reports, studio and kits have the same recipes, rules and files. Each
 * fixture is judged again by the published rules, and the index gives the answers of the registry.
 */
import { isDeepStrictEqual } from "node:util";
import {
  FIXTURE_OUTCOMES,
  type Fixture,
  type IntegrationReadiness,
  type IntegrationReport,
} from "../../contract/integration.ts";
import { RECIPE_IDS, type RecipeId } from "../../../runtime/contract/recipe.ts";
import { type ResolutionData, ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import { kitPath, MCP_FILE, paths, policies, reportPath } from "../../../runtime/contract/policy.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { answerRequest } from "../../../runtime/registry/answer.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import type { Dist, Documents, Faults, Files, Parts } from "../integrity/parts.ts";
import { checkRules, type Rule } from "./rule.ts";
import { formatJson, memberAt, readAs, readJson, readObject, textAt } from "../integrity/json.ts";
import { listFiles } from "../integrity/kits.ts";

const [READINESS, STUDIO] = [`${paths.readiness}/index.json`, `${paths.studio}/index.json`];

export function checkIntegration(parts: Parts): Faults {
  const { documents, dist, kits } = parts;
  const faults = checkRules(
    documents,
    RECIPE_IDS.flatMap((id, at) => recipeRules(parts, id, at)),
  );
  const readiness = documents.get(READINESS) as IntegrationReadiness | undefined;
  const useCases = readiness?.selection.of.map(({ id, title, purpose }) => ({ id, title, description: purpose }));
  const assigns = FIXTURE_OUTCOMES.map((id) => ({ id, assigns: id === "resolved-valid" }));
  faults.push(
    ...checkRules(documents, [
      [READINESS, "fixtures", assigns],
      [STUDIO, "localProof.fixtures", FIXTURE_OUTCOMES],
      [STUDIO, "localProof.rules", readiness?.classifier],
      [paths.adoptionGuide, "useCases", useCases],
    ]),
  );
  for (const id of RECIPE_IDS) {
    const report = documents.get(reportPath(id)) as IntegrationReport | undefined;
    if (report === undefined) continue;
    faults.push(...checkReport(report, id, dist).map((text) => `${reportPath(id).slice(1)}: ${text}`));
    const files = kits.get(id) ?? new Map<string, Buffer>();
    faults.push(...checkFixtureFiles(report, files).map((text) => `${kitPath(id).slice(1)}: ${text}`));
  }
  return dist.index === undefined
    ? faults
    : [...faults, ...checkExamples(documents, dist.index), ...checkShown(dist.text(INSTRUCTIONS), dist.index)];
}

/** Readiness and studio must say about a recipe what its report and its kit say. */
function recipeRules({ documents, dist, kits, known: { origin } }: Parts, id: RecipeId, at: number): Rule[] {
  const report = documents.get(reportPath(id)) as IntegrationReport | undefined;
  if (report === undefined) return [];
  const summary = { ...report.recipe, report: origin + reportPath(id), kit: origin + kitPath(id) };
  const readiness = documents.get(READINESS) as IntegrationReadiness | undefined;
  const rules: Rule[] = [
    [READINESS, `selection.of.${at}`, summary],
    [reportPath(id), "classifier.rules", readiness?.classifier],
  ];
  const files = kits.get(id);
  if (files === undefined) return rules;
  const archive = { path: kitPath(id), ...dist.digests.get(kitPath(id).slice(1)), mediaType: policies.zip.mediaType };
  const manifest = readObject(files.get("manifest.json"));
  return [
    ...rules,
    [STUDIO, `recipes.${at}`, { ...summary, archive, files: listFiles(files, []) }],
    [STUDIO, "handoffs", manifest?.["handoffs"]],
    [STUDIO, "exitCodes", manifest?.["exitCodes"]],
  ];
}

/** Checks a report: six fixtures in order, each judged again. */
function checkReport(report: IntegrationReport, id: RecipeId, { digests, index }: Dist): Faults {
  const faults: Faults = [];
  if (report.recipe.id !== id) faults.push("is of another recipe");
  const ids = report.fixtures.map((fixture) => fixture.id);
  if (!isDeepStrictEqual(ids, FIXTURE_OUTCOMES)) faults.push("its fixtures are not the expected ones");
  for (const fixture of report.fixtures) {
    const { expected, result, handling } = fixture;
    const judged = judge(fixture);
    const fault = (wrong: boolean, text: string): void =>
      void (wrong && faults.push(`its fixture ${fixture.id} ${text}`));
    fault(fixture.recipeId !== id, "is of another recipe");
    fault(expected.outcome !== fixture.id, "expects another outcome");
    fault(!isDeepStrictEqual(result, expected) || !isDeepStrictEqual(judged, expected), "is not what it declares");
    fault(
      handling !== report.recipe.handling.find(({ outcome }) => outcome === fixture.id)?.action,
      "is not handled as the recipe says",
    );
    fault(index !== undefined && !isAnswered(fixture, index), "does not have the answer that the registry gives");
  }
  const classifier = [...digests].find(([name]) => name.startsWith(`${paths.assets.slice(1)}/classify.`));
  if (classifier !== undefined && classifier[1].sha256 !== report.classifier.sha256)
    faults.push("its classifier is not the published one");
  return faults;
}

const ANSWERS: readonly string[] = ["resolved-valid", "unknown", "ambiguous"];

function isAnswered({ id, drawnFrom, request, response }: Fixture, index: RegistryIndex): boolean {
  if (drawnFrom !== "registry" || !ANSWERS.includes(id)) return true;
  const answer = answerRequest(index, request);
  return answer.ok && response?.body === `${answer.envelope}\n`;
}

const parseEnvelope = compileSchema(ResolveEnvelope);

/** Applies the published rules in order. */
function judge({ request, response }: Fixture): unknown {
  if (response === null) return { outcome: "service-error" };
  const { status, contentType, body } = response;
  if (status >= 400 && status <= 499) return { outcome: "request-error" };
  if (status !== 200) return { outcome: "service-error" };
  const isJson = /^\s*application\/json\s*(?:;|$)/i.test(contentType ?? "");
  const envelope = isJson ? readAs(Buffer.from(body), parseEnvelope) : undefined;
  if (envelope?.ok !== true || envelope.value.data.input.expression !== request.expression)
    return { outcome: "malformed" };
  const { data } = envelope.value;
  if (data.status === "abstained" && data.concept === null)
    return { outcome: data.reason === "ambiguous_expression" ? "ambiguous" : "unknown" };
  if (data.status !== "resolved" || data.reason !== null || data.concept === null) return { outcome: "malformed" };
  const { code, registryVersion } = data.concept;
  if (code === "" || registryVersion === "") return { outcome: "malformed" };
  return { outcome: "resolved-valid", code, registryVersion };
}

/** The fixtures of a kit must be those of its report, without the results of the classifier. */
function checkFixtureFiles(report: IntegrationReport, files: Files): Faults {
  return report.fixtures
    .filter(({ result: _result, asDeclared: _asDeclared, ...fixture }) => {
      const text = files.get(`fixtures/${fixture.id}.json`)?.toString();
      return text !== undefined && text !== formatJson(fixture);
    })
    .map(({ id }) => `fixtures/${id}.json is not the fixture of the report`);
}

interface Asked {
  readonly request: unknown;
  readonly answer: unknown;
}

/** The examples in documents must show what the index answers. */
function checkExamples(documents: Documents, index: RegistryIndex): Faults {
  const faults: Faults = [];
  const connect = documents.get(paths.connect);
  const expected = memberAt(connect, "expectedOutcome");
  const { data } = (ask(index, memberAt(connect, "canonicalNextRequest", "body")) ?? {}) as Partial<ResolveEnvelope>;
  const isSame =
    memberAt(expected, "status") === data?.status &&
    memberAt(expected, "reason") === data?.reason &&
    memberAt(expected, "conceptCode") === (data?.concept?.code ?? null) &&
    memberAt(expected, "registryVersion") === (data?.concept?.registryVersion ?? null) &&
    memberAt(expected, "note") === noteOf(data);
  if (connect !== undefined && !isSame)
    faults.push(`${paths.connect.slice(1)}: its expected outcome is not what the registry answers`);
  const openapi = documents.get(paths.openapi);
  for (const [name, { request, answer }] of examplesIn(openapi)) {
    if (!isDeepStrictEqual(ask(index, request), answer))
      faults.push(`${paths.openapi.slice(1)}: its example ${name} is not what the registry answers`);
  }
  const examples = memberAt(openapi, "paths", `${paths.concepts}/{code}`, "get", "responses", "200", ...EXAMPLES);
  const shownConcept = memberAt(examples, "concept", "value");
  if (shownConcept !== undefined && !isDeepStrictEqual(detailOf(index, textAt(shownConcept, "code")), shownConcept))
    faults.push(`${paths.openapi.slice(1)}: its example concept is not what the registry answers`);
  const instructions = textAt(documents.get(MCP_FILE), "instructions");
  const [shown, request = ""] = /^For example, the arguments (.*?\}) give .*$/m.exec(instructions) ?? [];
  if (shown !== undefined && shown !== `For example, the arguments ${request} give ${givenBy(index, request)}.`)
    faults.push(`${MCP_FILE.slice(1)}: its example is not what the registry answers`);
  return faults;
}

/** The sentence in which the connect document states the outcome. */
function noteOf(data?: ResolutionData): string {
  const { concept, reason } = data ?? {};
  return concept === undefined || concept === null
    ? `data.reason is ${reason}, and no code is assigned`
    : `data.concept.code is ${concept.code}, of registryVersion ${concept.registryVersion}`;
}

/** The answer as the MCP instructions phrase it. */
function givenBy(index: RegistryIndex, request: string): string | undefined {
  const json = readJson(Buffer.from(request));
  const { data } = (json.ok ? (ask(index, json.value) ?? {}) : {}) as Partial<ResolveEnvelope>;
  if (data === undefined) return undefined;
  const { status, concept, reason } = data;
  const given =
    concept === null
      ? `data.reason ${reason}`
      : `data.concept.code ${concept.code}, of registryVersion ${concept.registryVersion}`;
  return `data.status ${status} and ${given}`;
}

/** The instructions must show a request and its answer, each on a line of its own. */
function checkShown(text: string | undefined, index: RegistryIndex): Faults {
  const shown = text?.split("\n").filter((line) => line.startsWith("{")) ?? [];
  const [request, answer] = shown.map((line) => readJson(Buffer.from(line)));
  const isSame =
    text === undefined ||
    (shown.length === 2 &&
      request?.ok === true &&
      answer?.ok === true &&
      isDeepStrictEqual(ask(index, request.value), answer.value));
  return isSame ? [] : [`${INSTRUCTIONS}: its example is not what the registry answers`];
}

const INSTRUCTIONS = paths.agentInstructions.slice(1);

/**
 * The answer of the index. Undefined if the request is refused, or if the stored text is damaged
 * and so not JSON; the check of the index reports that.
 */
function ask(index: RegistryIndex, request: unknown): unknown {
  const answer = answerRequest(index, request);
  const json = answer.ok ? readJson(Buffer.from(answer.envelope)) : undefined;
  return json?.ok === true ? json.value : undefined;
}

/** The document of a concept, if the registry has it. */
function detailOf(index: RegistryIndex, code: string): unknown {
  const id = index.conceptId(code);
  const json = id === undefined ? undefined : readJson(index.read(index.concept(id).detail));
  return json?.ok === true ? json.value : undefined;
}

const EXAMPLES = ["content", "application/json", "examples"];

/** The example requests of the resolve operation, each with the example answer of the same name. */
function* examplesIn(openapi: unknown): Generator<[string, Asked], void> {
  const post = memberAt(openapi, "paths", paths.resolve, "post");
  const requests = (memberAt(post, "requestBody", ...EXAMPLES) ?? {}) as Readonly<Record<string, unknown>>;
  const answers = memberAt(post, "responses", "200", ...EXAMPLES);
  for (const [name, example] of Object.entries(requests))
    yield [name, { request: memberAt(example, "value"), answer: memberAt(answers, name, "value") }];
}
