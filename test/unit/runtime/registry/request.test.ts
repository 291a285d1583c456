/** The hand-written check of a request says what the validator of its schema says. */
import { expect, it } from "vitest";
import { compileSchema } from "../../../../generator/text/compile-schema.ts";
import { ResolveRequest } from "../../../../runtime/contract/resolution.ts";
import { firstViolation } from "../../../../runtime/contract/validator.ts";
import { readRequest } from "../../../../runtime/registry/answer.ts";

const bySchema = compileSchema(ResolveRequest);
const VALUES = [
  undefined,
  null,
  7,
  true,
  "",
  "x",
  "😀".repeat(1000),
  "😀".repeat(1001),
  "y".repeat(35),
  "y".repeat(36),
  [],
  {},
];
const NAMES = ["language", "Expression", "x".repeat(40), "x".repeat(41), '"', "a/b~c", "__proto", "constructor"];

it("B11 O-26: refuses what the schema refuses, in the same words", () => {
  const members = NAMES.flatMap((name) => VALUES.map((value) => ({ [name]: value })));
  const requests: unknown[] = [...VALUES, ...members];
  for (const expression of VALUES) for (const member of [{}, ...members]) requests.push({ expression, ...member });
  for (const request of requests) {
    const reading = bySchema(request);
    // What a name may mean is said to people who edit files, not to callers.
    const violation = (): string => (reading.ok ? "" : firstViolation(reading.violations, "", "The request"));
    const expected = reading.ok ? reading.value : violation().replace(/ \(did you mean \w+\?\)$/, "");
    expect([request, readRequest(request)]).toEqual([request, expected]);
  }
});
