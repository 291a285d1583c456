/**
 * Reads a proposal from a person without git: turns the text of an issue that a form made into a
 * record that waits for review. The form is that of the scaffold. A text that the form cannot have
 * made is refused, because anybody can write one.
 */
import { EXPRESSION_TYPES } from "../../../../runtime/contract/concept.ts";
import { isTooLongDomain } from "../../../registry/read.ts";
import type { ConceptRecord, ExpressionRecord } from "../../../registry/record.ts";
import { quote } from "../../../text/printable.ts";
import type { Repair } from "./settings.ts";
import { checkLabel, onOneLine, partTag } from "./text.ts";

/** The maximum length of a GitHub issue, in UTF-16 code units. */
export const PROPOSAL_MAX_LENGTH = 65_536;
const EXPRESSIONS_MAX = 50;

/** The labels of the form, which are headings of the text, in this order. */
const LABELS = ["Name", "Definition", "Domain", "Language", "Expressions", "Source"] as const;
type Label = (typeof LABELS)[number];
const EMPTY = "_No response_";

/** A record without its code, and the expressions that were repaired for it. */
export interface Proposal {
  readonly record: Omit<ConceptRecord, "code">;
  readonly repaired: readonly Repaired[];
}

interface Repaired {
  /** As written. */
  readonly before: string;
  readonly after: string;
}

/** What nobody sees in the text of an issue. */
const UNSEEN: ReadonlySet<Repair> = new Set(["spaces", "nfc"]);

/** Returns the proposal, or why the text is not one. */
export function readProposal(text: string, license: string): Proposal | string {
  if (text.length > PROPOSAL_MAX_LENGTH) return `The proposal has more than ${PROPOSAL_MAX_LENGTH} characters`;
  const fields = fieldsOf(text.replaceAll("\r\n", "\n"));
  if (typeof fields === "string") return fields;
  const missing = LABELS.find((label) => label !== "Source" && fields[label] === "");
  if (missing !== undefined) return `The proposal has nothing under ${missing}`;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(fields.Domain))
    return `The domain ${quote(fields.Domain)} is not in lower case a-z, 0-9 and -`;
  if (isTooLongDomain(fields.Domain)) return "The domain is too long for the name of a file";
  const lines = fields.Expressions.split("\n")
    .map((before): Repaired => ({ before, after: checkLabel(before, UNSEEN).value }))
    .filter(({ after }) => after !== "");
  if (lines.length > EXPRESSIONS_MAX) return `The proposal has more than ${EXPRESSIONS_MAX} expressions`;
  const source = onOneLine(fields.Source);
  const provenance = { source, license, sourceId: null, reviewedBy: null, reviewedAt: null };
  const record = {
    name: onOneLine(fields.Name),
    definition: onOneLine(fields.Definition),
    domain: fields.Domain,
    provenance: source === "" ? null : provenance,
    expressions: lines.map(({ after }, i) => expressionOf(after, fields.Language, i)),
  };
  return { record, repaired: lines.filter(({ before, after }) => before !== after) };
}

const [PREFERRED, ALTERNATE] = EXPRESSION_TYPES;

function expressionOf(expression: string, tag: string, i: number): ExpressionRecord {
  const type = i === 0 ? PREFERRED : ALTERNATE;
  const { language, locale } = partTag(tag);
  return {
    language,
    ...(locale === undefined ? {} : { locale }),
    expression,
    type,
    equivalenceStrength: 1,
    reviewStatus: "in_review",
  };
}

function fieldsOf(text: string): Readonly<Record<Label, string>> | string {
  const parts = text.split(/^### (.*)$/m);
  const labels = parts.filter((_part, i) => i % 2 === 1).map((label) => label.trim());
  if (labels.join("\n") !== LABELS.join("\n")) return `The proposal does not have the headings ${LABELS.join(", ")}`;
  const values = LABELS.map((label, i) => {
    const value = (parts[2 * i + 2] ?? "").trim();
    return [label, value === EMPTY ? "" : value] as const;
  });
  return Object.fromEntries(values) as Record<Label, string>;
}

/** Formats the file of a record as people write it: every text is quoted, as in JSON. */
export function formatProposal({ code, name, definition, domain, provenance, expressions }: ConceptRecord): string {
  const lines = expressions.map((expression) => `  - ${JSON.stringify(expression)}\n`);
  return (
    `code: ${code}\nname: ${JSON.stringify(name)}\ndefinition: ${JSON.stringify(definition)}\n` +
    `domain: ${JSON.stringify(domain)}\nprovenance: ${JSON.stringify(provenance)}\nexpressions:\n${lines.join("")}`
  );
}
