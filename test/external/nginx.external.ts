/**
 * A real nginx serves the documents of a release as they lie there: what `/api-reference#hosting` says a static host can
 * do. Media types come from policy.ts, since a name like `api-catalog` says none.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Policy, policies, resources } from "../../runtime/contract/policy.ts";
import { nasty } from "../support/nasty.ts";
import { checkedRegistry } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";

const named = process.env["NGINX"];
const places = named === undefined ? ["/usr/sbin/nginx", "/usr/bin/nginx"] : [named];
const nginx = places.find((place) => existsSync(place));
if (nginx === undefined) {
  console.warn(
    `Skipped, there is no nginx: ${places.join(", ")} not found. ` +
      "Install it with `apt-get install --no-install-recommends nginx`, or name yours: NGINX=/path/to/nginx.",
  );
}

interface Document extends Policy {
  /** Its place in dist: its path, or `index.json` below it where its path is a folder. */
  readonly file: string;
}

/** Each machine document by its path, and what it is published as. */
const documents = new Map<string, Document>(
  resources
    .flatMap(({ variants }) => variants)
    .filter(({ policy }) => policy !== "html")
    .map(({ file, location, policy }) => [location, { ...policies[policy], file }]),
);

/** Everything nginx writes goes below `folder`. */
function configure(folder: string, root: string, port: number): string {
  const locations = [...documents].map(
    ([location, { mediaType, cacheControl, file }]) =>
      `location = ${location} { types {} default_type '${mediaType}'; add_header Cache-Control '${cacheControl}';` +
      `${file === location ? "" : ` try_files ${file} =404;`} }`,
  );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
  return `
    # As root it would become another user, who cannot read what is ours.
    ${process.getuid?.() === 0 ? "user root;" : ""}
    daemon off;
    worker_processes 1;
    pid ${folder}/pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporary.join("\n")}
      server {
        listen 127.0.0.1:${port};
        root ${root};
        location / { return 404; }
        ${locations.join("\n")}
      }
    }`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

function get(port: number, target: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: "127.0.0.1", port, path: target, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on("error", reject);
  });
}

describe.skipIf(nginx === undefined)("nginx", () => {
  let dist: string;
  let folder: string;
  let port: number;
  let child: ChildProcess;
  beforeAll(async () => {
    dist = await buildRelease(checkedRegistry(nasty));
    folder = mkdtempSync(path.join(tmpdir(), "nginx-"));
    port = await freePort();
    writeFileSync(path.join(folder, "nginx.conf"), configure(folder, dist, port));
    child = spawn(nginx ?? "", ["-p", folder, "-c", "nginx.conf", "-e", path.join(folder, "error.log")]);
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    for (let status: number | undefined; status !== 404; await setTimeout(50)) {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${said}`);
      status = await get(port, "/").then(
        (reply) => reply.status,
        () => undefined,
      );
    }
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGQUIT")) await ended;
    rmSync(folder, { recursive: true });
  });

  it.each([...documents])("serves %s with its bytes, its media type and its cache policy", async (location, policy) => {
    const { status, headers, body } = await get(port, location);
    expect(status).toBe(200);
    expect(body.equals(readFileSync(path.join(dist, policy.file)))).toBe(true);
    expect([headers["content-type"], headers["cache-control"]]).toEqual([policy.mediaType, policy.cacheControl]);
    expect([headers["content-encoding"], headers["content-length"]]).toEqual([undefined, String(body.length)]);
  });

  it("serves nothing that is not published", async () => {
    const integration = ["/api/v1/integration-readiness", "/api/v1/integration-studio"];
    for (const file of [
      "/manifest.json",
      "/registry.index",
      "/SHA256SUMS",
      "/shell.html",
      "/api/v1/resolve",
      ...integration.flatMap((target) => [`${target}/`, `${target}/index.json`]),
      "/api/v1/integration-readiness/report",
      "/api/v1/integration-studio/kit/",
    ]) {
      expect([file, (await get(port, file)).status]).toEqual([file, 404]);
    }
  });

  it("serves kits as ZIPs, and documents beside the folders of their names", () => {
    const kits = [...documents].filter(([location]) => location.endsWith(".zip"));
    expect(kits.map(([, { mediaType }]) => mediaType)).toEqual(Array.from({ length: 5 }, () => "application/zip"));
    expect([...documents].flatMap(([location, { file }]) => (file === location ? [] : file))).toEqual([
      "/api/v1/integration-readiness/index.json",
      "/api/v1/integration-studio/index.json",
    ]);
  });

  it("has nothing to complain of", () => {
    expect(readFileSync(path.join(folder, "error.log"), "utf8")).not.toMatch(/\[(?:warn|error|crit|alert|emerg)\]/);
  });
});
