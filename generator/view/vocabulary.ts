/** What distinguishes a vocabulary from others: its subject, size, languages and domains. */

export interface Vocabulary {
  readonly publishedConcepts: number;
  readonly languages: readonly string[];
  readonly domains: readonly string[];
}

/** How many characters a list of names may have before the rest is only counted. */
const LIST_MAX = 120;

/** The subject with the facts in one sentence; an empty subject leaves the facts. */
export function sentenceOf(subject: string, facts: string): string {
  const bare = subject.replace(/[.。]+$/u, "");
  return bare === "" ? `${facts[0]?.toUpperCase()}${facts.slice(1)}.` : `${bare} (${facts}).`;
}

export function factsOf(vocabulary: Vocabulary): string {
  const { publishedConcepts, languages, domains } = vocabulary;
  if (publishedConcepts === 0) return "no concepts yet";
  return `${counted(publishedConcepts, "concept")}; languages: ${listed(languages)}; domains: ${listed(domains)}`;
}

/** The same without names. */
export function countsOf({ publishedConcepts, languages, domains }: Vocabulary): string {
  if (publishedConcepts === 0) return "no concepts yet";
  const [concepts, spoken] = [counted(publishedConcepts, "concept"), counted(languages.length, "language")];
  return `${concepts} in ${spoken} and ${counted(domains.length, "domain")}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The names in order, as many as fit, and how many more there are. */
function listed(names: readonly string[]): string {
  let [shown, length] = [0, 0];
  for (const name of names) {
    length += name.length + 2;
    if (length > LIST_MAX) break;
    shown++;
  }
  const rest = names.length - shown;
  const more = shown === 0 ? String(rest) : `${rest} more`;
  return [...names.slice(0, shown), ...(rest === 0 ? [] : [more])].join(", ");
}
