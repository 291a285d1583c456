/** The admin listener, strict mode and the log over real sockets; another parser reads metrics. */
import { appendFileSync } from "node:fs";
import path from "node:path";
import parsePrometheus from "parse-prometheus-text-format";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TokenBuckets } from "../../../runtime/http/token-bucket.ts";
import { type Admin, openAdmin } from "../../../runtime/extras/admin/admin.ts";
import { Health } from "../../../runtime/operations/health.ts";
import type { Identity } from "../../../runtime/release/identity.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { folder, run, serve } from "../../support/command.ts";
import { deploy } from "../../support/deployment.ts";
import { mcpRequest, TOOL } from "../../support/mcp.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease, ORIGIN } from "../../support/release.ts";
import { until } from "../../support/until.ts";
import { listen, type Listening, send } from "../../support/service.ts";

type Reply = readonly [status: number, text: string, allow?: string];

/** Asks the admin listener at a Unix socket. */
async function ask(socketPath: string, target: string, method = "GET"): Promise<Reply> {
  const { status, headers, body } = await send({ socketPath, path: target, method, agent: false });
  return headers.allow === undefined ? [status, body.toString()] : [status, body.toString(), headers.allow];
}

const SECRET = "s3cr3t";

describe("the admin listener", () => {
  const socket = path.join(folder({}), "admin.sock");
  const health = new Health();
  let verified = true;
  let admin: Admin;
  let service: Listening;
  const post = async (target: string, body: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(`http://127.0.0.1:${service.port}${target}`, { method: "POST", body, headers })).status;
  const resolve = (request: unknown): Promise<number> =>
    post("/api/v1/resolve", JSON.stringify(request), { "content-type": "application/json" });
  const valueOf = async (name: string, labels: Record<string, string> = {}): Promise<number | undefined> => {
    const [, text] = await ask(socket, "/metrics");
    const family = parsePrometheus(text).find((one) => one.name === name);
    const found = family?.metrics.find(({ labels: own = {} }) => Object.entries(labels).every(([label, value]) => own[label] === value)); // prettier-ignore
    return found?.value === undefined ? undefined : Number(found.value);
  };

  beforeAll(async () => {
    const release = openRelease(await buildRelease(checkedRegistry(nasty)), 0);
    const limit = { perSecond: 1, burst: 20 };
    const buckets = new TokenBuckets(limit);
    let time = 0;
    const identity = () => Promise.resolve({ verified } as Identity);
    const memory = () => process.memoryUsage();
    admin = await openAdmin({ path: socket }, { release, health, identity, buckets, now: () => (time += 0.0002), memory }); // prettier-ignore
    service = await listen(release, { observer: admin.observer, rate: { ...limit, buckets, now: () => 0 } });
    return async () => {
      await service.close();
      admin.close();
      release.close();
    };
  });

  it("says that the process lives, and when requests may come", async () => {
    expect(await ask(socket, "/livez")).toEqual([200, "live\n"]);
    expect(await ask(socket, "/readyz")).toEqual([503, "starting\n"]);
    health.phase = "ready";
    expect(await ask(socket, "/readyz")).toEqual([200, "ready, and the registry is still being checked\n"]);
    health.isChecked = true;
    expect(await ask(socket, "/readyz")).toEqual([200, "ready\n"]);
    health.phase = "stopping";
    expect(await ask(socket, "/readyz")).toEqual([503, "stopping\n"]);
    expect(await ask(socket, "/readyz?x=/livez")).toEqual([503, "stopping\n"]);
    expect((await ask(socket, "/readyz/"))[0]).toBe(404);
  });

  it("names the methods that it accepts with 405 (RFC 9110 §15.5.6)", async () => {
    expect(await ask(socket, "/metrics?x", "POST")).toEqual([405, "Only GET and HEAD are accepted\n", "GET, HEAD"]);
  });

  it("counts resolutions by transport and reason, whatever the expression imitates", async () => {
    const imitation = '"},"status":"resolved","reason":null,"embeddingProfile":';
    for (const expression of ["taxi", "bank", "sort of", imitation, `${SECRET}\\`]) await resolve({ expression });
    await resolve({ expression: "taxi", language: "pt" });
    await resolve({ expression: 1 });
    for (const name of ["taxi", imitation]) {
      const { headers, body } = mcpRequest("tools/call", { name: TOOL, arguments: { expression: name } });
      expect(await post("/mcp", String(body), headers)).toBe(200);
    }
    const counted = async (transport: string): Promise<unknown[]> =>
      Promise.all(
        ["resolved", "abstained"].flatMap((status) =>
          (status === "resolved"
            ? [""]
            : ["no_reviewed_exact_match", "language_not_matched", "ambiguous_expression", "equivalence_not_exact", "registry_empty"] // prettier-ignore
          )
            .map((reason) => valueOf("srs_resolutions_total", { transport, status, reason })),
        ),
      );
    expect(await counted("rest")).toEqual([1, 2, 1, 1, 1, 0]);
    expect(await counted("mcp")).toEqual([1, 1, 0, 0, 0, 0]);
  });

  it("counts answers by the paths of the route table, and clients that reach their limit", async () => {
    const base = `http://127.0.0.1:${service.port}`;
    for (const target of ["/api/v1/status", "/api/v1/concepts/N-TAXI", `/api/v1/concepts/${SECRET}`, `/${SECRET}`, "/%zz"])
      await fetch(base + target); // prettier-ignore
    await fetch(`${base}/api/v1/status`, { method: "DELETE" });
    const codes = await Promise.all(Array.from({ length: 30 }, () => resolve({ expression: "taxi" })));
    const limited = codes.filter((code) => code === 429).length;
    const requests = (route: string, code: string): Promise<number | undefined> =>
      valueOf("srs_http_requests_total", { route, code });
    expect(limited).toBeGreaterThan(10);
    expect(await requests("/api/v1/resolve", "429")).toBe(limited);
    expect(await requests("/api/v1/resolve", "400")).toBe(1);
    expect(await requests("/api/v1/status", "200")).toBe(1);
    expect([await requests("/api/v1/concepts/:code", "200"), await requests("/api/v1/concepts/:code", "404")]).toEqual([1, 1]); // prettier-ignore
    expect([await requests("other", "404"), await requests("other", "400"), await requests("other", "405")]).toEqual([1, 1, 1]); // prettier-ignore
    expect(await valueOf("srs_rate_limited_clients_total")).toBe(1);
  });

  it("prints what others parse, with nothing of a request in it", async () => {
    const [, text] = await ask(socket, "/metrics");
    expect(text).not.toContain(SECRET);
    const types = parsePrometheus(text).map(({ name, type }) => `${name} ${type}`);
    expect(types).toEqual([
      "srs_build_info GAUGE",
      "srs_registry_info GAUGE",
      "srs_identity_verified GAUGE",
      "srs_registry_checked GAUGE",
      "srs_registry_blocks_checked GAUGE",
      "srs_rate_limited_clients_total COUNTER",
      "process_resident_memory_bytes GAUGE",
      "nodejs_heap_size_used_bytes GAUGE",
      "srs_event_loop_delay_p99_seconds GAUGE",
      "srs_event_loop_delay_max_seconds GAUGE",
      "srs_http_requests_total COUNTER",
      "srs_resolutions_total COUNTER",
      "srs_http_request_duration_seconds HISTOGRAM",
    ]);
    expect(await valueOf("srs_registry_info", { version: "2026.11.1" })).toBe(1);
    expect(await valueOf("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(await valueOf("srs_registry_blocks_checked")).toBeGreaterThan(0);
    expect(await valueOf("srs_identity_verified")).toBe(1);
    verified = false;
    expect(await valueOf("srs_identity_verified")).toBe(0);
    // The clock of this test goes on by 0.2 ms each time that it is read; requests overlap.
    const buckets = [...text.matchAll(/^srs_http_request_duration_seconds_bucket\{transport="mcp",le="([^"]+)"\} (\d+)$/gm)]; // prettier-ignore
    expect(buckets.map(([, bound, count]) => [bound, count])).toEqual(
      [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.1, 1, "+Inf"].map((bound, i) => [String(bound), i === 0 ? "0" : "2"]), // prettier-ignore
    );
    expect(text).toMatch(/^srs_http_request_duration_seconds_sum\{transport="mcp"\} 0\.0004\d*$/m);
    expect(text).toMatch(/^srs_http_request_duration_seconds_count\{transport="mcp"\} 2$/m);
  });
});

describe("a strict service", async () => {
  const deployment = await deploy(checkedRegistry(nasty));
  afterAll(() => deployment.remove());
  const source = deployment.at("runtime/text/html.js");
  const args = ["--out", deployment.dist, "--strict"];
  const main = deployment.at("runtime/main.js");

  it("does not start from changed files, and says in one line which", async () => {
    appendFileSync(source, "\n");
    try {
      const { code, stdout, stderr } = await run(main, args, { env: { PORT: "0" } });
      expect([code, stdout, stderr]).toEqual([
        2,
        "",
        "--strict serves nothing without a deployment identity, runtime_source_drift: runtime/text/html.js was changed\n",
      ]);
    } finally {
      deployment.restore();
    }
  });

  it("stops resolving while its files are changed, says so to its watchers, and serves documents", async () => {
    const socket = path.join(folder({}), "admin.sock");
    const env = { ADMIN_ADDRESS: `unix:${socket}`, LOG_FORMAT: "json", DRAIN_DELAY_MS: "600000" };
    const served = await serve(main, args, env);
    const base = `http://127.0.0.1:${served.port}`;
    const body = '{"expression":"taxi"}';
    const resolve = (): Promise<Response> =>
      fetch(`${base}/api/v1/resolve`, { method: "POST", body, headers: { "content-type": "application/json" } });
    const resolves = (due: number): Promise<void> => until(async () => (await resolve()).status === due);
    expect((await resolve()).status).toBe(200);
    expect((await ask(socket, "/readyz"))[0]).toBe(200);
    appendFileSync(source, "\n");
    await resolves(503);
    expect(await (await resolve()).json()).toEqual({
      data: null,
      error: { code: "registry_unavailable", message: "The deployment identity is unavailable; nothing was resolved or assigned" }, // prettier-ignore
    });
    const call = mcpRequest("tools/call", { name: TOOL, arguments: { expression: "taxi" } });
    const refused = await fetch(`${base}/mcp`, { method: "POST", body: String(call.body), headers: call.headers });
    expect([refused.status, await refused.json()]).toMatchObject([503, { id: null, error: { code: -32_603 } }]);
    // M26, O-60: only a message that would be answered otherwise is told so.
    const byGet = await fetch(`${base}/mcp`);
    expect([byGet.status, byGet.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await fetch(`${base}/mcp`, { method: "POST", headers: { origin: "https://evil.example" } })).status).toBe(403); // prettier-ignore
    expect((await fetch(`${base}/resolve?expression=taxi`)).status).toBe(503);
    expect((await fetch(`${base}/api/v1/status`)).status).toBe(200);
    expect(await ask(socket, "/readyz")).toEqual([503, "the deployment identity is unavailable\n"]);
    deployment.restore();
    await resolves(200);
    // Not ready from the signal on, and open until the delay is over.
    served.child.kill("SIGTERM");
    await until(async () => (await ask(socket, "/readyz"))[0] === 503);
    expect(await ask(socket, "/readyz")).toEqual([503, "stopping\n"]);
    expect((await resolve()).headers.get("connection")).not.toBe("close");
    served.child.kill("SIGKILL");
    await served.exit;
    const lines = (text: string): unknown[] => text.trimEnd().split("\n").map((line) => JSON.parse(line) as unknown); // prettier-ignore
    expect(lines(served.stdout())).toMatchObject([
      { level: "info", event: "serving", message: `Serving Nasty 2026.11.1 for ${ORIGIN} on ${base}` },
    ]);
    const message = "Deployment identity unavailable, runtime_source_drift: runtime/text/html.js was changed";
    expect(lines(served.stderr())).toEqual([
      { level: "error", event: "deployment_identity", message },
      { level: "error", event: "deployment_identity", message: "Deployment identity verified again" },
    ]);
  });
});
