/** The record of a concept that a person adds: its code, and its place in the registry. */
import { type Location } from "../../../text/finding.ts";
import { compareCodePoints } from "../../../text/order.ts";
import { quote } from "../../../text/printable.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { type EditableSource, isTooLongDomain, linesFile, type Located, recordFile } from "../../../registry/read.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { mintForNames, takenCodes } from "../import/mint.ts";
import { onOneLine } from "../import/text.ts";

export interface NewConcept {
  readonly name: string;
  readonly definition: string;
  readonly domain: string;
  readonly expressions: readonly ExpressionRecord[];
}

/** Throws UsageError for a new domain that cannot be the name of a folder. */
export function newConcept(source: EditableSource, said: NewConcept): Located<ConceptRecord> {
  const { domain, expressions } = said;
  assertNewDomain(source, domain);
  const [name, definition] = [onOneLine(said.name), onOneLine(said.definition)];
  const [code = ""] = mintForNames(takenCodes(source), [name]);
  const record = { code, name, definition, domain, provenance: null, expressions: [...expressions] };
  return { ...placeFor(source, record), record };
}

/** Throws UsageError for a new domain that cannot be the name of a folder. */
export function assertNewDomain(source: EditableSource, domain: string): void {
  const isKnown = source.concepts.some(({ record }) => record.domain === domain);
  if (!isKnown && (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(domain) || isTooLongDomain(domain)))
    throw new UsageError(`--domain ${quote(domain)} is new, and not a short name in lower case a-z, 0-9 and -`);
}

/** In the file of lines that holds the domain, in code order; else a file of its own. */
function placeFor({ concepts }: EditableSource, { code, domain }: ConceptRecord): Location {
  const file = linesFile(domain);
  const lines = concepts.filter((concept) => concept.file === file);
  const last = lines.at(-1)?.line;
  if (last === undefined) return { file: recordFile(domain, code) };
  const next = lines.find(({ record }) => compareCodePoints(record.code, code) > 0);
  return { file, line: next?.line ?? last + 1 };
}
