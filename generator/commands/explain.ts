/** `npm run explain -- "<expression>" [--language TAG]`: which rule stopped or allowed it. */
import { openRelease } from "../../runtime/release/release.ts";
import { answerRequest } from "../../runtime/registry/answer.ts";
import type { Console, Effects } from "../effects/effects.ts";
import { explain, formatExplanation } from "../registry/explain.ts";
import { type Options, requireDirectory } from "./options.ts";
import type { ConceptRecord } from "../registry/record.ts";
import { readRegistry } from "../registry/read.ts";
import { readExpression } from "./resolve.ts";

/** Exit code 0 for an explanation; 1 for a request that is refused before any rule applies. */
export function runExplain(effects: Effects, console: Console, options: Options): number {
  const { expression, language } = readExpression(options);
  const release = openRelease(options.out);
  try {
    const answer = answerRequest(release.index, { expression, language });
    if (!answer.ok) {
      console.print(`Refused (${answer.problem.code}): ${answer.problem.message}`);
      return 1;
    }
    const explanation = explain(release.index, { expression, language }, readSource(effects, options));
    console.print(options.json ? JSON.stringify(explanation, null, 2) : formatExplanation(explanation, language));
    return 0;
  } finally {
    release.close();
  }
}

/** The source tells what exists but is not published; it is optional, since a release stands by itself. */
function readSource(effects: Effects, { registry, given }: Options): ConceptRecord[] | undefined {
  if (given.has("registry")) requireDirectory(effects, "registry", registry);
  else if (given.has("out") || effects.kind(registry) !== "directory") return undefined;
  return readRegistry(effects, registry, () => undefined).concepts.map(({ record }) => record);
}
