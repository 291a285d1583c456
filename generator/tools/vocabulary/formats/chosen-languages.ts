/**
 * Chooses tags by the languages that a person names: these and narrower ones (RFC 4647 §3.4 from
 * the tag's side).
 */
import { lookupLevels } from "../../../../runtime/text/language.ts";
import { repairLanguageTag } from "../../../registry/check-language.ts";
import { remembering } from "../../../text/remembering.ts";

/** Returns a test of whether a tag is chosen; without languages, every tag is. */
export function chooseLanguages(languages: readonly string[] = []): (tag: string) => boolean {
  if (languages.length === 0) return () => true;
  const chosen = new Set(languages.map(plain));
  return remembering((tag) => {
    // A registry may have the repaired form of what its source calls `iw`.
    const forms = [tag, repairLanguageTag(tag)];
    return forms.some((form) => lookupLevels(plain(form)).some((level) => chosen.has(level)));
  });
}

/** Files also write `zh_CN`. */
function plain(tag: string): string {
  return tag.toLowerCase().replaceAll("_", "-");
}
