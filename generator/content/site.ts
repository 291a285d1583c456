/**
 * `site.yaml`: an owner's description of a site and its vocabulary. Only the name and the members
 * for security.txt are required. The expiry of security.txt is an input, because a build has no
 * clock (RFC 9116 §2.5.5). content/README.md explains every field.
 */
import { isDay } from "../text/day.ts";
import { isDomain } from "../text/domain.ts";
import * as Type from "../../runtime/contract/type.ts";
import { paths } from "../../runtime/contract/paths.ts";
import { closed } from "../../runtime/contract/schema.ts";
import { SUMMARY_MAX } from "../contract/agent-discovery.ts";
import { COLORS } from "./colors.ts";
import { checkLine } from "../registry/check-text.ts";
import type { Fault } from "../text/finding.ts";
import { quote } from "../text/printable.ts";

const optional = Type.Optional;
const line = Type.String({ minLength: 1, maxLength: 80 });
const address = Type.String({ minLength: 1, maxLength: 500 });
const link = closed({ title: line, href: address });

const hex = Type.String({ pattern: "^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$" });
const color = Type.Union([hex, Type.Array(hex, { minItems: 2, maxItems: 2 })]);

/** The pages of the navigation, in its order. */
export const PAGES = {
  concepts: { title: "Concepts", href: paths.conceptPages },
  coverage: { title: "Coverage", href: paths.coveragePage },
  answers: { title: "Answers", href: paths.answers },
  "api-reference": { title: "API reference", href: paths.apiReference },
  "mcp-guide": { title: "MCP guide", href: paths.mcpGuide },
  "integration-studio": { title: "Studio", href: paths.studioPage },
} as const;
export type PageName = keyof typeof PAGES;

export const SiteRecord = closed({
  name: line,
  /** The subject of the vocabulary's words, for people and agents who choose between services. */
  description: optional(Type.String({ minLength: 1, maxLength: 400 })),
  /** The same in short, for lists of services: the description in a server card (SEP-2127). */
  summary: optional(Type.String({ minLength: 1, maxLength: SUMMARY_MAX })),
  contact: optional(address),
  /** Where people propose; `{expression}` and `{language}` stand for what they asked. */
  proposals: optional(address),
  publisher: optional(closed({ name: line, href: optional(address), domain: optional(Type.String()) })),
  legal: optional(Type.Array(link)),
  navigation: optional(Type.Array(link)),
  hide: optional(Type.Array(Type.Enum(Object.keys(PAGES) as PageName[]))),
  /** Whether a release publishes all concepts as SKOS; by default, yes. */
  rdf: optional(Type.Boolean()),
  /** The address of the transparency log: a path of the same host, or https: (docs/log.md). */
  log: optional(address),
  /** An SVG in assets/. */
  logo: optional(Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_-]*[.]svg$" })),
  colors: optional(closed(Object.fromEntries(COLORS.map((name) => [name, optional(color)])))),
  security: closed({
    /** A path of this service, or an https:, mailto: or tel: URI (RFC 9116 §2.5.3). */
    contact: address,
    expires: Type.String(),
  }),
});
export type SiteSource = Type.Static<typeof SiteRecord>;

/** A fault, and its place in the record. */
export interface SiteFault extends Fault {
  readonly pointer: string;
}

/**
 * Checks that a schema cannot express clearly: texts are one line without addresses, and links have
 * valid addresses.
 */
export function checkSite({
  name,
  description,
  summary,
  contact,
  proposals,
  publisher,
  legal = [],
  navigation = [],
  log,
  security,
}: SiteSource): SiteFault[] {
  const lists = Object.entries({ legal, navigation }).flatMap(([list, all]) =>
    all.map((one, i) => [`/${list}/${i}`, one] as const),
  );
  const texts: [pointer: string, text: string | undefined][] = [
    ["/name", name],
    ["/description", description],
    ["/summary", summary],
    ["/publisher/name", publisher?.name],
    ...lists.map(([at, { title }]): [string, string] => [`${at}/title`, title]),
  ];
  const addresses: [pointer: string, text: string | undefined][] = [
    ["/contact", contact],
    ["/proposals", proposals === undefined ? undefined : withoutValues(proposals)],
    ["/log", log],
    ["/security/contact", security.contact],
    ["/publisher/href", publisher?.href],
    ...lists.map(([at, { href }]): [string, string] => [`${at}/href`, href]),
  ];
  return [
    ...texts.flatMap(([pointer, text = ""]) => checkLine(text, "site-text").map((fault) => ({ ...fault, pointer }))),
    ...addresses.flatMap(([pointer, text = "/"]) => checkAddress(text).map((fault) => ({ ...fault, pointer }))),
    ...(log === undefined || isLogAddress(log) ? [] : [notLog(log)]),
    ...(proposals === undefined || !/[{}]/.test(withoutValues(proposals)) ? [] : [notTemplate(proposals)]),
    ...(publisher?.domain === undefined || isDomain(publisher.domain) ? [] : [notDomain(publisher.domain)]),
    ...(isTime(security.expires) ? [] : [notTime(security.expires)]),
  ];
}

/** RFC 3339, in UTC and whole seconds. */
function isTime(text: string): boolean {
  return isDay(text.slice(0, 10)) && /^T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}Z$/.test(text.slice(10));
}

function notTime(text: string): SiteFault {
  const remedy = "Write day and time in UTC, such as 2027-05-01T00:00:00Z, at most a year ahead";
  return { rule: "site-time", text: `${quote(text)} is not a time`, remedy, pointer: "/security/expires" };
}

/** Nothing that a shell would read otherwise: the address is in commands. */
function isLogAddress(text: string): boolean {
  return /^(?:\/|https:\/\/)(?!\/)[\w.~%:/-]+$/.test(text) && URL.canParse(text, "https://a.example");
}

function notLog(text: string): SiteFault {
  const remedy = "Write its path on the same host, such as /log, or its https: address";
  return { rule: "site-log", text: `${quote(text)} is not where a log can be read`, remedy, pointer: "/log" };
}

/** The address of proposals without the places of its values. */
function withoutValues(template: string): string {
  return template.replaceAll(/\{(?:expression|language)\}/g, "");
}

function notTemplate(text: string): SiteFault {
  const remedy = "Write {expression} and {language} where the text and its language go, and no other braces";
  return { rule: "site-proposals", text: `${quote(text)} has other braces`, remedy, pointer: "/proposals" };
}

function notDomain(text: string): SiteFault {
  const remedy = "Write a registered name alone, in lower case, such as example.org; xn--… for other letters";
  return { rule: "site-domain", text: `${quote(text)} is not a domain`, remedy, pointer: "/publisher/domain" };
}

function checkAddress(text: string): Fault[] {
  if (/^(?:\/(?!\/)|https:\/\/[^/]|mailto:[^/]|tel:[^/])[\x21-\x7e]*$/.test(text)) return [];
  const remedy = "Write one of them, without spaces; other characters are percent-encoded";
  const what = `${quote(text)} is not a path of this service, nor an https:, mailto: or tel: address`;
  return [{ rule: "site-address", text: what, remedy }];
}
