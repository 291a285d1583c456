/** `host`: the configuration of a web server that serves a release as the service does. */
import path from "node:path";
import { parseOrigin } from "../../runtime/http/origin.ts";
import { openRelease } from "../../runtime/release/release.ts";
import type { Manifest } from "../../runtime/release/manifest.ts";
import { PROGRAM } from "../effects/closure.ts";
import type { Effects } from "../effects/effects.ts";
import { expectedAnswers } from "../hosting/law.ts";
import { HOST_NAMES, type Host, type HostName, HOSTS, PRERENDERING } from "../hosting/hosts.ts";
import { PRERENDERED, prerender } from "../hosting/prerender.ts";
import { type HostOptions, hostTable } from "../hosting/table.ts";
import { putCommand, WORKER_PLACES, workerProject } from "../hosting/cloudflare.ts";
import { assertOwn } from "../hosting/own-folder.ts";
import { UsageError } from "../text/usage-error.ts";
import { defineCommand } from "./command.ts";
import { flag, isWithin, type Option, requireDirectory, setting, type Values } from "./options.ts";

/** What is given, else what service.yaml says of the host. */
function ofHost(
  key: "into" | "root" | "files" | "listen" | "runtime",
  value: string,
  help: string,
): Option<(host: HostName) => string | undefined> {
  return {
    value,
    help,
    read:
      (given, { settings }) =>
      (host) =>
        given.at(-1) ?? settings().hosts[host]?.[key],
  };
}

const OPTIONS = {
  release: setting("DIR", "the built release (dist)", ({ out }) => out),
  into: ofHost("into", "DIR", "the folder to write to (hosts/NAME)"),
  root: ofHost("root", "PATH", "where dist will be on the host (/srv/semantic-resolution/dist)"),
  files: ofHost("files", "PATH", "where what is written will be on the host (/srv/semantic-resolution/NAME)"),
  listen: ofHost("listen", "ADDRESS", "what the server listens on, in its own words (80)"),
  prerender: flag("write concepts and their lists as files too, for a host without a runtime (nginx, apache, caddy)"),
  runtime: ofHost(
    "runtime",
    "URL",
    "a runtime that answers what files cannot, such as http://127.0.0.1:8080 (nginx, apache, caddy)",
  ),
};

type Places = Omit<Values<typeof OPTIONS>, "release" | "prerender">;

/** What is written into a configuration. Throws UsageError. */
function readHost(host: HostName, options: Places): HostOptions {
  const root = options.root(host) ?? "/srv/semantic-resolution/dist";
  const files = options.files(host) ?? `/srv/semantic-resolution/${host}`;
  const listen = options.listen(host) ?? "80";
  for (const [option, value] of Object.entries({ root, files, listen }))
    if (/[\s;{}"'`\\]/.test(value))
      throw new UsageError(`--${option} ${JSON.stringify(value)} has a character that configurations use themselves`);
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
  async run({ effects, console }, { release: directory, prerender: isPrerendered, ...options }, [written, ...others]) {
    const name = HOST_NAMES.find((one) => one === written);
    if (name === undefined || others.length > 0) throw new UsageError(`Name one host: ${HOST_NAMES.join(", ")}`);
    const host = readHost(name, options);
    const { make, scripts, cannot, prerenders = false } = HOSTS[name] as Host;
    if (isPrerendered && !prerenders) throw new UsageError(`--prerender is for ${PRERENDERING.join(", ")}`);
    if (isPrerendered && host.runtime !== undefined)
      throw new UsageError("--prerender is for a host without a runtime: leave out --runtime");
    requireDirectory(effects, "release", directory);
    const target = options.into(name) ?? path.join("hosts", name);
    requireTarget(effects, target, directory);
    const release = openRelease(directory);
    try {
      const unavailable = {
        verified: false,
        failureCategory: "identity_document_missing_or_unsafe",
        detail: "",
      } as const;
      const expected = expectedAnswers(release, unavailable);
      const made = isPrerendered ? await prerender(release, expected) : undefined;
      const table = { ...(await hostTable(release, expected)), ...(made && { prerendered: made.prerendered }) };
      const texts = make(table, host);
      const ofWorker = name === "cloudflare" ? WORKER_PLACES : [];
      assertOwn(effects, target, [...Object.keys(texts), ...scripts, ...ofWorker, ...(made ? [PRERENDERED] : [])]);
      if (name === "cloudflare") {
        for (const line of writeWorker(effects, { directory, target, manifest: release.manifest })) console.print(line);
      }
      const write = (file: string, bytes: Uint8Array): string => {
        const place = path.join(target, file);
        effects.write(`${place}.part`, [bytes]);
        effects.rename(`${place}.part`, place);
        return place;
      };
      if (made !== undefined) {
        const folder = path.join(target, PRERENDERED);
        // Nothing stays of another release.
        effects.remove(folder);
        for (const [file, bytes] of made.files) write(file, bytes);
        console.print(`Wrote ${made.files.size} files below ${folder}`);
      }
      for (const [file, content] of Object.entries(texts))
        console.print(`Wrote ${write(file, new TextEncoder().encode(content))}`);
      for (const script of scripts)
        console.print(`Wrote ${write(script, effects.read(path.join(PROGRAM, "generator/hosting/files", script)))}`);
      console.print(
        `What ${name} cannot keep${name === "cloudflare" || host.runtime !== undefined ? "" : " without a runtime"}:`,
      );
      for (const line of cannot(host.runtime !== undefined ? "runtime" : isPrerendered ? "prerendered" : "files"))
        console.print(`  ${line}`);
      return 0;
    } finally {
      release.close();
    }
  },
});

/** Throws UsageError where nothing can be written to a folder, or nothing should. */
function requireTarget(effects: Effects, target: string, release: string): void {
  if (isWithin(effects.realPath(target), effects.realPath(release)))
    throw new UsageError(`--into ${target} is in the release, whose files must stay as they are`);
  if (effects.kind(target) === "file") throw new UsageError(`--into ${target} is a file, not a directory`);
}

/** Writes the project next to the one that may be there, then puts it in its place. Returns what is to be said. */
function writeWorker(
  effects: Effects,
  { directory, target, manifest }: { readonly directory: string; readonly target: string; readonly manifest: Manifest },
): string[] {
  const making = path.join(target, ".making");
  const { texts, assets, stored } = workerProject(manifest, effects);
  effects.remove(making);
  for (const [name, text] of texts) effects.write(path.join(making, name), [new TextEncoder().encode(text)]);
  for (const name of assets)
    effects.write(path.join(making, "assets", name), effects.chunks(path.join(directory, name)));
  for (const name of effects.names(making)) {
    effects.remove(path.join(target, name));
    effects.rename(path.join(making, name), path.join(target, name));
  }
  effects.remove(making);
  const puts = Object.entries(stored).map(([name, key]) => `  ${putCommand(path.join(directory, name), key)}`);
  return [
    `Wrote ${target}: wrangler.jsonc, worker and assets`,
    ...(puts.length > 0 ? ["Too large for assets; put into the bucket before you deploy:", ...puts] : []),
  ];
}
