/** The shapes of the Reconciliation API, written from its specifications, 0.2 and 1.0-draft. */
import { closed, open } from "../../runtime/contract/schema.ts";
import * as Type from "../../runtime/contract/type.ts";

const Text = Type.String({ minLength: 1 });
const Address = Type.String({ format: "uri" });
const Named = closed({ id: Text, name: Text });
const common = { name: Text, documentation: Address, serviceVersion: Text, defaultTypes: Type.Array(Named), batchSize: Type.Integer({ minimum: 1 }) }; // prettier-ignore
const Size = { width: Type.Integer({ minimum: 1 }), height: Type.Integer({ minimum: 1 }) };
const Path = closed({ service_url: Address, service_path: Type.String({ pattern: "^/" }) });
/** `{{id}}` once, which is no template of RFC 6570. */
const View02 = Type.String({ pattern: String.raw`^https?://[^{]*\{\{id\}\}[^{]*$` });
const View10 = Type.String({ pattern: String.raw`^https?://[^{]*\{id\}[^{]*$` });

export const Manifest02 = closed({
  versions: Type.Array(Type.Literal("0.2")),
  identifierSpace: Address,
  schemaSpace: Address,
  ...common,
  view: closed({ url: View02 }),
  preview: closed({ url: View02, ...Size }),
  suggest: closed({ entity: Path, property: Path, type: Path }),
  extend: closed({ propose_properties: Path, property_settings: Type.Array(open({})) }),
});

export const Manifest10 = closed({
  versions: Type.Array(Type.Literal("1.0-draft")),
  ...common,
  view: closed({ url: View10 }),
  preview: closed(Size),
  suggest: closed({ entity: Type.Boolean(), property: Type.Boolean(), type: Type.Boolean() }),
  extend: closed({ proposeProperties: Type.Boolean(), propertySettings: Type.Array(open({})) }),
  standardizedScore: Type.Boolean(),
});

const Candidates = Type.Array(
  closed({
    id: Text,
    name: Text,
    description: Text,
    type: Type.Array(Named, { minItems: 1 }),
    score: Type.Number({ minimum: 0, maximum: 100 }),
    match: Type.Boolean(),
  }),
);
export type Candidates = Type.Static<typeof Candidates>;

export const Results02 = Type.Record(Type.String(), closed({ result: Candidates }));
export const Results10 = closed({ results: Type.Array(closed({ candidates: Candidates })) });

const listing = { listing: Text, semanticAssignment: Type.Literal(false) };
export const Suggestions = closed({
  ...listing,
  result: Type.Array(closed({ id: Text, name: Text, description: Type.Optional(Text), notable: Type.Optional(Type.Array(Named)) })), // prettier-ignore
});
export const Proposal = closed({
  type: Type.String(),
  limit: Type.Integer({ minimum: 1 }),
  properties: Type.Array(closed({ id: Text, name: Text, description: Text })),
});

const Meta = Type.Array(Named);
const cells = (value: Type.TSchema) => Type.Record(Type.String(), Type.Array(value));
export const Table02 = closed({ meta: Meta, rows: Type.Record(Type.String(), cells(closed({ str: Type.String() }))) });
const Value10 = closed({
  str: Type.String(),
  lang: Type.Optional(Text),
  dir: Type.Optional(Type.Enum(["ltr", "rtl"])),
});
export const Table10 = closed({
  meta: Meta,
  rows: Type.Array(
    closed({ id: Type.String(), properties: Type.Array(closed({ id: Text, values: Type.Array(Value10) })) }),
  ),
});
