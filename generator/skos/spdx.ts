/**
 * The identifiers of the SPDX License List, and IRIs by which vocabularies name the same licences.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
/** Current and deprecated identifiers: each has a page. */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  ...(require("spdx-license-ids") as string[]),
  ...(require("spdx-license-ids/deprecated") as string[]),
]);

/**
 * Returns the SPDX identifier of a file's licence, given as an identifier or as the address of a
 * well-known licence; undefined if it is neither.
 */
export function spdxOf(license: string): string | undefined {
  const given = license.trim();
  if (IDENTIFIERS.has(given)) return given;
  const address = /^https?:\/\/(?:www\.)?([^/]+)\/(.+?)\/?$/i.exec(given);
  const [, host = "", path = ""] = address ?? [];
  switch (host.toLowerCase()) {
    case "creativecommons.org":
      return creativeCommons(path.toLowerCase());
    case "opendatacommons.org":
      return OPEN_DATA_COMMONS.find(([pattern]) => pattern.test(path.toLowerCase()))?.[1];
    case "apache.org":
      return /^licenses\/license-2\.0(?:\.txt|\.html)?$/i.test(path) ? "Apache-2.0" : undefined;
    case "opensource.org":
      return /^licen[cs]es?\/mit$/i.test(path) ? "MIT" : undefined;
    case "spdx.org":
      return listed(/^licenses\/(.+?)(?:\.html|\.json)?$/.exec(path)?.[1]);
    default:
      return undefined;
  }
}

/** Returns the address of a licence; undefined if the text is not a single SPDX identifier. */
export function spdxAddress(license: string): string | undefined {
  return IDENTIFIERS.has(license) ? `https://spdx.org/licenses/${license}` : undefined;
}

function listed(identifier: string | undefined): string | undefined {
  return identifier !== undefined && IDENTIFIERS.has(identifier) ? identifier : undefined;
}

/** A port to one country's law is a separate licence: most have no identifier. */
function creativeCommons(path: string): string | undefined {
  const [, ...parts] =
    /^licenses\/([a-z-]+)\/(\d\.\d)(?:\/([a-z]{2,3}))?(?:\/(?:legalcode|deed)[^/]*)?$/.exec(path) ?? [];
  if (parts.length > 0) return listed(["cc", ...parts.filter(Boolean)].join("-").toUpperCase());
  const [, domain] = /^publicdomain\/(zero|mark)\/1\.0(?:\/(?:legalcode|deed)[^/]*)?$/.exec(path) ?? [];
  return domain === undefined ? undefined : domain === "zero" ? "CC0-1.0" : "CC-PDM-1.0";
}

const OPEN_DATA_COMMONS: readonly (readonly [RegExp, string])[] = [
  [/^licenses\/odbl(?:\/(?:1[.-]0|summary))?$/, "ODbL-1.0"],
  [/^licenses\/by(?:\/(?:1[.-]0|summary))?$/, "ODC-By-1.0"],
  [/^licenses\/pddl(?:\/(?:1[.-]0|summary))?$/, "PDDL-1.0"],
];
