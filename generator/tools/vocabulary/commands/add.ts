/** `add`: adds expressions to a concept, or a concept with its first expressions. */
import { EXPRESSION_TYPES } from "../../../../runtime/contract/concept.ts";
import { invocation } from "../../../effects/invocation.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { text, type Values } from "../../../commands/options.ts";
import { folderArgument } from "../../../text/shell.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { type Adding, planAdd } from "../amend/add.ts";
import { assertTag } from "../amend/named.ts";
import { AMEND, amend, reviewerOf } from "./amend-outcome.ts";

const OPTIONS = {
  ...AMEND,
  language: text("TAG", "BCP 47 tag of the expressions"),
  to: text("CODE", "the concept that gets them, by its code or sourceId"),
  name: text("TEXT", "the name of a new concept, which gets a code made from it"),
  definition: text("TEXT", "its definition"),
  domain: text("NAME", "its domain"),
  type: text("NAME", `${EXPRESSION_TYPES.join(", ")} (alternate; the first of a new concept: preferred)`),
  strength: text("N", "the equivalenceStrength, 0 to 1 (1)"),
  as: text("ROLE", "who reviewed them: a role, never a personal name (they wait for review)"),
  on: text("DATE", "the date of that review, YYYY-MM-DD"),
};
type AddOptions = Values<typeof OPTIONS>;

export const command = defineCommand({
  usage: "EXPRESSION... --language TAG --to CODE | --name TEXT --definition TEXT --domain NAME",
  does:
    "Adds expressions to a concept, or a new concept with them, and prints what that changes. They wait for review, unless " +
    "--as ROLE and --on DATE say who reviewed them. The new record is a line where the domain is in lines, else a file.",
  options: OPTIONS,
  takesArguments: true,
  run: runAdd,
});

function runAdd(outside: Outside, options: AddOptions, texts: readonly string[]): Promise<number> {
  const { language, as, on, registry: directory } = options;
  if (texts.length === 0 || texts.includes("")) throw new UsageError("Name an expression, in quotes if it has spaces");
  if (language === undefined) throw new UsageError("--language TAG is needed: the language of the expressions");
  assertTag(language);
  const isReviewed = as !== undefined || on !== undefined;
  const adding: Adding = {
    texts,
    language,
    type: typeOf(options.type),
    equivalenceStrength: strengthOf(options.strength),
    into: targetOf(options),
    decision: isReviewed ? { action: "accept", ...reviewerOf(options) } : undefined,
  };
  return amend(outside, options, {
    plan: (source) => planAdd(source, adding),
    after: ({ added: [added] = [], changed: [change] = [] }) => {
      const code = (added?.record ?? change?.record)?.code ?? "";
      const args = `${folderArgument("registry", directory)} --accept --where concept=${code} --as ROLE --on DATE`;
      return isReviewed ? [] : ["Next, when somebody has reviewed it:", `  ${invocation("review", args)}`];
    },
  });
}

function targetOf({ to, name, definition, domain }: AddOptions): Adding["into"] {
  const described = { name, definition, domain };
  const given = Object.entries(described).filter(([, value]) => value !== undefined);
  const [first] = given;
  if (to !== undefined) {
    if (first !== undefined) throw new UsageError(`--${first[0]} is of a new concept: leave it out, or leave out --to`);
    return to;
  }
  if (first === undefined)
    throw new UsageError("--to CODE is needed, or --name, --definition and --domain of a new concept");
  if (name === undefined || definition === undefined || domain === undefined)
    throw new UsageError("A new concept needs --name, --definition and --domain");
  return { name, definition, domain };
}

function typeOf(given: string | undefined): Adding["type"] {
  const type = EXPRESSION_TYPES.find((one) => one === given);
  if (given !== undefined && type === undefined)
    throw new UsageError(`--type ${JSON.stringify(given)} is none of ${EXPRESSION_TYPES.join(", ")}`);
  return type;
}

function strengthOf(given = "1"): number {
  if (!/^(?:0(?:\.[0-9]+)?|1(?:\.0+)?)$/.test(given))
    throw new UsageError(`--strength ${JSON.stringify(given)} is not a number from 0 to 1`);
  return Number(given);
}
