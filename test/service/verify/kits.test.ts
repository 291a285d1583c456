/** Kits, assets and pages changed by somebody who signs everything again, the kit's own sums and the studio included. */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import yazl from "yazl";
import { RECIPE_IDS } from "../../../runtime/contract/recipe.ts";
import { readZip } from "../../support/kits.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { sha256 } from "../../support/sha256.ts";
import { type Copy, faultsAfter } from "../../support/tamper.ts";

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

  it.each<[string, string, (files: Files) => void]>([
    ["a program that sends data elsewhere", "python/handoff.py names https://evil.example", (files) => swap(files, "python/handoff.py", "https://registry.example/api", "https://evil.example/api")],
    ["a program that does one thing more", "python/handoff.py is not the program of the other kits", (files) => swap(files, "python/handoff.py", /$/, "import os\n")],
    ["another classifier", "node/classify.mjs is not assets/classify.", (files) => swap(files, "node/classify.mjs", "status !== 200", "status > 299")],
    ["a program less", "curl/handoff.sh is not the program of the other kits", (files) => files.delete("curl/handoff.sh")],
    ["a program more", "python/evil.py is not the program of the other kits", (files) => files.set("python/evil.py", Buffer.from("x"))],
    ["a file more", "extra.txt does not belong in a kit", (files) => files.set("extra.txt", Buffer.from("x"))],
    ["a file less", "tool.json is missing", (files) => files.delete("tool.json")],
    ["another report", "report.json is not api/v1/integration-readiness/report", (files) => swap(files, "report.json", '"passed": true', '"passed": false')],
    ["another fixture", "fixtures/unknown.json is not the fixture of the report", (files) => swap(files, "fixtures/unknown.json", '"outcome": "unknown"', '"outcome": "malformed"')],
    ["another tool", "tool.json is not agent-tool.json", (files) => swap(files, "tool.json", '"version": "', '"version": "9')],
    ["a looser description", "openapi.json is not the part of openapi.json", (files) => swap(files, "openapi.json", '"additionalProperties": false', '"additionalProperties": true')],
    ["a description that leaves a rule out", "openapi.json is not the part of openapi.json", (files) => swap(files, "openapi.json", /,\s*"additionalProperties": false/, "")],
    ["a concept that is not published", "registry-excerpt.ndjson holds what the registry does not publish", (files) => swap(files, "registry-excerpt.ndjson", "Definition of", "definition of")],
    ["other words in its README", "README.md does not say", (files) => swap(files, "README.md", "Route on a candidate", "Never mind a candidate")],
    ["other words in its instructions", "instructions.txt does not say", (files) => swap(files, "instructions.txt", "Send no secrets", "Send secrets")],
    ["another live address", "manifest.json: its live address is another one", (files) => swap(files, "manifest.json", "/api/v1/resolve", "/api/v1/status")],
    ["another origin", "manifest.json: its canonicalOrigin is not that", (files) => swap(files, "manifest.json", '"canonicalOrigin": "https://registry.example"', '"canonicalOrigin": "https://evil.example"')],
    ["another label", "manifest.json: its release is not that", (files) => swap(files, "manifest.json", '"productVersion": "v22"', '"productVersion": "v23"')],
    ["another recipe", "manifest.json: another recipe", (files) => swap(files, "manifest.json", `"recipeId": "${ID}"`, '"recipeId": "clarification"')],
    ["a member more in its manifest", 'manifest.json: it has the unknown property "x"', (files) => swap(files, "manifest.json", "{", '{"x":1,')],
  ])("is found with %s", async (_what, fault, change) => {
    const faults = await faultsAfter(dist, (copy) => copy.kit(ID, change));
    expect(faults.filter((text) => text.startsWith(`${KIT}: ${fault}`))).not.toEqual([]);
  }); // prettier-ignore

  it("is found in each of the five when a file is changed that the documents tell", async () => {
    const faults = await faultsAfter(dist, async (copy) => {
      for (const id of RECIPE_IDS) await copy.kit(id, (files) => swap(files, "python/handoff.py", "https://registry.example/api", "https://evil.example/api"));
    }); // prettier-ignore
    expect(faults.filter((text) => text.includes("python/handoff.py does not call")).length).toBe(5);
  });

  it("and another command in its manifest is found by the studio", async () => {
    const faults = await faultsAfter(dist, (copy) =>
      copy.kit(ID, (files) => swap(files, "manifest.json", '"python3"', '"evil"')),
    );
    expect(faults).toContainEqual(expect.stringContaining('its "handoffs" does not agree with the release'));
  });
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

  const expectFault = async (zip: Buffer, fault: RegExp): Promise<void> => {
    const faults = await faultsAfter(dist, (copy) => copy.rawKit(ID, zip));
    expect(faults.filter((text) => text.startsWith(`${KIT}: `) && fault.test(text))).not.toEqual([]);
  };

  it("is found compressed, of another date, of another mode, or with more than a name", async () => {
    await expectFault(await packed({ compress: true }), /: compressed$/);
    await expectFault(await packed({ mtime: new Date(2026, 8, 3, 12) }), /has another date than the release$/);
    await expectFault(await packed({ mode: 0o100777 }), /another date, mode or flag/);
    await expectFault(await packed({ forceDosTimestamp: false }), /another date, mode or flag/);
    await expectFault(
      await packed({}, (zip) => zip.addEmptyDirectory(`service-semantics-${ID}/zz/`)),
      /no plain name$/,
    );
    await expectFault(
      await packed({}, (zip) => zip.addBuffer(Buffer.from("x"), "zz", { mtime: DATE })),
      /not in its folder$/,
    );
    await expectFault(
      await packed({}, (zip) => zip.addBuffer(Buffer.from("x"), `service-semantics-${ID}/A`, { mtime: DATE })),
      /not in byte order$/,
    );
  });

  it("is found with bytes before, between and behind its files, and in every byte of its headers", async () => {
    const zip = readFileSync(path.join(dist, KIT));
    const hidden = Buffer.from("hidden");
    const second = zip.indexOf("PK\u0003\u0004", 4, "latin1");
    const central = zip.indexOf("PK\u0001\u0002", 0, "latin1");
    for (const at of [0, second, central, zip.length - 22, zip.length])
      await expectFault(Buffer.concat([zip.subarray(0, at), hidden, zip.subarray(at)]), /./);
    const changed = Buffer.from(zip);
    for (const at of [
      4,
      6,
      8,
      10,
      12,
      14,
      18,
      22,
      26,
      28,
      central + 4,
      central + 38,
      central + 42,
      zip.length - 12,
      zip.length - 1,
    ]) {
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expectFault(changed, /./);
      changed[at] = (changed[at] ?? 0) ^ 1;
    }
  });

  it("is found encrypted, as a bomb, cut short, and as something else, without unpacking anything", async () => {
    const zip = readFileSync(path.join(dist, KIT));
    const encrypted = Buffer.from(zip);
    encrypted[6] = 1;
    await expectFault(encrypted, /has other flags/);
    const bomb = new yazl.ZipFile();
    bomb.addBuffer(Buffer.alloc(200_000_000), `service-semantics-${ID}/README.md`, { mtime: DATE });
    bomb.end();
    await expectFault(await buffer(bomb.outputStream), /: compressed$/);
    await expectFault(zip.subarray(0, zip.length >> 1), /cut short|its directory is not/);
    await expectFault(Buffer.from("PK\u0003\u0004", "latin1"), /its directory is not/);
    await expectFault(Buffer.alloc(100_000, 0x50), /its directory is not/);
  });
});

