import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { Manifest } from "../../runtime/manifest.ts";
import { formatDocument } from "../../runtime/json.ts";
import { openRelease, ReleaseError } from "../../runtime/release.ts";
import { formatSums } from "../../runtime/sums.ts";
import { sha256 } from "../../runtime/digest.ts";
import { serve } from "../support/command.ts";
import { checkedRegistry, concept, expression } from "../support/registry.ts";
import { buildRelease } from "../support/release.ts";

describe("the start of the server", () => {
  it("loads nothing that it does not use: no HTTP client, no builder of schemas, no compilers of the framework", async () => {
    const directory = await buildRelease(checkedRegistry({ concepts: [concept("ONE", [expression("en", "one")])] }));
    // Told at the end: what Node has loaded of itself, and what was asked of it by import or require().
    const report = path.join(path.dirname(directory), "report.mjs");
    writeFileSync(
      report,
      `import { registerHooks } from "node:module";
      const asked = [];
      registerHooks({ resolve: (specifier, context, next) => { asked.push(specifier); return next(specifier, context); } });
      process.on("exit", () => process.stderr.write([...process.moduleLoadList, ...asked].join("\\n")));`,
    );
    try {
      const hooks = { NODE_OPTIONS: `--import=${pathToFileURL(report).href}` };
      const served = await serve("runtime/main.ts", ["--out", directory], hooks);
      served.child.kill();
      expect(await served.exit).toBe(0);
      const loaded = served.stderr().split("\n");
      expect(loaded).toEqual(expect.arrayContaining(["fastify", "find-my-way", "ajv/dist/2020.js"]));
      const unused = /undici|typebox|@fastify\/(?:ajv|fast-json-stringify)-compiler/;
      expect(loaded.filter((name) => unused.test(name))).toEqual([]);
    } finally {
      rmSync(path.dirname(directory), { recursive: true });
    }
  });
});

describe("an index of many pieces", () => {
  it("is hashed to its last byte, in memory and by position: one other bit anywhere, and it is refused", async () => {
    const texts = Array.from({ length: 9000 }, (_, i) => expression("en", `a rather long expression number ${i}`));
    const directory = await buildRelease(checkedRegistry({ concepts: [concept("LARGE", texts)] }));
    const file = path.join(directory, "registry.index");
    const whole = readFileSync(file);
    // Several pieces of 256 KiB, and a last one that is shorter.
    expect(whole.length).toBeGreaterThan(1_500_000);
    try {
      for (const limit of [0, Number.MAX_SAFE_INTEGER]) {
        const release = openRelease(directory, limit);
        expect(release.index.expressionCount).toBe(9000);
        release.close();
        for (const at of [100_000, 262_143, 262_144, 1_048_576, whole.length - 300, whole.length - 1]) {
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ 1;
          writeFileSync(file, bytes);
          expect(() => openRelease(directory, limit).close(), `${limit} ${at}`).toThrow(ReleaseError);
        }
        writeFileSync(file, whole);
      }
      // A whole index, but of another release.
      const manifest = JSON.parse(readFileSync(path.join(directory, "manifest.json"), "utf8")) as Manifest;
      const files = manifest.files.map((one) =>
        one.path === "registry.index" ? { ...one, sha256: "0".repeat(64) } : one,
      );
      const text = formatDocument({ ...manifest, files });
      writeFileSync(path.join(directory, "manifest.json"), text);
      const identity = ".well-known/service-semantics-deployment.json";
      const listed = [
        { path: "manifest.json", sha256: sha256(Buffer.from(text)) },
        { path: identity, sha256: "0".repeat(64) },
      ];
      writeFileSync(path.join(directory, "SHA256SUMS"), formatSums([...files, ...listed]));
      for (const limit of [0, Number.MAX_SAFE_INTEGER]) {
        expect(() => openRelease(directory, limit)).toThrow(/not the one of the manifest/);
      }
    } finally {
      rmSync(path.dirname(directory), { recursive: true });
    }
  });
});
