/**
 * Checks the changes of releases in their three forms: the feed and the page must say the same as
 * the change documents. The index must answer requests as the change document of this version says.
 */
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { changesAnchor, changesPath } from "../../../runtime/contract/added-resources.ts";
import type { ResolveEnvelope } from "../../../runtime/contract/resolution.ts";
import { paths, policies } from "../../../runtime/contract/policy.ts";
import { answerRequest } from "../../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../../runtime/registry/index.ts";
import { kindOf, orderOf, type RegistryChanges } from "../../contract/changes.ts";
import type { RegistryHistory, RetiredCodes } from "../../contract/history.ts";
import { compareCodePoints } from "../../text/order.ts";
import { wordsOf, wordsOfPage } from "../integrity/html.ts";
import { readObject } from "../integrity/json.ts";
import type { Documents, Faults, Parts } from "../integrity/parts.ts";

/**
 * The part of the parser that is used here; its own types are not sound under the settings of this
 * project.
 */
interface Sax {
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "text", listener: (text: string) => void): void;
  on(event: "cdata" | "comment" | "doctype" | "processinginstruction", listener: () => void): void;
  on(event: "xmldecl", listener: (said: { version?: string; encoding?: string }) => void): void;
  on(event: "opentag", listener: (tag: { name: string; attributes: Readonly<Record<string, string>> }) => void): void;
  on(event: "closetag", listener: (tag: { name: string }) => void): void;
  write(text: string): Sax;
  close(): void;
}
const { SaxesParser } = createRequire(import.meta.url)("@rubensworks/saxes") as { SaxesParser: new () => Sax };

const [FEED, PAGE] = [paths.changesFeed.slice(1), `${paths.changesPage.slice(1)}.html`] as const;

