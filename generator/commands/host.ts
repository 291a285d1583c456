/** `host`: the configuration of a web server that serves a release as the service does. */
import path from "node:path";
import { parseOrigin } from "../../runtime/http/origin.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { PROGRAM } from "../effects/closure.ts";
import { expectedAnswers } from "../hosting/law.ts";
import { type HostName, HOSTS } from "../hosting/hosts.ts";
import { hostTable } from "../hosting/table.ts";
import { UsageError } from "../text/usage-error.ts";
import { defineCommand } from "./command.ts";
import { type Option, requireDirectory, setting, text, textOr } from "./options.ts";

const names = Object.keys(HOSTS) as HostName[];

const RUNTIME: Option<string | undefined> = {
  value: "URL",
  help: "a runtime that answers what files cannot, such as http://127.0.0.1:8080 (nginx, apache, caddy)",
  read(given, { flag }) {
    const origin = given.length === 0 ? undefined : parseOrigin(given.at(-1) ?? "");
    if (given.length > 0 && origin?.startsWith("http://") !== true)
      throw new UsageError(`${flag} must be an address such as http://127.0.0.1:8080`);
    return origin;
  },
};

const OPTIONS = {
  release: setting("DIR", "the built release (dist)", ({ out }) => out),
  into: text("DIR", "the folder to write to (hosts/NAME)"),
  root: textOr("/srv/semantic-resolution/dist", "PATH", "where dist will be on the host"),
  listen: textOr("80", "ADDRESS", "what the server listens on, in its own words"),
  runtime: RUNTIME,
};

export const command = defineCommand({
  usage: `${names.join("|")} [--into DIR]`,
  does:
    "Writes the configuration with which a host answers as the service does, and says which laws it cannot keep there. " +
    "`verify-origin` then asks the host.",
  options: OPTIONS,
  takesArguments: true,
  async run({ effects, console }, { release: directory, into, root, listen, runtime }, [written, ...others]) {
    const name = names.find((one) => one === written);
    if (name === undefined || others.length > 0) throw new UsageError(`Name one host: ${names.join(", ")}`);
    for (const [option, value] of Object.entries({ root, listen }))
      if (/[\s;{}"'\\]/.test(value)) throw new UsageError(`--${option} ${JSON.stringify(value)} has a character that configurations use themselves`); // prettier-ignore
    requireDirectory(effects, "release", directory);
    const target = into ?? path.join("hosts", name);
    const [inside, dist] = [effects.realPath(target), effects.realPath(directory)];
    if (inside === dist || inside.startsWith(dist + path.sep)) throw new UsageError(`--into ${target} is in the release, whose files must stay as they are`); // prettier-ignore
    if (effects.kind(target) === "file") throw new UsageError(`--into ${target} is a file, not a directory`);
    const release = openRelease(directory);
    try {
      const unavailable = {
        verified: false,
        failureCategory: "identity_document_missing_or_unsafe",
        detail: "",
      } as const;
      const table = await hostTable(release, expectedAnswers(release, unavailable));
      const { make, scripts, cannot } = HOSTS[name];
      const files = new Map<string, Uint8Array>(Object.entries(make(table, { root, listen, runtime })).map(([file, content]) => [file, new TextEncoder().encode(content)])); // prettier-ignore
      for (const script of scripts)
        files.set(script, effects.read(path.join(PROGRAM, "generator/hosting/files", script)));
      for (const [file, bytes] of files) {
        const place = path.join(target, file);
        effects.write(`${place}.part`, [bytes]);
        effects.rename(`${place}.part`, place);
        console.print(`Wrote ${place}`);
      }
      console.print(`What ${name} cannot keep${runtime === undefined ? " without a runtime" : ""}:`);
      for (const line of cannot(runtime !== undefined)) console.print(`  ${line}`);
      return 0;
    } finally {
      release.close();
    }
  },
});
