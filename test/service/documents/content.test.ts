/** Content: each fault is named with a remedy and leaves dist alone; equal content, equal bytes. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { folder, type Outcome, runHere } from "../../support/command.ts";
import { project } from "../../support/project.ts";
import { concept, expression, registryFiles } from "../../support/registry.ts";
import { said } from "../../support/review.ts";
import { filesIn, textsIn } from "../../support/files.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

const content = filesIn(path.join(project, "content"));
const registry = registryFiles({ concepts: [concept("A-1", [expression("en", "one"), expression("de", "eins")])] });

/** Files over the content of the package; `undefined` leaves one out, by an empty file. */
function changed(changes: Readonly<Record<string, string | Uint8Array | undefined>>): Files {
  return Object.fromEntries(Object.entries(changes).map(([name, bytes]) => [name, bytes ?? ""]));
}

function textOf(name: string): string {
  const bytes = content[name];
  if (bytes === undefined) throw new Error(`The project's content has no ${name}`);
  return Buffer.from(bytes).toString();
}

interface Place {
  readonly directory: string;
  readonly out: string;
}

/** A folder with a small registry and this content, and where its release goes. */
function place(files: Files, out?: string): Place {
  const named = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`content/${name}`, bytes]));
  const directory = folder({ ...registry, ...named });
  return { directory, out: out ?? path.join(directory, "dist") };
}

function argsOf({ directory, out }: Place): string[] {
  const folders = { registry: path.join(directory, "registry"), content: path.join(directory, "content"), out };
  return Object.entries({ ...folders, origin: "https://a.example" }).flatMap(([name, value]) => [`--${name}`, value]);
}

const build = (where: Place): Promise<Outcome> => said(fileSystem, ["build", ...argsOf(where)]);

let good: Place;
let before: Record<string, string>;
beforeAll(async () => {
  good = place(content);
  const { code, stderr } = await build(good);
  if (code !== 0) throw new Error(stderr);
  before = textsIn(good.out);
});

/** The files but those that tell the digest of the inputs, as they are. */
function withoutInputs(tree: Readonly<Record<string, string>>): Record<string, string> {
  const { "manifest.json": _m, ".well-known/service-semantics-deployment.json": _d, SHA256SUMS: _s, ...rest } = tree;
  return rest;
}

const ANSWER = "answers/10-what-is-it.md";
const OWN = "---\ntitle: Own\n---\n";
const SECOND = "answers/12-first-request.md";

interface Fault {
  readonly what: string;
  readonly changes: Readonly<Record<string, string | Uint8Array | undefined>>;
  /** What standard error must say: the file, what is wrong, and the remedy. */
  readonly says: readonly RegExp[];
}

const only = (name: string): Record<string, undefined> =>
  Object.fromEntries(Object.keys(content).flatMap((file) => (file.startsWith(name) ? [[file, undefined]] : [])));

