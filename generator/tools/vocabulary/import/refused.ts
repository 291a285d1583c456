/** Why a planned import is refused. */
import { groupBy } from "../../../../runtime/text/group-by.ts";
import { type Finding, formatFinding } from "../../../text/finding.ts";
import { isTooLongDomain } from "../../../registry/read.ts";
import { quote } from "../../../text/printable.ts";
import { refusals } from "./import-finding.ts";
import type { Plan } from "./plan.ts";

/** Why nothing is imported: lines for a person, or findings that the registry would have. */
export type Refused = { readonly lines: readonly string[] } | { readonly findings: readonly Finding[] };

const SHOWN = 20;

export function whyRefused(
  { after, verdict, vocabulary = [], counts, findings }: Plan,
  { from, into }: { readonly from: readonly string[]; readonly into: string },
): Refused | undefined {
  const refused = refusals(findings);
  if (refused.length > 0) {
    const some = refused
      .slice(0, SHOWN)
      .flatMap((one) => formatFinding({ ...one, severity: "error", pointer: "" }).split("\n"));
    return { lines: [...some, `Findings that stop the import: ${refused.length}; nothing was imported`] };
  }
  if (counts.gone > 0 && counts.found === 0) {
    const line =
      `None of the concepts that came into ${into} before (${counts.gone}) is in ${from.join(", ")}: that is another ` +
      "vocabulary, so name another --domain; nothing was imported";
    return { lines: [line] };
  }
  const inLines = after.concepts.flatMap(({ line, record }) => (line === undefined ? [] : record.domain));
  const domains = [...new Set([...inLines, ...vocabulary.map(({ domain }) => domain)])];
  const long = domains.find(isTooLongDomain);
  if (long !== undefined) {
    const remedy = "give a shorter one by --domain, or in the source if that names it";
    return { lines: [`The domain ${quote(long)} is too long for the name of a file: ${remedy}; nothing was imported`] };
  }
  const [alike] = [...groupBy(domains, (domain) => domain.toLowerCase()).values()].filter(({ length }) => length > 1);
  if (alike !== undefined) {
    const named = alike.map(quote).join(" and ");
    const wrong = `The domains ${named} differ only by case, so some systems treat their files as one`;
    const remedy = "rename one of them by --domain, in the source or in the registry";
    return { lines: [`${wrong}: ${remedy}; nothing was imported`] };
  }
  return verdict.registry === undefined ? { findings: verdict.findings } : undefined;
}
