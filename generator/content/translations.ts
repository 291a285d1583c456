/**
 * Prose in other languages: `de/answers/…`, `de/guides/mcp-guide.md` and `de/pages/…` say what the file of the same name says in
 * English. What is not translated is shown in English, and marked so.
 */
import type { Finding } from "../text/finding.ts";
import { compileSchema } from "../text/compile-schema.ts";
import { quote } from "../text/printable.ts";
import { isVisible } from "../effects/effects.ts";
import { type Folder, readProse } from "../registry/record-file.ts";
import { AnswerRecord, GuideRecord, PageRecord, type Prosaic } from "./content.ts";

const parse = {
  answers: compileSchema(AnswerRecord),
  guides: compileSchema(GuideRecord),
  pages: compileSchema(PageRecord),
};
const KINDS = ["answers", "guides", "pages"] as const;

/** The prose of a language, each part in it or in English. */
export function translate(folder: Folder, language: string, english: Prosaic): Prosaic {
  const read = new Map<string, unknown>();
  for (const kind of KINDS) {
    for (const name of filesIn(folder, `${language}/${kind}`)) {
      const file = `${language}/${kind}/${name}`;
      const prose = readProse<object>(folder, file, parse[kind]);
      if (prose !== undefined)
        read.set(`${kind}/${name}`, { ...prose.record, file, markdown: prose.markdown, language });
    }
  }
  const known = new Set([...english.answers, english.guide, ...english.pages].map(({ file }) => file));
  const strange = [...read.keys()].filter((file) => !known.has(file) || !file.endsWith(".md"));
  folder.findings.push(...strange.map((file) => unknown(language, file)));
  const inIt = <T extends { readonly file: string }>(one: T): T => ({
    ...one,
    ...(read.get(one.file) as T | undefined),
  });
  const answers = english.answers.map((one) => ({
    ...inIt(one),
    id: one.id,
    audience: one.audience,
    evidence: one.evidence,
  }));
  return { answers, guide: inIt(english.guide), pages: english.pages.map((one) => ({ ...inIt(one), name: one.name })) };
}

function filesIn({ effects, directory }: Folder, name: string): string[] {
  const place = `${directory}/${name}`;
  return effects.kind(place) === "directory" ? effects.names(place).filter((file) => isVisible(file)) : [];
}

function unknown(language: string, file: string): Finding {
  const text = `There is no ${quote(file)} that this would be a translation of`;
  const remedy = "Give it the name of the English file; templates are not translated, their texts are in interface/";
  return { rule: "translation-unknown", severity: "error", file: `${language}/${file}`, pointer: "", text, remedy };
}
