/** The verbs of `log` that read anybody's log: prove, verify and check. */
import path from "node:path";
import type { Outside } from "../../../commands/command.ts";
import { requireDirectory } from "../../../commands/options.ts";
import type { LogHead } from "../../../contract/log-head.ts";
import { type Effects, readText, readTextIfFile } from "../../../effects/effects.ts";
import { countOf } from "../../../effects/print.ts";
import { VKEY_FILE } from "../../../registry/log-head.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { encodeBase64, policyOfLog, type VerifierKey } from "../c2sp.ts";
import { nodeCryptography } from "../cryptography.ts";
import { readPolicy, readVerifierKey, replaceFile } from "../log-folder.ts";
import { checkLog, nameOf } from "../monitor.ts";
import { proveCode, proveExpression, proveRelease } from "../prove.ts";
import { readTextOf, type SignedLog } from "../signed-log.ts";
import { type LogSource, openSource, readSigned } from "../source.ts";
import { type Verified, verifyProof } from "../verifier.ts";
import type { LogOptions } from "./log-options.ts";

export async function runProve({ effects, console }: Outside, options: LogOptions): Promise<number> {
  const { log: name, expression, language, withoutLanguage, code, release } = options;
  const given = [expression, code, release].filter((one) => one !== undefined);
  if (given.length !== 1) throw new UsageError("Name what to prove: --expression, --code or --release");
  if (expression === undefined && (language !== undefined || withoutLanguage))
    throw new UsageError("A language goes with --expression");
  const files = openSource(effects, name);
  try {
    // Whoever verifies the proof names the key to trust.
    const { key } = options.vkey === undefined ? await statedKey(files) : { key: await keyFrom(effects, options.vkey) };
    const log = await readSigned(files, policyOfLog(key));
    const provable = { files, log, cryptography: nodeCryptography };
    const proof =
      release !== undefined
        ? await proveRelease(provable, release)
        : code !== undefined
          ? await proveCode(provable, code)
          : await proveExpression(provable, {
              expression: expression ?? "",
              language: withoutLanguage ? null : language,
            });
    console.print(proof.trimEnd(), "data");
    return 0;
  } finally {
    files.close();
  }
}

export async function runVerify({ effects, console }: Outside, options: LogOptions, file: string): Promise<number> {
  const { vkey, policy, expression, language, withoutLanguage, expect: code } = options;
  if (vkey === undefined) throw new UsageError("--vkey is needed: the key of the log, from somewhere that you trust");
  if (effects.kind(file) !== "file") throw new UsageError(`${file} is not a file`);
  const verified = await verifyProof(readText(effects, file), {
    policy: await readPolicy(effects, policy, await keyFrom(effects, vkey)),
    asked: { expression, language: withoutLanguage ? null : language, code },
    cryptography: nodeCryptography,
  });
  for (const line of linesOf(verified, options)) console.print(line);
  return 0;
}

/** What is proven, in plain words. */
function* linesOf({ checkpoint, index, entry, bindings }: Verified, options: LogOptions): Generator<string, void> {
  const { origin, size, witnesses } = checkpoint;
  const { registry, registryVersion } = entry;
  yield `${registry} ${registryVersion} is entry ${index} of ${size} in ${origin}`;
  yield witnesses.length === 0
    ? "No witness is part of this: who controls the log could show others another history"
    : `Seen by ${witnesses.map(({ name }) => name).join(", ")}`;
  const { expression = "", language = null } = options;
  if (bindings === null) yield `${nameOf({ expression, language })} was never bound to a code`;
  for (const { codes, ...binding } of bindings ?? []) {
    const had = codes.map(([code, version]) => `${code} from ${version}`).join(", then ");
    yield `${nameOf(binding)} has meant ${had}${codes.length === 1 ? ", and no other code" : ""}`;
  }
}

/** A verifier key, or the file that holds it. */
async function keyFrom(effects: Effects, written: string): Promise<VerifierKey> {
  return readVerifierKey((readTextIfFile(effects, written) ?? written).trim(), "--vkey");
}

export async function runCheck(outside: Outside, options: LogOptions, name: string): Promise<number> {
  const { effects, console } = outside;
  const { remember, dist: dists, next } = options;
  for (const dist of dists) requireDirectory(effects, "dist", dist);
  if (next !== undefined) requireDirectory(effects, "next", next);
  const remembered = remember === undefined ? undefined : readMemory(effects, remember);
  const source = openSource(effects, name);
  try {
    const key = await keyOf(outside, source, options);
    const policy = await readPolicy(effects, options.policy, key);
    console.progress(`Checking ${name}`);
    const log = await readSigned(source, policy);
    const faults = await checkLog(effects, { source, log }, { policy, remembered, dists, next });
    console.progress("");
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) return 1;
    if (remember !== undefined) writeMemory(effects, remember, log);
    console.print(
      `${log.checkpoint.origin} is whole: ${sizesOf(log)}${remembered === undefined ? "" : ", and continues what was remembered"}`,
    );
    return 0;
  } finally {
    source.close();
  }
}

function sizesOf({ entries }: SignedLog): string {
  return `${countOf(entries.length, "release")}, ${countOf(entries.at(-1)?.bindings.count ?? 0, "binding")}`;
}

/** Who does not pin the key trusts whoever answers. */
async function keyOf({ effects, console }: Outside, source: LogSource, { vkey }: LogOptions): Promise<VerifierKey> {
  if (vkey !== undefined) return keyFrom(effects, vkey);
  const stated = await statedKey(source);
  console.error(`Notice: the key is the one that the log states: ${stated.text}; pin it with --vkey`);
  return stated.key;
}

async function statedKey(source: LogSource): Promise<{ text: string; key: VerifierKey }> {
  const text = (await readTextOf(source, VKEY_FILE))?.trim();
  if (text === undefined) throw new UsageError(`${source.name} has no ${VKEY_FILE}: name its key with --vkey`);
  return { text, key: await readVerifierKey(text, `${source.name}/${VKEY_FILE}`) };
}

/** Undefined at the first look. Throws UsageError if it is not what a check wrote. */
function readMemory(effects: Effects, file: string): LogHead | undefined {
  const text = readTextIfFile(effects, file);
  if (text === undefined) return undefined;
  let memory: Partial<LogHead> | null = null;
  try {
    memory = JSON.parse(text) as Partial<LogHead> | null;
  } catch {
    // Refused below.
  }
  const { origin, size, root } = memory ?? {};
  if (typeof origin !== "string" || !Number.isSafeInteger(size) || typeof root !== "string")
    throw new UsageError(`--remember ${file} is not what a check wrote: restore it, or name a new file`);
  return { origin, size: Number(size), root };
}

function writeMemory(effects: Effects, file: string, { checkpoint: { origin, size, root } }: SignedLog): void {
  const memory: LogHead = { origin, size, root: encodeBase64(root) };
  replaceFile(effects, path.dirname(file), { name: path.basename(file), text: `${JSON.stringify(memory)}\n` });
}
