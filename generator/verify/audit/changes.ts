/**
 * Checks the change documents of releases: their kinds and order, and that the index answers as
 * that of this version says. The page must say what they say; the feed is printed again.
 */
import { changesPath } from "../../../runtime/contract/added-resources.ts";
import type { ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import { paths } from "../../../runtime/contract/paths.ts";
import { answerRequest } from "../../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { groupBy } from "../../../runtime/text/group-by.ts";
import { compatibilityOf, kindOf, orderOf, type RegistryChanges } from "../../contract/changes.ts";
import type { RegistryHistory, RetiredCodes } from "../../contract/history.ts";
import { compareCodePoints } from "../../text/order.ts";
import { wordsOf, wordsOfPage } from "./html.ts";
import { readObject } from "./json.ts";
import type { Documents, Faults, Parts } from "./parts.ts";

const PAGE = `${paths.changesPage.slice(1)}.html`;

export function checkChanges({ documents, dist }: Parts): Faults {
  const { releases = [] } = (documents.get(paths.history) ?? {}) as Partial<RegistryHistory>;
  const records = releases
    .flatMap(({ registryVersion }) => (documents.get(changesPath(registryVersion)) ?? []) as RegistryChanges)
    .toReversed();
  const { index, manifest } = dist;
  const page = dist.text(PAGE);
  if (manifest === undefined || (records.length === 0 && page === undefined)) return [];
  const faults: Faults = [];
  const nameOf = namesOf(index, documents);
  if (!wordsOfPage(page ?? "").includes(wordsOf(records.map((record) => sectionOf(record, nameOf)).join(" "))))
    faults.push(`${PAGE}: does not say what the change documents say`);
  for (const [, to, shown] of (page ?? "").matchAll(/\/concepts\/([^"/]+)"><code>([^<]*)<\/code>/g))
    if (to !== shown) faults.push(`${PAGE}: shows ${shown} but links to ${to}`);
  for (const fault of records.flatMap(orderFaults)) faults.push(fault);
  const now = records.find(({ registryVersion }) => registryVersion === manifest.registry.registryVersion);
  for (const { registryVersion, resolutions } of records) {
    for (const { kind, expression, before, after } of resolutions)
      if (kind !== kindOf(before, after))
        faults.push(`${fileOf(registryVersion)}: ${JSON.stringify(expression)} is not ${kind}`);
  }
  if (index !== undefined) for (const fault of conceptFaults(now, index, documents)) faults.push(fault);
  for (const { expression, language, after } of (index && now?.resolutions) ?? []) {
    const answer = index && answerRequest(index, { expression, ...(language !== null && { language }) });
    const { data } = answer?.ok === true ? (JSON.parse(answer.envelope) as ResolveEnvelope) : {};
    const same = "code" in after ? data?.concept?.code === after.code : data?.reason === after.reason;
    if (!same) faults.push(`${fileOf(now?.registryVersion)}: ${JSON.stringify(expression)} is answered differently`);
  }
  return faults;
}

/** Checks the order of the lists of a change document. */
function orderFaults({ registryVersion, ...lists }: RegistryChanges): Faults {
  const codes = lists.concepts.map(({ code }) => code);
  return Object.entries({ concepts: codes, resolutions: lists.resolutions.map(orderOf) }).flatMap(([list, order]) =>
    order.some((one, i) => compareCodePoints(one, order[i - 1] ?? "") <= 0)
      ? [`${fileOf(registryVersion)}: its ${list} are not in order`]
      : [],
  );
}

function fileOf(registryVersion = ""): string {
  return changesPath(registryVersion).slice(1);
}

/**
 * Compares the concepts in the change document of this version with the published and the retired
 * ones.
 */
function conceptFaults(now: RegistryChanges | undefined, index: RegistryIndex, documents: Documents): Faults {
  const { retired = [] } = (documents.get(paths.retired) ?? {}) as Partial<RetiredCodes>;
  const successors = new Map(retired.map(({ code, replacedBy }) => [code, replacedBy]));
  return (now?.concepts ?? []).flatMap(({ code, change, name, replacedBy }) => {
    const id = index.conceptId(code);
    const successor = change === "retired" ? (successors.get(code) ?? null) : null;
    const isNamed = id === undefined || readObject(index.read(index.concept(id).resolved))?.["name"] === name;
    if ((id !== undefined) !== (change === "retired") && replacedBy === successor && isNamed) return [];
    return [`${fileOf(now?.registryVersion)}: its change of ${code} (${change}) does not match the registry`];
  });
}

function count(all: readonly string[], one: string): number {
  return all.filter((kind) => kind === one).length;
}

function summaryOf({ resolutions, concepts }: RegistryChanges): string {
  const [requests, codes] = [resolutions.map(({ kind }) => kind), concepts.map(({ change }) => change)];
  const counts = [
    `${count(requests, "reassigned")} reassigned`,
    `${count(requests, "now_abstains")} now abstain`,
    `${count(requests, "now_resolves")} now resolve`,
    `${count(requests, "reason_changed")} abstain for another reason`,
  ];
  return `${counts.join(", ")}. Concepts: ${count(codes, "retired")} retired, ${count(codes, "added")} new, ${count(codes, "changed")} changed. Compatibility: ${compatibilityOf(resolutions, concepts)}.`;
}

/** The name of a published or retired concept; empty if there is none. */
type NameOf = (code: string) => string;

function namesOf(index: RegistryIndex | undefined, documents: Documents): NameOf {
  const { retired = [] } = (documents.get(paths.retired) ?? {}) as Partial<RetiredCodes>;
  const names = new Map(retired.map(({ code, name }) => [code, name]));
  return (code) => {
    const id = index?.conceptId(code);
    if (index === undefined || id === undefined) return names.get(code) ?? "";
    return String(readObject(index.read(index.concept(id).resolved))?.["name"]);
  };
}

/** Lines of requests by their kind: one for those that differ only in their language. */
function requestLines({ resolutions }: RegistryChanges, nameOf: NameOf): (readonly [kind: string, line: string])[] {
  type Resolution = RegistryChanges["resolutions"][number];
  const shown = (of: Resolution["before"]): string => ("code" in of ? `${of.code} ${nameOf(of.code)}` : of.reason);
  const alike = groupBy(resolutions, (one) => JSON.stringify([one.kind, one.expression, one.before, one.after]));
  return [...alike.values()].map((all) => {
    const [{ kind, expression, before, after }] = all;
    const tags = all.flatMap(({ language }) => language ?? []);
    const languages = tags.length === all.length ? tags : [...tags, "no language"];
    return [kind, `${expression} ${languages.join(" ")} ${shown(before)} ${shown(after)}`];
  });
}

/** The page shows at most this many changes of a kind. */
const SHOWN = 100;
const LISTS = {
  reassigned: "Expressions with another code", now_abstains: "Expressions that abstain now", now_resolves: "Expressions that resolve now",
  reason_changed: "Expressions that abstain for another reason", retired: "Retired concepts", added: "New concepts", changed: "Changed concepts",
} as const; // prettier-ignore

/** The text of a release on the page. */
function sectionOf(record: RegistryChanges, nameOf: NameOf): string {
  const { registryVersion, previous, acknowledgement, concepts } = record;
  const successor = (code: string | null): string => (code === null ? "" : ` replaced by ${code} ${nameOf(code)}`);
  const lines = [
    ...requestLines(record, nameOf),
    ...concepts.map(({ change, code, name, replacedBy }) => [change, `${code} ${name ?? nameOf(code)}${successor(replacedBy)}`] as const),
  ]; // prettier-ignore
  const lists = Object.entries(LISTS).map(([kind, title]) => {
    const items = lines.flatMap(([of, line]) => (of === kind ? [line] : []));
    const more = items.length > SHOWN ? [`and ${items.length - SHOWN} more in the data`] : [];
    return items.length === 0 ? "" : [title, ...items.slice(0, SHOWN), ...more].join(" ");
  });
  const why = acknowledgement === null ? "" : `Why expressions were reassigned ${acknowledgement}`;
  return [registryVersion, "Since", previous, summaryOf(record), "All of it as data", why, ...lists].join(" ");
}
