/**
 * The deployment identity of the real process: each failure before the start and while it runs, and
 * back without a restart; and the origin that a service is configured for: any that is not the
 * release's makes its identity unavailable, and nothing else.
 */
import { appendFileSync, chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IdentityFailure } from "../../../runtime/contract/identity.ts";
import type { Served } from "../../support/command.ts";
import { deploy, type Deployment, IDENTITY_PATH, startDeployment, watchDeployment } from "../../support/deployment.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { until } from "../../support/until.ts";
import { expectServing, expectUnavailable } from "../../support/unavailable.ts";

let own: Deployment;
beforeAll(async () => {
  own = await deploy(checkedRegistry(nasty));
});
afterAll(() => own.remove());

/** Runs a service for as long as a use of it takes; gives its standard error. */
async function withService(
  env: Record<string, string> | undefined,
  use: (served: Served) => Promise<void>,
): Promise<string> {
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

const DOCUMENT = /dist\/\.well-known\/service-semantics-deployment\.json /;

/** What each failure is provoked by, and what the operator is told of it. */
const failures: readonly [category: IdentityFailure, said: RegExp, provoke: () => void][] = [
  ["identity_document_invalid_json", /^the document is not JSON in UTF-8/, () => writeFileSync(own.document, "{")],
  ["identity_document_missing_or_unsafe", DOCUMENT, () => rmSync(own.document)],
  ["identity_validation_failed", /its own list of files gives/, () => appendFileSync(own.document, "\n")],
  ["runtime_source_drift", /^runtime\/more\.js was added$/, () => writeFileSync(own.at("runtime/more.js"), "")],
];

describe("G03 G09 G10 O-58: a service", () => {
  it.each(failures)(
    "G04 G05 G07 G08: that starts with it says %s (%s), serves, and recovers without a restart",
    async (category, said, provoke) => {
      provoke();
      const { port, told, later, ask: asked, close } = await watchDeployment(own);
      await expectUnavailable(port, category);
      await expectServing(port);
      later();
      await expectUnavailable(port, category);
      own.restore();
      later();
      expect((await asked()).status).toBe(200);
      await close();
      expect(told).toMatchObject([{ detail: expect.stringMatching(said) as string }, { verified: true }]);
    },
  );

  it("G03 G07: as a process writes each change of its identity to standard error once, in one line without control characters", async () => {
    writeFileSync(own.at("runtime/more.js"), "");
    const stderr = await withService({ SERVICE_ORIGIN: "" }, async ({ port }) => {
      // An answer is used for a second at most.
      const look = async (status: number): Promise<void> => {
        await until(async () => (await ask(port)).status === status);
        for (let i = 0; i < 5; i++) expect((await ask(port)).status).toBe(status);
      };
      await look(503);
      own.restore();
      await look(200);
      writeFileSync(own.at("runtime/x\nDeployment identity verified again\u001B[2K\r.ts"), "");
      await look(503);
      own.restore();
    });
    const unavailable = "Deployment identity unavailable, runtime_source_drift: ";
    const [first, second, third, ...more] = stderr.trimEnd().split("\n");
    expect([first, second]).toEqual([`${unavailable}runtime/more.js was added`, "Deployment identity verified again"]);
    expect([third?.startsWith(unavailable), third?.includes("\u001B"), more]).toEqual([true, false, []]);
  });

  it.runIf(process.getuid?.() !== 0)("G05: that may not read the document says that it is unsafe", async () => {
    chmodSync(own.document, 0);
    const { port, close } = await watchDeployment(own);
    await expectUnavailable(port, "identity_document_missing_or_unsafe");
    await close();
    own.restore();
  });
});

describe("G07 O-35: what only some services run", () => {
  const METRICS = "runtime/extras/admin/metrics.js";
  const changes: readonly [what: string, change: () => void, said: string][] = [
    ["a changed byte", () => appendFileSync(own.at(METRICS), " "), `${METRICS} differs from runtime/extras.sha256`],
    ["a file removed", () => rmSync(own.at(METRICS)), `${METRICS} differs from runtime/extras.sha256`],
    [
      "a file added",
      () => writeFileSync(own.at("runtime/extras/admin/more.js"), ""),
      "runtime/extras/admin/more.js differs from runtime/extras.sha256",
    ],
    [
      "a file behind a link",
      () => (
        renameSync(own.at(METRICS), own.at("../metrics.js")),
        symlinkSync(own.at("../metrics.js"), own.at(METRICS))
      ),
      `${METRICS} is missing or not a regular file; ${METRICS} differs from runtime/extras.sha256`,
    ],
  ];

  it.each(changes)("is compared by a service that runs it, and by no other: %s", async (_what, change, said) => {
    const running = await watchDeployment(own, undefined, new Set(["admin"]));
    const other = await watchDeployment(own, undefined, new Set(["proxies", "store"]));
    expect([(await running.ask()).status, (await other.ask()).status]).toEqual([200, 200]);
    change();
    running.later();
    other.later();
    await expectUnavailable(running.port, "runtime_source_drift");
    expect([(await other.ask()).status, other.told]).toEqual([200, []]);
    own.restore();
    running.later();
    expect((await running.ask()).status).toBe(200);
    expect(running.told).toMatchObject([{ detail: said }, { verified: true }]);
    await running.close();
    await other.close();
  });

  it("has its digests in the closure, so that both cannot be changed", async () => {
    const { port, told, close } = await watchDeployment(own);
    appendFileSync(own.at("runtime/extras.sha256"), "\n");
    await expectUnavailable(port, "runtime_source_drift");
    expect(told).toMatchObject([{ detail: "runtime/extras.sha256 was changed" }]);
    own.restore();
    await close();
  });

  it("is compared as soon as a setting switches it on", async () => {
    const names = ["admin/admin", "proxies/proxies", "store/stored-release"].map((one) => `runtime/extras/${one}.js`);
    for (const name of names) appendFileSync(own.at(name), " ");
    const look = (env: Record<string, string>, status: number): Promise<string> =>
      withService(env, async ({ port }) => expect((await ask(port)).status).toBe(status));
    expect(await look({}, 200)).toBe("");
    const env = {
      ADMIN_ADDRESS: `unix:${own.at("../admin.sock")}`,
      TRUSTED_PROXIES: "192.0.2.1",
      STORE_URL: "http://127.0.0.1:1/",
    };
    const stderr = await look(env, 503);
    for (const name of names) expect(stderr).toContain(`${name} differs from runtime/extras.sha256`);
    own.restore();
  });
});

describe("G06 G03 G09 G10 O-31: a configured origin", () => {
  const WRONG = [
    "https://registry.example/path",
    "https://registry.example?query",
    "https://registry.example/#part",
    "https://user:secret@registry.example",
    "ftp://registry.example",
    "https://other.example",
    "https://registry.example.",
    "https://registry.example:8443",
    " https://registry.example",
    "https://registry.example\n",
    "https:registry.example",
    String.raw`https:\\registry.example`,
    "not a URL",
    "/",
  ];

  it.each(WRONG)("%j makes the identity unavailable, and says so at this port whoever asks", async (origin) => {
    const { port, told, close } = await watchDeployment(own, origin);
    try {
      const { documentUrl } = await expectUnavailable(port, "canonical_origin_invalid");
      expect(documentUrl).toBe(`http://localhost:${port}/mcp-guide#identity-recovery`);
      const names = {
        host: "attacker.example",
        "x-forwarded-host": "attacker.example",
        forwarded: "host=attacker.example",
      };
      const reply = await fetch(`http://127.0.0.1:${port}${IDENTITY_PATH}`, { headers: names });
      expect([reply.status, await reply.text()]).toEqual([503, expect.not.stringContaining("attacker")]);
      await expectServing(port);
      expect(told).toMatchObject([{ failureCategory: "canonical_origin_invalid" }]);
      // What may be a password is not told to anybody.
      const shown = origin.replace(/[^/]*@/, "…@");
      expect(told[0]).toHaveProperty("detail", expect.stringContaining(`${JSON.stringify(shown)} is not the one`));
    } finally {
      await close();
    }
  });

  it("is read by the process, which says in one line what is wrong with it", async () => {
    const origin = "https://registry.example/path";
    const stderr = await withService({ SERVICE_ORIGIN: origin }, async ({ port }) => {
      await expectUnavailable(port, "canonical_origin_invalid");
      await expectServing(port);
    });
    expect(stderr).toMatch(
      /^Deployment identity unavailable, canonical_origin_invalid: the configured origin [^\n]+\n$/,
    );
    expect(stderr).toContain(JSON.stringify(origin));
  });

  it.each([undefined, "https://registry.example/", "HTTPS://Registry.EXAMPLE:443"])(
    "%j is the one of the release",
    async (origin) => {
      const { ask: asked, told, close } = await watchDeployment(own, origin);
      expect([(await asked()).status, told]).toEqual([200, []]);
      await close();
    },
  );

  it("comes before every other fault", async () => {
    rmSync(own.document);
    const { port, close } = await watchDeployment(own, "x");
    await expectUnavailable(port, "canonical_origin_invalid");
    await close();
    own.restore();
  });
});
