/**
 * Writes a published registry as a term base: ISO 30042:2019 (TBX), dialect TBX-Basic in DCA style,
 * as far as that dialect can hold it; tbx-read.ts reads it again.
 * Source: TBXcoreStructV03.rng and TBX-Basic_DCA.sch of LTAC Global; XML 1.0 §2.2 for the
 * characters.
 */
import { groupBy } from "../../../../runtime/text/group-by.ts";
import { type ConceptExpression, EXACT_STRENGTH } from "../../../../runtime/contract/concept.ts";
import { paths } from "../../../../runtime/contract/paths.ts";
import { quote } from "../../../text/printable.ts";
import { compareCodePoints } from "../../../text/order.ts";
import type { CheckedRegistry } from "../../../registry/checked.ts";
import { type Concept, tagOf } from "../../../registry/concept.ts";
import { chooseLanguages } from "./chosen-languages.ts";
import type { ExportOptions } from "./writing.ts";
import { ExportError } from "../../../text/export-error.ts";

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<?xml-model href="https://raw.githubusercontent.com/LTAC-Global/TBX_Core_RNG/master/TBXcoreStructV03.rng" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"?>
<?xml-model href="https://raw.githubusercontent.com/LTAC-Global/TBX-Basic_dialect/master/DCA/TBX-Basic_DCA.sch" type="application/xml" schematypens="http://purl.oclc.org/dsdl/schematron"?>
<tbx type="TBX-Basic" style="dca" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2">
`;

/** Yields the file in pieces; throws ExportError for a text that XML cannot hold. */
export function* writeTbx(
  registry: CheckedRegistry,
  { origin, languages = [] }: ExportOptions,
): Generator<string, void> {
  const isChosen = chooseLanguages(languages);
  const { name, registryVersion } = registry;
  const only = languages.length === 0 ? "" : `<p type="${ONLY}">${text(languages.join(" "))}</p>`;
  yield HEAD;
  yield `<tbxHeader>
<fileDesc>
<titleStmt><title>${text(name)}</title></titleStmt>
<sourceDesc><p>${text(`${name} ${registryVersion}, exported from ${origin}`)}</p>${only}</sourceDesc>
</fileDesc>
</tbxHeader>
<text>
`;
  // A body has at least one entry, and an entry at least one language.
  let isOpen = false;
  for (const concept of registry.concepts) {
    const sections = languageSections(concept, isChosen);
    if (sections === "") continue;
    if (!isOpen) yield "<body>\n";
    isOpen = true;
    yield conceptEntry(concept, origin, sections);
  }
  yield `${isOpen ? "</body>\n" : ""}</text>\n</tbx>\n`;
}

/** A ConceptCode is already an XML name, so it can be the id. */
function conceptEntry({ code, domain, definition }: Concept, origin: string, sections: string): string {
  const url = text(`${origin}${paths.concepts}/${code}`);
  return `<conceptEntry id="${text(code)}">
<descrip type="subjectField">${text(domain)}</descrip>
<descrip type="definition">${text(definition)}</descrip>
<xref type="externalCrossReference" target="${url}">${url}</xref>
${sections}</conceptEntry>
`;
}

/** The terms by tag; within a tag in the order of the record. */
function languageSections({ expressions }: Concept, isChosen: (tag: string) => boolean): string {
  const byTag = groupBy(expressions, tagOf);
  return [...byTag]
    .filter(([tag]) => isChosen(tag))
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([tag, terms]) => `<langSec xml:lang="${text(tag)}">\n${terms.map(termSection).join("")}</langSec>\n`)
    .join("");
}

function termSection({ expression, type, equivalenceStrength }: ConceptExpression): string {
  const status = type === "preferred" ? "preferredTerm-admn-sts" : "admittedTerm-admn-sts";
  return [
    "<termSec>",
    `<term>${text(expression)}</term>`,
    `<termNote type="administrativeStatus">${status}</termNote>`,
    ...(type === "abbreviation" ? ['<termNote type="termType">abbreviation</termNote>'] : []),
    // The dialect has no term type for a symbol.
    ...(type === "symbol" ? [`<note>${SYMBOL_NOTE}</note>`] : []),
    ...(equivalenceStrength === EXACT_STRENGTH ? [] : [`<note>${NEAR_NOTE}${equivalenceStrength}.</note>`]),
    "</termSec>\n",
  ].join("\n");
}

/**
 * Notes for what the dialect has no element for; the second ends with the strength and a full stop.
 */
export const SYMBOL_NOTE = "This term is a symbol.";
export const NEAR_NOTE = "This term is near the concept and not equal to it: equivalence strength ";

/** The type of the paragraph that names the languages to which the file is limited. */
export const ONLY = "onlyLanguages";

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // A reader would turn it into a line feed.
  "\r": "&#13;",
};

/** A text as content, or as the value of an attribute. */
function text(value: string): string {
  if (!value.isWellFormed() || NOT_XML.test(value))
    throw new ExportError(`${quote(value)} has a character that XML cannot hold. Fix the record, then export again`);
  return value.replaceAll(/[&<>"\r]/g, (character) => REFERENCES[character] ?? character);
}

const NOT_XML = /[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/u;
