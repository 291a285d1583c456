/**
 * Imports the hidden labels of one concept: evidence, which is never matched, so a faulty tag is
 * kept and reported.
 */
import { checkTagForm } from "../../../registry/check-language.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { chooseLanguages } from "../formats/chosen-languages.ts";
import type { SourceConcept } from "../formats/source.ts";
import { goneFault, type Report } from "./import-finding.ts";
import type { ImportSettings } from "./settings.ts";

type Hidden = NonNullable<ConceptRecord["hiddenLabels"]>;

interface Importing {
  readonly settings: ImportSettings;
  readonly existing: ConceptRecord | undefined;
  /** Whether the source is a complete registry. */
  readonly isWhole: boolean;
}

/**
 * The source's hidden labels, with those of the registry that the source is not asked about or
 * cannot hold.
 */
export function importHiddenLabels(
  { hiddenLabels, vocabulary }: SourceConcept,
  { settings, existing, isWhole }: Importing,
  report: Report,
): Hidden {
  for (const { tag, place } of hiddenLabels)
    for (const fault of tag === "" ? [] : checkTagForm(tag)) report(fault, "kept", { tag, place });
  const said: Hidden = hiddenLabels.map(({ tag, text }) => ({ language: tag === "" ? "und" : tag, label: text }));
  const speaksOf = chooseLanguages(settings.languages);
  const isSaid = ({ language, label }: Hidden[number]): boolean =>
    said.some((one) => one.language === language && one.label === label);
  const before = existing?.hiddenLabels ?? [];
  const others = before.filter((one) => !isSaid(one));
  const speaks = isWhole || vocabulary?.kind === "statements";
  const kept = others.filter(({ language }) => !speaks || !speaksOf(language));
  for (const one of others.filter((other) => !kept.includes(other)))
    report(goneFault("hidden label", one.label, "removed"), "changed", { tag: one.language });
  // If the source is not asked about every language, those that stay keep their places.
  const isSame = settings.languages.length > 0 && before.length === said.length + kept.length;
  return isSame && kept.length === others.length ? before : [...said, ...kept];
}
