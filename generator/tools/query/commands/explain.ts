/** `explain`: says which rule allowed or stopped a resolution. */
import path from "node:path";
import { answerRequest } from "../../../../runtime/registry/answer.ts";
import { explain, formatExplanation } from "../explanation.ts";
import { type Past, readPast } from "../../../promise/past.ts";
import { readRegistry, REGISTRY_FILE } from "../../../registry/read.ts";
import type { ConceptRecord } from "../../../registry/record.ts";
import { UsageError } from "../../../text/usage-error.ts";
import { defineCommand, type Outside } from "../../../commands/command.ts";
import { JSON_FLAG, LANGUAGE, BUILT, REGISTRY, requireDirectory, withGiven } from "../../../commands/options.ts";
import { expressionOf } from "./resolve.ts";
import { withRelease } from "../../../commands/with-release.ts";

/** Exit code 0 for an explanation; 1 for a request that is refused before any rule applies. */
export const command = defineCommand({
  usage: '"<expression>" [--language TAG]',
  does: "Says which rule allowed or stopped a resolution.",
  options: {
    out: withGiven(BUILT),
    registry: withGiven({
      ...REGISTRY,
      help: "the registry it was built from, for what is not published (registry, if it exists)",
    }),
    language: LANGUAGE,
    json: JSON_FLAG,
  },
  takesArguments: true,
  run({ effects, console }, { out, registry, language, json }, args) {
    const request = { expression: expressionOf("explain", args), language };
    return withRelease(out.value, (release) => {
      const answer = answerRequest(release.index, request);
      if (!answer.ok) {
        console.print(`Refused (${answer.problem.code}): ${answer.problem.message}`);
        return 1;
      }
      const source = out.isGiven && !registry.isGiven ? undefined : readSource(effects, registry);
      const past = (): Past => readPast({ name: out.value, index: release.index, documents: release.documents });
      const explanation = explain(release.index, request, { source, past });
      if (json) console.print(JSON.stringify(explanation, null, 2), "data");
      else console.print(formatExplanation(explanation, language));
      return 0;
    });
  },
});

/** Only the source has the records that are not published; it may be missing. */
function readSource(
  effects: Outside["effects"],
  { value: directory, isGiven }: { readonly value: string; readonly isGiven: boolean },
): ConceptRecord[] | undefined {
  if (isGiven) requireDirectory(effects, "registry", directory);
  if (effects.kind(path.join(directory, REGISTRY_FILE)) !== "file") {
    if (isGiven) throw new UsageError(`--registry ${directory} has no ${REGISTRY_FILE}`);
    return undefined;
  }
  return readRegistry(effects, directory, () => undefined).concepts.map(({ record }) => record);
}
