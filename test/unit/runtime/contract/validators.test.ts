/** The compile step writes the runtime's validators, which Ajv prints from its shapes. */
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { printValidators } from "../../../../generator/contract/validators.ts";
import { inputs } from "../../../../runtime/contract/inputs.ts";
import { validators } from "../../../../runtime/contract/validators.js";
import { project } from "../../../support/project.ts";

const written = fs.readFileSync(path.join(project, "lib/runtime/contract/validators.js"), "utf8");

it("writes one validator for each shape, the same in every compile", () => {
  expect(Object.keys(validators)).toEqual(Object.keys(inputs));
  expect(printValidators()).toBe(written);
});

it("writes code that imports nothing of Ajv, and that no host need compile from text", () => {
  expect(written).not.toMatch(/require\(|\beval\b|\bFunction\(|\bimport\b(?! \{ countCodePoints)/);
});
