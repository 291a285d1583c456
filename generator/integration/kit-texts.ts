/**
 * The texts of a kit about its recipe: `README.md`, for a person's first five minutes, and
 * `instructions.txt`, the rules for an agent or a program at the recipe's boundary.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { reportPath } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import { type ClarifiedExchange, type Fixture, FIXTURE_OUTCOMES } from "../contract/integration.ts";
import { ACCEPTANCE_RULE, IDENTITY_IS_NO_PERMISSION, inShort } from "../view/rules.ts";
import { bullets, textSections } from "../view/text.ts";
import { urlOf, type View } from "../view/view.ts";
import { classifierRules } from "./classifier.ts";
import { exitCodes, handoffs, LIVE_TIMEOUT_SECONDS } from "./handoffs.ts";
import type { Recipe } from "./recipes/recipe.ts";

interface Told {
  readonly recipe: Recipe;
  readonly fixtures: readonly Fixture[];
  readonly exchanges: readonly ClarifiedExchange[];
}

export function readme(view: View, { recipe, fixtures, exchanges }: Told): string {
  return lines([
    `# ${recipe.title}: an integration kit`,
    "",
    recipe.purpose,
    "",
    `Made for ${view.origin}, release ${product.packageVersion}, registry version ${view.readiness.registryVersion}. The programs in`,
    "this folder need only their language. They send nothing unless you ask for it, and write nothing except their output and,",
    "if you name one, a file of abstentions.",
    "",
    ...firstMinutes(view),
    "",
    ...fromTheLog(),
    "",
    ...whatToDo(recipe, fixtures),
    "",
    ...exchanges.flatMap(wholeExchange),
    ...reference(view, recipe),
    "",
    "## What this kit is not",
    "",
    "The proof shows that a client judges six answers correctly. It does not show that a service is deployed, reachable or correct,",
    `and it authorizes nothing. ${IDENTITY_IS_NO_PERMISSION}. The checksums detect change; they do not prove who published the kit.`,
  ]);
}

function firstMinutes({ origin }: View): string[] {
  return [
    "## The first five minutes",
    "",
    "1. Check that the files are the published ones:",
    "",
    "       sha256sum -c SHA256SUMS",
    "",
    "2. Run the proof in the language you use. It judges six fixed exchanges, without a network, and prints a line for each:",
    "",
    ...handoffs.map(({ prove }) => `       ${prove.join(" ")}`),
    "",
    "3. Look at `fixtures/`. Change one, run the proof again, and see it fail.",
    "",
    `4. When you are ready, make one live call, to ${origin} and nowhere else:`,
    "",
    ...handoffs.map(({ resolve }) => `       ${resolve.join(" ")} EXPRESSION [LANGUAGE]`),
    "",
    "   It prints one line of JSON: the outcome and, only when that is `resolved-valid`, `code` and `registryVersion`. With",
    "   `unknown` and `ambiguous` come `reason` and `candidates` (code and name, the nearest first): a question for a person, never",
    "   an assignment. It sends only the expression and the language, once, and waits at most",
    `   ${LIVE_TIMEOUT_SECONDS} seconds. It uses no proxy and follows no redirect.`,
    "",
    "   PowerShell itself may report its start to its maker; POWERSHELL_TELEMETRY_OPTOUT=1 in the environment stops that.",
    "",
    "5. With `--keep FILE` after `--live`, a call that abstains adds a line to FILE on this machine: the expression, the language,",
    "   the reason, the count 1 and the day, and nothing else. It is off unless you name a file, and nothing of it is sent. An",
    "   expression may be private: treat the file as you treat other logs. `srs gaps FILE` of the registry's owner reads it.",
    "",
    "6. Take the program in your language into your own code, and leave its classifier unchanged.",
  ];
}

function fromTheLog(): string[] {
  return [
    "## A proof from the log",
    "",
    "A registry may keep a transparency log, which shows every code that an expression ever had. The page of a concept, or",
    "`srs log prove`, gives a proof, which is checked here without a network:",
    "",
    "       node node/log-proof.mjs PROOF KEY [EXPRESSION LANGUAGE [CODE]]",
    "       python3 python/log_proof.py PROOF [EXPRESSION LANGUAGE [CODE]]",
    "",
    "Node checks all of it: `KEY` is the verifier key of the log, from somewhere that you trust. Python's standard library has no",
    "Ed25519, so its program checks every hash, and not who signed: on its own it proves nothing about who made the log. Neither",
    "PowerShell nor a POSIX shell can check Ed25519, so their folders have no such program.",
  ];
}

function whatToDo({ scenario, placement, handling, recorded, never }: Recipe, fixtures: readonly Fixture[]): string[] {
  return [
    "## The scenario",
    "",
    scenario,
    "",
    ...bullets([`Before: ${placement.before}`, `At the boundary: ${placement.at}`, `After: ${placement.after}`]),
    "",
    "## What to do with each outcome",
    "",
    ACCEPTANCE_RULE,
    "",
    ...table(
      ["outcome", "what you do", "fixture"],
      FIXTURE_OUTCOMES.map((outcome) => [
        `\`${outcome}\``,
        handling[outcome],
        fixtures.find(({ id }) => id === outcome)?.title ?? "",
      ]),
    ),
    "",
    "The `record` of each fixture is what you write down after it.",
    "",
    "## What to record where",
    "",
    ...table(
      ["what", "where"],
      recorded.map(({ what, where }) => [what, where]),
    ),
    "",
    "## Never",
    "",
    ...bullets(never),
  ];
}

/** As a person and a program would have it, line by line. */
function wholeExchange({ sent, question, chosen, sentAgain, record }: ClarifiedExchange): string[] {
  const choices = question.choices.map(({ name, definition }) => `       - ${name}: ${definition}`);
  return [
    `## A whole exchange: ${sent.classification.outcome}`,
    "",
    "1. The program sends the person's words, and the classifier says:",
    "",
    json(sent.request),
    json(sent.classification),
    "",
    "2. The program reads each candidate's concept, asks once, and waits:",
    "",
    `       ${question.text}`,
    ...choices,
    `       - ${question.none}`,
    "",
    `3. The choice is made by ${chosen.by}: ${chosen.name}. The program sends an expression of that concept, and takes a code`,
    "   only from this answer:",
    "",
    json(sentAgain.request),
    json(sentAgain.classification),
    "",
    "4. What is recorded:",
    "",
    json(record),
    "",
  ];
}