describe("assets and pages", () => {
  const faultsWith = (change: (copy: Copy) => void): Promise<string[]> => faultsAfter(dist, change);
  const asset = (copy: Copy, start: string): string =>
    copy.names().find((name) => name.startsWith(`assets/${start}.`)) ?? "";

  it("an asset that is changed is found by its name; under a new name by the pages that do not lead to it", async () => {
    const kept = await faultsWith((copy) => copy.write(asset(copy, "site"), "alert(1)"));
    expect(kept).toContainEqual(expect.stringMatching(/^assets\/site\..*: its name is not that of its bytes$/));
    const named = await faultsWith((copy) => {
      const old = asset(copy, "classify");
      const made = `assets/classify.${sha256("alert(1)").slice(0, 16)}.js`;
      copy.write(made, "alert(1)");
      rmSync(copy.at(old));
      copy.replace("integration-studio.html", old, made);
    });
    expect(named).toContainEqual(expect.stringMatching(/its classifier is not the published one$/));
  });

  const FORBIDS = /which the policy of pages forbids/;
  const ELSEWHERE = /which is not this service/;
  it.each<[string, string, RegExp]>([
    ["a script of its own", "<script>alert(1)</script>", FORBIDS],
    ["a script in capitals", "<SCRIPT>alert(1)</SCRIPT>", FORBIDS],
    ["a script from elsewhere", '<script nonce type="module" src="https://evil.example/x.js"></script>', ELSEWHERE],
    ["an event handler", '<p onclick="alert(1)">x</p>', FORBIDS],
    ["a handler without quotes", "<img src=/x onerror=alert(1)>", FORBIDS],
    ["a frame", '<iframe src="/answers"></iframe>', FORBIDS],
    ["a redirect", '<meta http-equiv="refresh" content="0;url=https://evil.example">', FORBIDS],
    ["a base", '<base href="https://evil.example/">', FORBIDS],
    ["a form that sends elsewhere", '<form action="https://evil.example/x"></form>', ELSEWHERE],
    ["an image from elsewhere", '<img src="//evil.example/x.png" alt="">', ELSEWHERE],
    ["an image from elsewhere, with backslashes", "<img src='\\\\evil.example\\x.png' alt=''>", ELSEWHERE],
    ["a style sheet from elsewhere", '<link nonce rel="stylesheet" href="https://evil.example/x.css">', ELSEWHERE],
    ["a link that runs", '<a href="javascript:alert(1)">x</a>', FORBIDS],
  ])("a page with %s is found, and so is the shell", async (_what, html, fault) => {
    const faults = await faultsWith((copy) => {
      for (const name of ["index.html", "shell.html"]) copy.replace(name, "</main>", `${html}</main>`);
    });
    for (const name of ["index.html", "shell.html"])
      expect(faults.filter((text) => text.startsWith(`${name}: `) && fault.test(text))).not.toEqual([]);
  });

  it("a page of an owner's own is no fault: comments, styles, pictures, a script with a nonce, links to anywhere", async () => {
    const own =
      '<!-- ours --><p style="color:red">a <a href="https://owner.example/">b</a></p><svg viewBox="0 0 1 1"><path d="M0 0"/></svg>' +
      '<script nonce>document.title += " 1 < 2";</script><img alt="" src="/assets/none.svg?x"><img alt="" src="data.svg">';
    const faults = await faultsWith((copy) => {
      for (const name of ["index.html", "answers.html"]) copy.replace(name, "</main>", `${own}</main>`);
    });
    expect(faults).toEqual([
      "answers.html: leads to /assets/none.svg?x, which is not there",
      "index.html: leads to /assets/none.svg?x, which is not there",
    ]);
  });

  it("the studio's page with the digest of another kit is found", async () => {
    const faults = await faultsWith((copy) =>
      copy.replace(
        "integration-studio.html",
        `data-sha256="${sha256(copy.read(KIT))}`,
        `data-sha256="${"0".repeat(64)}`,
      ),
    );
    expect(faults).toEqual([expect.stringMatching(/^integration-studio\.html: shows another digest for .*\.zip$/)]);
  });
});