const FAULTS: readonly Fault[] = [
  {
    what: "site.yaml is missing",
    changes: { "site.yaml": undefined },
    says: [/content\/site\.yaml: error file-missing/, /no regular file.*\. Write it/],
  },
  {
    what: "site.yaml is no YAML",
    changes: { "site.yaml": 'name: "x\nsecurity: [' },
    says: [/content\/site\.yaml: error yaml-syntax/, /at line \d+, column \d+/, /Fix the YAML at that place/],
  },
  {
    what: "site.yaml has a property that is not known",
    changes: { "site.yaml": `${textOf("site.yaml")}color: red\n` },
    says: [
      /content\/site\.yaml: error record-schema/,
      /has the unknown property "color"/,
      /See the fields in content\/README\.md/,
    ],
  },
  ...["2027-02-30T00:00:00Z", "2027-02-28T24:00:00Z"].map((time) => ({
    what: `the expiry is ${time}`,
    changes: { "site.yaml": textOf("site.yaml").replace(/expires: .*/, `expires: "${time}"`) },
    says: [/content\/site\.yaml#\/security\/expires: error site-time/],
  })),
  {
    what: "the expiry is no date",
    changes: { "site.yaml": textOf("site.yaml").replace(/expires: .*/, "expires: soon") },
    says: [/content\/site\.yaml#\/security\/expires: error site-time/, /"soon" is not a time/],
  },
  {
    what: "an answer has no front matter",
    changes: { [ANSWER]: "Only prose.\n" },
    says: [/content\/answers\/10-what-is-it\.md: error front-matter-missing/, /between two --- lines\. Write it/],
  },
  {
    what: "front matter is no YAML",
    changes: { [ANSWER]: "---\nid: [\n---\nProse.\n" },
    says: [/content\/answers\/10-what-is-it\.md: error yaml-syntax/, /Fix the YAML/],
  },
  {
    what: "front matter names a field twice, in the third line of the file",
    changes: { [ANSWER]: "---\nid: what-is-it\nid: what-is-it\n---\nProse.\n" },
    says: [/content\/answers\/10-what-is-it\.md: error yaml-syntax/, /at line 3, column 1: duplicated/],
  },
  {
    what: "site.yaml is two documents",
    changes: { "site.yaml": `${textOf("site.yaml")}---\nname: x\n` },
    says: [/content\/site\.yaml: error yaml-syntax/, /a single document .*\. Write one YAML document\./],
  },
  {
    what: "front matter lacks its fields, and has another",
    changes: { [ANSWER]: "---\nid: what-is-it\nautor: me\n---\nProse.\n" },
    says: [
      /content\/answers\/10-what-is-it\.md: error record-schema/,
      /has the unknown property "autor"/,
      /lacks the property "question"/,
      /lacks the property "evidence"/,
      /See the fields in content\/README\.md/,
    ],
  },
  {
    what: "an audience is not known",
    changes: { [ANSWER]: textOf(ANSWER).replace("audience: newcomer", "audience: everybody") },
    says: [
      /10-what-is-it\.md#\/audience: error record-schema/,
      /must be one of newcomer, agent, release, audit, vocabulary/,
    ],
  },
  {
    what: "two answers have one id",
    changes: { [SECOND]: textOf(SECOND).replace(/^id: .*/m, "id: what-is-it") },
    says: [
      /content\/answers\/12-first-request\.md: error id-taken/,
      /The id "what-is-it" is already the id of 10-what-is-it\.md\. Give it its own id/,
    ],
  },
  {
    what: "there are no answers",
    changes: { ...only("answers/"), "answers/.gitkeep": "" },
    says: [/content\/answers: error content-missing/, /no Markdown file in this folder\. Write one/],
  },
  {
    what: "there is no folder of sections",
    changes: only("reference/"),
    says: [/content\/reference: error content-missing/, /Write one/],
  },
  {
    what: "the guide is missing",
    changes: { "guides/mcp-guide.md": undefined },
    says: [/content\/guides\/mcp-guide\.md: error file-missing/, /Write it/],
  },
  {
    what: "an answer is not UTF-8",
    changes: { [ANSWER]: Buffer.from(`${textOf(ANSWER)}caf\u00E9\n`, "latin1") },
    says: [/content\/answers\/10-what-is-it\.md: error file-encoding/, /not UTF-8\. Save it as UTF-8/],
  },
  {
    what: "a template is not UTF-8",
    changes: { "pages/index.njk": Buffer.from(`${textOf("pages/index.njk")}caf\u00E9\n`, "latin1") },
    says: [/content\/pages\/index\.njk: error file-encoding/, /not UTF-8\. Save it as UTF-8/],
  },
  {
    what: "an asset is missing",
    changes: { "assets/site.css": undefined },
    says: [/content\/assets\/site\.css: error file-missing/, /Write it/],
  },
  {
    what: "a template is missing",
    changes: { "pages/answers.njk": undefined },
    says: [/content\/pages has no template for \/answers\.html: write it; nothing was written/],
  },
  {
    what: "the layout is missing",
    changes: { "_includes/page.njk": undefined },
    says: [/content\/pages cannot be rendered: .*page\.njk.*; nothing was written/],
  },
  {
    what: "a template is too many",
    changes: {
      "pages/index.njk":
        "---\npagination: { data: answers, size: 30 }\n" +
        "permalink: '{% if pagination.pageNumber %}extra{% else %}index{% endif %}.html'\n---\nx\n",
    },
    says: [/content\/pages produces \/extra\.html, which nothing serves: remove it; nothing was written/],
  },
  {
    what: "a page of one's own names what the build decides",
    changes: { "pages/extra.njk": "---\ntitle: Extra\npermalink: extra.html\n---\nExtra\n" },
    says: [/content\/pages\/extra\.njk: error record-schema/, /unknown property "permalink"/],
  },
  {
    what: "pages of one's own have names that they cannot have",
    changes: { "pages/mcp.md": OWN, "pages/Über.md": OWN, "pages/a.md": OWN, "pages/a.njk": OWN },
    says: [
      /pages\/mcp\.md: error page-name.*\n.*"mcp": the service uses it/,
      /pages\/Über\.md: error page-name/,
      /pages\/a\.njk: error id-taken.*\n.*a\.md is the same page/,
    ],
  },
  {
    what: "a template prints a name that there is not",
    changes: { "pages/index.njk": `${textOf("pages/index.njk")}{{ site.nmae }}\n` },
    says: [/content\/pages cannot be rendered: .*index\.njk.*undefined.*; nothing was written/],
  },
  {
    what: "prose has a placeholder that there is not",
    changes: { [ANSWER]: `${textOf(ANSWER)}At $ORGIN, or as \`$PATH\`.\n` },
    says: [/10-what-is-it\.md: error placeholder-unknown\n.*There is no \$ORGIN\. Write one/, /^1 error in/m],
  },
  {
    what: "front matter has a placeholder that there is not",
    changes: {
      "pages/about.njk": "---\ntitle: At $NOPE\n---\nx\n",
      [ANSWER]: textOf(ANSWER).replace(/ {2}- title: .*/, "  - title: See $ORGIN"),
      [SECOND]: textOf(SECOND).replace(/path: .*/, "path: /$ORIGIN"),
    },
    says: [
      /pages\/about\.njk: error placeholder-unknown\n.*There is no \$NOPE\./,
      /10-what-is-it\.md: error placeholder-unknown\n.*There is no \$ORGIN\./,
      /12-first-request\.md#\/evidence\/0\/path: error record-schema/,
    ],
  },
  {
    what: "a link leads to no page",
    changes: { "pages/about.md": `${OWN}[No](/nowhere)\n` },
    says: [/content\/pages\/about\.md links \/nowhere, which nothing serves: change the link; nothing was written/],
  },
  {
    what: "a link with the address of this service leads to no page",
    changes: { "site.yaml": `${textOf("site.yaml")}legal: [{ title: Imprint, href: "https://a.example/imprint" }]\n` },
    says: [/content\/site\.yaml links https:\/\/a\.example\/imprint, which nothing serves: change the link/],
  },
  {
    what: "a link leads to no place on its page",
    changes: { [ANSWER]: `${textOf(ANSWER)}[No](/mcp-guide#nowhere)\n` },
    says: [/content\/answers\/10-what-is-it\.md links \/mcp-guide#nowhere, which nothing serves/],
  },
  {
    what: "a link that is not ASCII leads to no place on its page",
    changes: { "pages/about.md": `${OWN}## Uber\n\n[No](#\u00FCber)\n` },
    says: [
      /pages\/about\.md links #%C3%BCber, which nothing serves: .* \{#\u00FCber\} after a heading of pages\/about\.md/,
    ],
  },
  {
    what: "a translated guide lacks an anchor that others lead to",
    changes: {
      "interface/ar.yaml": "language.name: x\n",
      "ar/guides/mcp-guide.md": `${OWN}## \u0641\u064A\u0644\n`,
    },
    says: [
      /48-identity-unavailable\.md links \/ar\/mcp-guide#identity-recovery, .* write \{#identity-recovery\} after a heading of ar\/guides\/mcp-guide\.md/,
    ],
  },
  {
    what: "two answers have one heading",
    changes: Object.fromEntries([ANSWER, SECOND].map((file) => [file, `${textOf(file)}\n### Again\n`])),
    says: [/12-first-request\.md gives \/answers\.html the anchor again twice: change the heading/],
  },
  {
    what: "a heading has the anchor of the layout",
    changes: { "pages/about.md": `${OWN}## Main\n` },
    says: [/content\/pages\/about\.md gives \/about\.html the anchor main twice: change the heading/],
  },
  {
    what: "site.yaml has colours that are none",
    changes: {
      "site.yaml": textOf("site.yaml").replace(
        /^name: [^]*?(?=security:)/m,
        'name: Own\ncolors: { ink: red, inc: "#000" }\n',
      ),
    },
    says: [
      /site\.yaml#\/colors: error record-schema\n.*unknown property "inc"/,
      /site\.yaml#\/colors\/ink: error record-schema/,
    ],
  },
  {
    what: "site.yaml has faults of its shape and others",
    changes: { "site.yaml": "name: ' Two'\npublihser: { name: x }\nsecurity: { contact: 'ftp://a', expires: 5 }\n" },
    says: [
      /site\.yaml: error record-schema\n.*unknown property "publihser"/,
      /site\.yaml#\/name: error site-text/,
      /site\.yaml#\/security\/contact: error site-address/,
      /site\.yaml#\/security\/expires: error record-schema(?![^]*site-time)/,
    ],
  },
  {
    what: "site.yaml has texts that are not one line of words, and addresses that are none",
    changes: {
      "site.yaml": textOf("site.yaml").replace(
        /^name: [^]*?(?=security:)/m,
        'name: "Two\\nlines"\ndescription: See https://x.example\ncontact: //x.example\nproposals: "/new?{text}&{expression}"\nlog: mailto:log@x.example\npublisher: { name: A, domain: Zoo.example }\nlegal: [{ title: A, href: "javascript:x" }]\n',
      ),
    },
    says: [
      /site\.yaml#\/name: error site-text-control-character/,
      /site\.yaml#\/description: error site-text\n.*an address in it/,
      /site\.yaml#\/contact: error site-address/,
      /site\.yaml#\/proposals: error site-proposals\n.*other braces/,
      /site\.yaml#\/log: error site-log\n.*is not where a log can be read/,
      /site\.yaml#\/publisher\/domain: error site-domain\n.*"Zoo\.example" is not a domain/,
      /site\.yaml#\/legal\/0\/href: error site-address\n.*"javascript:x" is not a path of this service/,
    ],
  },
  {
    what: "two templates give one page",
    changes: { "pages/coverage.njk": "---\npermalink: answers.html\n---\nOther\n" },
    says: [/content\/pages cannot be rendered: .*answers\.html.*; nothing was written/],
  },
  {
    what: "a template has a syntax error",
    changes: { "pages/index.njk": `${textOf("pages/index.njk")}{% if %}\n` },
    says: [/content\/pages cannot be rendered: .*index\.njk.*; nothing was written/],
  },
  {
    what: "a template uses a filter that there is not",
    changes: { "pages/index.njk": `${textOf("pages/index.njk")}{{ origin | sparkle }}\n` },
    says: [/content\/pages cannot be rendered: .*(?:index\.njk.*sparkle|sparkle.*index\.njk).*; nothing was written/],
  },
  {
    what: "a file is where a folder should be",
    changes: { guides: "x" },
    says: [/content\/guides: error folder-missing\n.*a file where a folder should be\. Move it away/, /^1 error/m],
  },
  {
    what: "an empty file has nothing to leave out",
    changes: { "answers/99-gone.md": "" },
    says: [/99-gone\.md: error front-matter-missing\n.*package has none of this name\. Delete it/],
  },
  ...[
    ["pages/about.njk", `${OWN}\n{{ site.nmae }}\n`, 5],
    ["pages/mcp-guide.njk", "---\nlayout: page.njk\npermalink: mcp-guide.html\n---\n{% if %}\n", 5],
  ].map(([file, template, line]) => ({
    what: `a fault has its line in the file: ${file}`,
    changes: { [String(file)]: String(template) },
    says: [new RegExp(`${file}.*\\[Line ${line}\\b`)],
  })),
  {
    what: "a template calls what is no function",
    changes: { "pages/mcp-guide.njk": `${textOf("pages/mcp-guide.njk")}{{ guide.nothing() }}\n` },
    says: [/content\/pages cannot be rendered: .*mcp-guide\.njk.*; nothing was written/],
  },
  {
    what: "the shell has no empty main",
    changes: { "_includes/page.njk": textOf("_includes/page.njk").replace('<main id="main"', '<main id="m"') },
    says: [/content\/pages\/shell\.njk cannot be filled: The shell has no <main id="main">.*; nothing was written/],
  },
  {
    what: "a style has no nonce",
    changes: { "_includes/page.njk": textOf("_includes/page.njk").replace("<link nonce rel", "<link rel") },
    says: [
      /content\/pages produces \/answers\.html, .* with a style or script that has no nonce: .*; nothing was written/,
    ],
  },
  {
    what: "a script has no nonce",
    changes: { "_includes/page.njk": textOf("_includes/page.njk").replace("<script nonce type", "<script type") },
    says: [
      /content\/pages produces \/answers\.html, .* with a style or script that has no nonce: .*; nothing was written/,
    ],
  },
  {
    what: "evidence is at another origin",
    changes: { [ANSWER]: textOf(ANSWER).replace(/path: .*/, "path: //other.example/x") },
    says: [/10-what-is-it\.md#\/evidence\/0\/path: error record-schema/],
  },
  {
    what: "an answer takes an anchor of the page",
    changes: { [ANSWER]: textOf(ANSWER).replace("id: what-is-it", "id: main") },
    says: [/content\/answers: error id-taken/, /The id "main" is already an anchor of the pages/],
  },
  {
    what: "the front matter of a template is no YAML",
    changes: { "pages/index.njk": "---\npermalink: [\n---\nx\n" },
    says: [/content\/pages cannot be rendered: .*index\.njk.*; nothing was written/],
  },
];

describe("a build of content with a fault", () => {
  it.each(FAULTS)("says so and leaves dist as it was: $what", async ({ changes, says }) => {
    const faulty = place(changed(changes), good.out);
    const { code, stdout, stderr } = await build(faulty);
    expect([code, stdout]).toEqual([1, ""]);
    for (const pattern of says) expect(stderr).toMatch(pattern);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    expect(stderr).not.toMatch(/node_modules|\.ts:\d+|^\w*Error:/m);
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/nothing was written$/);
    expect(textsIn(faulty.out)).toEqual(before);
    expect(readdirSync(good.directory).sort()).toEqual(["content", "dist", "registry"]);
    expect(readdirSync(faulty.directory).sort()).toEqual(["content", "registry"]);
  });

  it("lists every finding, of content and registry alike", async () => {
    const wrong = { "site.yaml": undefined, [ANSWER]: "x", "assets/site.js": undefined, "assets/icon.svg": undefined };
    const faulty = place(changed(wrong), good.out);
    const records = path.join(faulty.directory, "registry/concepts/test");
    cpSync(path.join(records, "A-1.yaml"), path.join(records, "B-1.yaml"));
    const { code, stderr } = await build(faulty);
    expect(code).toBe(1);
    for (const file of Object.keys(wrong)) expect(stderr).toContain(`content/${file}: error `);
    expect(stderr).toMatch(/4 errors in .*content: nothing was written/);
    expect(stderr).toMatch(/errors? in .*registry: nothing was written/);
    expect(textsIn(faulty.out)).toEqual(before);
  });

  it.each(["site.yaml", "pages/index.njk"])("writes no dist where there was none: no %s", async (name) => {
    const faulty = place(changed({ [name]: undefined }));
    expect(await build(faulty)).toMatchObject({ code: 1, stdout: "" });
    expect(existsSync(faulty.out)).toBe(false);
  });

  it("ignores files that are not content: drafts and backups", async () => {
    const drafts = { "answers/.draft.md": "x", "assets/.DS_Store": "x", "answers/notes.txt": "x" };
    const fine = place({ ...drafts, "pages/.old.njk": "---\npermalink: old.html\n---\n" });
    expect(await build(fine)).toMatchObject({ code: 0, stderr: "" });
    expect(withoutInputs(textsIn(fine.out))).toEqual(withoutInputs(before));
  });
});

describe("a folder over the content of the package", () => {
  const differing = (made: Readonly<Record<string, string>>): string[] =>
    Object.keys({ ...before, ...made }).filter((name) => made[name] !== before[name]);

  it("is whole with site.yaml alone: every page has the name", async () => {
    const own = place({ "site.yaml": textOf("site.yaml").replace(/^name: .*/m, "name: My words") });
    expect(await build(own)).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(path.join(own.out, "index.html"), "utf8")).toContain("My words");
    const pages = differing(textsIn(own.out)).filter((name) => name.endsWith(".html"));
    expect(pages).toEqual(Object.keys(before).filter((name) => name.endsWith(".html")));
  });

  it("gives the bytes of the package's own where it is a copy, or empty", async () => {
    expect(differing(textsIn(good.out))).toEqual([]);
    const none = place({});
    mkdirSync(path.join(none.directory, "content"));
    expect(await build(none)).toMatchObject({ code: 0, stderr: "" });
    expect(differing(textsIn(none.out))).toEqual([]);
  });

  it("links to every document of the release, linked data included", async () => {
    const documents = Object.keys(before).filter((name) => /\.(?:ttl|jsonld|ndjson|zip|json)$|\/void$/.test(name));
    const served = documents.filter((name) => !["manifest.json", "mcp.json", "interface.json"].includes(name));
    const links = served.map((name) => `[${name}](/${name.replace(/(?<=^(?:api|registry)\/.*)\/index\.json$/, "")})`);
    const own = place({ "pages/own.md": `${OWN}${links.join(" ")}\n` });
    expect(await build(own)).toMatchObject({ code: 0, stderr: "" });
    expect(await said(fileSystem, ["verify", "--out", own.out])).toMatchObject({ code: 0 });
    expect(served).toEqual(expect.arrayContaining(["registry/concepts.ttl", ".well-known/void"]));
  });

  it("links to the identifier that a concept has at the host of the service", async () => {
    const own = place({ "pages/own.md": `${OWN}[It](https://a.example/id/one)\n` });
    const provenance = { source: "x", license: "CC0-1.0", sourceId: "https://a.example/id/one", reviewedBy: null, reviewedAt: null }; // prettier-ignore
    const concepts = [concept("A-1", [expression("en", "one")], { provenance })];
    for (const [name, text] of Object.entries(registryFiles({ concepts })))
      writeFileSync(path.join(own.directory, name), text);
    expect(await build(own)).toMatchObject({ code: 0, stderr: "" });
    expect(await said(fileSystem, ["verify", "--out", own.out])).toMatchObject({ code: 0, stderr: "" });
  });

  it("names addresses of the service in a question, in a title and as a pattern", async () => {
    const own = place({
      "answers/99-own.md":
        "---\nid: own\nquestion: What is at $ORIGIN/openapi.json?\naudience: newcomer\nevidence: [{ title: It, path: /openapi.json }]\n---\nSee `$ORIGIN/api/v1/concepts/{code}`.\n",
      "reference/99-own.md":
        "---\nid: own\ntitle: The bundle at $ORIGIN/registry/bundle.ndjson\narea: registry\n---\nIt.\n",
    });
    expect(await build(own)).toMatchObject({ code: 0, stderr: "" });
    expect(await said(fileSystem, ["verify", "--out", own.out])).toMatchObject({ code: 0, stderr: "" });
  });

  it("leaves out what it has as an empty file", async () => {
    const own = place({ [SECOND]: "" });
    expect(await build(own)).toMatchObject({ code: 0, stderr: "" });
    const text = readFileSync(path.join(own.out, "answers.md"), "utf8");
    expect([text.includes("#what-is-it"), text.includes("#first-request")]).toEqual([true, false]);
  });
});

describe("the same content", () => {
  // Assets are published as they are, under the digest of their bytes, so their line ends are
  // theirs.
  it("gives the same bytes with line ends of CRLF", async () => {
    const names = Object.keys(content).filter((name) => !name.startsWith("assets/"));
    expect(names.length).toBeGreaterThan(20);
    const crlf = Object.fromEntries(names.map((name) => [name, textOf(name).replaceAll("\n", "\r\n")]));
    const other = place(changed(crlf));
    expect(await build(other)).toMatchObject({ code: 0, stderr: "" });
    expect(withoutInputs(textsIn(other.out))).toEqual(withoutInputs(before));
  });

  const elsewhere = (name: string): Place => {
    const directory = path.join(realpathSync(folder({})), name);
    for (const part of ["content", "registry"]) {
      cpSync(path.join(good.directory, part), path.join(directory, part), { recursive: true });
    }
    return { directory, out: path.join(directory, "dist") };
  };

  it("A18: gives the same bytes in a folder of any name", async () => {
    const other = elsewhere("deep/er with a space/größer (round) {curly,braces}/node_modules/x");
    expect(await build(other)).toMatchObject({ code: 0, stderr: "" });
    expect(textsIn(other.out)).toEqual(before);
  });

  it("A18: gives the same bytes from the folder of the templates", async () => {
    const other = elsewhere("x");
    const cwd = path.join(project, "content/pages");
    expect(await runHere(["build", ...argsOf(other)], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect(textsIn(other.out)).toEqual(before);
  });

  // In other surroundings: test/tools/publish/reproducible.test.ts.
  it("A18: gives the same bytes again over an existing dist", async () => {
    expect(await build(good)).toMatchObject({ code: 0, stderr: "" });
    expect(textsIn(good.out)).toEqual(before);
  });

  it("prints nothing about the speed of its templates, however slow the machine is", async () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 5));
    const printed = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect((await build(place(content))).code).toBe(0);
    expect(printed.mock.calls).toEqual([]);
    vi.restoreAllMocks();
  });
});
