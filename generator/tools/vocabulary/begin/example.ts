/**
 * The example concept and the retired code that `init` writes: a release would keep them forever,
 * so they must be gone from a registry before its first one.
 */
import path from "node:path";
import { type Effects, readTextIfFile } from "../../../effects/effects.ts";
import { RETIRED_FILE, type RegistrySource } from "../../../registry/read.ts";
import { errorAt, type Finding, locationOf } from "../../../text/finding.ts";
import { FILES } from "./scaffold.ts";

/** An error for each example that is left; one is a concept of its own with other texts. */
export function examplesLeft(effects: Effects, { concepts, retired }: RegistrySource): Finding[] {
  const [concept, code] = ["concept.yaml", "retired.yaml"].map((file) =>
    readTextIfFile(effects, path.join(FILES, file)),
  );
  const found = concepts.filter(({ record }) => isFrom(concept, record));
  return [
    ...found.map((one) => left(one.record.code, { ...locationOf(one), remedy: "Replace it by a concept of your own" })),
    ...retired
      .filter((record) => isFrom(code, record))
      .map((record) => left(record.code, { file: RETIRED_FILE, remedy: "Remove it, or replace it by one of yours" })),
  ];
}

interface Texts {
  readonly code: string;
  readonly name?: string;
  readonly definition?: string | null;
}

/** Whether a record has the code of the file and still a text of it, which is in quotes there. */
function isFrom(text = "", { code, name, definition }: Texts): boolean {
  const texts = [name, definition].filter((one) => typeof one === "string");
  return text.includes(`code: ${code}\n`) && texts.some((one) => text.includes(JSON.stringify(one)));
}

function left(code: string, { remedy, ...place }: { file: string; remedy: string }): Finding {
  const text = `${code} is the example that init wrote, and a release would keep it`;
  return errorAt(place, "", { rule: "example-left", text, remedy });
}
