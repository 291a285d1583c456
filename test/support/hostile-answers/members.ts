/** JSON whose members are missing, of another type, or more than there may be. */
import {
  type HostileAnswer,
  plain,
  marked,
  concept,
  profile,
  candidate,
  dataWith,
  envelope,
  GOOD,
  MARK,
  withText,
  ascii,
} from "./answer.ts";

type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";

const VALUES: Readonly<Record<Kind, unknown>> = {
  null: null,
  boolean: true,
  number: 1,
  string: "x",
  array: [],
  object: {},
};

/** Every member there is, with the kinds of value it may have. */
const MEMBERS: Readonly<Record<string, readonly Kind[]>> = {
  data: ["object"],
  error: ["null"],
  "data.input": ["object"],
  "data.input.expression": ["string"],
  "data.status": ["string"],
  "data.reason": ["string", "null"],
  "data.embeddingProfile": ["object", "null"],
  "data.embeddingProfile.name": ["string"],
  "data.embeddingProfile.modelName": ["string"],
  "data.embeddingProfile.modelVersion": ["string"],
  "data.embeddingProfile.dimensions": ["number"],
  "data.concept": ["object", "null"],
  "data.concept.code": ["string"],
  "data.concept.name": ["string"],
  "data.concept.definition": ["string"],
  "data.concept.domain": ["string"],
  "data.concept.registryVersion": ["string"],
  "data.candidates": ["array"],
  "data.candidates.0.code": ["string"],
  "data.candidates.0.name": ["string"],
  "data.candidates.0.score": ["number"],
  "data.confidence": ["number", "null"],
  "data.margin": ["number", "null"],
};

type Tree = Record<string, unknown>;

/** The full answer: with a profile and a candidate, so that every member is there to be broken. */
function full(): Tree {
  const data = dataWith({ embeddingProfile: { ...profile }, candidates: [{ ...candidate }], concept: { ...concept } });
  return { data, error: null };
}

/** A full answer whose object at this place is changed. */
function changedAt(place: string, change: (object: Tree) => void): string {
  const answer = full();
  const names = place === "" ? [] : place.split(".");
  change(names.reduce<Tree>((object, name) => object[name] as Tree, answer));
  return JSON.stringify(answer);
}

export const members: readonly HostileAnswer[] = Object.entries(MEMBERS).flatMap(([member, kinds], turn) => {
  const at = member.lastIndexOf(".");
  const [place, name] = [member.slice(0, Math.max(at, 0)), member.slice(at + 1)];
  const wrong = (Object.keys(VALUES) as Kind[]).filter((kind) => !kinds.includes(kind));
  return [
    plain(`no ${member}`, 5, { body: changedAt(place, (object) => delete object[name]) }),
    marked(
      turn % 4 === 0 ? {} : { more: true },
      plain(`${member} with another case`, 5, {
        body: changedAt(place, (object) => renameMember(object, name, capitalized(name))),
      }),
    ),
    ...wrong.map((kind, i) =>
      // Over the wire one of each, in turn, so that all kinds come.
      marked(
        turn % wrong.length === i ? {} : { more: true },
        plain(`${member} as ${kind}`, 5, { body: changedAt(place, (object) => (object[name] = VALUES[kind])) }),
      ),
    ),
  ];
});

function capitalized(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function renameMember(object: Tree, from: string, to: string): void {
  object[to] = object[from];
  delete object[from];
}

const LEVELS = ["", "data", "data.input", "data.embeddingProfile", "data.concept", "data.candidates.0"];
const NAMES = [
  "authorized",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "Count",
  "Keys",
  "Values",
  "Item",
  "length",
  "",
  "a/b",
  "a~b",
  "a.b",
  "~1",
  "Code",
  " code",
  "code ",
  "codе",
  "c‍ode",
  "\0",
  "0",
  "@",
];

/** JSON.stringify would take `__proto__` for the prototype. */
function withExtra(level: string, name: string): string {
  return changedAt(level, (object) => (object[MARK] = 1)).replace(`"${MARK}"`, JSON.stringify(name));
}

export const extras: readonly HostileAnswer[] = [
  ...LEVELS.map((level) => plain(`one member more in ${level || "the top"}`, 5, { body: withExtra(level, "another") })),
  ...NAMES.map((name, i) =>
    plain(`a member more named ${ascii(name) || "with nothing"}`, 5, {
      body: withExtra(LEVELS[i % LEVELS.length] ?? "", name),
    }),
  ),
  ...["__proto__", "Count", "a/b", ""].map((name) =>
    plain(`${ascii(name) || "the empty name"} in the place of the code`, 5, {
      body: changedAt("data.concept", (object) => renameMember(object, "code", MARK)).replace(
        `"${MARK}"`,
        JSON.stringify(name),
      ),
    }),
  ),
  plain("the members of the concept as one name, by paths", 5, {
    body: changedAt("data", (object) => {
      delete object["concept"];
      for (const [name, value] of Object.entries(concept)) object[`concept/${name}`] = value;
    }),
  }),
  plain("the code inherited by __proto__", 5, {
    body: withText(`{"__proto__":${JSON.stringify(concept)}}`, { concept: MARK }),
  }),
  plain("candidates as an object with length", 5, { body: withText('{"length":0}', { candidates: MARK }) }),
  plain("a candidate that is null", 5, { body: envelope({ candidates: [null] }) }),
  plain("a candidate within an array", 5, { body: envelope({ candidates: [[candidate]] }) }),
  plain("a bad candidate behind a good one", 5, {
    body: envelope({ candidates: [candidate, { ...candidate, score: "1" }] }),
  }),
  plain("ten good candidates and a profile", 9, {
    body: envelope({ candidates: Array.from({ length: 10 }, () => candidate), embeddingProfile: profile, margin: 0.1 }),
  }),
  plain("members in another order", 9, {
    body: JSON.stringify({ error: null, data: Object.fromEntries(Object.entries(dataWith()).toReversed()) }),
  }),
  plain("names that are escaped", 9, { body: GOOD.replace('"code"', String.raw`"\u0063\u006f\u0064\u0065"`) }),
  plain("an error envelope", 5, { body: JSON.stringify({ data: null, error: { code: "x", message: "y" } }) }),
  plain("an answer with an error too", 5, {
    body: JSON.stringify({ data: dataWith(), error: { code: "x", message: "y" } }),
  }),
  plain("the data alone", 5, { body: JSON.stringify(dataWith()) }),
  plain("the concept alone", 5, { body: JSON.stringify(concept) }),
  plain("the answer in an array", 5, { body: `[${GOOD}]` }),
  plain("the answer as a string", 5, { body: JSON.stringify(GOOD) }),
  ...["null", "true", "200", '"resolved"', "[]", "{}", '""'].map((body) => plain(`${body} alone`, 5, { body })),
];
