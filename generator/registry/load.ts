/** Reads a registry from its folder and checks it, with progress messages. */
import type { Effects } from "../effects/effects.ts";
import { type Finding, isError, sortFindings } from "../text/finding.ts";
import { checkRegistry, type Verdict } from "./check.ts";
import { readRegistry, type RegistrySource, type RegistryStream, streamRegistry } from "./read.ts";

type Progress = (text: string) => void;

/** `progress` is called now and then; an empty text means that reading is done. */
export function readWithProgress(effects: Effects, directory: string, progress: Progress): RegistrySource {
  const source = readRegistry(effects, directory, (done) => {
    if (done % 500 === 0) progress(`Reading ${directory}: ${done} concepts`);
  });
  progress("");
  return source;
}

/** The verdict and the records it is about. */
export interface Loaded extends Verdict {
  readonly source: RegistryStream;
}

export function loadRegistry(effects: Effects, directory: string, progress: Progress): Loaded {
  const source = streamRegistry(effects, directory, (done) => {
    if (done % 500 === 0) progress(`Checking ${directory}: ${done} concepts`);
  });
  const loaded = judge(source);
  progress("");
  return loaded;
}

export function judge(source: RegistryStream): Loaded {
  return { ...checkRegistry(source), source };
}

/**
 * Adds the findings of another check; an error among them refuses the registry as its own would.
 */
export function withFindings(loaded: Verdict, more: readonly Finding[]): Verdict {
  const findings = sortFindings([...loaded.findings, ...more]);
  return { registry: findings.some(isError) ? undefined : loaded.registry, findings };
}
