/**
 * The SPDX identifiers of the licences that vocabularies are published under, and the IRIs that name the same licences.
 * Source: the SPDX License List. A licence that is not here has no identifier that could be told for certain.
 */

/** The SPDX identifier for what a file gives as its licence: an identifier, or the address of a well-known licence. */
export function spdxOf(license: string): string | undefined {
  const given = license.trim();
  if (KNOWN.has(given)) return given;
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
      return /^licenses\/([A-Za-z0-9.+-]+?)(?:\.html|\.json)?$/.exec(path)?.[1];
    default:
      return undefined;
  }
}

/** The address of a licence; undefined where the text is no single SPDX identifier. */
export function spdxAddress(license: string): string | undefined {
  const isOne = /^[A-Za-z0-9][A-Za-z0-9.-]*\+?$/.test(license) && !/^(?:LicenseRef-|NOASSERTION$|NONE$)/.test(license);
  return isOne ? `https://spdx.org/licenses/${license}` : undefined;
}

const CC_TYPES = ["by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd"];
const CC_VERSIONS = ["1.0", "2.0", "2.5", "3.0", "4.0"];

const KNOWN = new Set([
  ...CC_TYPES.flatMap((type) => CC_VERSIONS.map((version) => `CC-${type.toUpperCase()}-${version}`)),
  "CC0-1.0",
  "CC-PDDC",
  "CC-PDM-1.0",
  "ODbL-1.0",
  "ODC-By-1.0",
  "PDDL-1.0",
  "OGL-UK-3.0",
  "etalab-2.0",
  "DL-DE-BY-2.0",
  "DL-DE-ZERO-2.0",
  "EUPL-1.2",
  "Apache-2.0",
  "MIT",
]);

/** Ports to the law of one country are licences of their own, mostly without an identifier. */
function creativeCommons(path: string): string | undefined {
  const [, type = "", version = ""] = /^licenses\/([a-z-]+)\/(\d\.\d)(?:\/(?:legalcode|deed)[^/]*)?$/.exec(path) ?? [];
  if (CC_TYPES.includes(type) && CC_VERSIONS.includes(version)) return `CC-${type.toUpperCase()}-${version}`;
  const [, domain] = /^publicdomain\/(zero|mark)\/1\.0(?:\/(?:legalcode|deed)[^/]*)?$/.exec(path) ?? [];
  return domain === undefined ? undefined : domain === "zero" ? "CC0-1.0" : "CC-PDM-1.0";
}

const OPEN_DATA_COMMONS: readonly (readonly [RegExp, string])[] = [
  [/^licenses\/odbl(?:\/(?:1[.-]0|summary))?$/, "ODbL-1.0"],
  [/^licenses\/by(?:\/(?:1[.-]0|summary))?$/, "ODC-By-1.0"],
  [/^licenses\/pddl(?:\/(?:1[.-]0|summary))?$/, "PDDL-1.0"],
];
