/** The deployment identity of the real process: each failure before the start and while it runs, and back without a restart. */
import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IdentityFailure } from "../../../runtime/contract/identity.ts";
import type { Served } from "../../support/command.ts";
import { deploy, type Deployment, IDENTITY_PATH, startDeployment } from "../../support/deployment.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { CATEGORIES, expectServing, expectUnavailable } from "../../support/unavailable.ts";

let own: Deployment;
beforeAll(async () => {
  own = await deploy(checkedRegistry(nasty));
});
afterAll(() => own.remove());

/** Runs a service for as long as a use of it takes; gives its standard error. */
async function withService(env: Record<string, string>, use: (served: Served) => Promise<void>): Promise<string> {
  const served = await startDeployment(own, env);
  try {
    await use(served);
  } finally {
    served.child.kill();
    await served.exit;
  }
  return served.stderr();
}

const ask = (port: number): Promise<Response> => fetch(`http://127.0.0.1:${port}${IDENTITY_PATH}`);

/** A pass is used for a second at most. */
const aSecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1050));

const DOCUMENT = /dist\/\.well-known\/service-semantics-deployment\.json /;

/** What each failure is provoked by, and what the operator is told of it. */
const failures: readonly [category: IdentityFailure, said: RegExp, provoke: () => void][] = [
  ["identity_document_invalid_json", /the document is not JSON in UTF-8/, () => writeFileSync(own.document, "{")],
  ["identity_document_missing_or_unsafe", DOCUMENT, () => rmSync(own.document)],
  [
    "identity_document_missing_or_unsafe",
    /anybody may write to .*service-semantics-deployment\.json/,
    () => chmodSync(own.document, 0o666),
  ],
  [
    "identity_validation_failed",
    /the document .*schema/,
    () => writeFileSync(own.document, readFileSync(own.document, "utf8").replace("deployment.v1", "deployment.v2")),
  ],
  ["identity_validation_failed", /not what its own list of files gives/, () => appendFileSync(own.document, "\n")],
  [
    "runtime_source_drift",
    /: runtime\/code\.ts was changed\n/,
    () => appendFileSync(own.at("runtime/code.ts"), "// changed\n"),
  ],
  ["runtime_source_drift", /: runtime\/more\.ts was added\n/, () => writeFileSync(own.at("runtime/more.ts"), "")],
  [
    "runtime_source_drift",
    /: package-lock\.json is missing or no plain file\n/,
    () => rmSync(own.at("package-lock.json")),
  ],
];

function expectTold(stderr: string, category: string, said: RegExp): void {
  const [first = "", ...more] = stderr.trimEnd().split("\n");
  expect(first).toContain(`Deployment identity unavailable, ${category}: `);
  expect(`${first}\n`).toMatch(said);
  expect(more).toEqual(["Deployment identity verified again"]);
}

describe("G03 G09 G10 O-58: a service", () => {
  let running: Served;
  beforeAll(async () => {
    running = await startDeployment(own);
    return async () => {
      running.child.kill();
      await running.exit;
    };
  });

  it.each(failures)(
    "G04 G05 G07 G08: that runs says %s (%s), goes on, and recovers without a restart",
    async (category, said, provoke) => {
      const { port } = running;
      const before = running.stderr().length;
      provoke();
      await aSecond();
      await expectUnavailable(port, category);
      await expectServing(port);
      own.restore();
      await aSecond();
      expect((await ask(port)).status).toBe(200);
      expectTold(running.stderr().slice(before), category, said);
    },
  );

  it.each(failures.filter(([category], i) => failures.findIndex(([first]) => first === category) === i))(
    "G04 G05 G07 G08: that starts with it says %s (%s), serves, and recovers without a restart",
    async (category, said, provoke) => {
      provoke();
      const stderr = await withService({}, async ({ port }) => {
        await expectUnavailable(port, category);
        await expectServing(port);
        own.restore();
        await aSecond();
        expect((await ask(port)).status).toBe(200);
      });
      expectTold(stderr, category, said);
    },
  );

  it.runIf(process.getuid?.() !== 0)("G05: that may not read the document says that it is unsafe", async () => {
    chmodSync(own.document, 0);
    await withService({}, ({ port }) =>
      expectUnavailable(port, "identity_document_missing_or_unsafe").then(() => undefined),
    );
    own.restore();
  });

  it("G07: tells the operator of a file in one line, whatever its name holds", async () => {
    const name = "runtime/x\nDeployment identity verified again\u001B[2K\r.ts";
    const stderr = await withService({}, async ({ port }) => {
      writeFileSync(own.at(name), "");
      await aSecond();
      await expectUnavailable(port, "runtime_source_drift");
      own.restore();
    });
    expect(stderr.trimEnd().split("\n").length).toBe(1);
    expect(stderr).not.toContain("\u001B");
  });

  it("G03: is told to the operator once for each change, however often it is asked for", async () => {
    const stderr = await withService({}, async ({ port }) => {
      rmSync(own.document);
      await aSecond();
      for (let i = 0; i < 5; i++) await ask(port);
      await aSecond();
      await ask(port);
      own.restore();
    });
    expect(stderr.match(/\n/g)?.length).toBe(1);
  });
});

it("B53 B54 B55 B56 B57 B58 B59 B60 B61 B62 B63 V16 O-32: each category has fixed texts of its own, and the same four steps around them", async () => {
  const provoke = Object.fromEntries(failures.map(([category, , change]) => [category, change]));
  const errors: Awaited<ReturnType<typeof expectUnavailable>>[] = [];
  for (const category of CATEGORIES) {
    provoke[category]?.();
    const env = category === "canonical_origin_invalid" ? { SERVICE_ORIGIN: "x" } : {};
    await withService(env, async ({ port }) => {
      errors.push(await expectUnavailable(port, category), await expectUnavailable(port, category));
    });
    own.restore();
  }
  const different = (of: (error: (typeof errors)[number]) => unknown): number => new Set(errors.map(of)).size;
  expect(different(({ failureCategory }) => failureCategory)).toBe(5);
  expect(different(({ message }) => message)).toBe(5);
  expect([0, 1, 2, 3].map((step) => different(({ recoverySteps }) => recoverySteps[step]))).toEqual([1, 5, 1, 1]);
  expect(different(({ nextAction }) => nextAction)).toBe(1);
});
