/** Real web servers, each started in a folder with its configuration, as `host` writes it. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

export interface WebServer {
  readonly name: "nginx" | "apache" | "caddy";
  /** The file of its configuration. */
  readonly file: string;
  /** The program and what it loads: all must be there. */
  readonly needs: readonly [program: string, ...modules: string[]];
  /** Files besides its configuration, and the arguments that start it in the folder. */
  prepare(
    this: void,
    folder: string,
    port: number,
  ): { readonly files: Readonly<Record<string, string>>; readonly args: readonly string[] };
}

const isRoot = process.getuid?.() === 0;
/** Debian's default modules, which compress and negotiate languages, and the configuration's. */
const APACHE_MODULES =
  "mpm_event authz_core alias env mime dir filter deflate headers rewrite negotiation proxy proxy_http".split(" ");

export const nginx: WebServer = {
  name: "nginx",
  file: "nginx.conf",
  needs: ["/usr/sbin/nginx", "/usr/lib/nginx/modules/ngx_http_js_module.so"],
  prepare: (folder) => ({
    args: ["-p", folder, "-c", "main.conf", "-e", path.join(folder, "error.log")],
    files: {
      "main.conf": `load_module /usr/lib/nginx/modules/ngx_http_js_module.so;
${isRoot ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`).join(" ")}
  include inherited.conf;
  include nginx.conf;
}
`,
      "inherited.conf": "",
    },
  }),
};

/** nginx with settings in `http {}` that the configuration of `host` must not inherit. */
export const nginxWithSettings: WebServer = {
  ...nginx,
  prepare(folder, port) {
    const { files, args } = nginx.prepare(folder, port);
    const inherited = "expires 1h;\ncharset koi8-r;\nssi on;\nsub_filter concept CONCEPT;\nsub_filter_types *;\n";
    return { args, files: { ...files, "inherited.conf": inherited } };
  },
};

export const apache: WebServer = {
  name: "apache",
  file: "apache.conf",
  needs: ["/usr/sbin/apache2"],
  prepare: (folder, port) => ({
    args: ["-d", folder, "-f", "main.conf", "-DFOREGROUND"],
    files: {
      "main.conf": `${APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
PidFile pid
ErrorLog error.log
TypesConfig /dev/null
AddLanguage fr .fr
AddHandler type-map var
${isRoot ? "User nobody\nGroup nogroup" : ""}
ServerName localhost
KeepAliveTimeout 60
Listen 127.0.0.1:${port}
<Directory />
  Require all denied
</Directory>
AddOutputFilterByType DEFLATE text/html text/plain text/xml text/css application/javascript application/json
Include apache.conf
`,
    },
  }),
};

export const caddy: WebServer = {
  name: "caddy",
  file: "Caddyfile",
  needs: ["/usr/bin/caddy"],
  prepare: (folder) => ({
    args: ["run", "--adapter", "caddyfile", "--config", path.join(folder, "main.conf")],
    files: { "main.conf": "{\n\tadmin off\n}\nimport Caddyfile\n" },
  }),
};

/** Whether a server can be started here; says so where it cannot. */
export function isThere({ name, needs }: WebServer): boolean {
  const missing = needs.find((file) => !existsSync(file));
  if (missing !== undefined)
    console.warn(`Skipped, there is no ${missing}: install ${name}${missing === needs[0] ? "" : " with it"}.`);
  return missing === undefined;
}

export interface Place {
  /** Where its configuration is. */
  readonly folder: string;
  /** The port that the configuration names. */
  readonly port: number;
  /** Other folders that it reads. */
  readonly reads: readonly string[];
}

/** Runs a server as long as `use` takes. */
export async function withServer(server: WebServer, place: Place, use: () => Promise<void>): Promise<void> {
  const stop = await startServer(server, place);
  try {
    await use();
  } finally {
    await stop();
  }
}

/** Starts a server and waits until it answers; gives what ends it. */
export async function startServer(server: WebServer, { folder, port, reads }: Place): Promise<() => Promise<void>> {
  // Apache gives up root, and reads as anybody does.
  for (const place of [...reads, folder])
    for (let open = place; open.startsWith(tmpdir()); open = path.dirname(open)) chmodSync(open, 0o755);
  const { files, args } = server.prepare(folder, port);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  const child = spawn(server.needs[0], args, { stdio: ["ignore", "ignore", "pipe"] });
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
  };
  await answering(child, port, path.join(folder, "error.log")).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return stop;
}

async function answering(child: ChildProcess, port: number, log: string): Promise<void> {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`It ended with ${child.exitCode}: ${said}${existsSync(log) ? readFileSync(log, "utf8") : ""}`);
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await setTimeout(50);
  }
}
