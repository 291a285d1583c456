/**
 * Starts the server from sources without types, as the build left them in dist/runtime.json: Node takes as long to take the
 * types out as for everything else a start does. Each is looked up by the digest of the source itself, so one that was changed
 * since, or was never built, runs as it stands. Plain JavaScript, for the same reason.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const stripped = readStripped(new URL("../dist/", import.meta.url));

registerHooks({
  load(url, context, next) {
    if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
    const source = stripped[hash("sha256", readFileSync(new URL(url)))];
    if (source === undefined) return next(url, context);
    return { format: "module", source: Buffer.from(source, "base64"), shortCircuit: true };
  },
});

const { start } = await import("./main.ts");
await start();

/**
 * Sources without types in Base64, by the lowercase hex SHA-256 of the source; none where there is no release, or the file is not the one
 * of its manifest: release.ts says so, if that is the release to be served.
 *
 * @param {URL} dist
 * @returns {Record<string, string>}
 */
function readStripped(dist) {
  try {
    const bytes = readFileSync(new URL("runtime.json", dist));
    const { files } = JSON.parse(readFileSync(new URL("manifest.json", dist), "utf8"));
    const isListed = files.some(({ path, sha256 }) => path === "runtime.json" && sha256 === hash("sha256", bytes));
    return isListed ? JSON.parse(bytes.toString()) : {};
  } catch {
    return {};
  }
}
