/** `npm run resolve -- "<expression>" [--language TAG]`: the resolver without a server; prints the same JSON. */
import { formatProblem } from "../../runtime/contract/problem.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { answerRequest } from "../../runtime/registry/answer.ts";
import type { Console } from "../effects/effects.ts";
import { type Options } from "./options.ts";
import { UsageError } from "../text/usage-error.ts";

/** Exit code 0 for an answer, resolved or abstained; 1 for a refused request. */
export function runResolve(console: Console, options: Options): number {
  const { expression, language } = readExpression(options);
  const release = openRelease(options.out);
  try {
    const { text, code } = answerOffline(release.index, { expression, language });
    console.print(text);
    return code;
  } finally {
    release.close();
  }
}

/** What the command prints for a request, and its exit code. */
export function answerOffline(index: RegistryIndex, request: unknown): { text: string; code: 0 | 1 } {
  const answer = answerRequest(index, request);
  return answer.ok ? { text: answer.envelope, code: 0 } : { text: formatProblem(answer.problem).trimEnd(), code: 1 };
}

export function readExpression(options: Options): { expression: string; language: string | undefined } {
  const [expression, ...others] = options.positionals;
  if (expression === undefined) throw new UsageError('Name the expression: npm run resolve -- "refund request"');
  if (others.length > 0) throw new UsageError("Name one expression: put it in quotes when it has spaces");
  return { expression, language: options.language };
}
