/**
 * Runs the law against an origin on the network: its answers are compared with those of the
 * release.
 */
import type { HttpClient } from "../../effects/http-client.ts";
import { differences, lawsOf } from "./differences.ts";
import { type Case, type Law, LAWS } from "./law.ts";
import type { Expect } from "./request.ts";

export interface LawResult {
  readonly law: Law;
  /**
   * Numbers of requests: those that show something about the law, and those of them with a
   * difference.
   */
  readonly asked: number;
  readonly failed: number;
}

export interface OriginReport {
  readonly laws: readonly LawResult[];
  /** By law, in the order of the requests; `request` is `METHOD path` and its conditions. */
  readonly differences: readonly { readonly law: Law; readonly request: string; readonly text: string }[];
}

/** Nothing answers, so that nothing can be said about the law. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
}

export interface OriginCheck {
  /** The origin to ask: scheme, host and port. */
  readonly url: string;
  readonly cases: readonly Case[];
  readonly expected: Expect;
  readonly client: HttpClient;
  readonly progress: (text: string) => void;
}

const TIMEOUT_MS = 10_000;
const AT_ONCE = 8;
/** This number of requests in a row without an answer means that there is no server. */
const SILENT = 8;

/** Throws UnreachableError if there is no server. */
export async function checkOrigin({ url, cases, expected, client, progress }: OriginCheck): Promise<OriginReport> {
  const found = cases.map((): OriginReport["differences"] => []);
  const shown = cases.map((): ReadonlySet<Law> => new Set());
  const nonces = new Set<string>();
  let next = 0;
  let silent = 0;
  const check = async (at: number, one: Case): Promise<void> => {
    const { request } = one;
    const name = `${request.method} ${request.path}${conditionOf(request.fields)}`;
    const due = await expected(request);
    shown[at] = lawsOf(one, due);
    const reply = await client
      .ask({
        ...request,
        url: url + request.path,
        maxBytes: due.body.length + 65_536,
        timeoutMs: TIMEOUT_MS,
        fields: { "accept-encoding": "gzip, br, zstd, deflate", ...request.fields },
      })
      .catch((error: Error) => error);
    silent = reply instanceof Error ? silent + 1 : 0;
    if (reply instanceof Error) {
      if (silent >= SILENT || at === 0) throw new UnreachableError(`${url} cannot be reached: ${reply.message}`);
      found[at] = [{ law: one.law, request: name, text: `has no answer: ${reply.message}` }];
      return;
    }
    const faults = differences(one, due, reply);
    const nonce = /'nonce-([^']+)'/.exec(reply.fields["content-security-policy"] ?? "")?.[1];
    if (nonce !== undefined && nonces.size === nonces.add(nonce).size)
      faults.push({ law: "pages", text: "has a nonce that another answer had" });
    found[at] = faults.map(({ law, text }) => ({ law, request: name, text }));
  };
  const work = async (): Promise<void> => {
    while (next < cases.length) {
      const at = next++;
      progress(`Asking ${at + 1} of ${cases.length}`);
      await check(at, cases[at] as Case);
    }
  };
  // The first request goes on its own: without an answer to it no other is sent.
  const [first] = cases;
  if (first !== undefined) await check(next++, first);
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const all = found.flat();
  const laws = LAWS.map((law) => {
    const broken = found.map((faults) => faults.some((fault) => fault.law === law));
    // An undue field shows something about its law even if the service sends none.
    const asked = shown.filter((of, at) => of.has(law) || broken[at] === true);
    return { law, asked: asked.length, failed: broken.filter(Boolean).length };
  });
  return {
    laws,
    differences: all.toSorted((a, b) => LAWS.indexOf(a.law) - LAWS.indexOf(b.law)),
  };
}

function conditionOf(fields: Readonly<Record<string, string>>): string {
  const shown = ["accept", "if-none-match", "if-match"].filter((name) => fields[name] !== undefined);
  return shown.map((name) => ` (${name}: ${fields[name] ?? ""})`).join("");
}
