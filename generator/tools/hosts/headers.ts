/**
 * The fields of each file, for hosts that accept no other settings: `_headers` and `_redirects` for
 * Netlify, and the same as JSON for all others. Such hosts revalidate by entity tags of their own.
 */
import { formatDocument } from "../../../runtime/text/json.ts";
import { type HostedFile, type HostTable, namedPaths, withoutNonce } from "./table.ts";

/**
 * A path with several forms gives the page, because a host of pages is for people; machines use the
 * path of the form.
 */
function formOf(variants: readonly [HostedFile, ...HostedFile[]]): HostedFile {
  return variants.find(({ isPage }) => isPage) ?? variants[0];
}

export function headerFiles(table: HostTable): Readonly<Record<string, string>> {
  const rules = namedPaths(table, undefined).map(({ path, variants }) => {
    const { mediaType, fields } = formOf(variants);
    const all = [...fields, ["Content-Type", mediaType] as const];
    return `${path}\n${all.map(([name, value]) => `  ${name}: ${withoutNonce(value)}\n`).join("")}`;
  });
  // A page is found by its path without a rule.
  const moved = table.paths.filter(({ path, variants }) => !formOf(variants).isPage && formOf(variants).file !== path);
  return {
    _headers: `# Fields of ${table.origin}: ${rules.length} rules.\n${rules.join("")}`,
    _redirects: moved.map(({ path, variants }) => `${path} ${formOf(variants).file} 200\n`).join(""),
  };
}

export function headersJson(table: HostTable): Readonly<Record<string, string>> {
  return { "headers.json": formatDocument(table) };
}
