/** The origin that a service is configured for: any that is not the release's makes its identity unavailable, and nothing else. */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, type Deployment, IDENTITY_PATH, startDeployment, watchDeployment } from "../../support/deployment.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { expectServing, expectUnavailable } from "../../support/unavailable.ts";

let own: Deployment;
beforeAll(async () => {
  own = await deploy(checkedRegistry(nasty));
});
afterAll(() => own.remove());

/** The service as a process with this SERVICE_ORIGIN, for as long as a use of it takes; gives its standard error. */
async function withOrigin(origin: string | undefined, use: (port: number) => Promise<unknown>): Promise<string> {
  const served = await startDeployment(own, origin === undefined ? {} : { SERVICE_ORIGIN: origin });
  try {
    await use(served.port);
  } finally {
    served.child.kill();
    await served.exit;
  }
  return served.stderr();
}

describe("G06 G03 G09 G10 O-31: a configured origin", () => {
  const WRONG = [
    "https://registry.example/path",
    "https://registry.example?query",
    "https://registry.example/?",
    "https://registry.example/#part",
    "https://user@registry.example",
    "https://user:secret@registry.example",
    "ftp://registry.example",
    "http://registry.example",
    "https://other.example",
    "https://registry.example.",
    "https://registry.example:8443",
    " https://registry.example",
    "https://registry.example ",
    "https://registry.example\n",
    "https:registry.example",
    String.raw`https:\\registry.example`,
    "registry.example",
    "not a URL",
    "null",
    "/",
    "javascript:alert(1)",
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
    const stderr = await withOrigin(origin, async (port) => {
      await expectUnavailable(port, "canonical_origin_invalid");
      await expectServing(port);
    });
    expect(stderr).toMatch(
      /^Deployment identity unavailable, canonical_origin_invalid: the configured origin [^\n]+\n$/,
    );
    expect(stderr).toContain(JSON.stringify(origin));
  });

  it.each([undefined, "", "https://registry.example/", "HTTPS://Registry.EXAMPLE:443"])(
    "%j is the one of the release",
    async (origin) => {
      const stderr = await withOrigin(origin, async (port) => {
        expect((await fetch(`http://127.0.0.1:${port}${IDENTITY_PATH}`)).status).toBe(200);
      });
      expect(stderr).toBe("");
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
