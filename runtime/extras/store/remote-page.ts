/**
 * The page `/resolve` on a host that only serves files, for the script of the home page: the same
 * markup as the service's, from the files of the release.
 */
import type { Interface } from "../../contract/inputs.ts";
import { formatMain } from "../../pages/page.ts";
import { resolutionPage } from "../../pages/resolution.ts";
import { textsOf } from "../../pages/texts.ts";
import { markEnglish } from "../../text/english.ts";
import type { RemoteRegistry } from "./remote-registry.ts";

/**
 * The content of `main` in a language of INTERFACE_FILE, English if it has no texts. Throws
 * StorageError if the registry cannot be read.
 */
export async function remotePage(
  registry: RemoteRegistry,
  query: string,
  { languages, proposals, language }: Interface & { readonly language: string },
): Promise<string> {
  const own = languages.find((one) => one.language === language) ?? languages[0];
  if (own === undefined) throw new TypeError("The interface has no language");
  const around = { texts: textsOf(own), proposals, origin: undefined, past: undefined };
  const content = await registry.ask((index) => resolutionPage(index, query, around));
  return markEnglish(formatMain(content, own.language === "en" ? "" : `/${own.language}`));
}
