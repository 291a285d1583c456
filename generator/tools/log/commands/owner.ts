/** The verbs of `log` that keep a log: init, append, sign and witness. */
import path from "node:path";
import type { Outside } from "../../../commands/command.ts";
import { requireDirectory } from "../../../commands/options.ts";
import { readSettings } from "../../../commands/service-file.ts";
import { invocation } from "../../../effects/invocation.ts";
import { countOf } from "../../../effects/print.ts";
import { VKEY_FILE } from "../../../registry/log-head.ts";
import { encoded } from "../../../text/chunks.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { appendRelease } from "../append.ts";
import { policyOfLog } from "../c2sp.ts";
import { makeKey, readKey, requireSame } from "../key.ts";
import { readOwnKey, readPolicy, readVerifierKey } from "../log-folder.ts";
import { publish, signCheckpoint } from "../sign.ts";
import { openSource, POLICY_FILE, readSigned } from "../source.ts";
import { askWitness } from "../witness.ts";
import type { LogOptions } from "./log-options.ts";

export async function runInit({ effects, console }: Outside, { log, key, name }: LogOptions): Promise<number> {
  const file = needed("key", key);
  const vkeyFile = path.join(log, VKEY_FILE);
  if (effects.kind(vkeyFile) !== "none") throw new UsageError(`${vkeyFile} exists: a log keeps its key`);
  const origin = name ?? defaultName(effects, log);
  if (!/^[^\s+]+$/u.test(origin)) throw new UsageError(`--name ${JSON.stringify(origin)} has a space or a plus`);
  const vkey = makeKey(effects, file, origin);
  await readVerifierKey(vkey, vkeyFile);
  effects.write(vkeyFile, encoded(`${vkey}\n`));
  effects.write(path.join(log, POLICY_FILE), encoded(`log ${vkey}\nquorum none\n`));
  console.print(
    `${origin} has the verifier key ${vkey}\nIts private key is in ${file}: keep a copy, it is nowhere else`,
  );
  return 0;
}

/** tlog-tiles, Parameters: the address of the log without its scheme. */
function defaultName(effects: Outside["effects"], log: string): string {
  const { origin } = readSettings(effects);
  if (origin === undefined) throw new UsageError("--name is needed: the address of the log without https://");
  return `${new URL(origin).host}/${path.basename(log)}`;
}

export async function runAppend({ effects, console }: Outside, options: LogOptions): Promise<number> {
  const { log, registry, out: dist } = options;
  requireDirectory(effects, "registry", registry);
  requireDirectory(effects, "out", dist);
  const key = await readOwnKey(effects, log);
  console.progress(`Appending to ${log}`);
  const { isNew, registryVersion, size, bindings } = await appendRelease(effects, { registry, dist, log }, key);
  console.progress("");
  const what = `${registryVersion} with ${countOf(bindings, "binding")} is entry ${size - 1}`;
  console.print(isNew ? `${what}: sign it with ${invocation("log", "sign --key FILE")}` : `${what} already`);
  return 0;
}

export async function runSign({ effects, console }: Outside, { log, key: file }: LogOptions): Promise<number> {
  const verifier = await readOwnKey(effects, log);
  const named = needed("key", file);
  const key = readKey(effects, named);
  requireSame(key, verifier, named);
  const size = await signCheckpoint(effects, log, { key, verifier });
  console.print(
    size === undefined
      ? "Nothing waits to be signed: append a release first"
      : `Signed the checkpoint of ${countOf(size, "release")} as ${verifier.name}`,
  );
  return 0;
}

export async function runWitness(
  { effects, console }: Outside,
  { log, to, policy: file }: LogOptions,
): Promise<number> {
  const url = needed("to", to);
  if (!/^https?:\/\//.test(url)) throw new UsageError(`--to ${url} does not begin with https:// or http://`);
  const verifier = await readOwnKey(effects, log);
  const policy = await readPolicy(effects, file ?? path.join(log, POLICY_FILE), verifier);
  const source = openSource(effects, log);
  const own = await readSigned(source, policyOfLog(verifier));
  console.progress(`Asking ${url}`);
  const note = await askWitness(source, own, { url, policy });
  console.progress("");
  await publish(effects, log, { note, verifier });
  console.print(`${url} has cosigned the checkpoint of ${countOf(own.checkpoint.size, "release")}`);
  return 0;
}

function needed(name: string, value: string | undefined): string {
  if (value === undefined) throw new UsageError(`--${name} is needed`);
  return value;
}
