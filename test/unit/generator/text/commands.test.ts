/** package.json has the scripts that the table of commands says, and no others of a command. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COMMANDS, scriptOf } from "../../../../generator/text/commands.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const RUNS = /^node generator\/compile\.js && (exec )?node (?:--\S+ )*lib\/generator\/main\.js (\S+)$/;

it("package.json runs every command by its script, and one that lasts replaces the shell", () => {
  const found = Object.entries(scripts).flatMap(([script, line]) => {
    const [, exec, name] = RUNS.exec(line) ?? [];
    return name === undefined ? [] : [{ script, name, lasting: exec !== undefined }];
  });
  const said = Object.entries(COMMANDS).map(([name, { lasting = false }]) => ({
    script: scriptOf(name),
    name,
    lasting,
  }));
  expect(found).toEqual(said);
});
