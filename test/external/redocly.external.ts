/**
 * The OpenAPI description judged by Redocly: its rules, and the live service's answers held against
 * its schemas. The requests are derived from the description itself, one for each status it
 * promises, so nothing described goes unasked.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import { RESOLVE_BODY_MAX_BYTES } from "../../runtime/contract/limits.ts";
import { starterRegistry } from "../support/documents.ts";
import { empty, nasty } from "../support/nasty.ts";
import { npx, type Outcome, reasonToSkip } from "../support/npx.ts";
import { checkedRegistry } from "../support/registry.ts";
import { serviceFor } from "../support/service.ts";
import { type OpenApi, type Step, stepsOf } from "./steps.ts";

const REDOCLY = "@redocly/cli@2.77.0";

function redocly(args: readonly string[], cwd: string = tmpdir()): Promise<Outcome> {
  const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return npx(REDOCLY, ["redocly", ...args], { cwd, env, timeout: 600_000 });
}

const noRedocly = reasonToSkip(REDOCLY, await redocly(["--version"])) !== undefined;

interface Lint {
  readonly problems: readonly {
    readonly severity: string;
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

interface Executed {
  readonly stepId: string;
  readonly response: { readonly statusCode: number; readonly body?: unknown };
  readonly checks: readonly { readonly name: string; readonly passed: boolean; readonly message: string }[];
}

interface Log {
  readonly files: Readonly<
    Record<string, { readonly executedWorkflows: readonly { readonly executedSteps: readonly Executed[] }[] }>
  >;
}

/** Each failed check in a line: the property and its fault, without the body's excerpt. */
function failures(executed: readonly Executed[]): string[] {
  return executed.flatMap(({ stepId, response, checks }) =>
    checks
      .filter(({ passed }) => !passed)
      .map(({ name: check, message }) => {
        const lines = message.split("\n").filter((line) => line.trim() !== "" && !/^(?:> )? *(?:\d+ )?\|/.test(line));
        return `${stepId} (${response.statusCode}): ${check}: ${[...new Set(lines)].join(" ")}`;
      }),
  );
}

const registries: readonly { name: string; registry: () => CheckedRegistry }[] = [
  { name: "starter", registry: starterRegistry },
  { name: "nasty", registry: () => checkedRegistry(nasty) },
  { name: "empty", registry: () => checkedRegistry(empty) },
];

describe.skipIf(noRedocly).each(registries)("the description of the $name registry", ({ name, registry }) => {
  const service = serviceFor(registry);
  let folder: string;
  let text: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "redocly-"));
    text = (await service.send("GET", "/openapi.json")).body.toString();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs `steps` against the service, with `description` as what it promises. */
  async function respect(description: string, steps: readonly Step[]): Promise<readonly Executed[]> {
    const arazzo = {
      arazzo: "1.0.1",
      info: { title: "All that is described", version: "1.0.0" },
      sourceDescriptions: [{ name: "api", type: "openapi", url: "openapi.json" }],
      // A workflow ends with its first failure, so each step has its own.
      workflows: steps.map((step) => ({ workflowId: step.stepId, steps: [step] })),
    };
    writeFileSync(path.join(folder, "openapi.json"), description);
    writeFileSync(path.join(folder, "arazzo.json"), JSON.stringify(arazzo));
    const server = `api=http://127.0.0.1:${service.port}`;
    const args = ["arazzo.json", "--server", server, "--json-output", "log.json", "--no-secrets-masking"];
    const { stdout, stderr } = await redocly(["respect", ...args], folder);
    try {
      const { files } = JSON.parse(readFileSync(path.join(folder, "log.json"), "utf8")) as Log;
      return Object.values(files).flatMap(({ executedWorkflows }) =>
        executedWorkflows.flatMap(({ executedSteps }) => executedSteps),
      );
    } catch {
      throw new Error(`redocly respect wrote no log:\n${stdout}\n${stderr}`);
    }
  }

  it("has no errors by Redocly's rules", async () => {
    writeFileSync(path.join(folder, "openapi.json"), text);
    const { stdout, stderr } = await redocly(["lint", "openapi.json", "--format=json"], folder);
    expect(stdout, stderr).not.toBe("");
    const found = (JSON.parse(stdout) as Lint).problems.map(
      ({ severity, ruleId, message, location }) => `${severity} ${ruleId} at ${location[0]?.pointer}: ${message}`,
    );
    for (const line of found) console.warn(`${name}: ${line}`);
    expect(found.filter((line) => line.startsWith("error"))).toEqual([]);
  });

  it("is kept by the answers of the service, each status that it promises", async () => {
    const steps = stepsOf(JSON.parse(text) as OpenApi, RESOLVE_BODY_MAX_BYTES);
    const executed = await respect(text, steps);
    expect(executed.map(({ stepId }) => stepId)).toEqual(steps.map(({ stepId }) => stepId));
    expect(failures(executed)).toEqual([]);
    // A body that was not held against a schema proves nothing; a ZIP has none, and tests of its
    // own.
    const bodies = executed.filter(({ stepId, response }) => response.statusCode !== 304 && !stepId.includes("Head"));
    const unchecked = bodies.filter(({ checks }) => !checks.some((check) => check.name === "schema check"));
    expect(unchecked.map(({ stepId }) => stepId)).toEqual([0, 1, 2, 3, 4].map((i) => `getKit-200-${i}`));
    expect(service.faults).toEqual([]);
  });

  it("gives examples that the service answers to the letter", async () => {
    const { requestBody, responses } = (JSON.parse(text) as OpenApi).paths["/api/v1/resolve"]?.["post"] ?? {};
    const requests = requestBody?.content?.["application/json"]?.examples ?? {};
    const answers = responses?.["200"]?.content?.["application/json"]?.examples ?? {};
    expect(Object.keys(answers)).toEqual(Object.keys(requests));
    expect(Object.keys(requests)).toContain("abstained");
    for (const [example, { value }] of Object.entries(requests)) {
      expect((await service.resolve(value)).json()).toEqual(answers[example]?.value);
    }
  });

  it("is not kept when it promises something else: the check can fail", async () => {
    const other = JSON.parse(text) as { components: { schemas: Record<string, { required?: string[] }> } };
    other.components.schemas["ResolveEnvelope"]?.required?.push("more");
    const steps = stepsOf(other as unknown as OpenApi, RESOLVE_BODY_MAX_BYTES);
    const executed = await respect(
      JSON.stringify(other),
      steps.filter(({ stepId }) => stepId.startsWith("resolveExpression-200")),
    );
    expect(executed.length).toBeGreaterThan(0);
    for (const one of executed) expect(failures([one]).join()).toContain("schema check");
  });
});
