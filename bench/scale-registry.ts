/**
 * Writes a large registry of made-up words, one concept per line. The caller chooses the numbers of
 * concepts and languages; each expression uses the script of its language. The same sizes give the
 * same bytes.
 */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import type { ConceptRecord } from "../generator/registry/record.ts";

export interface Size {
  readonly concepts: number;
  /** At most 30; every concept has one expression in each. */
  readonly languages: number;
  /** Whether the codes are in a different order from the records, as in an import. */
  readonly isMixed?: boolean;
}

/** Languages by script: ten syllables, and the separator between words. */
const SCRIPTS: readonly { readonly tags: readonly string[]; readonly syllables: string; readonly space: string }[] = [
  { tags: ["en", "de", "fr", "es", "pt", "id", "tr"], syllables: "ba den fir gol hum kre lis mon nar pel", space: " " },
  { tags: ["ru", "uk", "bg", "sr", "mk"], syllables: "бо вер гла дин жук кра лес мот пар сил", space: " " },
  { tags: ["ja", "zh-Hans", "zh-Hant"], syllables: "山 川 水 火 木 金 土 日 月 年", space: "" },
  { tags: ["ar", "fa", "ur"], syllables: "با در سم كت لن مر نو هي فل قد", space: " " },
  { tags: ["hi", "mr", "ne"], syllables: "का मि तु रे लो पा नी शु दे जो", space: " " },
  { tags: ["ko"], syllables: "가 나 다 라 마 바 사 아 자 차", space: " " },
  { tags: ["el"], syllables: "λο να φως μη γα τι δε ρο σα πυ", space: " " },
  { tags: ["th"], syllables: "กา มา นา ดี สี ปู ใจ ไฟ เท พา", space: "" },
  { tags: ["it", "nl", "pl", "sv", "cs", "fi"], syllables: "à ven zoł gård più ško løs äm müt rë", space: " " },
];

/** One language of each script, then the next of each. */
const LANGUAGES = Array.from({ length: 7 }, (_, nth) =>
  SCRIPTS.flatMap(({ tags, syllables, space }) => {
    const tag = tags[nth];
    return tag === undefined ? [] : [{ tag, nth, syllables: syllables.split(" "), space }];
  }),
).flat();

/** One concept in this many has the expressions of the previous one, so that some are ambiguous. */
const SHARED_ONE_IN = 500;

/** Makes the records of the concepts one after the other. */
export function* scaleRecords({ concepts, languages, isMixed = false }: Size): Generator<ConceptRecord, void> {
  const admitted = LANGUAGES.slice(0, languages);
  for (let i = 0; i < concepts; i++) {
    const number = isMixed ? (i * STRIDE) % concepts : i;
    yield { code: `S-${String(number).padStart(7, "0")}`, ...record(i, admitted) };
  }
}

/** A prime: if it does not divide the number of concepts, each concept has its own code. */
const STRIDE = 7919;

/** Writes the registry into `directory`, which must not exist. */
export function writeScaleRegistry(directory: string, size: Size): void {
  const admitted = LANGUAGES.slice(0, size.languages);
  mkdirSync(path.join(directory, "concepts"), { recursive: true });
  const fields = [
    "name: Scale",
    "registryVersion: 2026.11.1",
    `languages: [${admitted.map(({ tag }) => tag).join(", ")}]`,
  ];
  writeFileSync(path.join(directory, "registry.yaml"), `${fields.join("\n")}\nlicense: CC-BY-4.0\n`);
  const file = openSync(path.join(directory, "concepts/scale.ndjson"), "w");
  for (const one of scaleRecords(size)) writeSync(file, `${JSON.stringify(one)}\n`);
  closeSync(file);
}

function record(i: number, languages: typeof LANGUAGES): Omit<ConceptRecord, "code"> {
  return {
    name: `Concept ${i} of the scale`,
    definition: `The meaning that number ${i} has in a registry of made-up words, said at about the length that is usual.`,
    domain: "scale",
    provenance: {
      source: "Made-up words of the bench",
      license: "CC-BY-4.0",
      sourceId: `http://example.org/concept/${i}`,
      reviewedBy: "editor",
      reviewedAt: "2026-11-21",
    },
    expressions: languages.map((language) => ({
      language: language.tag,
      expression: expression(i, language),
      type: "preferred",
      equivalenceStrength: 1,
      reviewStatus: "reviewed",
    })),
  };
}

/** Three words: syllables are digits of the concept's and the language's number in its script. */
function expression(concept: number, { nth, syllables, space }: (typeof LANGUAGES)[number]): string {
  const own = concept % SHARED_ONE_IN === 1 ? concept - 1 : concept;
  const parts = Array.from(`${own * 7 + 1_000_003}${nth}`, (digit) => syllables[Number(digit)] ?? "");
  const words = [parts.slice(0, 3), parts.slice(3, 6), parts.slice(6)].map((word) => word.join(""));
  return words.join(space).normalize("NFC");
}
