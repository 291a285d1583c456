/**
 * Asks a witness to cosign the checkpoint, with the proof that it continues what the witness saw.
 * A refused or late answer changes nothing.
 * Source: c2sp.org/tlog-witness, add-checkpoint; c2sp.org/tlog-cosignature.
 */
import { httpClient } from "../../effects/http-client.ts";
import { printable } from "../../text/printable.ts";
import { encodeBase64, parseNote, parseNumber, type Policy, ProofError, verifyCheckpoint } from "./c2sp.ts";
import { nodeCryptography } from "./cryptography.ts";
import { consistencyPath } from "./paths.ts";
import { readNeeded, type SignedLog } from "./signed-log.ts";
import { type LogSource, UnreachableError } from "./source.ts";
import { TileReader } from "./tile-reader.ts";

const TIMEOUT_MS = 30_000;
const ANSWER_MOST = 1 << 16;

interface Submission {
  readonly url: string;
  /** The size that the witness saw last. */
  readonly before: number;
  readonly path: readonly Uint8Array[];
}

/** The note with the cosignatures of known witnesses. Throws ProofError or UnreachableError. */
export async function askWitness(
  source: LogSource,
  log: SignedLog,
  asked: { url: string; policy: Policy },
): Promise<string> {
  const url = `${asked.url.replace(/\/*$/, "")}/add-checkpoint`;
  const { size } = log.checkpoint;
  let answer = await submit(log, { url, before: 0, path: [] });
  if (answer.status === 409) {
    const before = sizeIn(answer, url);
    if (before > size)
      throw new ProofError(`${url} has seen a checkpoint of size ${before}, but this log has ${size}: it was cut back`);
    const reader = new TileReader((file) => readNeeded(source, file), size, nodeCryptography);
    const path = before === 0 ? [] : await reader.roots(consistencyPath(before, size));
    answer = await submit(log, { url, before, path });
  }
  if (answer.status !== 200) throw new ProofError(refusalOf(answer, url));
  return withCosignatures(log.note, answer.text, { url, policy: asked.policy });
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function submit(log: SignedLog, { url, before, path }: Submission): Promise<Answer> {
  const client = httpClient();
  const body = [`old ${before}\n`, ...path.map((hash) => `${encodeBase64(hash)}\n`), "\n", log.note].join("");
  const fields = { "content-type": "text/plain; charset=utf-8" };
  try {
    const asked = { url, method: "POST", fields, body, maxBytes: ANSWER_MOST, timeoutMs: TIMEOUT_MS };
    const reply = await client.ask(asked);
    return { status: reply.status, text: new TextDecoder().decode(reply.body) };
  } catch (error) {
    throw new UnreachableError(`${url}: ${(error as Error).message}`, { cause: error });
  } finally {
    client.close();
  }
}

/** The body of a 409 is the size of the latest checkpoint that it cosigned. */
function sizeIn({ text }: Answer, url: string): number {
  return parseNumber(text.replace(/\n$/, ""), `The size that ${url} answers`);
}

const REFUSALS: Readonly<Record<number, string>> = {
  403: "it does not know the key of this log",
  404: "it does not know this log: ask its operator to add it",
  409: "its size changed meanwhile: run this again",
  422: "the checkpoint contradicts what it has seen",
};

function refusalOf({ status, text }: Answer, url: string): string {
  return `${url} answers ${status}: ${REFUSALS[status] ?? printable(text.slice(0, 200).trim())}`;
}

/** Only lines of known witnesses are kept, each instead of an earlier one by the same key. */
async function withCosignatures(
  note: string,
  lines: string,
  { url, policy }: { readonly url: string; readonly policy: Policy },
): Promise<string> {
  const own = parseNote(note);
  const given = parseNote(`${own.text}\n${lines}`).signatures;
  const keys = [...policy.witnesses.values()];
  const isOf = (line: (typeof given)[number]): boolean =>
    keys.some(({ name, id }) => line.name === name && line.id === id);
  const added = given.filter(isOf);
  if (added.length === 0) {
    const names = given.map(({ name, id }) => `${name}+${id}`).join(", ");
    throw new ProofError(`${url} answers with signatures of unknown keys (${names}): add its key to the policy`);
  }
  const kept = own.signatures.filter((line) => !added.some(({ name, id }) => name === line.name && id === line.id));
  const cosigned = `${own.text}\n${[...kept, ...added].map(({ line }) => `${line}\n`).join("")}`;
  await verifyCheckpoint(cosigned, { ...policy, isQuorum: () => true }, nodeCryptography);
  return cosigned;
}
