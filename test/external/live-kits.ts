/**
 * What the tests of handoffs share: every interpreter at hand, the kits of a registry of awkward
 * expressions, and the real service on the address that they are made for.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { CheckedRegistry } from "../../generator/registry/checked.ts";
import type { Classification } from "../../generator/contract/integration.ts";
import { exitCodes } from "../../generator/integration/handoffs.ts";
import type { ResolveEnvelope } from "../../runtime/contract/resolution.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { freePort } from "../support/free-port.ts";
import { type Client, findClients, handoffOf, runHandoff } from "../support/handoffs.ts";
import { lineOf } from "../support/hostile-answers/answer.ts";
import { type UnpackedKit, unpackKits } from "../support/kits.ts";
import { nasty } from "../support/nasty.ts";
import type { Outcome } from "../support/npx.ts";
import { checkedRegistry, concept, expression } from "../support/registry.ts";
import { buildRelease, ORIGIN } from "../support/release.ts";
import { listen } from "../support/service.ts";

/** All that are here, until the tests of a file end. */
export const clients = findClients();
afterAll(() => clients.remove());

/** Expressions that shells, formatters, argument parsers or decoders might misread. */
// prettier-ignore
export const REVIEWED = [
  "$(id)", "`id`", "%s%n%d", "$HOME ${PATH}", "a;b|c&d>e", "*", "~", "!!", "\\", "\\n", "\\u0041", "\\\\", "/?", "?", "'", '"', "''\"\"",
  "it's", "-", "--", "-h", "--live", "--help", "-x:y", "-a:en", "-b:$true", "-c:", "-Verbose", "-c", "-?", "--%", "@-", "@x", "%", "prove",
  "resolve", "null", "true", "0", "1e5", "–x:y", "—", "#", "&&", "(", ")", "{0}", "{}", "[]", "a=b", "^", "😀", "👩‍💻", "שלום", "مرحبا",
  "́x", "ẹ́", "Å", "􏿽", "İ", "ß", "ﬁ", "日本語",
];

function registry(): CheckedRegistry {
  const texts = REVIEWED.map((text) => text.normalize("NFC"));
  const reviewed = [...new Set(texts)].flatMap((text, i) => {
    const one = concept(`H-${i}`, [expression("en", text)], { domain: "hostile" });
    // What the registry itself refuses stays unknown to the service.
    return isAccepted(one) ? [one] : [];
  });
  return checkedRegistry({ ...nasty, concepts: [...nasty.concepts, ...reviewed] });
}

function isAccepted(one: ReturnType<typeof concept>): boolean {
  try {
    checkedRegistry({ concepts: [one] });
    return true;
  } catch {
    return false;
  }
}

/** Unpacked before the first test of a file. */
interface Kits {
  kits: readonly UnpackedKit[];
  /** The first of them. */
  kit: UnpackedKit;
}

/** Kits that nobody answers. */
export function offlineKits(): Kits {
  const made = {} as Kits;
  beforeAll(async () => {
    const unpacked = await unpackKits(registry(), ORIGIN);
    Object.assign(made, { kits: unpacked.kits, kit: unpacked.kits[0] });
    return () => unpacked.remove();
  });
  return made;
}

interface LiveKits extends Kits {
  port: number;
  origin: string;
}

/** Kits, and the service on the address that they are made for. */
export function liveKits(): LiveKits {
  const live = {} as LiveKits;
  beforeAll(async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const checked = registry();
    const unpacked = await unpackKits(checked, origin);
    Object.assign(live, { port, origin, kits: unpacked.kits, kit: unpacked.kits[0] });
    const release = openRelease(await buildRelease(checked, origin));
    const app = await listen(release, { port });
    return async () => {
      await app.close();
      release.close();
      unpacked.remove();
    };
  });
  return live;
}

/** An empty folder, which is given back if it is still that; removed in any case. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), "handoff-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What follows the kit's own words of a live call. */
export function asking(
  client: Client,
  root: string,
  asked: readonly string[],
): { root: string; argv: readonly string[] } {
  return { root, argv: [...handoffOf(root, client.language).resolve, ...asked] };
}

export function resolve(client: Client, root: string, asked: readonly string[]): Promise<Outcome> {
  return runHandoff(client, asking(client, root, asked));
}

/** What each of these clients said, by its name, so that a failure shows all that differ. */
export async function each<T>(
  some: readonly Client[],
  ask: (client: Client) => Promise<T>,
): Promise<Record<string, T>> {
  return Object.fromEntries(await Promise.all(some.map(async (client) => [client.name, await ask(client)] as const)));
}

export function all<T>(some: readonly Client[], value: T): Record<string, T> {
  return Object.fromEntries(some.map(({ name }) => [name, value]));
}

export const NOTHING_ELSE = { stderr: "" };

function codeOf({ outcome }: Classification): number {
  const found = exitCodes.resolve.find(({ means }) => means.split(":")[0] === outcome);
  if (found === undefined) throw new Error(`There is no exit code for ${outcome}`);
  return found.code;
}

export function saidOf(expected: Classification): Outcome {
  return { code: codeOf(expected), stdout: lineOf(expected), ...NOTHING_ELSE };
}

/** What the service answers, read here by itself. */
export async function answerTo(origin: string, asked: readonly string[]): Promise<Classification> {
  const [text, language] = asked;
  const reply = await fetch(`${origin}/api/v1/resolve`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ expression: text, language }),
  });
  if (reply.status !== 200) return { outcome: "request-error" };
  const { data } = (await reply.json()) as ResolveEnvelope;
  expect(data.input.expression).toBe(text);
  const { concept: found } = data;
  if (found !== null) return { outcome: "resolved-valid", code: found.code, registryVersion: found.registryVersion };
  const candidates = data.candidates.map(({ code, name }) => ({ code, name }));
  return { outcome: data.reason === "ambiguous_expression" ? "ambiguous" : "unknown", reason: data.reason, candidates };
}
