/** What lies in the kits. */
import type { ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { ConceptDetail } from "../../../../runtime/contract/concept.ts";
import type { IntegrationKit } from "../../../../generator/contract/integration.ts";
import { getJson, members, RECIPES } from "../../../support/documents.ts";
import type { ApiDescription, ApiOperation } from "../../../support/openapi.ts";
import { expectValid, makeAjv, publishedSchema } from "../../../support/schemas.ts";
import { ORIGIN } from "../../../support/release.ts";
import { ACCEPTANCE, codesIn, documentsOf, FILES, integrations } from "../../../support/integration.ts";
import { sha256 } from "../../../support/sha256.ts";
import { WHOLE } from "../../../support/integration-registries.ts";

const { all } = integrations();

describe("a kit", () => {
  it.each(WHOLE)("O-41 F23 F24: of the %s registry has its root, its files and nothing else", (name) => {
    for (const id of RECIPES) {
      const expected = FILES.map((file) => `service-semantics-${id}/${file}`);
      expect([id, all[name].kits[id].names.toSorted()]).toEqual([id, expected.toSorted()]);
    }
  });

  it.each(WHOLE)("F26: of the %s registry has the digest of every other file in SHA256SUMS, sorted", (name) => {
    for (const id of RECIPES) {
      const kit = all[name].kits[id];
      const others = FILES.filter((path) => path !== "SHA256SUMS");
      const lines = others.map((path) => `${sha256(kit.file(path))}  ${path}\n`);
      expect([id, kit.text("SHA256SUMS")]).toEqual([id, lines.join("")]);
      const { files } = kit.json("manifest.json") as IntegrationKit;
      const listed = others.filter((path) => path !== "manifest.json");
      expect(files).toEqual(
        listed.map((path) => ({ path, bytes: kit.file(path).length, sha256: sha256(kit.file(path)) })),
      );
    }
  });

  it.each(WHOLE)(
    "O-39 F30: the %s registry's documents and manifests are valid by the schemas they name",
    async (name) => {
      const { service } = all[name];
      const validators = new Map<string, ValidateFunction>();
      const constants: string[] = [];
      for (const [what, document] of documentsOf(all[name])) {
        const { schema, $schema } = document as { schema: string; $schema: string };
        constants.push(schema);
        const kind = /^service-semantics\.([\w-]+)\.v1$/.exec(schema)?.[1] ?? "";
        expect([what, $schema]).toEqual([what, `${ORIGIN}/schemas/${kind}.v1.json`]);
        const validate = validators.get(kind) ?? (await publishedSchema(service, kind));
        validators.set(kind, validate);
        expectValid(validate, document, what);
        // A schema that takes anything judges nothing.
        expect([what, validate({ ...(document as object), more: 1 })]).toEqual([what, false]);
      }
      const of = (kind: string) => `service-semantics.${kind}.v1`;
      expect(constants).toEqual([
        of("integration-readiness"),
        of("integration-studio"),
        ...RECIPES.map(() => of("integration-report")),
        ...RECIPES.map(() => of("integration-kit")),
      ]);
    },
  );

  it("O-39 F16: the schemas hold to five recipes, six fixtures and the verdicts that pass", async () => {
    const { service, readiness, studio, reports } = all.small;
    const report = reports["clarification"];
    const manifest = all.small.kits["clarification"].json("manifest.json") as IntegrationKit;
    const [first, second] = report.fixtures;
    const spoiled: [string, unknown][] = [
      ["integration-readiness", { ...readiness, fixtures: readiness.fixtures.slice(1) }],
      ["integration-readiness", { ...readiness, fixtures: [...readiness.fixtures, readiness.fixtures[0]] }],
      ["integration-readiness", { ...readiness, selection: { ...readiness.selection, exactly: 2 } }],
      ["integration-readiness", { ...readiness, selection: { exactly: 1, of: readiness.selection.of.slice(1) } }],
      ["integration-readiness", { ...readiness, authorizationGranted: "some" }],
      ["integration-readiness", { ...readiness, authorizationRecord: { separate: false, rule: "x" } }],
      ["integration-studio", { ...studio, journey: studio.journey.slice(1) }],
      ["integration-studio", { ...studio, recipes: studio.recipes.slice(1) }],
      ["integration-studio", { ...studio, liveResolution: { ...studio.liveResolution, default: "on" } }],
      ["integration-studio", { ...studio, adapters: { ...studio.adapters, dependencies: ["left-pad"] } }],
      ["integration-report", { ...report, passed: false }],
      ["integration-report", { ...report, isAuthorization: true }],
      ["integration-report", { ...report, fixtures: report.fixtures.slice(1) }],
      ["integration-report", { ...report, recipe: { ...report.recipe, id: "other" } }],
      // A code with an outcome that has none, and an assignment without one.
      ["integration-report", { ...report, fixtures: report.fixtures.map((each) => (each === second ? { ...each, result: { ...each.result, code: "X", registryVersion: "1" } } : each)) }], // prettier-ignore
      ["integration-report", { ...report, fixtures: report.fixtures.map((each) => (each === first ? { ...each, expected: { outcome: "resolved-valid" } } : each)) }], // prettier-ignore
      ["integration-kit", { ...manifest, dependencies: ["left-pad"] }],
      ["integration-kit", { ...manifest, recipeId: "other" }],
      ["integration-kit", { ...manifest, liveResolution: { ...manifest.liveResolution, default: "on" } }],
    ];
    for (const [i, [kind, document]] of spoiled.entries()) {
      const validate = await publishedSchema(service, kind);
      expect([i, kind, validate(document)]).toEqual([i, kind, false]);
    }
  });

  it.each(WHOLE)(
    "F25: of the %s registry has the tool definition of the service, valid by its schema, to the byte",
    async (name) => {
      const { service, kits } = all[name];
      const served = await service.send("GET", "/agent-tool.json");
      const validate = await publishedSchema(service, "agent-tool");
      for (const id of RECIPES) {
        expect([id, kits[id].file("tool.json").equals(served.body)]).toEqual([id, true]);
        expectValid(validate, kits[id].json("tool.json"), id);
      }
    },
  );

  it.each(WHOLE)(
    "F25 V10: of the %s registry has an OpenAPI 3.1 fragment of the one operation, whole and as served",
    async (name) => {
      const { service, kits } = all[name];
      const api = await getJson<ApiDescription & Record<string, unknown>>(service, "/openapi.json");
      for (const id of RECIPES) {
        const fragment = kits[id].json("openapi.json") as ApiDescription & Record<string, unknown>;
        const { openapi, info, jsonSchemaDialect, servers, security, tags, paths, components, ...more } = fragment;
        expect([openapi, more]).toEqual(["3.1.0", {}]);
        expect([info, jsonSchemaDialect, servers, security]).toEqual([api.info, api["jsonSchemaDialect"], api.servers, api.security]); // prettier-ignore
        expect([typeof info.title, info.version]).toEqual(["string", "1.7.0"]);
        expect(Object.keys(paths)).toEqual(["/api/v1/resolve"]);
        expect(Object.keys(paths["/api/v1/resolve"] ?? {})).toEqual(["post"]);
        expect(paths["/api/v1/resolve"]).toEqual(api.paths["/api/v1/resolve"]);
        const operation = paths["/api/v1/resolve"]?.["post"] as ApiOperation;
        expect(tags.map((tag) => tag.name)).toEqual(operation.tags);
        // Every reference leads somewhere inside, every component is led to, and each is the
        // service's own.
        const kinds = components as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
        const pointers = Object.entries(kinds).flatMap(([kind, held]) => Object.keys(held).map((one) => `#/components/${kind}/${one}`)); // prettier-ignore
        const referred = [...members(fragment)]
          .filter((member) => member.name === "$ref")
          .map(({ value }) => String(value));
        expect(new Set(referred)).toEqual(new Set(pointers));
        for (const [kind, held] of Object.entries(kinds)) {
          const whole = api.components[kind as "schemas"];
          for (const [one, value] of Object.entries(held)) expect([kind, one, value]).toEqual([kind, one, whole[one]]);
        }
        expectCompiles(fragment);
      }
    },
  );

  it.each(WHOLE)(
    "F25 V10: of the %s registry has machine instructions: how to ask, to read, to act, to record",
    (name) => {
      for (const id of RECIPES) {
        const text = all[name].kits[id].text("instructions.txt");
        const { recipe, classifier } = all[name].reports[id];
        expect(text).toMatch(/^Recipe [\w-]+: operating rules\n/);
        expect(text).toMatch(ACCEPTANCE);
        expect(text).toContain(`POST ${ORIGIN}/api/v1/resolve\nContent-Type: application/json\n`);
        expect(text).toMatch(/exact expression .*\b1 to 1000 characters/);
        for (const rule of [/only the exact expression/, /no conversation/, /no secrets/, /NFC/, /RFC 4647/])
          expect(text).toMatch(rule);
        const said = [
          recipe.id,
          recipe.purpose,
          ...Object.values(recipe.placement),
          ...recipe.never,
          ...recipe.recorded.flatMap(({ what, where }) => [what, where]),
          ...recipe.handling.flatMap(({ outcome, action }) => [outcome, action]),
          ...classifier.rules.map(({ rule, when, outcome }) => `${rule}. ${when}: ${outcome}.`),
        ];
        expect([id, said.filter((each) => !text.includes(each))]).toEqual([id, []]);
        const { registryVersion, status } = all[name].readiness.readiness;
        expect(text).toContain(`Registry version: ${registryVersion} (${status})`);
      }
    },
  );

  it("F24 F25: explains itself in its README: proof, files, outcomes, exit codes, what it is not", () => {
    const { kits, reports, studio } = all.hostile;
    for (const id of RECIPES) {
      const text = kits[id].text("README.md");
      const { recipe, fixtures } = reports[id];
      const said = [
        "sha256sum -c SHA256SUMS",
        ...studio.handoffs.flatMap(({ prove: proof, resolve }) => [proof.join(" "), resolve.join(" ")]),
        recipe.scenario,
        ...recipe.never,
        ...recipe.handling.map(({ action }) => action),
        ...fixtures.map(({ title }) => title),
        ...studio.exitCodes.resolve.map(({ code, means }) => `| ${code} | ${means} |`),
      ];
      expect([id, said.filter((each) => !text.includes(each))]).toEqual([id, []]);
      // A table whose rows have cells of their own number is none.
      const rows = text.split("\n").filter((line) => line.startsWith("|"));
      for (const row of rows) expect([row, [3, 4].includes(row.split("|").length - 1)]).toEqual([row, true]);
      const files = new Set(FILES.map((path) => path.replace(/\/.*/, "/")));
      expect([...files].filter((path) => !text.includes(`\`${path}\``) && path !== "README.md")).toEqual([]);
    }
  });

  it.each(WHOLE)(
    "F24: of the %s registry has, as excerpt, lines of the public bundle: all concepts that are shown",
    async (name) => {
      const { service, kits, reports } = all[name];
      const bundle = (await service.send("GET", "/registry/bundle.ndjson")).body.toString();
      const published = new Set(bundle.split("\n").slice(0, -1));
      for (const id of RECIPES) {
        const text = kits[id].text("registry-excerpt.ndjson");
        const lines = text.split("\n");
        expect(lines.pop()).toBe("");
        expect([id, lines.filter((line) => !published.has(line)).map((line) => line.slice(0, 80))]).toEqual([id, []]);
        const excerpt = lines.map((line) => (JSON.parse(line) as ConceptDetail).code);
        expect(excerpt).toEqual([...new Set(excerpt)].sort());
        const drawn = reports[id].fixtures.filter(({ drawnFrom }) => drawnFrom === "registry");
        const named = new Set(drawn.flatMap((each) => codesIn(each)));
        expect([id, [...named].filter((code) => !excerpt.includes(code))]).toEqual([id, []]);
        // And whoever looks for an expression that was sent finds it there.
        const held = lines.flatMap((line) =>
          (JSON.parse(line) as ConceptDetail).expressions.map((each) => each.expression),
        );
        for (const each of drawn.filter(({ id: kind }) =>
          ["resolved-valid", "ambiguous", "malformed"].includes(kind),
        )) {
          expect([id, each.id, held.includes(each.request.expression)]).toEqual([id, each.id, true]);
        }
      }
    },
  );

  it.each(WHOLE)(
    "V11 V13: of the %s registry is bound to this origin alone, and has no mark or placeholder left",
    (name) => {
      for (const id of RECIPES) {
        const kit = all[name].kits[id];
        for (const file of FILES) {
          const text = kit.text(file);
          const own = /^(?:fixtures|report|registry-excerpt|openapi)/.test(file);
          if (!own)
            expect([id, file, text.match(/@[A-Z_]+@|\{base_url\}|\bundefined\b(?=\n)/g)]).toEqual([id, file, null]);
          const foreign = (text.match(/https?:\/\/[^\s"'`)<>\\|,]+/g) ?? []).filter(
            (url) => !url.startsWith(ORIGIN) && !url.startsWith("https://json-schema.org/"),
          );
          expect([id, file, foreign]).toEqual([id, file, []]);
          if (text !== "")
            expect([id, file, text.endsWith("\n"), text.includes("\r")]).toEqual([id, file, true, false]);
        }
      }
    },
  );
});

const compiled = new Set<string>();

/**
 * Compiles every schema of a description, references and all, strictly; the same components once.
 */
function expectCompiles(api: ApiDescription): void {
  const components = JSON.stringify(api.components);
  if (compiled.has(components)) return;
  const ajv = makeAjv();
  ajv.addVocabulary(Object.keys(api));
  ajv.addSchema(api, "https://api.test/openapi.json", false, false);
  for (const name of Object.keys(api.components.schemas)) {
    const validate = ajv.compile({ $ref: `https://api.test/openapi.json#/components/schemas/${name}` });
    expect([name, typeof validate]).toEqual([name, "function"]);
  }
  compiled.add(components);
}
