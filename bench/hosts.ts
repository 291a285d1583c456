/** The same documents from every server that can serve them, each on one core, in one run. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { measureCommand, probe, type Server, startServer } from "./processes.ts";

const NGINX = "/usr/sbin/nginx";
const MODULE = "/usr/lib/nginx/modules/ngx_http_js_module.so";
const PORT = 18_080;

export async function measureHosts(): Promise<string[][]> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-"));
  const out = path.join(folder, "dist");
  measureCommand(["build", "--out", out]);
  const isThere = existsSync(NGINX) && existsSync(MODULE);
  if (!isThere) process.stderr.write(`Without nginx: ${NGINX} or ${MODULE} is missing\n`);
  const servers: readonly (readonly [string, Pick<Server, "port" | "stop">])[] = [
    ["raw node:http", await startServer("raw-server.js", [out])],
    ["runtime", await startServer("../runtime/main.js", ["--out", out])],
    ["fetch handler on node:http", await startServer("fetch-server.js", [out])],
    ...(isThere ? [["nginx with its preset", await startNginx(folder, out)] as const] : []),
  ];
  const table = [["served by", "document, requests/s", "against raw", "304, requests/s", "against raw"]];
  try {
    const ports = servers.map(([, { port }]) => String(port));
    const found: number[][] = [];
    for (const route of ["document", "document, 304"])
      found.push((await probe<{ rates: number[] }>("load.js", [route, out, ...ports])).rates);
    servers.forEach(([name], i) => {
      const cells = found.flatMap((rates) => [
        (rates[i] ?? 0).toFixed(0),
        ((rates[i] ?? 0) / (rates[0] ?? 1)).toFixed(2),
      ]);
      table.push([name, ...cells]);
    });
  } finally {
    for (const [, server] of servers) await server.stop();
  }
  return table;
}

/** Starts nginx with the configuration that `host` writes, with one worker on the servers' core. */
async function startNginx(folder: string, out: string): Promise<Pick<Server, "port" | "stop">> {
  measureCommand(["host", "nginx", "--release", out, "--into", folder, "--root", out, "--listen", `127.0.0.1:${PORT}`]);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/t;`,
  );
  const main = `load_module ${MODULE}; daemon off; worker_processes 1; worker_cpu_affinity 1; pid ${folder}/pid;
${process.getuid?.() === 0 ? "user root;" : ""}
events {} http { access_log off; keepalive_requests 1000000000; ${temporary.join(" ")} include nginx.conf; }`;
  writeFileSync(path.join(folder, "main.conf"), main);
  const child: ChildProcess = spawn(NGINX, ["-p", folder, "-c", "main.conf", "-e", path.join(folder, "error.log")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  while (!(await isListening())) await setTimeout(50);
  const stop = (): Promise<void> => {
    child.kill();
    return ended;
  };
  return { port: PORT, stop };
}

function isListening(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(PORT, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.unref();
  });
}
