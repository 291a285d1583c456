/**
 * Prints the module runtime/contract/validators.js, whose code Ajv writes from the shapes of
 * inputs.ts: a server need not load Ajv, and a host that forbids code from text can run it. The
 * compile step writes the module into lib/ (generator/compile.js); nothing else calls this.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { inputs } from "../../runtime/contract/inputs.ts";

/** What the code of a validator requires of Ajv; the service counts code points by itself. */
const COUNT = 'require("ajv/dist/runtime/ucs2length").default';

const HEAD = `/** Ajv wrote these validators from inputs.js (generator/contract/validators.ts). */
import { countCodePoints } from "../text/expression.js";
`;

/** The first violation decides what a caller is answered, so the code ends at it. */
export function printValidators(): string {
  const names = Object.keys(inputs);
  const ajv = new Ajv2020({
    strict: true,
    validateFormats: false,
    // A line for each statement, because people read it.
    code: { source: true, esm: true, lines: true },
    schemas: Object.entries(inputs).map(([name, schema]) => ({ $id: name, ...schema })),
  });
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const own = code.replace('"use strict";', "").replaceAll(COUNT, "countCodePoints");
  return `${HEAD}${own}\nexport const validators = { ${names.join(", ")} };\n`;
}
