/** registry/README.md names exactly the rules of the checks, and its example passes them. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkFiles } from "../support/registry.ts";

const readme = readFileSync("registry/README.md", "utf8");

it("registry/README.md names every rule", () => {
  const folders = ["generator/registry", "generator/promise", "generator/tools/vocabulary/release"];
  const code = folders.flatMap((folder) =>
    readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8")),
  );
  const rules = [
    ...code.join("\n").matchAll(/rule: (?:"([a-z-]+)"|`\$\{subject\}-([a-z-]+)`)|report\("([a-z-]+)"/g),
  ].map(([, plain, subject, reported]) => plain ?? reported ?? `-${subject}`);
  expect(rules.length).toBeGreaterThan(30);
  const named = (rule: string): boolean =>
    rule.startsWith("-")
      ? readme.includes(`\`${rule.slice(1)}\``) || readme.includes(rule)
      : readme.includes(`\`${rule}\``);
  // Front matter is what prose has; content/README.md names it.
  expect([...new Set(rules)].filter((rule) => rule !== "front-matter-missing" && !named(rule))).toEqual([]);
});

it("registry/README.md shows a record that passes", () => {
  const [, record = ""] = /```yaml\n(code: [\s\S]*?)```/.exec(readme) ?? [];
  expect(checkFiles({ concepts: [], files: { "registry/concepts/support/C-DFM7YZ.yaml": record } }).findings).toEqual(
    [],
  );
});
