/** The proofs of kits: how one is run, and what it prints. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { FIXTURE_OUTCOMES, type Fixture, type FixtureOutcome } from "../../generator/contract/integration.ts";
import { type Client, handoffOf, runHandoff, type RunOptions } from "../support/handoffs.ts";
import { describeResult } from "../support/kits.ts";
import type { Outcome } from "../support/npx.ts";

export function says(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The start of a command that runs the rest of it without a network. */
export const withoutNetwork = [
  ["unshare", "-n"],
  ["unshare", "-rn"],
].find(([command = "", ...args]) => says(command, [...args, "true"]));
if (withoutNetwork === undefined) console.warn("unshare makes no network namespace here: proofs run with the network");

export function prove(client: Client, root: string, options: RunOptions = {}): Promise<Outcome> {
  const before = withoutNetwork ?? [];
  return runHandoff(client, { root, argv: handoffOf(root, client.language).prove }, { before, ...options });
}

export function fixtureFile(root: string, id: FixtureOutcome): string {
  return path.join(root, "fixtures", `${id}.json`);
}

export function readFixture(root: string, id: FixtureOutcome): Fixture {
  return JSON.parse(readFileSync(fixtureFile(root, id), "utf8")) as Fixture;
}

/** What a proof prints of the fixtures as they are declared, but for these. */
export function proofOf(root: string, but: Readonly<Partial<Record<FixtureOutcome, string>>> = {}): string {
  return FIXTURE_OUTCOMES.map((id) => `${id}: ${but[id] ?? describeResult(readFixture(root, id).expected)}\n`).join("");
}
