/**
 * The changes between the releases of a registry, for programs, feed readers and people: a document
 * for each release whose changes are recorded, one Atom feed (RFC 4287) and one page. Without such
 * a release, none of them exist (O-68). Dates are the days of the releases; in the feed, a release
 * without a day has the first day of the month in its version.
 */
import { groupBy } from "../../runtime/text/group-by.ts";
import { formatDocument } from "../../runtime/text/json.ts";
import { textDirection } from "../../runtime/text/direction.ts";
import { formatHtml, type Html, html } from "../../runtime/text/html.ts";
import { CHANGES_SCHEMA, changesAnchor, changesPath } from "../../runtime/contract/added-resources.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { policies } from "../../runtime/contract/policy.ts";
import { type Content, type PageSource, withProse } from "../content/content.ts";
import {
  type ChangeRecord,
  compatibilityOf,
  REGISTRY_CHANGES,
  RegistryChanges,
  RESOLUTION_KINDS,
  type ResolutionKind,
} from "../contract/changes.ts";
import { compareCodePoints } from "../text/order.ts";
import { conceptIn } from "../registry/published-concept.ts";
import { documentEnd, urlOf, type View } from "../view/view.ts";
import { addressed } from "./schemas.ts";

type Resolution = ChangeRecord["resolutions"][number];

/** The documents and the feed by path; empty without recorded changes. */
export function changeDocuments(view: View): readonly (readonly [path: string, text: string])[] {
  const { changes } = view.registry;
  if (changes.length === 0) return [];
  const schema = addressed(urlOf(view, CHANGES_SCHEMA), REGISTRY_CHANGES, RegistryChanges);
  return [
    ...changes.map(
      (record) => [changesPath(record.registryVersion), formatDocument(changeDocument(view, record))] as const,
    ),
    [CHANGES_SCHEMA, formatDocument(schema)],
    [paths.changesFeed, formatFeed(view, changes.toReversed())],
  ];
}

function changeDocument(view: View, record: ChangeRecord): RegistryChanges {
  const { registryVersion, previous } = record;
  const { releasedOn = null, acknowledgement = null, log = null } = entryOf(view, registryVersion) ?? {};
  return {
    $schema: urlOf(view, CHANGES_SCHEMA),
    schema: REGISTRY_CHANGES,
    title: `Changes in ${registryVersion}`,
    description: `The changes in release ${registryVersion} of the registry since ${previous}.`,
    canonicalOrigin: view.origin,
    rule: "resolutions lists each request whose answer differs from that of the release before. reassigned means that an expression leads to another code. replacedBy is the successor that the registry names, for people; nothing follows it automatically. compatibility is breaking if something is reassigned, retired or abstains now, additive if something is new or abstains for another reason, editorial if only names, definitions, notes and the like differ, and none otherwise.",
    releasedOn,
    acknowledgement,
    log,
    compatibility: compatibilityOf(record.resolutions, record.concepts),
    ...record,
    ...documentEnd,
  };
}

/** Newest first. */
function formatFeed(view: View, changes: readonly ChangeRecord[]): string {
  const { name } = view.registry;
  const days = daysOf(view);
  const entry = (record: ChangeRecord): Html => {
    const { registryVersion } = record;
    const address = urlOf(view, changesPath(registryVersion));
    return html`<entry>
      <id>${address}</id>
      <title>${name} ${registryVersion}</title>
      <updated>${days.get(registryVersion)}T00:00:00Z</updated>
      <link
        rel="alternate"
        type="text/html"
        href="${urlOf(view, paths.changesPage)}#${changesAnchor(registryVersion)}"
      />
      <link rel="alternate" type="application/json" href="${address}" />
      <summary>${summaryOf(record)}${logBefore(view, registryVersion)}</summary>
    </entry> `;
  };
  const [newest] = changes;
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
    <id>${urlOf(view, paths.changesFeed)}</id>
    <title>Changes of ${name}</title>
    <updated>${days.get(newest?.registryVersion ?? "")}T00:00:00Z</updated>
    <author><name>${view.about.publisher ?? view.about.name}</name></author>
    <link rel="self" type="${policies.atom.mediaType}" href="${urlOf(view, paths.changesFeed)}" />
    <link rel="alternate" type="text/html" href="${urlOf(view, paths.changesPage)}" />
    ${changes.map(entry)}
  </feed> `;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${formatHtml(feed).trimEnd()}\n`;
}

/**
 * Adds the page for people to the content, in order of name. Without recorded changes, returns the
 * content unchanged.
 */
export function withChangesPage(content: Content, view: View): Content {
  const page = changesPageOf(view);
  if (page === undefined) return content;
  return withProse(content, (prose) => ({
    ...prose,
    pages: [...prose.pages, page].sort((a, b) => compareCodePoints(a.name, b.name)),
  }));
}

function changesPageOf(view: View): PageSource | undefined {
  const { changes } = view.registry;
  if (changes.length === 0) return undefined;
  const body = html`<h1>Changes</h1>
    <p>
      The changes in each recorded release of the registry, newest first.
      <a href="${paths.changesFeed}">The feed</a> has the same for feed readers.
    </p>
    ${changes.toReversed().map((record) => sectionOf(view, record))}`;
  return {
    name: paths.changesPage.slice(1),
    file: "changes.njk",
    title: "Changes",
    description: "The changes in each release of the registry: expressions, concepts and successors.",
    // A brace would start an expression of the template, or end a comment that has not begun.
    markdown: formatHtml(body).replaceAll("{", "&#123;").replaceAll("}", "&#125;"),
  };
}

