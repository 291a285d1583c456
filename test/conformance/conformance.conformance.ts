/**
 * `POST /mcp` judged by the MCP conformance suite, as anybody would run it. Run A: what revision
 * 2026-07-28 requires, with our baseline of failures by design. Run B: the rules of the header
 * fields, which A runs and does not score. Proxies that break the answers show what both runs would
 * catch; what neither sees is tested over plain HTTP and by client.test.ts.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { MCP_PROTOCOL_VERSION } from "../../runtime/contract/mcp.ts";
import { nasty } from "../support/nasty.ts";
import { npx, type Outcome, reasonToSkip } from "../support/npx.ts";
import { type Change, type Fault, type Message, proxy } from "../support/proxy.ts";
import { checkedRegistry } from "../support/registry.ts";
import { serviceFor } from "../support/service.ts";

const CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const BASELINE = path.join(import.meta.dirname, "conformance-baseline.yml");

/** The suite needs Node 22: where this one is older, a newer one comes from its package. */
const NODE =
  Number(process.versions.node.split(".")[0]) >= 22 ? [] : [`node-${process.platform}-${process.arch}@24.21.0`];

function conformance(args: readonly string[], cwd: string = tmpdir()): Promise<Outcome> {
  return npx([...NODE, CONFORMANCE], ["conformance", ...args], { cwd });
}

const required = await conformance(["list", "--requirements", MCP_PROTOCOL_VERSION]);
const noConformance = reasonToSkip(CONFORMANCE, required) !== undefined;

/**
 * The scenarios that the revision requires of servers; the others of a run are reported and not
 * scored.
 */
const scored = new Set(
  [...(/^Server scenarios.*\n(?:  - .*\n)+/m.exec(required.stdout)?.[0] ?? "").matchAll(/^  - (.+)$/gm)].map(
    ([, scenario = ""]) => scenario,
  ),
);

interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

interface Run extends Outcome {
  readonly checks: readonly Check[];
}

