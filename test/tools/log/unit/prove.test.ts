/** Proofs from a tree of many bundles: each expression is found, and each gap between two. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { fileSystem } from "../../../../generator/effects/file-system.ts";
import { nextLeaves } from "../../../../generator/tools/log/bindings.ts";
import { encodeBase64, parseVerifierKey, policyOfLog } from "../../../../generator/tools/log/c2sp.ts";
import { nodeCryptography as cryptography } from "../../../../generator/tools/log/cryptography.ts";
import { makeKey, readKey, signNote } from "../../../../generator/tools/log/key.ts";
import { proveExpression } from "../../../../generator/tools/log/prove.ts";
import { openNote } from "../../../../generator/tools/log/signed-log.ts";
import { TreeWriter } from "../../../../generator/tools/log/tiles.ts";
import { ENTRY_SCHEMA, verifyProof } from "../../../../generator/tools/log/verifier.ts";
import { checkpointText } from "../../../../generator/tools/log/log-folder.ts";

const COUNT = 3000;
const texts = Array.from({ length: COUNT }, (_, i) => `expression ${i}`);

it("finds every expression of 3,000, and shows of others that they were never bound", async () => {
  const files = new Map<string, Uint8Array>();
  const writer = (below: string) =>
    new TreeWriter((name, bytes) => void files.set(below + name, Uint8Array.from(bytes)));
  const bindings = writer("bindings/");
  const concepts = texts.map((text, i) => ({ code: `C-${i}`, expressions: { en: [text] } }));
  const released = { registryVersion: "2026.12.1", concepts, bytes: COUNT * 90, reassigned: [] };
  for (const { data } of nextLeaves([], released, fileSystem)) bindings.add(data);
  const { size, root } = bindings.finish();
  const digest = "0".repeat(64);
  const entry = { bindings: { count: size, root: encodeBase64(root) }, bundleSha256: digest, contentSha256: digest, indexRootSha256: digest, origin: "https://a.example", previous: null, reassigned: 0, registry: "Test", registryVersion: "2026.12.1", schema: ENTRY_SCHEMA, sumsSha256: digest }; // prettier-ignore
  const entries = writer("");
  entries.add(Buffer.from(JSON.stringify(entry)));
  const key = path.join(mkdtempSync(path.join(tmpdir(), "key-")), "key.pem");
  const vkey = await parseVerifierKey(makeKey(fileSystem, key, "a.example/log"));
  const note = signNote(checkpointText(vkey.name, entries.finish()), readKey(fileSystem, key), vkey);
  const source = { name: "a.example/log", read: (file: string) => Promise.resolve(files.get(file)) };
  const policy = policyOfLog(vkey);
  const provable = { files: source, log: await openNote(source, note, { policy, cryptography }), cryptography };
  for (let i = 0; i < COUNT; i += 7) {
    const asked = { expression: texts[i] ?? "", language: "en" };
    const { bindings: found } = await verifyProof(await proveExpression(provable, asked), {
      policy,
      asked,
      cryptography,
    });
    expect(found?.map(({ codes }) => codes)).toEqual([[[`C-${i}`, "2026.12.1"]]]);
    const other = { expression: `other ${i}`, language: "en" };
    const gap = await verifyProof(await proveExpression(provable, other), { policy, asked: other, cryptography });
    expect(gap.bindings).toBeNull();
  }
});
