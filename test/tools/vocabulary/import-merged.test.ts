import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { folder, runHere } from "../../support/command.ts";
import { registryFiles } from "../../support/registry.ts";
import { textsIn } from "../../support/files.ts";

const NAMES = ["birds", "cars"] as const;
type Name = (typeof NAMES)[number];

/** What an import of a table brings, in a branch of its own. */
async function brought(name: Name, table: string, ...more: string[]): Promise<{ lines: string; args: string[] }> {
  const directory = folder({ [`${name}.csv`]: table });
  const from = path.join(directory, `${name}.csv`);
  const args = [
    "import",
    "--format",
    "csv",
    "--from",
    from,
    "--language-columns",
    "en",
    "--domain",
    name,
    "--source",
    "Words",
  ];
  expect(await runHere([...args, "--into", path.join(directory, "own"), ...more])).toMatchObject({ code: 0 });
  return { lines: readFileSync(path.join(directory, `own/concepts/${name}.ndjson`), "utf8"), args };
}

/** The registry after both branches are merged: git sees no conflict. */
function merged(birds: string, cars: string): string {
  const files = { "registry/concepts/birds.ndjson": birds, "registry/concepts/cars.ndjson": cars };
  return path.join(folder({ ...registryFiles({ concepts: [] }), ...files }), "registry");
}

describe("an import into what two branches brought", () => {
  it("leaves two tables alone that have ids in common by chance", async () => {
    const birds = await brought("birds", "id,en\n1,sparrow\n");
    const cars = await brought("cars", "id,en\n1,bus\n");
    const into = merged(birds.lines, cars.lines);
    const before = textsIn(into, "utf8");
    for (const { args } of [birds, cars])
      expect(await runHere([...args, "--into", into])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("code-duplicate") as unknown,
      });
    expect(textsIn(into, "utf8")).toEqual(before);
  });

  it.each(NAMES)("keeps the reviews of a concept that both brought: those of %s", async (reviewed) => {
    const table = "id,en\nhttp://words.example/1,crane\n";
    const as = (name: Name): string => (name === reviewed ? "reviewed" : "in_review");
    const birds = await brought("birds", table, "--review-as", as("birds"));
    const cars = await brought("cars", table, "--review-as", as("cars"));
    for (const { args } of [birds, cars]) {
      const into = merged(birds.lines, cars.lines);
      expect(await runHere([...args, "--into", into])).toMatchObject({ code: 0 });
      const after = textsIn(into, "utf8");
      expect(Object.keys(after).filter((name) => name.startsWith("concepts/"))).toEqual([
        `concepts/${reviewed}.ndjson`,
      ]);
      expect(after[`concepts/${reviewed}.ndjson`]).toContain('"reviewStatus":"reviewed"');
    }
  });
});
