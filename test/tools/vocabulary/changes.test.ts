/**
 * What a release of the registry changed: recorded with it, published, read by a feed reader that
 * others wrote, and the same as what diff says of the two releases.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseFeed } from "@rowanmanning/feed-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { build, diff, openRelease, verify } from "../../../generator/api.ts";
import type { RegistryChanges } from "../../../generator/contract/changes.ts";
import { folder, runHere } from "../../support/command.ts";
import { project } from "../../support/project.ts";
import { type Copy, faultsAfter, swap, type Tampering } from "../../support/tamper.ts";

const ORIGIN = "https://registry.example";
const DOCUMENT = "/registry/changes/2026.12.1.json";
const home = folder({});
const at = (name: string): string => path.join(home, name);
const registry = at("registry");
const concepts = (name: string): string => path.join(registry, "concepts", name);

async function release(...args: string[]): Promise<void> {
  const { code, stderr } = await runHere(["release-registry", "--registry", registry, ...args]);
  expect([code, stderr]).toEqual([0, ""]);
}

function edit(name: string, from: string, to: string): void {
  const text = readFileSync(concepts(name), "utf8");
  expect(text).toContain(from);
  writeFileSync(concepts(name), text.replace(from, to));
}

async function buildTo(out: string): Promise<void> {
  expect(await build({ registry, out: at(out), origin: ORIGIN })).toEqual([]);
}

beforeAll(async () => {
  cpSync(path.join(project, "test/golden/registry"), registry, { recursive: true });
  const unchanged = 'code: G-3\nname: "Thanks"\ndefinition: "An utterance that thanks."\ndomain: greetings\nprovenance: null\nexpressions: []\n'; // prettier-ignore
  const thanks = '[{ language: en, expression: "thanks", type: preferred, equivalenceStrength: 1, reviewStatus: reviewed }]'; // prettier-ignore
  writeFileSync(concepts("greetings/G-3.yaml"), unchanged.replace("[]", thanks));
  await release("--version", "2026.11.1");
  await buildTo("before");
  edit("greetings/G-1.yaml", "opens a conversation", "begins a {{ talk }} <b>");
  edit("money/M-1.yaml", '"invoice"', '"bill"');
  edit("money/M-1.yaml", '"fatura"', '"tschüss"');
  mkdirSync(concepts("new"));
  writeFileSync(concepts("new/N-1.yaml"), readFileSync(concepts("greetings/G-2.yaml"), "utf8").replace("G-2", "N-1").replace("domain: greetings", "domain: new").replace("Farewell", "{{ Leave }} {# & #} <go>")); // prettier-ignore
  rmSync(concepts("greetings/G-2.yaml"));
  writeFileSync(path.join(registry, "retired.yaml"), "- { code: G-2, retiredIn: 2026.12.1, replacedBy: N-1, name: Farewell }\n"); // prettier-ignore
  await release("--version", "2026.12.1", "--acknowledge", "G-2 went to N-1", "--on", "2026-12-24");
  for (const out of ["after", "again"]) await buildTo(out);
});

const read = (name: string, out = "after"): string => readFileSync(path.join(at(out), name), "utf8");
const changes = (): RegistryChanges => JSON.parse(read(DOCUMENT)) as RegistryChanges;

describe("a release that changes a registry", () => {
  it("agrees with diff of the two releases: requests, and concepts with what happened to each", async () => {
    const { verdict, json } = await diff(at("before"), at("after"));
    const compared = JSON.parse(json) as { resolutions: unknown; concepts: { code: string; change: string }[] };
    const { resolutions, concepts: changed, ...head } = changes();
    expect(verdict).toBe("reassigned");
    expect(resolutions).toEqual(compared.resolutions);
    expect(resolutions.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["reassigned", "now_abstains", "now_resolves"])); // prettier-ignore
    expect(changed.map(({ code, change }) => [code, change])).toEqual(
      compared.concepts.map(({ code, change }) => [code, change]),
    );
    expect(changed).toEqual([
      { code: "G-1", change: "changed", name: "Greeting", replacedBy: null },
      { code: "G-2", change: "retired", name: "Farewell", replacedBy: "N-1" },
      { code: "M-1", change: "changed", name: "Invoice", replacedBy: null },
      { code: "N-1", change: "added", name: "{{ Leave }} {# & #} <go>", replacedBy: null },
    ]);
    expect((JSON.parse(json) as { compatibility: string }).compatibility).toBe("breaking");
    const of = { compatibility: "breaking", registryVersion: "2026.12.1", previous: "2026.11.1", releasedOn: "2026-12-24", acknowledgement: "G-2 went to N-1" }; // prettier-ignore
    expect(head).toMatchObject(of);
  });

  it("gives whole releases, the same twice, and nothing for a registry whose only release is its first", async () => {
    for (const out of ["before", "after"]) expect(await verify(at(out))).toEqual([]);
    expect(read("SHA256SUMS")).toBe(read("SHA256SUMS", "again"));
    const added = readdirSync(at("after"), { recursive: true }).filter((name) => /change/.test(String(name)));
    expect(added.map(String).toSorted()).toEqual(["changes.html", "registry/changes", "registry/changes.atom", DOCUMENT.slice(1), "schemas/registry-changes.v1.json"]); // prettier-ignore
    expect(readdirSync(at("before"), { recursive: true }).filter((name) => /change/.test(String(name)))).toEqual([]);
  });

  it("has a page with one line for requests that differ only in their language, and names next to codes", () => {
    const main = read("changes.html").split(/<main|<\/main>/)[1] ?? "";
    const { resolutions, concepts: changed } = changes();
    const distinct = new Set(
      resolutions.map((one) => JSON.stringify([one.kind, one.expression, one.before, one.after])),
    );
    expect(distinct.size).toBeLessThan(resolutions.length);
    expect(main.match(/<li>/g)).toHaveLength(distinct.size + changed.length);
    expect(main.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ")).toContain("): G-2 Farewell → N-1 ");
    expect(main).not.toMatch(/[A-Z]-\d<\/code>(?!(?:<\/a>)? <bdi>)/);
  });

  it("has a feed that a reader library reads", () => {
    const feed = parseFeed(read("registry/changes.atom"));
    expect([feed.meta.type, feed.title, feed.url, feed.self]).toEqual(["atom", "Changes of Golden", `${ORIGIN}/changes`, `${ORIGIN}/registry/changes.atom`]); // prettier-ignore
    expect(feed.items.map(({ id, title, url, updated }) => [id, title, url, updated?.toISOString()])).toEqual([
      [ORIGIN + DOCUMENT, "Golden 2026.12.1", `${ORIGIN}/changes#v2026-12-1`, "2026-12-24T00:00:00.000Z"],
    ]);
    expect(feed.items[0]?.description).toMatch(
      /^1 reassigned, .* Concepts: 1 retired, 1 new, 2 changed\. Compatibility: breaking\.$/,
    );
  });

  it("O-68: serves the feed and the document of the release, answers 304 when it is unchanged, and 404 for the first release", async () => {
    const { fetch: ask, close } = openRelease(at("after"));
    const get = (target: string, headers = {}): Promise<Response> => ask(new Request(ORIGIN + target, { headers }));
    const feed = await get("/registry/changes.atom");
    expect([feed.status, feed.headers.get("content-type")]).toEqual([200, "application/atom+xml"]);
    const etag = feed.headers.get("etag") ?? "";
    expect((await get("/registry/changes.atom", { "if-none-match": etag })).status).toBe(304);
    expect((await get(DOCUMENT)).headers.get("content-type")).toBe("application/json");
    expect((await get("/registry/changes/2026.11.1.json")).status).toBe(404);
    expect(await (await get("/concepts/G-3")).text()).not.toContain("History</h2>");
    close();
  });

  const HISTORY = "registry/history.json";
  const CONCEPTS = "registry/concept-history.ndjson";
  const file = DOCUMENT.slice(1);
  const feed = "registry/changes.atom";
  const rows: readonly (
    | readonly [what: string, change: Tampering, fault: string]
    | readonly [what: string, change: Tampering]
  )[] = [
    ["another count", swap(CONCEPTS, '"gained":2', '"gained":3'), "did not change like this in 2026.12.1"],
    ["another kind", swap(CONCEPTS, '"retired"', '"changed"'), "G-2 did not change like this"],
    ["a missing line", swap(CONCEPTS, /.*"N-1".*\n/, ""), 'lacks ["N-1"'],
    ["no line", swap(CONCEPTS, '{"code"', '{"cod"'), "is not a line of changes"],
    [
      "a line behind the last one that does not end",
      swap(CONCEPTS, /$/, '{"code":"Z-1"}'),
      "its last line does not end",
    ],
    ["lines in another order", swap(CONCEPTS, '"code":"G-1"', '"code":"Z-1"'), "G-2 is not in order"],
    ["no link to the feed", swap("llms.txt", /^- \[Changes\].*\n/m, "")],
    ["a feed that is not XML", swap(feed, "</entry>", "")],
    ["a feed of another namespace", swap(feed, "xmlns=", "xmlns:x=")],
    ["links that lead nowhere in the feed", swap(feed, /href=/g, "title=")],
    [
      "a feed without entries, but with their parts",
      {
        file: feed,
        apply: (copy) =>
          copy.write(feed, copy.read(feed).toString().replaceAll("<entry>", "<entry/>").replaceAll("</entry>", "")),
      },
    ],
    [
      "a feed whose links are one attribute, with the same signs",
      {
        file: feed,
        apply: (copy) =>
          copy.write(
            feed,
            copy
              .read(feed)
              .toString()
              .replaceAll(/" (type|href)="/g, " $1="),
          ),
      },
    ],
    [
      "a feed whose entries are texts",
      {
        file: feed,
        apply: (copy) =>
          copy.write(
            feed,
            copy.read(feed).toString().replaceAll("<entry>", '["entry"]').replaceAll("</entry>", "/entry"),
          ),
      },
    ],
    ["more text in the feed", swap(feed, "</title>", "<![CDATA[ evil]]></title>")],
    ["a feed in another encoding", swap(feed, "UTF-8", "UTF-7")],
    ["another day in the feed", swap(feed, "2026-12-24", "2026-12-25")],
    ["another count in the feed", swap(feed, "1 retired", "2 retired")],
    ["another code on the page", swap("changes.html", "M-1", "G-1"), "changes.html: does not say what"],
    ["another expression in the document", swap(file, '"bill"', '"bile"'), `${file}: "bile" is answered differently`],
    ["another kind of change", swap(file, '"now_resolves"', '"now_abstains"'), `${file}: "bill" is not now_abstains`],
    [
      "a retired concept as a new one",
      swap(file, '"change": "retired"', '"change": "added"'),
      `${file}: its change of G-2 (added) does not match the registry`,
    ],
    [
      "a concept that nothing retired",
      swap(file, '"change": "changed"', '"change": "retired"'),
      `${file}: its change of G-1 (retired) does not match the registry`,
    ],
    [
      "another successor",
      swap(file, '"replacedBy": "N-1"', '"replacedBy": "M-1"'),
      `${file}: its change of G-2 (retired) does not match the registry`,
    ],
    [
      "another name",
      swap(file, /"change": "changed",\n(\s*)"name": "[^"]*"/, '"change": "changed",\n      "name": "Nobody"'),
      `${file}: its change of G-1 (changed) does not match the registry`,
    ],
    [
      "a looser schema",
      swap("schemas/registry-changes.v1.json", '"additionalProperties": false', '"additionalProperties": true'),
      "schemas/registry-changes.v1.json: not the schema of this release",
    ],
    [
      "another code before, in the history alone",
      swap(HISTORY, '"from": "G-2"', '"from": "G-1"'),
      `${file}: what it reassigns is not what ${HISTORY} says`,
    ],
    ["the title of another release", swap(file, "Changes in 2026.12.1", "Changes in 2026.12.9")],
    [
      "concepts in another order",
      { file, apply: (copy) => copy.edit(file, ({ concepts: listed }) => listed.push(listed.shift())) },
      `${file}: its concepts are not in order`,
    ],
    [
      "resolutions in another order",
      { file, apply: (copy) => copy.edit(file, ({ resolutions: listed }) => listed.push(listed.shift())) },
      `${file}: its resolutions are not in order`,
    ],
    [
      "another code behind a link",
      swap("changes.html", '"/concepts/M-1"', '"/concepts/G-1"'),
      "changes.html: shows M-1 but links to G-1",
    ],
    ["the schema of another document", swap(file, "registry-changes.v1.json", "error.v1.json")],
    ["another reason for a change", swap(file, "G-2 went", "G-1 went"), `${file}: not of a recorded release`],
  ];

  it.each([CONCEPTS, "schemas/registry-changes.v1.json"])(
    "is vouched for by verify, which finds that %s is missing",
    async (name) => {
      const faults = await faultsAfter(at("after"), (copy) => rmSync(copy.at(name)));
      expect(faults).toContainEqual(`${name}: missing`);
    },
  );

  it.each(rows)(
    "is vouched for by verify in each form, which finds %s",
    async (...[, change, fault = `${change.file}: `]) => {
      expect(await faultsAfter(at("after"), change.apply)).toContainEqual(expect.stringContaining(fault));
    },
  );
});

it("a version without a day counts in the feed from its month, and never from before the version before it", async () => {
  const own = at("days");
  cpSync(registry, own, { recursive: true });
  for (const version of ["2026.12.2", "2027.01.1"])
    expect(await runHere(["release-registry", "--registry", own, "--version", version])).toMatchObject({ code: 0 });
  expect(await build({ registry: own, out: at("dated"), origin: ORIGIN })).toEqual([]);
  const { items } = parseFeed(read("registry/changes.atom", "dated"));
  const days = items.map(({ updated }) => updated?.toISOString().slice(0, 10));
  expect(days).toEqual(["2027-01-01", "2026-12-24", "2026-12-24"]);
  expect(await faultsAfter(at("dated"), () => undefined)).toEqual([]);
});

it("the changes of a concept are in the order of the releases, or verify says so", async () => {
  const own = at("twice");
  cpSync(registry, own, { recursive: true });
  const file = path.join(own, "concepts/money/M-1.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace('"bill"', '"account"'));
  expect(await runHere(["release-registry", "--registry", own, "--version", "2026.12.10"])).toMatchObject({ code: 0 });
  expect(await build({ registry: own, out: at("ordered"), origin: ORIGIN })).toEqual([]);
  const name = "registry/concept-history.ndjson";
  const turned = (text: string): string => text.replace(/(\{"registry[^}]*\}),(\{"registry[^}]*\})/, "$2,$1");
  const turn = (copy: Copy): void => copy.write(name, turned(copy.read(name).toString()));
  expect(await faultsAfter(at("ordered"), () => undefined)).toEqual([]);
  expect(await faultsAfter(at("ordered"), turn)).toEqual([
    `${name}: M-1 has its versions in another order, or one twice`,
  ]);
});

it("an expression that means another concept in each language has a line for each on the page", async () => {
  const own = at("apart");
  cpSync(registry, own, { recursive: true });
  for (const [name, from] of [
    ["money/M-1", '"bill"'],
    ["greetings/G-1", '"salut"'],
  ] as const) {
    const file = path.join(own, `concepts/${name}.yaml`);
    writeFileSync(file, readFileSync(file, "utf8").replace(from, '"pair"'));
  }
  expect(await runHere(["release-registry", "--registry", own, "--version", "2026.12.10"])).toMatchObject({ code: 0 });
  expect(await build({ registry: own, out: at("lines"), origin: ORIGIN })).toEqual([]);
  const page = read("changes.html", "lines");
  const lines = [...page.matchAll(/<q[^>]*>pair<\/q> \((\w+)\):[^]*?→\s*<a href="\/concepts\/([^"]*)"/g)];
  expect(lines.map(([, language, code]) => [language, code])).toEqual([
    ["en", "M-1"],
    ["fr", "G-1"],
  ]);
});

it("a release that is not there is what verify says of it", async () => {
  expect(await verify("nosuch")).toEqual(["nosuch is not a directory"]);
});

it("lint refuses a history that reassigns something else than the record of changes", async () => {
  const copy = folder({});
  cpSync(registry, copy, { recursive: true });
  const file = path.join(copy, "history.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("from: G-2", "from: G-1"));
  const { code, stderr } = await runHere(["lint", "--registry", copy]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/changes-contradictory\n.* not what history\.yaml records/),
  ]);
});

it.each([
  ["another content", /"contentSha256": "..../, '"contentSha256": "0000', /changes-unrecorded/],
  ["another version", '"registryVersion": "2026.12.1"', '"registryVersion": "2026.12.2"', /file-unexpected/],
  ["no JSON", "{", "", /json-syntax/],
  ["another kind", '"now_resolves"', '"now_abstains"', /changes-unrecorded\n.*not the file that history\.yaml records/],
])("lint refuses a record of changes with %s", async (...[, from, to, rule]) => {
  const copy = folder({});
  cpSync(registry, copy, { recursive: true });
  const file = path.join(copy, "changes/2026.12.1.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  const { code, stderr } = await runHere(["lint", "--registry", copy]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(rule)]);
});

it("O-57: lint and a release refuse a code that a release retired and that is not listed any more, used again or not", async () => {
  for (const code of [undefined, "G-2"]) {
    const copy = folder({});
    cpSync(registry, copy, { recursive: true });
    writeFileSync(path.join(copy, "retired.yaml"), "[]\n");
    const back = path.join(copy, "concepts/new/G-2.yaml");
    if (code !== undefined) writeFileSync(back, readFileSync(concepts("new/N-1.yaml"), "utf8").replace("N-1", code).replaceAll("bye", "submarine")); // prettier-ignore
    const yaml = path.join(copy, "registry.yaml");
    writeFileSync(yaml, readFileSync(yaml, "utf8").replace("2026.12.1", "2026.12.2"));
    for (const args of [["lint"], ["release-registry", "--version", "2026.12.2"]]) {
      const { code: exit, stderr } = await runHere([...args, "--registry", copy]);
      expect([exit, stderr]).toEqual([1, expect.stringContaining('"G-2" is retired in 2026.12.1 and is no longer listed')]); // prettier-ignore
    }
  }
});

it("O-57: a retired code whose entry has no name stays retired too", async () => {
  const copy = folder({});
  cpSync(registry, copy, { recursive: true });
  const here = (...args: string[]): ReturnType<typeof runHere> => runHere([...args, "--registry", copy]);
  const file = path.join(copy, "retired.yaml");
  const listed = readFileSync(file, "utf8");
  rmSync(path.join(copy, "concepts/greetings/G-3.yaml"));
  writeFileSync(file, `${listed}- { code: G-3, retiredIn: 2026.12.2, replacedBy: null }\n`);
  expect((await here("release-registry", "--version", "2026.12.2")).code).toBe(0);
  expect((await here("lint")).code).toBe(0);
  writeFileSync(file, listed);
  const yaml = path.join(copy, "registry.yaml");
  writeFileSync(yaml, readFileSync(yaml, "utf8").replace("2026.12.2", "2026.12.3"));
  for (const args of [["lint"], ["release-registry", "--version", "2026.12.3"]]) {
    const { code, stderr } = await here(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('"G-3" is retired in 2026.12.2 and is no longer listed')]); // prettier-ignore
  }
});

it("O-57: a concept of which nothing is published any more may wait, and does not go without being retired", async () => {
  const copy = folder({});
  cpSync(registry, copy, { recursive: true });
  const here = (...args: string[]): ReturnType<typeof runHere> => runHere([...args, "--registry", copy]);
  const by = ["--as", "board", "--on", "2026-12-25"];
  // Published again and withdrawn again, it is one concept that is gone.
  for (const [decision, version] of [
    ["--reject", "2026.12.2"],
    ["--accept", "2026.12.3"],
    ["--reject", "2026.12.4"],
  ] as const) {
    const where = `concept=G-3,status=${decision === "--accept" ? "rejected" : "reviewed"}`;
    expect((await here("review", decision, "--where", where, ...by)).code).toBe(0);
    expect((await here("release-registry", "--version", version)).code).toBe(0);
  }
  expect((await here("release-registry", "--version", "2026.12.5")).code).toBe(0);
  rmSync(path.join(copy, "concepts/greetings/G-3.yaml"));
  for (const args of [["lint"], ["release-registry", "--version", "2026.12.6"]]) {
    const { code, stderr } = await here(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('"G-3" was published before 2026.12.5 and is neither')]); // prettier-ignore
    expect(stderr.match(/concept-gone/g)).toHaveLength(1);
  }
  const retired = path.join(copy, "retired.yaml");
  writeFileSync(retired, `${readFileSync(retired, "utf8")}- { code: G-3, retiredIn: 2026.12.6, replacedBy: null }\n`);
  expect((await here("release-registry", "--version", "2026.12.6")).code).toBe(0);
});

it("O-57: mint gives no code of a concept that was published before the last release and is gone", async () => {
  const copy = folder({});
  cpSync(registry, copy, { recursive: true });
  const here = (...args: string[]): ReturnType<typeof runHere> => runHere([...args, "--registry", copy]);
  const mint = async (): Promise<string> => (await here("mint", "--name", "Night")).stdout.trim();
  const code = await mint();
  const file = path.join(copy, `concepts/greetings/${code}.yaml`);
  writeFileSync(file, readFileSync(concepts("greetings/G-3.yaml"), "utf8").replace("G-3", code).replaceAll("thanks", "good night")); // prettier-ignore
  expect((await here("release-registry", "--version", "2026.12.2")).code).toBe(0);
  const where = ["--where", `concept=${code}`, "--as", "board", "--on", "2026-12-25"];
  expect((await here("review", "--reject", ...where)).code).toBe(0);
  expect((await here("release-registry", "--version", "2026.12.3")).code).toBe(0);
  rmSync(file);
  expect(await mint()).not.toBe(code);
});
