/** A start refuses a release whose files of trust or rendering are wrong. */
import { beforeAll, describe, expect, it } from "vitest";
import { interfaceFault } from "../../../runtime/contract/interface.ts";
import { openRelease } from "../../../runtime/release/release.ts";
import { empty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { Copy, type Loose, MANIFEST, SUMS } from "../../support/tamper.ts";

let dist: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(empty));
});

/** What a start says of a release that was changed and signed again. */
function refusal(change: (copy: Copy) => void, isSigned = true): string {
  const copy = new Copy(dist);
  change(copy);
  if (isSigned) copy.resign();
  try {
    openRelease(copy.directory).close();
    return "";
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message.replace(`${copy.directory}/`, "")}`;
  }
}

describe("interface.json", () => {
  it.each<[string, string, (value: Loose) => unknown]>([
    ["no languages", 'it lacks the property "languages"', (value) => delete value.languages],
    ["none that is English", "it has no texts in en", ({ languages: [en] }) => (en.language = "de")],
    ["no texts", 'languages[0] lacks the property "texts"', ({ languages: [en] }) => delete en.texts],
    ["a text less", "its text concepts.title in en is missing or has values that no page has", ({ languages: [en] }) => delete en.texts["concepts.title"]],
    ["a text with a value that no page has", "its text concept.cite in en is missing or has values that no page has", ({ languages: [en] }) => (en.texts["concept.cite"] += "{code}")],
    ["a text that is null", 'languages[0].texts["concepts.title"] must be a string', ({ languages: [en] }) => (en.texts["concepts.title"] = null)],
    ["a shell that is a number", "languages[0].shell must be a string", ({ languages: [en] }) => (en.shell = 7)],
    ["a shell without a place for a page", "its shell in en has no place for a page", ({ languages: [en] }) => (en.shell = "<title>")],
  ])("is refused with %s", (_what, fault, change) => {
    const said = refusal((copy) => copy.edit("interface.json", change));
    expect(said).toBe(`ReleaseError: interface.json is not what this runtime reads (${fault}): build again`);
  }); // prettier-ignore

  it("has all texts that the content has for rendered pages, each with no other values", () => {
    const { languages: [{ texts }] } = JSON.parse(new Copy(dist).read("interface.json").toString()); // prettier-ignore
    const keys = Object.keys(texts as object);
    const faultOf = (one: object) => interfaceFault({ languages: [{ language: "en", texts: { ...one } }] }, []) ?? "";
    expect(keys.length).toBeGreaterThan(100);
    expect(faultOf(texts as object)).toBe("");
    for (const key of keys) {
      const { [key]: text, ...others } = texts;
      expect(faultOf(others as object)).toContain(` ${key} in en `);
      expect(faultOf({ ...others, [key]: `${text}{other}` })).toContain(` ${key} in en `);
    }
  });
});

describe("a release is refused with one line that names the file", () => {
  const elsewhere = "differs from its digest in SHA256SUMS: restore the file or build again";
  it.each<[string, string, boolean, (copy: Copy) => void]>([
    ["a shell without a place for a page", 'shell.html is not what this runtime reads (it has no place for a page): build again', true, (copy) => copy.replace("shell.html", '<main id="main">', "<main>")],
    ["a manifest that is cut short", `manifest.json ${elsewhere}`, false, (copy) => copy.write(MANIFEST, copy.read(MANIFEST).subarray(0, -1))],
    ["sums that lack a file", "SHA256SUMS does not list the files of manifest.json: restore the file or build again", false, (copy) => copy.replace(SUMS, /^.*answers\.md\n/m, "")],
    ["sums behind a byte order mark", "SHA256SUMS does not list the files of manifest.json: restore the file or build again", false, (copy) => copy.replace(SUMS, /^/, "\uFEFF")],
    ["no sums", "SHA256SUMS does not list the files of manifest.json: restore the file or build again", false, (copy) => copy.write(SUMS, "")],
  ])("%s", (...[_what, line, isSigned, change]) => {
    expect(refusal(change, isSigned)).toBe(`ReleaseError: ${line}`);
  }); // prettier-ignore
});
