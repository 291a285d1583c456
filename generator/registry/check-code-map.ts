/** The rules of `code-map.ndjson`: who a code was given to is written down once, and agrees with what the concepts say. */
import type { Fault, Finding } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { CODE_MAP_FILE, type RegistrySource } from "./read.ts";

export function checkCodeMap({ codeMap, concepts, retired }: RegistrySource): Finding[] {
  const findings: Finding[] = [];
  const report = (line: number, fault: Fault): void => {
    findings.push({ ...fault, severity: "error", file: CODE_MAP_FILE, line, pointer: "" });
  };
  const known = new Set([...concepts.map(({ record }) => record.code), ...retired.map(({ code }) => code)]);
  const sources = new Map<string, string>();
  const owners = new Map<string, string>();
  codeMap.forEach(({ sourceId, code }, i) => {
    const other = sources.get(sourceId) ?? owners.get(code);
    if (other !== undefined) {
      const text = `${quote(sourceId)} and ${code} are not each other's alone: another line has ${quote(other)}`;
      report(i + 1, { rule: "code-map-duplicate", text, remedy: "Restore the line that was there first" });
    }
    sources.set(sourceId, code);
    owners.set(code, sourceId);
    if (known.has(code)) return;
    const text = `${code} is the code of no concept and no retired one`;
    report(i + 1, { rule: "code-map-dangling", text, remedy: "Restore the concept, or list its code in retired.yaml" });
  });
  return [...findings, ...checkConcepts(concepts, sources)];
}

function checkConcepts(concepts: RegistrySource["concepts"], sources: ReadonlyMap<string, string>): Finding[] {
  return concepts.flatMap(({ file, line, record: { code, provenance } }): Finding[] => {
    const sourceId = provenance?.sourceId ?? null;
    const mapped = sourceId === null ? undefined : sources.get(sourceId);
    if (mapped === undefined || mapped === code) return [];
    const text = `The concept has the sourceId ${quote(sourceId ?? "")}, which ${CODE_MAP_FILE} gives ${mapped}`;
    const remedy = "Restore the concept's code: it is never given to another one";
    const place = line === undefined ? { file } : { file, line };
    return [{ rule: "code-map-disagrees", severity: "error", ...place, pointer: "/code", text, remedy }];
  });
}
