/**
 * The content digest of a registry release, and the rule it serves: content recorded under a registryVersion never
 * changes (O-16). The digest is the SHA-256 of one JSON line per published concept in code order, as in the public
 * bundle but without `registryVersion` and `canonicalUrl`, then one line per retired code.
 */
import { createHash } from "node:crypto";
import type { Finding } from "../finding.ts";
import type { Concept } from "./checked.ts";
import { HISTORY_FILE, REGISTRY_FILE } from "./read.ts";
import type { HistoryRecord, RetiredRecord } from "./record.ts";

/** Lowercase hex SHA-256 of the published content. */
export function digestContent(concepts: Iterable<Concept>, retired: RetiredRecord): string {
  const hash = createHash("sha256");
  for (const { code, name, definition, domain, provenance, expressions, renderings } of concepts) {
    hash.update(`${JSON.stringify({ code, name, definition, domain, provenance, expressions, renderings })}\n`);
  }
  for (const { code, retiredIn, replacedBy } of retired) {
    hash.update(`${JSON.stringify({ retired: code, retiredIn, replacedBy })}\n`);
  }
  return hash.digest("hex");
}

/** Findings of the history by itself and against the current version and content. */
export function checkHistory(history: HistoryRecord, registryVersion: string, contentSha256: string): Finding[] {
  const findings: Finding[] = [];
  history.forEach((entry, i) => {
    const before = history[i - 1];
    if (before === undefined || compareVersions(before.registryVersion, entry.registryVersion) < 0) return;
    findings.push({
      rule: "history-not-ascending",
      severity: "error",
      file: HISTORY_FILE,
      pointer: `/${i}/registryVersion`,
      text: `${entry.registryVersion} does not come after ${before.registryVersion}`,
      remedy: "Restore the file: releases are only ever added at its end",
    });
  });
  const recorded = history.find((entry) => entry.registryVersion === registryVersion);
  const last = history.at(-1)?.registryVersion ?? registryVersion;
  const report = (rule: string, text: string, remedy: string): void => {
    findings.push({ rule, severity: "error", file: REGISTRY_FILE, pointer: "/registryVersion", text, remedy });
  };
  if (recorded !== undefined && recorded.contentSha256 !== contentSha256) {
    report(
      "version-content-changed",
      `The content differs from what was released as ${registryVersion}: recorded ${recorded.contentSha256}, now ${contentSha256}`,
      "Raise registryVersion for the new content, or restore the old content",
    );
  }
  if (recorded === undefined && compareVersions(registryVersion, last) < 0) {
    report(
      "version-too-low",
      `${registryVersion} is below the last released version ${last}`,
      "Raise registryVersion above it",
    );
  }
  return findings;
}

/** Compares `YYYY.MM.N` by number. */
function compareVersions(a: string, b: string): number {
  const [x, y] = [a.split(".").map(Number), b.split(".").map(Number)];
  return x.map((part, i) => part - (y[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
