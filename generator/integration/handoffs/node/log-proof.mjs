#!/usr/bin/env node
/**
 * Checks a proof of the registry's transparency log: its hashes and its signature, without a
 * network, for Node 18 or newer; it needs no packages.
 *
 *   node node/log-proof.mjs PROOF KEY [EXPRESSION LANGUAGE [CODE]]
 *       PROOF is a file, KEY the verifier key of the log, from somewhere that you trust; with CODE,
 *       the expression must never have had another
 *
 * Exit codes: 0 it holds, 1 a line says what contradicts what, 2 wrong usage.
 */
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { verifyProof } from "./verifier.mjs";

globalThis.crypto ??= webcrypto;
// Node says that Ed25519 of WebCrypto is experimental.
process.removeAllListeners("warning");

const [file, key, expression, language, code, ...more] = process.argv.slice(2);

function* linesOf({ log, registry, registryVersion, bindings }) {
  yield `${registry} ${registryVersion} is in ${log.origin}, which has ${log.size} releases`;
  for (const { expression: text, language: tag, codes } of bindings ?? []) {
    const had = codes.map(([one, version]) => `${one} from ${version}`).join(", then ");
    yield `${JSON.stringify(text)} in ${tag ?? "no language"} has meant ${had}`;
  }
  if (bindings === null) yield `${JSON.stringify(expression)} in ${language} was never bound to a code`;
  yield "Checked: every hash, and the signature of the log";
}

async function main() {
  if (key === undefined || more.length > 0 || (expression !== undefined && language === undefined)) {
    console.error("Use node/log-proof.mjs PROOF KEY [EXPRESSION LANGUAGE [CODE]]");
    return 2;
  }
  const asked = expression === undefined ? {} : { expression, language, code };
  try {
    const proven = await verifyProof(readFileSync(file, "utf8"), `log ${key}\nquorum none\n`, asked);
    for (const line of linesOf(proven)) console.log(line);
    return 0;
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

process.exitCode = await main();
