/** A fault inside the service: a refusal without internals, and the next request works. */
import { afterEach, describe, expect, it } from "vitest";
import { ErrorEnvelope } from "../../../runtime/contract/resolution.ts";
import { openRelease, type Release } from "../../../runtime/release/release.ts";
import { IndexError } from "../../../runtime/registry/index.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { expectSchema } from "../../support/schemas.ts";
import { buildRelease } from "../../support/release.ts";
import { breakingOnce, listen, type Listening } from "../../support/service.ts";

const whole = openRelease(await buildRelease(checkedRegistry(nasty)));
let served: Listening | undefined;
afterEach(() => served?.close());

/** Serves it, and gives where. */
async function serve(release: Release): Promise<string> {
  served = await listen(release);
  return `http://127.0.0.1:${served.port}`;
}

/** A server whose index throws this on its next read, once. */
const serveBroken = (error: Error): Promise<string> => serve(breakingOnce(whole, error));

const resolve = (origin: string): Promise<Response> =>
  fetch(`${origin}/api/v1/resolve`, {
    method: "POST",
    body: '{"expression":"taxi"}',
    headers: { "content-type": "application/json" },
  });

describe("an exception inside the service", () => {
  it("O-27: is 500 internal_error on resolve, without internals, and the next request works", async () => {
    const error = new Error("secret detail at /some/path.ts:1");
    const origin = await serveBroken(error);
    const reply = await resolve(origin);
    const text = await reply.text();
    expect(reply.status).toBe(500);
    expect(expectSchema(ErrorEnvelope, JSON.parse(text)).error.code).toBe("internal_error");
    expect(text).not.toMatch(/secret|path|\.ts/);
    expect(served?.faults).toEqual([error]);
    expect(await (await resolve(origin)).json()).toMatchObject({ data: { status: "resolved" } });
  });

  it("O-27: is 503 registry_unavailable where the registry cannot be read", async () => {
    const origin = await serveBroken(new IndexError("Registry index cannot be read"));
    const reply = await resolve(origin);
    expect([reply.status, ((await reply.json()) as { error: { code: string } }).error.code]).toEqual([
      503,
      "registry_unavailable",
    ]);
    expect((await resolve(origin)).status).toBe(200);
  });

  it("cuts a long body whose source fails half way, and is reported", async () => {
    const error = new IndexError("Registry index cannot be read");
    const source = {
      length: 300_000,
      read(offset: number, length: number) {
        if (offset > 100_000) throw error;
        return new Uint8Array(length);
      },
    };
    const sections = { ...whole.index.sections, list: { offset: 8, length: 200_000 } };
    const long = { ...whole.index, source, sections };
    const reply = await fetch(`${await serve({ ...whole, index: long })}/api/v1/concepts`);
    await expect(reply.arrayBuffer()).rejects.toThrow(/terminated/);
    expect(served?.faults).toEqual([error]);
  });

  it.each(["/api/v1/concepts/N-TAXI", "/api/v1/concepts?q=name"])(
    "D13: is the same envelope on the registry's routes: %s",
    async (path) => {
      const origin = await serveBroken(new TypeError("secret"));
      const reply = await fetch(origin + path);
      expect([path, reply.status]).toEqual([path, 500]);
      expect(expectSchema(ErrorEnvelope, await reply.json()).error.code).toBe("internal_error");
      expect((await fetch(origin + path)).status).toBe(200);
      await served?.close();
    },
  );
});
