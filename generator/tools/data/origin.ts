/**
 * Reads from a running service what a check needs: the public bundle, from which the index is made
 * here, and the documents about the registry's past. Every body is checked against the digest that
 * the service lists for it, and the content as a whole against the history. This reveals damage and
 * a mixture of two releases, but not a service that lies about everything consistently.
 */
import { createHash } from "node:crypto";
import { changesPath } from "../../../runtime/contract/added-resources.ts";
import { ConceptDetail } from "../../../runtime/contract/concept.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { sha256 } from "../../../runtime/http/digest.ts";
import { FILE_MAX_BYTES, ReleaseError } from "../../../runtime/release/plain-file.ts";
import { hexToBase64, readAtMost } from "../../../runtime/text/bytes.ts";
import { fetchReason } from "../../../runtime/extras/store/fetch-reason.ts";
import { RegistryHistory, RetiredCodes } from "../../contract/history.ts";
import { StatusEnvelope } from "../../contract/status.ts";
import type { MemoryBudget } from "../../effects/effects.ts";
import { publishedIndex } from "../../promise/released-index.ts";
import { Concepts } from "../../registry/concepts.ts";
import { digestContent } from "../../registry/history.ts";
import { compileSchema } from "../../text/compile-schema.ts";
import { parseDocument, type Source, unusable } from "../../promise/past.ts";

/** For each answer, until its body has ended. */
const TIMEOUT_MS = 60_000;
/** The index is made in memory; a larger registry is checked from its release. */
const BUNDLE_MAX_BYTES = 512 * 1024 * 1024;

const parseHistory = compileSchema(RegistryHistory);
const parseRetired = compileSchema(RetiredCodes);
const parseStatus = compileSchema(StatusEnvelope);
const parseConcept = compileSchema(ConceptDetail);

/** Throws ReleaseError if the service cannot be read or contradicts itself. */
export async function openOrigin(budget: MemoryBudget, origin: string): Promise<Source> {
  const documents = new Map<string, Uint8Array>();
  const hold = async (path: string): Promise<Uint8Array> => {
    const bytes = await documentAt(origin, path);
    documents.set(path, bytes);
    return bytes;
  };
  const history = parseDocument(origin + paths.history, await hold(paths.history), parseHistory);
  const { retired } = parseDocument(origin + paths.retired, await hold(paths.retired), parseRetired);
  for (const { registryVersion } of history.releases.slice(1)) await hold(changesPath(registryVersion));
  const status = parseDocument(origin + paths.status, await bodyOf(origin, paths.status), parseStatus).data
    .publicBundle;
  const { registryVersion, contentSha256 } = history.current;
  if (status.registryVersion !== registryVersion) throw changed(origin);
  const concepts = await readBundle(budget, origin, status.sha256);
  if (digestContent(concepts, retired) !== contentSha256) throw changed(origin);
  return { name: origin, index: publishedIndex({ registryVersion, concepts }), documents };
}

/** The bundle has a concept on each line. */
async function readBundle(budget: MemoryBudget, origin: string, digest: string): Promise<Concepts> {
  const concepts = new Concepts(budget);
  const hash = createHash("sha256");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const add = (line: string): void =>
    concepts.add(parseDocument(origin + paths.bundle, encoder.encode(line), parseConcept));
  let [rest, size] = ["", 0];
  for await (const chunk of await ask(origin, paths.bundle, async ({ body }) => body ?? [])) {
    hash.update(chunk);
    size += chunk.length;
    if (size > BUNDLE_MAX_BYTES)
      throw fault(origin, paths.bundle, `it has more than ${BUNDLE_MAX_BYTES} bytes: use --out with its release`);
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) add(line);
  }
  if (hash.digest("hex") !== digest) throw fault(origin, paths.bundle, `its SHA-256 is not that of ${paths.status}`);
  return concepts;
}

/** A document, whose answer has its digest (RFC 9530). */
function documentAt(origin: string, path: string): Promise<Uint8Array> {
  return ask(origin, path, async (response) => {
    const bytes = await wholeOf(origin, path, response);
    if (response.headers.get("repr-digest") !== `sha-256=:${hexToBase64(sha256(bytes))}:`)
      throw fault(origin, path, "it differs from the digest in its Repr-Digest");
    return bytes;
  });
}

function bodyOf(origin: string, path: string): Promise<Uint8Array> {
  return ask(origin, path, (response) => wholeOf(origin, path, response));
}

async function wholeOf(origin: string, path: string, { body }: Response): Promise<Uint8Array> {
  const bytes = await readAtMost(body, FILE_MAX_BYTES);
  if (bytes === undefined) throw fault(origin, path, `it has more than ${FILE_MAX_BYTES} bytes`);
  return bytes;
}

async function ask<T>(origin: string, path: string, use: (response: Response) => Promise<T>): Promise<T> {
  try {
    // A coding would change the bytes that the digest is of.
    const headers = { "accept-encoding": "identity", accept: "application/json, application/x-ndjson" };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(origin + path, { headers, signal, redirect: "error" });
    if (response.status !== 200) throw fault(origin, path, `the answer is ${response.status}`);
    return await use(response);
  } catch (error) {
    throw error instanceof ReleaseError ? error : fault(origin, path, fetchReason(error));
  }
}

function fault(origin: string, path: string, why: string): ReleaseError {
  return unusable(origin + path, why);
}

function changed(origin: string): ReleaseError {
  return fault(
    origin,
    paths.history,
    "it is about other content than the bundle; run this again if a release was just deployed",
  );
}

const encoder = new TextEncoder();
