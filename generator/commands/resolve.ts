/** `resolve`: the answer of the service without the service, to the byte. */
import { formatProblem } from "../../runtime/contract/problem.ts";
import { answerRequest } from "../../runtime/registry/answer.ts";
import type { RegistryIndex } from "../../runtime/registry/index.ts";
import { openRelease } from "../../runtime/release/release.ts";
import { UsageError } from "../text/usage-error.ts";
import { defineCommand } from "./command.ts";
import { invocation } from "../text/invocation.ts";
import { LANGUAGE, OUT } from "./options.ts";

/** Exit code 0 for an answer, resolved or abstained; 1 for a request that is refused. */
export const command = defineCommand({
  usage: '"<expression>" [--language TAG]',
  does: "Resolves offline: same resolver, same JSON as POST /api/v1/resolve.",
  options: { out: OUT, language: LANGUAGE },
  takesArguments: true,
  run({ console }, { out, language }, args) {
    const expression = expressionOf(args);
    const release = openRelease(out);
    try {
      const { text, code } = answerOffline(release.index, { expression, language });
      console.print(text);
      return code;
    } finally {
      release.close();
    }
  },
});

/** What the command prints for a request, and its exit code. */
export function answerOffline(index: RegistryIndex, request: unknown): { text: string; code: 0 | 1 } {
  const answer = answerRequest(index, request);
  return answer.ok ? { text: answer.envelope, code: 0 } : { text: formatProblem(answer.problem).trimEnd(), code: 1 };
}

/** The one argument. */
export function expressionOf([expression, ...others]: readonly string[]): string {
  if (expression === undefined)
    throw new UsageError(`Name the expression: ${invocation("resolve", '"refund request"')}`);
  if (others.length > 0) throw new UsageError("Name one expression: put it in quotes when it has spaces");
  return expression;
}