export function checkChanges({ documents, dist }: Parts): Faults {
  const { releases = [] } = (documents.get(paths.history) ?? {}) as Partial<RegistryHistory>;
  const records = releases
    .flatMap(({ registryVersion }) => (documents.get(changesPath(registryVersion)) ?? []) as RegistryChanges)
    .toReversed();
  const { index, manifest } = dist;
  const [feed, page] = [dist.text(FEED), dist.text(PAGE)];
  if (manifest === undefined || (records.length === 0 && feed === undefined && page === undefined)) return [];
  const faults: Faults = [];
  const said = partsOf(feed ?? "");
  const due = feedOf(records, manifest.origin, manifest.registry.name);
  // The author's name, which the owner chooses.
  said.splice(due.indexOf("/name"), 1);
  if (!isDeepStrictEqual(said, due)) faults.push(`${FEED}: not the feed of the change documents`);
  if (!wordsOfPage(page ?? "").includes(wordsOf(records.map(sectionOf).join(" "))))
    faults.push(`${PAGE}: does not say what the change documents say`);
  for (const [, to, shown] of (page ?? "").matchAll(/\/concepts\/([^"/]+)"><code>([^<]*)<\/code>/g))
    if (to !== shown) faults.push(`${PAGE}: shows ${shown} but links to ${to}`);
  for (const fault of records.flatMap(formFaults)) faults.push(fault);
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

/** Checks the title and description of a change document, and the order of its lists. */
function formFaults({ registryVersion, previous, title, description, ...lists }: RegistryChanges): Faults {
  const faults: Faults = [];
  const said = `The changes in release ${registryVersion} of the registry since ${previous}.`;
  if (title !== `Changes in ${registryVersion}` || description !== said)
    faults.push(`${fileOf(registryVersion)}: its title or description is of another release`);
  const codes = lists.concepts.map(({ code }) => code);
  for (const [list, order] of Object.entries({ concepts: codes, resolutions: lists.resolutions.map(orderOf) }))
    if (order.some((one, i) => compareCodePoints(one, order[i - 1] ?? "") <= 0))
      faults.push(`${fileOf(registryVersion)}: its ${list} are not in order`);
  return faults;
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

/**
 * The declaration, the beginnings and ends of elements with their attributes, and the texts, each
 * in a form that no other has. An XML error, or anything that a feed does not have, adds parts.
 */
function partsOf(xml: string): string[] {
  const parts: string[] = [];
  const sax = new SaxesParser();
  // Two parts: one could be taken for the name of the author.
  const refuse = (): void => void parts.push("not a feed", "not a feed");
  sax.on("error", refuse);
  for (const event of ["cdata", "comment", "doctype", "processinginstruction"] as const) sax.on(event, refuse);
  sax.on("xmldecl", ({ version, encoding }) => parts.push(`xml ${version} ${encoding}`));
  sax.on("opentag", ({ name, attributes }) => parts.push(JSON.stringify([name, ...Object.entries(attributes)])));
  sax.on("closetag", ({ name }) => parts.push(`/${name}`));
  sax.on("text", (text) => void (text.trim() !== "" && parts.push(JSON.stringify(text.trim()))));
  sax.write(xml).close();
  return parts;
}

/** The expected parts of the feed, without the author's name. */
function feedOf(records: readonly RegistryChanges[], origin: string, name: string): string[] {
  const [id, page] = [origin + paths.changesFeed, origin + paths.changesPage];
  const root = ["xml 1.0 UTF-8", tag("feed", ["xmlns", "http://www.w3.org/2005/Atom"], ["xml:lang", "en"])];
  const head = [...root, ...element("id", id), ...element("title", `Changes of ${name}`)];
  const links = [...link("self", policies.atom.mediaType, id), ...link("alternate", "text/html", page)];
  const days = daysOf(records);
  const entries = records.flatMap((record, i) => {
    const { registryVersion } = record;
    const address = origin + changesPath(registryVersion);
    const own = [
      ...link("alternate", "text/html", `${page}#${changesAnchor(registryVersion)}`),
      ...link("alternate", "application/json", address),
    ];
    const entry = [tag("entry"), ...element("id", address), ...element("title", `${name} ${registryVersion}`)];
    return [...entry, ...updated(days[i]), ...own, ...element("summary", summaryOf(record)), "/entry"];
  });
  return [...head, ...updated(days[0]), tag("author"), tag("name"), "/name", "/author", ...links, ...entries, "/feed"];
}

function tag(name: string, ...attributes: readonly (readonly [string, string])[]): string {
  return JSON.stringify([name, ...attributes]);
}

function element(name: string, text: string): string[] {
  return [tag(name), JSON.stringify(text), `/${name}`];
}

function link(rel: string, type: string, href: string): string[] {
  return [tag("link", ["rel", rel], ["type", type], ["href", href]), "/link"];
}

/**
 * The day of each record, newest first. A record without one gets the first day of the month in its
 * version, or the day of the release before it if that is later.
 */
function daysOf(records: readonly RegistryChanges[]): string[] {
  let before = "";
  const days = records.toReversed().map(({ releasedOn, registryVersion }) => {
    const first = `${registryVersion.split(".").slice(0, 2).join("-")}-01`;
    before = releasedOn ?? (first > before ? first : before);
    return before;
  });
  return days.toReversed();
}

function updated(day = ""): string[] {
  return element("updated", `${day}T00:00:00Z`);
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
  return `${counts.join(", ")}. Concepts: ${count(codes, "retired")} retired, ${count(codes, "added")} new, ${count(codes, "changed")} changed.`;
}

function codeOrReason(of: RegistryChanges["resolutions"][number]["before"]): string {
  return "code" in of ? of.code : of.reason;
}

/** The page shows at most this many changes of a kind. */
const SHOWN = 100;
const LISTS = {
  reassigned: "Expressions with another code", now_abstains: "Expressions that abstain now", now_resolves: "Expressions that resolve now",
  reason_changed: "Expressions that abstain for another reason", retired: "Retired concepts", added: "New concepts", changed: "Changed concepts",
} as const; // prettier-ignore

/** The text of a release on the page. */
function sectionOf(record: RegistryChanges): string {
  const { registryVersion, previous, acknowledgement, resolutions, concepts } = record;
  const lines = [
    ...resolutions.map(({ kind, expression, language, before, after }) => [kind, `${expression} ${language ?? "no language"} ${codeOrReason(before)} ${codeOrReason(after)}`] as const),
    ...concepts.map(({ change, code, name, replacedBy }) => [change, `${code} ${name ?? ""}${replacedBy === null ? "" : ` replaced by ${replacedBy}`}`] as const),
  ]; // prettier-ignore
  const lists = Object.entries(LISTS).map(([kind, title]) => {
    const items = lines.flatMap(([of, line]) => (of === kind ? [line] : []));
    const more = items.length > SHOWN ? [`and ${items.length - SHOWN} more in the data`] : [];
    return items.length === 0 ? "" : [title, ...items.slice(0, SHOWN), ...more].join(" ");
  });
  const why = acknowledgement === null ? "" : `Why expressions were reassigned ${acknowledgement}`;
  return [registryVersion, "Since", previous, summaryOf(record), "All of it as data", why, ...lists].join(" ");
}
