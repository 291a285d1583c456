/** Ajv gives the runtime's validators for its shapes; UPDATE_GOLDEN=1 writes them. */
import fs from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { expect, it } from "vitest";
import { inputs } from "../../../../runtime/contract/inputs.ts";

const FILE = path.resolve(import.meta.dirname, "../../../../runtime/contract/validators.ts");

const HEAD = `/**
 * The validators of everything that the runtime reads, which Ajv generates from inputs.ts: a server
 * need not load Ajv, and a host that forbids code from text can run them. Do not edit: change
 * inputs.ts, then \`UPDATE_GOLDEN=1 npm run test:unit\`.
 */
// @ts-nocheck: it is JavaScript.
import { countCodePoints } from "../text/expression.ts";
`;

/** The first violation decides what a caller is answered, so the code ends at it. */
function printValidators(): string {
  const ajv = new Ajv2020({
    strict: true,
    validateFormats: false,
    // A line for each statement, because people read it.
    code: { source: true, esm: true, lines: true },
    schemas: Object.entries(inputs).map(([name, schema]) => ({ $id: name, ...schema })),
  });
  const code = standalone.default(ajv, Object.fromEntries(Object.keys(inputs).map((name) => [name, name])));
  // The only import of Ajv's own; it counts code points, as the service does.
  const counted = code.replaceAll('require("ajv/dist/runtime/ucs2length").default', "countCodePoints");
  return HEAD + counted.replace('"use strict";', "");
}

it("writes the validators of the runtime, to the letter", () => {
  const code = printValidators();
  if (process.env["UPDATE_GOLDEN"] === "1") fs.writeFileSync(FILE, code);
  expect(code).not.toMatch(/require\(|\bimport\b(?! \{ countCodePoints)/);
  expect(fs.readFileSync(FILE, "utf8")).toBe(code);
});
