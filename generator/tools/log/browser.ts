/**
 * Makes proofs in a browser from the published files of a log; a part of the module that a release
 * serves. Whoever gets one verifies it with the module of the verifier.
 */
import { ProofError, webCrypto } from "./c2sp.ts";
import { parsePolicy } from "./policy.ts";
import { type Pair, proveBound } from "./prove.ts";
import { type LogFiles, openNote, readTextOf } from "./signed-log.ts";

/**
 * One `.tlog-proof` of what expressions have meant, by the log at an address without a slash at its
 * end; expressions that it has no binding of are left out. `policy` is as in `verifyProof`. Rejects
 * with a ProofError if files of the log contradict each other or the policy, with another Error if
 * they cannot be read.
 */
export async function proveExpressions(address: string, policy: string, pairs: readonly Pair[]): Promise<string> {
  const files = publishedAt(address);
  const note = await readTextOf(files, "checkpoint");
  if (note === undefined) throw new Error(`${address} has no checkpoint`);
  const cryptography = webCrypto;
  const log = await openNote(files, note, { policy: await parsePolicy(policy), cryptography });
  if (log.entries.length === 0) throw new ProofError("The log has no release yet");
  return proveBound({ files, log, cryptography }, pairs);
}

function publishedAt(address: string): LogFiles {
  return {
    name: address,
    async read(file) {
      // The tree of the bindings is replaced with each release, under the same names.
      const response = await fetch(`${address}/${file}`, { headers: { "cache-control": "no-cache" } });
      if (response.status === 404 || response.status === 410) return undefined;
      if (!response.ok) throw new Error(`${address}/${file} answers ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}
