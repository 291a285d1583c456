/** An owner's repository with a log, in a folder of its own, and the commands on it. */
import { createPrivateKey } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { encodeBase64 } from "../../../generator/tools/log/c2sp.ts";
import { signNote } from "../../../generator/tools/log/key.ts";
import { TreeWriter } from "../../../generator/tools/log/tiles.ts";
import type { Binding, Entry } from "../../../generator/tools/log/verifier.ts";
import type { ConceptRecord } from "../../../generator/registry/record.ts";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";

export interface Home {
  readonly directory: string;
  /** The verifier key of its log. */
  readonly vkey: string;
  at(this: void, name: string): string;
  log(this: void, ...args: string[]): Promise<Outcome>;
}

/** What each release publishes; a code that is no longer there retires. */
export const RELEASES: Readonly<Record<string, readonly ConceptRecord[]>> = {
  "2026.12.1": [
    concept("C-1", [expression("en", "one"), expression("pt", "um", { locale: "pt-BR" })]),
    concept("C-2", [expression("en", "two"), expression("en", "pair"), expression("de", "zwei")]),
  ],
  "2026.12.2": [
    concept("C-1", [expression("en", "one"), expression("pt", "um", { locale: "pt-BR" })]),
    concept("C-2", [expression("en", "pair"), expression("de", "zwei")]),
    concept("C-3", [expression("en", "two"), expression("fr", "deux")]),
  ],
  "2026.12.3": [
    concept("C-2", [expression("en", "pair"), expression("de", "zwei")]),
    concept("C-3", [expression("en", "two"), expression("fr", "deux")]),
  ],
  "2026.12.4": [
    concept("C-2", [expression("en", "pair"), expression("de", "zwei")]),
    concept("C-3", [expression("en", "two"), expression("fr", "deux")]),
    concept("C-4", [expression("en", "one")]),
  ],
};
export const VERSIONS = Object.keys(RELEASES);

/** Runs `log` where the user is in a folder. */
export function logIn(directory: string, ...args: string[]): Promise<Outcome> {
  return runHere(["log", ...args], { cwd: directory });
}

/** `files` are in its folder too, such as content. */
export async function newHome(files: Readonly<Record<string, string>> = {}): Promise<Home> {
  const directory = folder({ "service.yaml": "origin: https://registry.example\n", ...files });
  const keys = mkdtempSync(path.join(tmpdir(), "keys-"));
  await must(logIn(directory, "init", "--key", path.join(keys, "key.pem")));
  const at = (name: string): string => (name === "key" ? path.join(keys, "key.pem") : path.join(directory, name));
  const vkey = readFileSync(at("log/vkey"), "utf8").trim();
  return { directory, vkey, at, log: (...args) => logIn(directory, ...args) };
}

/** A copy with the same key, as a machine or a reader of its own has it. */
export function copyHome({ directory, at, vkey }: Home): Home {
  const copy = mkdtempSync(path.join(tmpdir(), "home-"));
  cpSync(directory, copy, { recursive: true });
  const own = (name: string): string => (name === "key" ? at("key") : path.join(copy, name));
  return { directory: copy, vkey, at: own, log: (...args) => logIn(copy, ...args) };
}

export async function must(outcome: Promise<Outcome>): Promise<Outcome> {
  const done = await outcome;
  expect(done.stderr.replaceAll(/^Notice.*\n/gm, "")).toBe("");
  expect(done.code).toBe(0);
  return done;
}

/** Records and builds the release; its dist is also in `dists/<version>`. */
export async function release({ directory, at }: Home, version: string, concepts = RELEASES[version]): Promise<void> {
  rmSync(at("registry/concepts"), { recursive: true, force: true });
  const now = concepts ?? [];
  const retired = VERSIONS.indexOf(version) >= 2 ? [{ code: "C-1", retiredIn: "2026.12.3", replacedBy: null }] : [];
  const made = registryFiles({ concepts: now, retired });
  for (const [name, text] of Object.entries(made)) {
    if (name === "registry/registry.yaml" && VERSIONS.indexOf(version) > 0) continue;
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  const run = (...args: string[]): Promise<Outcome> => runHere(args, { cwd: directory });
  const recorded = await run("release-registry", "--version", version, "--acknowledge", "It was wrong");
  expect([recorded.code, recorded.stderr.replaceAll(/^Notice.*\n/gm, "")]).toEqual([0, ""]);
  const built = await run("build");
  expect([built.code, built.stderr]).toEqual([0, ""]);
  cpSync(at("dist"), at(`dists/${version}`), { recursive: true });
}

export async function appendAndSign(home: Home): Promise<void> {
  await must(home.log("append"));
  await must(home.log("sign", "--key", home.at("key")));
}

/** Signs a log of any entries with the owner's key, as an owner can who keeps no rule. */
export function forge(home: Home, entries: readonly Entry[], bindings?: readonly Binding[]): void {
  const write = (below: string, leaves: readonly unknown[]) => {
    const tree = new TreeWriter((name, bytes) => {
      const place = home.at(path.join("log", below, name));
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, bytes);
    });
    for (const leaf of leaves) tree.add(Buffer.from(JSON.stringify(leaf)));
    return tree.finish();
  };
  rmSync(home.at("log/tile"), { recursive: true, force: true });
  if (bindings !== undefined) {
    rmSync(home.at("log/bindings"), { recursive: true, force: true });
    write("bindings", bindings);
  }
  const { size, root } = write("", entries);
  const [name = "", id = ""] = home.vkey.split("+");
  const key = createPrivateKey(readFileSync(home.at("key")));
  const text = `${name}\n${size}\n${encodeBase64(root)}\n`;
  writeFileSync(home.at("log/checkpoint"), signNote(text, key, { name, id }));
}
