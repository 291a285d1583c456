/**
 * docs/deploy as data: the service takes what units and manifest set, and they wait long enough.
 */
import { readFileSync } from "node:fs";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { DRAIN_GRACE_MS, DRAIN_LIMIT_MS } from "../../runtime/contract/limits.ts";
import { trustProxies } from "../../runtime/extras/proxies/proxies.ts";
import { readSettings } from "../../runtime/operations/settings.ts";

const read = (file: string): string => readFileSync(file, "utf8");
/** What the service documents, with what the platform sets for Node itself. */
const VARIABLES = [...read("docs/operations.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
const PATHS = [...read("runtime/extras/admin/admin.ts").matchAll(/^ {4}"(\/\w+)":/gm)].map(([, path]) => path);
const COMMAND = ["node", "runtime/main.js", "--strict"];

/** The settings of an environment; throws for a wrong one. */
function settingsOf(env: Record<string, string>): ReturnType<typeof readSettings> {
  const { NODE_ENV: _env, NODE_OPTIONS: _options, ...own } = env;
  expect(Object.keys(own).filter((name) => !VARIABLES.includes(name))).toEqual([]);
  const settings = readSettings(own, process);
  trustProxies(settings.trustedProxies);
  return settings;
}

const drainMs = ({ drainDelayMs }: { drainDelayMs: number }): number => drainDelayMs + DRAIN_GRACE_MS + DRAIN_LIMIT_MS;

describe("the units of systemd", () => {
  const lines = (file: string): [string, string][] =>
    [...read(`docs/deploy/${file}`).matchAll(/^([A-Z]\w+)=(.*)$/gm)].map(([, key = "", value = ""]) => [key, value]);
  const service = lines("words.service");
  const valueOf = (key: string): string | undefined => service.find(([name]) => name === key)?.[1];

  it("start the program of a release from its folder, with settings that it takes", () => {
    expect(valueOf("ExecStart")).toBe(`/usr/bin/${COMMAND.join(" ")}`);
    expect(valueOf("WorkingDirectory")).toMatch(/^\/srv\//);
    const env = service
      .filter(([key]) => key === "Environment")
      .map(([, value]) => /^(\w+)=(.*)$/.exec(value)?.slice(1) ?? []);
    expect(env).toContainEqual(["NODE_OPTIONS", "--max-semi-space-size=4"]);
    const settings = settingsOf(Object.fromEntries(env) as Record<string, string>);
    expect(settings).toMatchObject({ logsJson: true, admin: { host: "127.0.0.1" } });
    expect(Number(valueOf("TimeoutStopSec")) * 1000).toBeGreaterThan(drainMs(settings));
    // words.socket names both ways; by one that is not trusted, all clients would share one limit.
    const clientBy = trustProxies(settings.trustedProxies);
    const clients = ["127.0.0.1", undefined].map((remoteAddress) =>
      clientBy({ socket: { remoteAddress }, headers: { "x-forwarded-for": "203.0.113.9" } } as never),
    );
    expect(clients).toEqual(["203.0.113.9", "203.0.113.9"]);
  });

  it("pass one socket, and take every right but that to write code", () => {
    expect(lines("words.socket").filter(([key]) => key.startsWith("Listen"))).toEqual([["ListenStream", "127.0.0.1:8080"]]); // prettier-ignore
    expect(valueOf("Requires")).toBe("words.socket");
    expect(service).toEqual(expect.arrayContaining([["DynamicUser", "yes"], ["ProtectSystem", "strict"], ["CapabilityBoundingSet", ""]])); // prettier-ignore
    expect(valueOf("MemoryDenyWriteExecute")).toBeUndefined();
  });
});

describe("the manifest of Kubernetes", () => {
  interface Container {
    readonly args: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
    readonly volumeMounts: readonly unknown[];
    readonly securityContext: unknown;
  }
  interface Resource {
    readonly kind: string;
    readonly spec: {
      readonly selector: unknown;
      readonly ports: unknown;
      readonly maxUnavailable: number;
      readonly replicas: number;
      readonly template: {
        readonly metadata: { readonly labels: unknown };
        readonly spec: { readonly terminationGracePeriodSeconds: number; readonly containers: readonly [Container] };
      };
    };
  }
  const [deployment, service, budget] = loadAll(read("docs/deploy/kubernetes.yaml")) as [Resource, Resource, Resource];
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const settings = settingsOf(Object.fromEntries(container.env.map(({ name, value }) => [name, value])));

  it("selects the same pods everywhere, and leaves one through a disruption", () => {
    expect([deployment, service, budget].map(({ kind }) => kind)).toEqual(["Deployment", "Service", "PodDisruptionBudget"]); // prettier-ignore
    const { labels } = deployment.spec.template.metadata;
    expect([deployment.spec.selector, service.spec.selector, budget.spec.selector]).toEqual([{ matchLabels: labels }, labels, { matchLabels: labels }]); // prettier-ignore
    expect(deployment.spec.replicas).toBeGreaterThan(budget.spec.maxUnavailable);
    expect(service.spec.ports).toMatchObject([{ targetPort: "http" }]);
  });

  it("asks the admin listener for what that has, at its port", () => {
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
    expect(settings.admin).toEqual({ host: "0.0.0.0", port: ports["admin"] });
    expect(settings.address).toMatchObject({ port: ports["http"] });
    const probes = (["startupProbe", "livenessProbe", "readinessProbe"] as const).map((name) => container[name]?.httpGet); // prettier-ignore
    expect(probes.map((probe) => probe?.port)).toEqual(["admin", "admin", "admin"]);
    expect(PATHS).toEqual(["/livez", "/readyz", "/metrics"]);
    expect(probes.map((probe) => probe?.path)).toEqual(["/livez", "/livez", "/readyz"]);
  });

  it("runs the image of the Containerfile without a right to write, with the data where that has it", () => {
    const containerfile = read("Containerfile");
    expect(container.args).toEqual(COMMAND);
    expect(containerfile).toContain(`CMD ${JSON.stringify(COMMAND.slice(0, 2)).replace(",", ", ")}`);
    const [{ mountPath }] = container.volumeMounts as [{ mountPath: string }];
    expect(containerfile).toContain(`:${mountPath}:ro`);
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(drainMs(settings));
    expect(settings.drainDelayMs).toBeGreaterThan(0);
  });
});