/** Run A against the service of `port`. */
async function runA(port: number, baseline: string = BASELINE): Promise<Run> {
  const folder = mkdtempSync(path.join(tmpdir(), "conformance-"));
  try {
    const args = ["--requirements", MCP_PROTOCOL_VERSION, "--expected-failures", baseline, "-o", "results"];
    const outcome = await conformance(["server", "--url", `http://127.0.0.1:${port}/mcp`, ...args], folder);
    const results = path.join(folder, "results");
    if (!existsSync(results)) throw new Error(`The suite made no results:\n${outcome.stdout}\n${outcome.stderr}`);
    const checks = readdirSync(results).flatMap((name) => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name;
      const made = JSON.parse(readFileSync(path.join(results, name, "checks.json"), "utf8")) as Omit<
        Check,
        "scenario"
      >[];
      return made.map((check) => ({ ...check, scenario }));
    });
    return { ...outcome, checks };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Run B against the service of `port`. */
function runB(port: number): Promise<Outcome> {
  const args = ["--spec-version", MCP_PROTOCOL_VERSION, "--scenario", "http-header-validation"];
  return conformance(["server", "--url", `http://127.0.0.1:${port}/mcp`, ...args]);
}

function nameOf({ scenario, id }: Check): string {
  return `${scenario}:${id}`;
}

/** A warning counts as a failure, as it does for the suite where there is a baseline. */
function hasFailed({ status }: Check): boolean {
  return status === "FAILURE" || status === "WARNING";
}

/** What the baseline says of each entry. */
function readBaseline(): Map<string, string> {
  const entries = new Map<string, string>();
  let says = "";
  for (const line of readFileSync(BASELINE, "utf8").split("\n")) {
    if (line.trim() === "") says = "";
    says = /^  # Says: (.+)$/.exec(line)?.[1] ?? says;
    const entry = /^  - (\S+)$/.exec(line)?.[1];
    if (entry !== undefined) entries.set(entry, says);
  }
  return entries;
}

/** Changes answers that carry a result. */
function ofResults(change: (result: Record<string, unknown>) => Record<string, unknown>): Change {
  return ({ status, message }) => ({
    status,
    message: message.result === undefined ? message : { ...message, result: change({ ...message.result }) },
  });
}

/** Leaves a member out of every result. */
function withoutMember(name: string): Change {
  return ofResults((result) => Object.fromEntries(Object.entries(result).filter(([member]) => member !== name)));
}

/** Changes answers that carry an error with this code. */
function ofErrors(code: number, change: Change): Change {
  return (answer) => (answer.message.error?.code === code ? change(answer) : answer);
}

/** Answers an error with 200 that has another status. */
function withStatus200(code: number): Change {
  return ofErrors(code, (answer) => ({ ...answer, status: 200 }));
}

/** Each with a check that must notice it. */
const faultsOfA: readonly (Fault & { readonly name: string; readonly noticed: string })[] = [
  {
    name: "answers an unknown method with 200",
    noticed: "server-stateless:sep-2575-http-server-method-not-found-404",
    answer: withStatus200(-32601),
  },
  {
    name: "answers a message without metadata with 200",
    noticed: "server-stateless:sep-2575-http-server-meta-invalid-400",
    answer: withStatus200(-32602),
  },
  {
    name: "answers another version with 200",
    noticed: "server-stateless:sep-2575-http-server-unsupported-version-400",
    answer: withStatus200(-32022),
  },
  {
    name: "answers another version in the header field with 200",
    noticed: "server-stateless:sep-2575-http-server-header-mismatch-400",
    answer: withStatus200(-32020),
  },
  {
    name: "does not repeat the version that was asked for",
    noticed: "server-stateless:sep-2575-server-unsupported-version-error",
    answer: ofErrors(-32022, ({ status, message }) => ({
      status,
      message: { ...message, error: { ...message.error, code: -32022, data: { supported: [MCP_PROTOCOL_VERSION] } } },
    })),
  },
  {
    name: "forgets the id of a refused message",
    noticed: "server-stateless:sep-2575-http-server-error-jsonrpc-id",
    answer: ({ status, message }) => ({
      status,
      message: message.error === undefined ? message : { ...message, id: null },
    }),
  },
  { name: "says no resultType", noticed: "tools-list:wire-schema-valid", answer: withoutMember("resultType") },
  { name: "says no ttlMs", noticed: "caching:sep-2549-tools-list-caching-hints", answer: withoutMember("ttlMs") },
  { name: "says no cacheScope", noticed: "caching:sep-2549-cache-scope-valid", answer: withoutMember("cacheScope") },
  {
    name: "does not say who it is",
    noticed: "server-stateless:sep-2575-server-identifies-in-result-meta",
    answer: withoutMember("_meta"),
  },
  {
    name: "promises to tell of changes",
    noticed: "server-stateless:sep-2575-server-sends-subscription-ack",
    answer: ofResults((result) =>
      result["capabilities"] === undefined ? result : { ...result, capabilities: { tools: { listChanged: true } } },
    ),
  },
  {
    name: "lists a tool without an inputSchema",
    noticed: "tools-list:tools-list",
    answer: ofResults((result) => (result["tools"] === undefined ? result : { ...result, tools: [{ name: "tool" }] })),
  },
  {
    name: "reads an unknown resource as nothing",
    noticed: "sep-2164-resource-not-found:sep-2164-no-empty-contents",
    answer: ({ status, message: { error, ...message } }) => ({
      status,
      message:
        error?.data?.["uri"] === undefined
          ? { ...message, ...(error === undefined ? {} : { error }) }
          : { ...message, result: { resultType: "complete", contents: [], ttlMs: 0, cacheScope: "public" } },
    }),
  },
  {
    name: "takes any Host and any Origin",
    noticed: "dns-rebinding-protection:localhost-host-rebinding-rejected",
    fields: ({ origin: _origin, ...fields }) => ({ ...fields, host: "127.0.0.1" }),
  },
];

const faultsOfB: readonly (Fault & { readonly name: string })[] = [
  {
    name: "can do without Mcp-Method",
    fields: (fields, { method }) => ({ "mcp-method": method ?? "", ...fields }),
  },
  {
    name: "can do without Mcp-Name",
    fields: (fields, { params }) => ({ "mcp-name": nameIn(params), ...fields }),
  },
  {
    name: "does not read Mcp-Method",
    fields: (fields, { method }) => ({ ...fields, "mcp-method": method ?? "" }),
  },
  {
    name: "does not read Mcp-Name",
    fields: (fields, { params }) => ({ ...fields, "mcp-name": nameIn(params) }),
  },
  { name: "answers a field that differs with 200", answer: withStatus200(-32020) },
];

function nameIn(params: Message["params"]): string {
  const name = params?.["name"];
  return typeof name === "string" ? name : "";
}

describe.skipIf(noConformance)("MCP conformance", () => {
  const service = serviceFor(() => checkedRegistry(nasty));

  describe(`run A, what ${MCP_PROTOCOL_VERSION} requires`, () => {
    let run: Run;
    beforeAll(async () => {
      run = await runA(service.port);
    });

    it("has no failure that is not in the baseline, and no entry there that passes", () => {
      for (const [what, checks] of [
        [`${scored.size} required scenarios`, run.checks.filter(({ scenario }) => scored.has(scenario))],
        ["not scored", run.checks.filter(({ scenario }) => !scored.has(scenario))],
      ] as const) {
        const count = (...wanted: Check["status"][]) => checks.filter(({ status }) => wanted.includes(status)).length;
        console.log(
          `Conformance, ${what}: ${count("SUCCESS")} checks pass, ${count("FAILURE", "WARNING")} fail ` +
            `(${count("WARNING")} of them as warnings), ${count("SKIPPED")} skipped`,
        );
      }
      expect(run.code, run.stdout + run.stderr).toBe(0);
      // Every required scenario has run: one that did not could not fail.
      expect([...scored].filter((name) => !run.checks.some(({ scenario }) => scenario === name))).toEqual([]);
      expect(scored.size).toBeGreaterThan(30);
    });

    it("fails nowhere for another reason than the baseline gives", () => {
      const baseline = readBaseline();
      const failed = run.checks.filter((check) => scored.has(check.scenario) && hasFailed(check));
      expect(failed.map(nameOf).toSorted()).toEqual([...baseline.keys()].toSorted());
      const otherwise = failed.filter((check) => {
        const says = baseline.get(nameOf(check)) ?? "";
        return says === "" || check.errorMessage?.includes(says) !== true;
      });
      expect(otherwise).toEqual([]);
    });

    it("sends no message that the schema of the protocol refuses, in any scenario", () => {
      const wire = run.checks.filter(({ id }) => id === "wire-schema-valid");
      expect(wire.filter(({ status }) => status !== "SUCCESS")).toEqual([]);
      expect(wire.length).toBeGreaterThan(40);
    });

    it("fails outside of what is required only where it is about what is not here", () => {
      const failed = run.checks.filter((check) => !scored.has(check.scenario) && hasFailed(check));
      const others = failed.filter(({ scenario }) => !scenario.startsWith("tasks-"));
      // An extension; a tool of the suite; a tool with x-mcp-header annotations.
      expect([...new Set(others.map(({ scenario }) => scenario))]).toEqual([
        "http-custom-header-server-validation",
        "json-schema-2020-12",
      ]);
    });

    it("passes through a proxy without a fault", async () => {
      expect((await runA(await proxy(service, {}))).code).toBe(0);
    });

    it.each(faultsOfA)("notices a server that $name", async ({ noticed, ...fault }) => {
      const { code, checks, stdout } = await runA(await proxy(service, fault));
      expect(code, stdout).toBe(1);
      expect(run.checks.filter(hasFailed).map(nameOf)).not.toContain(noticed);
      expect(checks.filter(hasFailed).map(nameOf)).toContain(noticed);
    });

    it.each([
      {
        name: "an entry is missing",
        change: (text: string) => text.replace("  - resources-read-text:resources-read-text\n", ""),
      },
      { name: "an entry passes", change: (text: string) => `${text}  - tools-list:tools-list\n` },
    ])("fails where $name", async ({ change }) => {
      const folder = mkdtempSync(path.join(tmpdir(), "baseline-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const text = readFileSync(BASELINE, "utf8");
      const changed = path.join(folder, "baseline.yml");
      writeFileSync(changed, change(text));
      expect(change(text)).not.toBe(text);
      expect((await runA(service.port, changed)).code).toBe(1);
    });
  });

  describe("run B, the header fields", () => {
    /**
     * Of a run in which nothing failed; a wrong error code is only a warning to the suite, and none
     * of ours.
     */
    const PASSED = /^Passed: (\d+)\/\1, 0 failed, 0 warnings$/m;

    it("passes without a warning", async () => {
      const { code, stdout } = await runB(service.port);
      expect(code, stdout).toBe(0);
      expect(stdout).toMatch(PASSED);
      console.log(`Conformance, header fields: ${PASSED.exec(stdout)?.[0]}`);
    });

    it("passes through a proxy without a fault", async () => {
      expect((await runB(await proxy(service, {}))).code).toBe(0);
    });

    it.each(faultsOfB)("notices a server that $name", async (fault) => {
      const { code, stdout } = await runB(await proxy(service, fault));
      expect(code, stdout).toBe(1);
      expect(stdout).not.toMatch(PASSED);
    });

    it("warns of a server that gives another error code", async () => {
      const answer = ofErrors(-32020, ({ status, message }) => ({
        status,
        message: { ...message, error: { ...message.error, code: -32600 } },
      }));
      const { stdout } = await runB(await proxy(service, { answer }));
      expect(stdout).toMatch(/, 0 failed, [1-9]\d* warnings$/m);
      expect(stdout).not.toMatch(PASSED);
    });
  });

  it("causes no fault in the service", () => {
    expect(service.faults).toEqual([]);
  });
});
