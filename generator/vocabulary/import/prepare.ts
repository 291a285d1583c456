/** An import up to its writing: the plan with the version that it needs, why it is refused, and the list of its findings. */
import type { Effects } from "../../effects/effects.ts";
import type { Verdict } from "../../registry/check.ts";
import { isTooLongDomain } from "../../registry/read.ts";
import { type Finding, formatFinding } from "../../text/finding.ts";
import { quote } from "../../text/printable.ts";
import type { Source } from "../formats/source.ts";
import type { RegistryBefore } from "./before.ts";
import { formatImportFinding, type ImportFinding, refusals } from "./import-finding.ts";
import { type Plan, planImport } from "./plan.ts";
import { settleVersion } from "./version.ts";

type Settings = Parameters<typeof planImport>[2];

export interface Prepared {
  readonly plan: Plan;
  /** Of the registry as it would be. */
  readonly verdict: Verdict;
}

export function prepareImport(source: Source, before: RegistryBefore, settings: Settings): Prepared {
  const planned = planImport(source, before, settings);
  const { after, verdict } = settleVersion(planned.after, before);
  return { plan: { ...planned, after }, verdict };
}

/** Why nothing is imported: lines for a person, or findings that the registry would have. */
export type Refused = { readonly lines: readonly string[] } | { readonly findings: readonly Finding[] };

const SHOWN = 20;

export function whyRefused(
  { plan: { after, vocabulary = [], counts, findings }, verdict }: Prepared,
  { from, into }: { readonly from: readonly string[]; readonly into: string },
): Refused | undefined {
  const refused = refusals(findings);
  if (refused.length > 0) {
    const some = refused
      .slice(0, SHOWN)
      .flatMap((one) => formatFinding({ ...one, severity: "error", pointer: "" }).split("\n"));
    return { lines: [...some, `${refused.length} of the findings stop the import: nothing was imported`] };
  }
  if (counts.gone > 0 && counts.found === 0) {
    const line =
      `None of the ${counts.gone} concepts that came into ${into} before is in ${from.join(", ")}: that is another ` +
      "vocabulary, so name another --domain; nothing was imported";
    return { lines: [line] };
  }
  const inLines = after.concepts.flatMap(({ line, record }) => (line === undefined ? [] : record.domain));
  const long = [...new Set([...inLines, ...vocabulary.map(({ domain }) => domain)])].find(isTooLongDomain);
  if (long !== undefined) {
    const remedy = "give a shorter one by --domain, or in the source where that names it";
    return { lines: [`The domain ${quote(long)} is too long for the name of a file: ${remedy}; nothing was imported`] };
  }
  return verdict.registry === undefined ? { findings: verdict.findings } : undefined;
}

/** Writes every finding as a line of JSON. */
export function writeFindings(effects: Effects, file: string, findings: readonly ImportFinding[]): void {
  effects.write(file, encoded(findings));
}

function* encoded(findings: readonly ImportFinding[]): Generator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const finding of findings) yield encoder.encode(formatImportFinding(finding));
}
