/** `host`: writes the configuration of a web server that serves a release as the service does. */
import path from "node:path";
import { parseOrigin } from "../../../../runtime/http/origin.ts";
import { writeHost } from "../host-folder.ts";
import { type Host, HOSTS, PRERENDERING } from "../hosts.ts";
import { HOST_NAMES, type HostName } from "../../../commands/service-file.ts";
import type { HostOptions } from "../table.ts";
import { REGISTRY_FILE } from "../../../registry/read.ts";
import { originNotices } from "../../../text/public-origin.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { BUILT, flag, isWithin, type Option, requireDirectory, type Values } from "../../../commands/options.ts";
import { withRelease } from "../../../commands/with-release.ts";

type OfHost = Option<(host: HostName) => string | undefined>;

/** The given value, else that of the host in service.yaml. */
function ofHost(key: "into" | "root" | "files" | "listen" | "runtime", value: string, help: string): OfHost {
  const read: OfHost["read"] = (given, { settings }) => {
    return (host) => given.at(-1) ?? settings().hosts[host]?.[key];
  };
  return { value, help, read };
}

const OPTIONS = {
  release: BUILT,
  into: ofHost("into", "DIR", "the folder to write to (hosts/NAME)"),
  root: ofHost("root", "PATH", "where dist will be on the host (/srv/semantic-resolution/dist)"),
  files: ofHost("files", "PATH", "where the written files will be on the host (/srv/semantic-resolution/NAME)"),
  listen: ofHost("listen", "ADDRESS", "the address or port that the server listens on, in its own notation (80)"),
  prerender: flag("write concepts and their lists as files too, for a host without a runtime (nginx, apache, caddy)"),
  runtime: ofHost(
    "runtime",
    "URL",
    "a runtime that answers what files cannot, such as http://127.0.0.1:8080 (nginx, apache, caddy)",
  ),
};

type Places = Omit<Values<typeof OPTIONS>, "release" | "prerender">;

/** The values that are written into a configuration. Throws UsageError. */
function readHost(host: HostName, options: Places): HostOptions {
  const root = options.root(host) ?? "/srv/semantic-resolution/dist";
  const files = options.files(host) ?? `/srv/semantic-resolution/${host}`;
  const listen = options.listen(host) ?? "80";
  for (const [option, value] of Object.entries({ root, files, listen }))
    if (/[\s;{}"'`\\]/.test(value))
      throw new UsageError(`--${option} ${JSON.stringify(value)} has a character that is special in configurations`);
  for (const [option, value] of Object.entries({ root, files }))
    if (!/^(?:[A-Za-z]:)?\//.test(value))
      throw new UsageError(`--${option} ${value} must be an absolute path on the host, such as /srv/words/dist`);
  const written = options.runtime(host);
  const runtime = written === undefined ? undefined : parseOrigin(written);
  if (written !== undefined && runtime?.startsWith("http://") !== true)
    throw new UsageError("--runtime must be an address such as http://127.0.0.1:8080");
  return { root, files, listen, runtime };
}

export const command = defineCommand({
  usage: `${HOST_NAMES.join("|")} [--into DIR]`,
  does:
    "Writes the configuration with which a host answers as the service does, and says which laws it cannot keep there. " +
    "`verify-origin` then asks the host.",
  options: OPTIONS,
  takesArguments: true,
  run({ effects, console }, { release: directory, prerender: isPrerendered, ...options }, [written, ...others]) {
    const name = HOST_NAMES.find((one) => one === written);
    if (name === undefined || others.length > 0) throw new UsageError(`Name one host: ${HOST_NAMES.join(", ")}`);
    const host = readHost(name, options);
    const { cannot, prerenders = false } = HOSTS[name] as Host;
    const { into, ...ofServers } = options;
    const values = Object.entries(ofServers).map(([option, read]) => [option, read(name) !== undefined] as const);
    for (const [option, isGiven] of [...values, ["prerender", isPrerendered] as const])
      if (isGiven && !prerenders)
        throw new UsageError(
          `--${option} is for ${PRERENDERING.join(", ")}: leave it out${option === "prerender" ? "" : `, or ${option} in service.yaml`}`,
        );
    if (isPrerendered && host.runtime !== undefined)
      throw new UsageError(
        "--prerender is for a host without a runtime: leave out --runtime, or runtime in service.yaml",
      );
    requireDirectory(effects, "release", directory);
    const target = into(name) ?? path.join("hosts", name);
    requireTarget(effects, target, directory);
    return withRelease(directory, async (release) => {
      const folder = { name, directory, target, isPrerendered, ...host };
      for await (const line of writeHost(effects, folder, release)) console.print(line);
      const lost = cannot(host.runtime !== undefined ? "runtime" : isPrerendered ? "prerendered" : "files");
      const without = name === "cloudflare" || host.runtime !== undefined ? "" : " without a runtime";
      if (lost.length > 0) console.print(`Laws that ${name} cannot keep${without}:`);
      for (const line of lost) console.print(`  ${line}`);
      for (const line of originNotices("the release", release.manifest.origin))
        console.error(`${line}, and build again`);
      return 0;
    });
  },
});

/** Throws UsageError if nothing can or should be written to a folder. */
function requireTarget(effects: Outside["effects"], target: string, release: string): void {
  if (isWithin(effects.realPath(target), effects.realPath(release)))
    throw new UsageError(`--into ${target} is in the release, whose files must stay as they are`);
  if (effects.kind(path.join(target, REGISTRY_FILE)) !== "none")
    throw new UsageError(`--into ${target} is a registry, which has no other files: name another folder`);
  if (effects.kind(target) === "file") throw new UsageError(`--into ${target} is a file, not a directory`);
}
