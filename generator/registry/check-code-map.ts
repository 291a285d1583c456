/** The rules of `code-map.ndjson`: who a code was given to is written down once, and agrees with what the concepts say. */
import type { Room } from "../effects/effects.ts";
import { type SortedRecord, SortedRecords, textsByKey } from "../effects/sorted-records.ts";
import { errorAt, type Fault, type Finding, type Place, placeOf } from "../text/finding.ts";
import { quote } from "../text/printable.ts";
import { CODE_MAP_FILE, type Located } from "./read.ts";
import type { CodeMapLine, ConceptRecord, RetiredRecord } from "./record.ts";

/** A line of the map, or a concept; a known code alone has neither. */
interface Mention {
  readonly line?: CodeMapLine & { readonly number: number };
  readonly concept?: Place & { readonly code: string };
}

/** Sees every line of the map when it is made, then every concept once. */
export class CodeMapRules {
  readonly #bySource: SortedRecords;
  readonly #byCode: SortedRecords;
  readonly #isEmpty: boolean;

  constructor(codeMap: Iterable<CodeMapLine>, retired: RetiredRecord, room: Room) {
    this.#bySource = new SortedRecords(room);
    this.#byCode = new SortedRecords(room);
    let number = 0;
    for (const { sourceId, code } of codeMap) {
      const mention = JSON.stringify({ line: { sourceId, code, number: ++number } } satisfies Mention);
      this.#bySource.addText(sourceId, mention);
      this.#byCode.addText(code, mention);
    }
    this.#isEmpty = number === 0;
    for (const { code } of this.#isEmpty ? [] : retired) this.#byCode.addText(code, "{}");
  }

  add(concept: Located<ConceptRecord>): void {
    if (this.#isEmpty) return;
    const { code, provenance } = concept.record;
    this.#byCode.addText(code, "{}");
    const sourceId = provenance?.sourceId ?? null;
    if (sourceId === null) return;
    const mention: Mention = { concept: { ...placeOf(concept), code } };
    this.#bySource.addText(sourceId, JSON.stringify(mention));
  }

  /** To be asked once every concept was seen. */
  *findings(): Generator<Finding, void> {
    const told = new Set<number>();
    for (const [sourceId, mentions] of groups(this.#bySource)) {
      const lines = linesOf(mentions);
      for (const [i, line] of lines.entries()) {
        const before = lines[i - 1];
        if (before === undefined) continue;
        told.add(line.number);
        yield sharedFinding(line, before.code);
      }
      const mapped = lines.at(-1)?.code;
      for (const { concept } of mentions) {
        if (concept === undefined || mapped === undefined || mapped === concept.code) continue;
        const text = `The concept has the sourceId ${quote(sourceId)}, which ${CODE_MAP_FILE} gives ${mapped}`;
        const remedy = "Restore the concept's code: it is never given to another one";
        yield errorAt(concept, "/code", { rule: "code-map-disagrees", text, remedy });
      }
    }
    for (const [code, mentions] of groups(this.#byCode)) {
      const lines = linesOf(mentions);
      for (const [i, line] of lines.entries()) {
        const before = lines[i - 1];
        if (before !== undefined && !told.has(line.number)) yield sharedFinding(line, before.sourceId);
        if (mentions.length > lines.length) continue;
        const text = `${code} is the code of no concept and no retired one`;
        const remedy = "Restore the concept, or list its code in retired.yaml";
        yield lineFinding(line.number, { rule: "code-map-dangling", text, remedy });
      }
    }
  }
}

function linesOf(mentions: readonly Mention[]): Required<Mention>["line"][] {
  return mentions.flatMap(({ line }) => line ?? []);
}

function sharedFinding({ number, sourceId, code }: Required<Mention>["line"], other: string): Finding {
  const text = `${quote(sourceId)} and ${code} are not each other's alone: another line has ${quote(other)}`;
  return lineFinding(number, {
    rule: "code-map-duplicate",
    text,
    remedy: "Restore the line that was there first",
  });
}

function lineFinding(line: number, fault: Fault): Finding {
  return errorAt({ file: CODE_MAP_FILE, line }, "", fault);
}

/** Mentions by key, in the order in which they came. */
function* groups(records: Iterable<SortedRecord>): Generator<[string, Mention[]], void> {
  for (const { key, texts } of textsByKey(records)) yield [key, texts.map((text) => JSON.parse(text) as Mention)];
}
