/** The fields that the API reference lists: each has a sentence. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { noteOf } from "../../../generator/documents/field-notes.ts";
import { project } from "../../support/project.ts";

const pages = path.join(project, "test/golden/dist/api-reference");

it.each(readdirSync(pages))("says in a sentence what each field is: %s", (page) => {
  const text = readFileSync(path.join(pages, page), "utf8");
  const rows = [...text.matchAll(/<li><code>[^<]*<\/code> <span class="note">[^<]*<\/span>(.*)<\/li>/g)];
  const tables = [...text.matchAll(/<summary>Fields of the /g)];
  expect(rows.length).toBeGreaterThanOrEqual(tables.length);
  for (const [row, note = ""] of rows) expect.soft([row, /^<br>\S.{8,}/.test(note)]).toEqual([row, true]);
});

it("takes the longest end of a name that has a sentence", () => {
  expect(noteOf("ResolveEnvelope", "data.confidence")).toMatch(/null if abstained/);
  expect(noteOf("ConceptDetail", "renderings[].confidence")).toMatch(/as recorded/);
  expect(noteOf("Linkset", "linkset[].item[].title")).toBe("Its title.");
  expect(noteOf("StatusEnvelope", "data")).not.toBe(noteOf("ResolveEnvelope", "data"));
});

it("refuses a field without a sentence, and names the place to write it", () => {
  expect(() => noteOf("Status", "data.unheardOf")).toThrow(/Status\.data\.unheardOf .*documents\/field-notes\.ts/);
});