/** The maximum number of changes of one kind on the page; the document has all. */
const SHOWN = 100;

function sectionOf(view: View, record: ChangeRecord): Html {
  const { registryVersion, previous, resolutions, concepts } = record;
  const { acknowledgement } = entryOf(view, registryVersion) ?? {};
  const answer = (of: Resolution["before"]): Html => ("code" in of ? concept(view, of.code) : html`${of.reason}`);
  const requests = RESOLUTION_KINDS.map((kind) => {
    const of = resolutions.filter((one) => one.kind === kind);
    return list(
      TITLES[kind],
      // Requests that differ only in their language change together.
      [...groupBy(of, ({ expression, before, after }) => JSON.stringify([expression, before, after])).values()],
      (alike) => {
        const [{ expression, before, after }] = alike;
        const tags = alike.flatMap(({ language }) => language ?? []);
        const languages = tags.length === alike.length ? tags : [...tags, "no language"];
        return html`<q ${tagged(tags[0])}>${expression}</q> (${languages.join(", ")}): ${answer(before)} →
          ${answer(after)}`;
      },
    );
  });
  const listOf = (change: string, title: string): Html | undefined =>
    list(
      title,
      concepts.filter((one) => one.change === change),
      ({ code, name, replacedBy }) =>
        html`${concept(view, code, name)}${replacedBy === null ? undefined : html`, replaced by ${concept(view, replacedBy)}`}`,
    );
  return html`<section aria-labelledby="${changesAnchor(registryVersion)}">
    <h2 id="${changesAnchor(registryVersion)}">${registryVersion}</h2>
    <p>Since ${previous}: ${summaryOf(record)} <a href="${changesPath(registryVersion)}">All of it as data</a></p>
    ${acknowledgement === undefined ? undefined : html`<p>Why expressions were reassigned: ${acknowledgement}</p>`}
    ${requests} ${listOf("retired", "Retired concepts")} ${listOf("added", "New concepts")}
    ${listOf("changed", "Changed concepts")}
  </section>`;
}

/** A code with its concept's name: the one in a record, today's, or the last of a retired one. */
function concept({ index, registry }: View, code: string, recorded: string | null = null): Html {
  const id = index.conceptId(code);
  const today = id === undefined ? registry.retired.find((one) => one.code === code) : conceptIn(index, id);
  const name = recorded ?? today?.name;
  const shown = html`<code>${code}</code>`;
  const linked = id === undefined ? shown : html`<a href="${paths.conceptPages}/${code}">${shown}</a>`;
  return html`${linked}${name === undefined ? undefined : html` <bdi>${name}</bdi>`}`;
}

/** Attributes for the language of a text. If it is unknown, the letters give the direction. */
function tagged(language: string | null | undefined): Html {
  return language ? html`lang="${language}" dir="${textDirection(language)}"` : html`dir="auto"`;
}

function list<T>(title: string, items: readonly T[], line: (item: T) => Html): Html | undefined {
  if (items.length === 0) return undefined;
  const more = items.length - SHOWN;
  return html`<h3>${title}</h3>
    <ul>
      ${items.slice(0, SHOWN).map((item) => html`<li>${line(item)}</li>`)}
      ${more > 0 ? html`<li>and ${more} more in the data</li>` : undefined}
    </ul>`;
}

const TITLES: Readonly<Record<ResolutionKind, string>> = {
  reassigned: "Expressions with another code",
  now_abstains: "Expressions that abstain now",
  now_resolves: "Expressions that resolve now",
  reason_changed: "Expressions that abstain for another reason",
};

function summaryOf({ resolutions, concepts }: ChangeRecord): string {
  const count = (kind: string): number => resolutions.filter((one) => one.kind === kind).length;
  const of = (change: string): number => concepts.filter((one) => one.change === change).length;
  return (
    `${count("reassigned")} reassigned, ${count("now_abstains")} now abstain, ${count("now_resolves")} now resolve, ` +
    `${count("reason_changed")} abstain for another reason. Concepts: ${of("retired")} retired, ${of("added")} new, ` +
    `${of("changed")} changed. Compatibility: ${compatibilityOf(resolutions, concepts)}.`
  );
}

/** For whoever keeps what a feed said: a log that contradicts it was rewritten (docs/log.md). */
function logBefore(view: View, version: string): string {
  const { log } = entryOf(view, version) ?? {};
  return log === undefined ? "" : ` Log before it: ${log.origin}, size ${log.size}, root ${log.root}.`;
}

function entryOf({ registry: { history } }: View, version: string) {
  return history.find(({ registryVersion }) => registryVersion === version);
}

/**
 * A release without a day has the first day of its month, or the day of the release before it if
 * that is later.
 */
function daysOf(view: View): ReadonlyMap<string, string> {
  const days = new Map<string, string>();
  let before = "";
  for (const { registryVersion } of view.registry.changes) {
    const [year = "", month = ""] = registryVersion.split(".");
    const first = `${year}-${month}-01`;
    before = entryOf(view, registryVersion)?.releasedOn ?? (first > before ? first : before);
    days.set(registryVersion, before);
  }
  return days;
}