function json(value: unknown): string {
  return `       ${JSON.stringify(value)}`;
}

function reference(view: View, { id }: Recipe): string[] {
  return [
    "## Exit codes",
    "",
    "The same in every language.",
    "",
    ...table(
      ["command", "code", "meaning"],
      Object.entries(exitCodes).flatMap(([command, codes]) =>
        codes.map(({ code, means }) => [`\`${command}\``, String(code), means]),
      ),
    ),
    "",
    "## Contents of this folder",
    "",
    ...table(
      ["path", "what it is"],
      [
        [
          "`python/`, `node/`, `powershell/`, `curl/`",
          "The client with its classifier and its proof, in four languages",
        ],
        ["`fixtures/`", "The six exchanges, each with its expected outcome"],
        [
          "`report.json`",
          `The classifier's results for them when the release was built; the same bytes as at ${urlOf(view, reportPath(id))}`,
        ],
        [
          "`registry-excerpt.ndjson`",
          "The published concepts that the fixtures show, one per line as in the public bundle",
        ],
        ["`instructions.txt`", "The operating rules for an agent or a program"],
        ["`tool.json`", "The provider-neutral tool definition"],
        ["`openapi.json`", "The one operation as OpenAPI 3.1"],
        ["`manifest.json`", "How to run each program, and a list of the files"],
        ["`SHA256SUMS`", "The digest of every other file"],
      ],
    ),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(head), row(head.map(() => "---")), ...rows.map(row)];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}

export function instructions(view: View, recipe: Recipe): string {
  const { placement, recorded, handling, never } = recipe;
  return textSections([
    [`Recipe ${recipe.id}: operating rules`, [
      recipe.purpose,
      `Service: ${view.origin}`,
      ...(view.about.scope === "" ? [] : [`Scope: ${view.about.scope}`]),
      `Registry version: ${view.readiness.registryVersion} (${view.readiness.status})`,
      "These rules grant no authorization, and neither does any answer of the service.",
    ]],
    ["Where the call is made", [
      `- Before: ${placement.before}`,
      `- At the boundary: ${placement.at}`,
      `- After: ${placement.after}`,
    ]],
    ["How to ask", [
      `POST ${urlOf(view, paths.resolve)}`,
      "Content-Type: application/json",
      inShort.minimumData,
      inShort.comparison,
      "Ask once. Do not follow redirects. Set a time limit for the whole call. After HTTP 429, wait as many seconds as Retry-After says.",
    ]],
    ["How to read the answer: the first rule that applies decides", [
      ACCEPTANCE_RULE,
      ...classifierRules.map(({ rule, when, outcome }) => `${rule}. ${when}: ${outcome}.`),
    ]],
    ["What to do then", bullets(FIXTURE_OUTCOMES.map((outcome) => `${outcome}: ${handling[outcome]}`))],
    ["What to record", bullets(recorded.map(({ what, where }) => `${what}: ${where}`))],
    ["Never", bullets(never)],
    ["More", [
      `${IDENTITY_IS_NO_PERMISSION}.`,
      `All rules: ${urlOf(view, paths.capabilities)}`,
    ]],
  ]); // prettier-ignore
}
