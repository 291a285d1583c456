/** The text of a proposal form becomes a record that waits for review. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { expect, it } from "vitest";
import { folder, runHere } from "../../support/command.ts";
import { namesIn } from "../../support/files.ts";
import { project } from "../../support/project.ts";

const scaffold = path.join(project, "generator/tools/vocabulary/begin/files");
const form = load(readFileSync(path.join(scaffold, "proposal-form.yaml"), "utf8")) as {
  body: { attributes: { label: string } }[];
};

const VALUES: Readonly<Record<string, string>> = {
  Name: "Lost luggage",
  Definition: 'Luggage that\nnobody "finds": {{ x }}.',
  Domain: "travel",
  Language: "pt-BR",
  Expressions: "bagagem extraviada\r\nmala perdida",
  Source: "_No response_",
};

/** As GitHub writes the text of an issue that the form made. */
function body(values: Readonly<Record<string, string>> = {}): string {
  const all = { ...VALUES, ...values };
  return form.body.map(({ attributes: { label } }) => `### ${label}\n\n${all[label] ?? ""}`).join("\n\n");
}

async function propose(text: string | Uint8Array) {
  const home = folder({});
  writeFileSync(path.join(home, "proposal.md"), text);
  expect((await runHere(["init", path.join(home, "words"), "--yes"])).code).toBe(0);
  const registry = path.join(home, "words/registry");
  const edited = readFileSync(path.join(registry, "registry.yaml"), "utf8").replace(/^languages: .*/m, "languages: [de, de-Latn, en, fr, pt]"); // prettier-ignore
  writeFileSync(path.join(registry, "registry.yaml"), edited);
  const said = await runHere(["propose", "--from", path.join(home, "proposal.md"), "--registry", registry]);
  return { ...said, registry, names: namesIn(path.join(registry, "concepts")) };
}

it("writes a record that passes, whose expressions nobody gets before review", async () => {
  const { code, stdout, stderr, registry, names } = await propose(body());
  expect([code, stderr]).toEqual([0, ""]);
  const [, name = ""] = names;
  expect([stdout, name]).toEqual([`Wrote ${registry}/concepts/${name}\n`, expect.stringMatching(/^travel\/C-[0-9A-Z]+\.yaml$/)]); // prettier-ignore
  expect(load(readFileSync(path.join(registry, "concepts", name), "utf8"))).toMatchObject({
    name: "Lost luggage",
    definition: 'Luggage that nobody "finds": {{ x }}.',
    domain: "travel",
    provenance: null,
    expressions: [
      {
        language: "pt",
        locale: "pt-BR",
        expression: "bagagem extraviada",
        type: "preferred",
        reviewStatus: "in_review",
      },
      { language: "pt", locale: "pt-BR", expression: "mala perdida", type: "alternate", reviewStatus: "in_review" },
    ],
  });
  expect((await runHere(["lint", "--registry", registry])).stdout).toMatch(/^0 errors/);
  expect((await runHere(["review", "--list", "--registry", registry])).stdout).toContain("mala perdida");
});

it("repairs what nobody sees in an issue, and says so", async () => {
  const Expressions = "bagagem extraviada \r\n  mala  perdida\t\n \nmala sumida\u00A0\nPerda de bagagem";
  const { code, stdout, registry, names } = await propose(body({ Expressions }));
  expect(code).toBe(0);
  expect(stdout.split("\n").slice(0, -2)).toEqual([
    'Repaired "bagagem extraviada " to "bagagem extraviada": spaces or composition that nobody sees',
    'Repaired "  mala  perdida\\t" to "mala perdida": spaces or composition that nobody sees',
    'Repaired "mala sumida\\u{A0}" to "mala sumida": spaces or composition that nobody sees',
  ]);
  const record = load(readFileSync(path.join(registry, "concepts", names[1] ?? ""), "utf8")) as { expressions: { expression: string }[] }; // prettier-ignore
  const texts = ["bagagem extraviada", "mala perdida", "mala sumida", "Perda de bagagem"];
  expect(record.expressions.map(({ expression }) => expression)).toEqual(texts);
});

it("parts a tag with a script as an import does", async () => {
  const { registry, names } = await propose(body({ Language: "de-Latn-AT" }));
  const record = load(readFileSync(path.join(registry, "concepts", names[1] ?? ""), "utf8"));
  expect(record).toMatchObject({ expressions: [{ language: "de-Latn", locale: "de-Latn-AT" }, {}] });
});

it.each([
  ["other headings", "### Name\n\nx", /^The proposal does not have the headings Name, Definition, /],
  ["a heading twice", body({ Definition: "x\n### Domain\n\ny" }), /^The proposal does not have the headings /],
  ["nothing in a field", body({ Expressions: "_No response_" }), /^The proposal has nothing under Expressions/],
  ["a path for a domain", body({ Domain: "../../.github" }), /^The domain "\.\.\/\.\.\/\.github" is not in lower case/],
  ["a domain that no file can be named after", body({ Domain: "d".repeat(250) }), /^The domain is too long/],
  ["a language of another registry", body({ Language: "ja" }), /language-not-admitted/],
  ["a text that could not be matched", body({ Expressions: "a\u0000b" }), /expression-control-character/],
  ["another encoding", Buffer.from(body({ Definition: "d\u00E9" }), "latin1"), /proposal\.md is not UTF-8: /],
  ["too many expressions", body({ Expressions: "x\n".repeat(51) }), /^The proposal has more than 50 expressions/],
] satisfies [string, string | Uint8Array, RegExp][])(
  "refuses a text with %s and writes nothing",
  async (...[, text, message]) => {
    const { code, stderr, names } = await propose(text);
    expect([code, stderr, names]).toEqual([1, expect.stringMatching(message), ["example/C-7KQ2MX.yaml"]]);
  },
);

interface Workflow {
  readonly jobs: Readonly<Record<"record" | "propose", { readonly permissions: object; readonly steps: object[] }>>;
}

it("the workflow pins its actions by digest, and lets no job that reads the issue write", () => {
  const text = readFileSync(path.join(scaffold, "proposal-workflow.yaml"), "utf8");
  const uses = [...text.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
  expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  const { jobs } = load(text) as Workflow;
  expect(jobs.record.permissions).toEqual({ contents: "read" });
  expect(JSON.stringify(jobs.propose)).not.toMatch(/issue\.(?:body|title)|npm|npx/);
});

it("the workflow takes records alone, below the folder that service.yaml names", () => {
  const [{ jobs }, { registry }] = ["proposal-workflow.yaml", "service.yaml"].map((name) => load(readFileSync(path.join(scaffold, name), "utf8"))) as [Workflow, { registry: string }]; // prettier-ignore
  expect(jobs.propose.steps.at(-1)).toMatchObject({
    run: expect.stringContaining('git apply --include="$REGISTRY/concepts/*" --index') as string,
    env: { REGISTRY: registry },
  });
});

it.each([
  [["propose", "--from", "nowhere.md"], {}, "--from nowhere.md is not a file"],
  [["propose"], {}, "--from FILE is needed"],
  [["store", "push"], { STORE_URL: "u:secret@x" }, "STORE_URL is not redis://host:port, or several"],
  [["store", "push", "--to", "https://x/"], {}, "--to is not redis://host:port, or several"],
  [["store", "push"], {}, "--to or STORE_URL is needed: redis://host:port, or several"],
])("%j says what is wrong with what it is given", async (args, env, message) => {
  const { code, stderr } = await runHere(args, { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).not.toContain("secret");
});
