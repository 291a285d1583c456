/**
 * What a kit says of its recipe: `README.md`, a person's first five minutes, and `instructions.txt`, what an agent or a program
 * does at the recipe's boundary.
 */
import { paths, reportPath } from "../../runtime/contract/policy.ts";
import { product } from "../../runtime/contract/product.ts";
import { type Fixture, FIXTURE_OUTCOMES } from "../contract/integration.ts";
import { ACCEPTANCE_RULE, IDENTITY_IS_NO_PERMISSION, inShort } from "../view/rules.ts";
import { bullets, textSections } from "../view/text.ts";
import { urlOf, type View } from "../view/view.ts";
import { classifierRules } from "./classifier.ts";
import { exitCodes, handoffs, LIVE_TIMEOUT_SECONDS } from "./handoffs.ts";
import type { Recipe } from "./recipes/recipe.ts";

export function readme(view: View, recipe: Recipe, fixtures: readonly Fixture[]): string {
  return lines([
    `# ${recipe.title}: an integration kit`,
    "",
    recipe.purpose,
    "",
    `Made for ${view.origin}, release ${product.packageVersion}, registry version ${view.readiness.registryVersion}. The programs in`,
    "this folder need nothing but their language. They send nothing unless you ask for it, and write nothing but what they print.",
    "",
    ...firstMinutes(view),
    "",
    ...whatToDo(recipe, fixtures),
    "",
    ...reference(view, recipe),
    "",
    "## What this kit is not",
    "",
    "The proof shows that a client judges six answers as it must. It does not show that a service is deployed, reachable or right,",
    `and it authorizes nothing. ${IDENTITY_IS_NO_PERMISSION}. The checksums detect change; they do not prove who published the kit.`,
  ]);
}

function firstMinutes({ origin }: View): string[] {
  return [
    "## The first five minutes",
    "",
    "1. Check that the files are the ones that were published:",
    "",
    "       sha256sum -c SHA256SUMS",
    "",
    "2. Run the proof in the language you use. It judges six fixed exchanges, without a network, and prints a line for each:",
    "",
    ...handoffs.map(({ prove }) => `       ${prove.join(" ")}`),
    "",
    "3. Look into `fixtures/`. Change one, run the proof again, and see it fail.",
    "",
    `4. When you are ready, make one live call, to ${origin} and nowhere else:`,
    "",
    ...handoffs.map(({ resolve }) => `       ${resolve.join(" ")} EXPRESSION [LANGUAGE]`),
    "",
    "   It prints one line of JSON: the outcome and, only when that is `resolved-valid`, `code` and `registryVersion`. It sends",
    `   the expression and the language and nothing else, once, and waits ${LIVE_TIMEOUT_SECONDS} seconds at most. It uses no proxy and follows no redirect.`,
    "",
    "   PowerShell itself may tell its maker that it was started; POWERSHELL_TELEMETRY_OPTOUT=1 in the environment stops that.",
    "",
    "5. Take the program of your language into your own code, with its classifier as it is.",
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
    "Each fixture has, as `record`, what you write down after it.",
    "",
    "## What is recorded where",
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
    "## What is in this folder",
    "",
    ...table(
      ["path", "what it is"],
      [
        ["`python/`, `node/`, `powershell/`, `curl/`", "The client with its classifier and its proof, four times"],
        ["`fixtures/`", "The six exchanges, and what must be made of each"],
        [
          "`report.json`",
          `What the classifier made of them when the release was built; the same bytes as at ${urlOf(view, reportPath(id))}`,
        ],
        [
          "`registry-excerpt.ndjson`",
          "The published concepts that the fixtures show, one a line as in the public bundle",
        ],
        ["`instructions.txt`", "The operating rules for an agent or a program"],
        ["`tool.json`", "The provider-neutral tool definition"],
        ["`openapi.json`", "The one operation as OpenAPI 3.1"],
        ["`manifest.json`", "How each program is run, and a list of the files"],
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
    ["Where the call stands", [
      `- Before: ${placement.before}`,
      `- At the boundary: ${placement.at}`,
      `- After: ${placement.after}`,
    ]],
    ["How to ask", [
      `POST ${urlOf(view, paths.resolve)}`,
      "Content-Type: application/json",
      inShort.minimumData,
      inShort.comparison,
      "Ask once. Follow no redirect. Set a time limit to the whole call. After HTTP 429, wait as many seconds as Retry-After says.",
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
