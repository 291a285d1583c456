import { describe, expect, it } from "vitest";
import { checkRegistry } from "../../../../../generator/registry/check.ts";
import { readRegistry } from "../../../../../generator/registry/read.ts";
import { SourceError } from "../../../../../generator/tools/vocabulary/formats/source.ts";
import { readTbx } from "../../../../../generator/tools/vocabulary/formats/tbx-read.ts";
import { writeTbx } from "../../../../../generator/tools/vocabulary/formats/tbx-write.ts";
import { memoryEffects } from "../../../../support/memory-effects.ts";
import { nasty } from "../../../../support/nasty.ts";
import { checkedRegistry, concept, expression, registryFiles } from "../../../../support/registry.ts";
import { renamable, said, textsOf } from "../../../../support/review.ts";

const read = (text: string | Uint8Array, languages: readonly string[] = []) =>
  readTbx(memoryEffects({ "a.tbx": text }), ["a.tbx"], { languages });

const V3 = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tbx [<!ENTITY zoo "Zoo">]>
<tbx type="TBX-Core" style="dct" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2" xmlns:min="http://www.tbxinfo.net/ns/min" xmlns:basic="http://www.tbxinfo.net/ns/basic">
<tbxHeader><fileDesc><titleStmt><title>Words of the &zoo;</title></titleStmt></fileDesc></tbxHeader>
<text><body>
<conceptEntry id="c1">
  <min:subjectField>animals</min:subjectField>
  <langSec xml:lang="en">
    <basic:definition>An animal with a <hi type="bold">long</hi> trunk.</basic:definition>
    <termSec><term>elephant</term><min:administrativeStatus>admittedTerm-admn-sts</min:administrativeStatus></termSec>
    <termSec><term>E<![CDATA[<x>]]> &amp; F</term><min:administrativeStatus>preferredTerm-admn-sts</min:administrativeStatus></termSec>
    <termSec><term>olifaunt</term><min:administrativeStatus>deprecatedTerm-admn-sts</min:administrativeStatus><basic:context>An olifaunt.</basic:context></termSec>
  </langSec>
  <langSec xml:lang="de"><termSec><term>Elefant</term></termSec><termSec><term>Ele.</term><min:termType>abbreviation</min:termType></termSec></langSec>
</conceptEntry>
<conceptEntry><langSec xml:lang="de"><termSec><term>ohne</term></termSec></langSec></conceptEntry>
<conceptEntry id="c1"><langSec xml:lang="de"><termSec><term>noch eins</term></termSec></langSec></conceptEntry>
</body></text></tbx>`;

const V2 = `<martif type="TBX-Basic" xml:lang="fr"><martifHeader/><text><body><termEntry id="t1">
<descrip type="subjectField">zoo</descrip><descripGrp><descrip type="definition">Un animal.</descrip></descripGrp>
<langSet xml:lang="fr"><tig><term id="x">lion</term><termNote type="termType">fullForm</termNote></tig></langSet>
<langSet xml:lang="en"><ntig><termGrp><term>the lion</term><termNote type="administrativeStatus">supersededTerm</termNote></termGrp></ntig></langSet>
</termEntry></body></text></martif>`;

describe("a term base of others", () => {
  it.each([
    "",
    'SYSTEM "TBXcoreStructV02.dtd"',
    `PUBLIC '-//LISA//TBX' "https://elsewhere.example/a.dtd" [<!-- none -->]`,
  ])("is read without the DTD that it names: %s", (named) =>
    expect(read(`<!DOCTYPE martif ${named}>${V2}`)).toEqual(read(V2)),
  );

  it("has the entities that it declares as they are written, be they many", () => {
    const many = Array.from({ length: 100_000 }, (_none, i) => `<!ENTITY e${i} "">`).join("");
    const doctype = `<!DOCTYPE martif SYSTEM "a.dtd" [${many}<!ENTITY of "a SYSTEM 'b' c"><!ENTITY of "d">]>`;
    const { concepts } = read(doctype + V2.replace("Un animal.", "&e9;&of;"));
    expect(concepts).toMatchObject([{ definitions: [{ text: "a SYSTEM 'b' c" }] }]);
  });

  it("has the first subject field that is not empty as its domain, and counts the others", () => {
    const field = '<descrip type="subjectField">zoo</descrip>';
    const fields = (...texts: readonly string[]) =>
      read(V2.replace(field, texts.map((one) => field.replace("zoo", one)).join("")));
    expect(fields("", " ").concepts[0]?.domain).toBeUndefined();
    expect(fields("", "zoo", "zoo")).toMatchObject({ concepts: [{ domain: "zoo" }], leftOut: {} });
    expect(fields("zoo", "law")).toMatchObject({
      concepts: [{ domain: "zoo" }],
      leftOut: { "texts of other types": 1 },
    });
  });

  it("has all of its languages, whatever a paragraph with the type of ours says", () => {
    const header = '<tbxHeader><fileDesc><sourceDesc><p type="onlyLanguages">de</p></sourceDesc>';
    expect(read(V3.replace("<tbxHeader><fileDesc>", header)).only).toBeUndefined();
  });

  it.each([
    ["langSec", "conceptEntry", "tbx"],
    ["langSet", "termEntry", "martif"],
    ["langGroup", "conceptEntry", "TBX"],
  ])("takes the language of a term only from its <%s>, which must name it (ISO 30042)", (section, entry, root) => {
    const base = (attributes: string, term = "<term>Pinsel</term>"): string =>
      `<${root} xml:lang="en"><text><body><${entry} id="1" xml:lang="en">\n<descrip type="definition">A tool.</descrip><${section} ${attributes}>${term}</${section}>`;
    const end = `<tig><term>outside</term></tig></${entry}></body></text></${root}>`;
    const { concepts, faults } = read(base('lang="de"') + end);
    expect(concepts[0]?.expressions.map(({ tag, text }) => [tag, text])).toEqual([["", "Pinsel"], ["", "outside"]]); // prettier-ignore
    expect(concepts[0]?.definitions).toEqual([{ tag: "en", text: "A tool." }]);
    expect(faults).toMatchObject([{ rule: "tbx-language", concept: "1", line: 2, outcome: "kept" }]);
    const own = read(base("", '<term xml:lang="de">Pinsel</term>') + end);
    expect(own.concepts[0]?.expressions[0]).toMatchObject({ tag: "de" });
    expect(read(base('xml:lang="de"') + end).faults).toEqual([]);
  });

  it("gives concepts, terms by language and status, definitions, and what was left out", () => {
    const { concepts, title, faults, leftOut } = read(V3);
    expect(title).toBe("Words of the Zoo");
    expect(concepts).toMatchObject([
      {
        sourceId: "c1",
        code: undefined,
        line: 6,
        domain: "animals",
        definitions: [{ tag: "en", text: "An animal with a long trunk." }],
        expressions: [
          { tag: "en", text: "elephant", type: "alternate" },
          { tag: "en", text: "E<x> & F", type: "preferred" },
          { tag: "de", text: "Elefant", type: "preferred" },
          { tag: "de", text: "Ele.", type: "abbreviation" },
        ],
        hiddenLabels: [{ tag: "en", text: "olifaunt" }],
      },
    ]);
    expect(faults.map(({ rule, line }) => [rule, line])).toEqual([["tbx-entry-without-id", 16], ["tbx-entry-twice", 17]]); // prettier-ignore
    expect(leftOut).toEqual({ "texts of other types": 1 });
  });

  it("is read in the form of 2008, and in the languages that are asked for", () => {
    const { concepts } = read(V2);
    expect(concepts).toMatchObject([{ sourceId: "t1", domain: "zoo", definitions: [{ tag: "fr", text: "Un animal." }], expressions: [{ tag: "fr", text: "lion", type: "preferred" }], hiddenLabels: [{ tag: "en", text: "the lion" }] }]); // prettier-ignore
    expect(read(V3, ["de"])).toMatchObject({ concepts: [{ expressions: [{ text: "Elefant" }, { text: "Ele." }] }], leftOut: { "terms in other languages": 3, "definitions in other languages": 1 } }); // prettier-ignore
  });

  const entry = (termSecs: string): string =>
    `<tbx><text><body><conceptEntry id="c1"><langSec xml:lang="en">${termSecs}</langSec></conceptEntry></body></text></tbx>`;

  it.each(["deprecated", "superseded-admn-sts", "Forbidden", "obsoleteTerm"])(
    "does not match a term that it calls %s, whatever other status the term has",
    (status) => {
      const statuses = ["normativeAuthorization", "administrativeStatus"].map((type, at) => `<termNote type="${type}">${at === 0 ? "standardizedTerm" : status}</termNote>`); // prettier-ignore
      for (const notes of [statuses, statuses.toReversed()]) {
        const { concepts } = read(entry(`<termSec><term>data bus</term>${notes.join("")}</termSec>`));
        expect(concepts).toMatchObject([{ expressions: [], hiddenLabels: [{ text: "data bus" }] }]);
      }
    },
  );

  it("says how many definitions stand beside another of their entry, since a record has one", () => {
    const definitions = ["en", "es", "de"].map((tag) => `<descrip type="definition" xml:lang="${tag}">x</descrip>`);
    expect(read(entry(definitions.join(""))).leftOut).toEqual({ "further definitions of an entry": 2 });
  });

  it("says preferred in a word of its tool", () => {
    const { concepts } = read(entry('<termSec><term>bus</term><termNote type="administrativeStatus">preferred</termNote></termSec>')); // prettier-ignore
    expect(concepts).toMatchObject([{ expressions: [{ text: "bus", type: "preferred" }] }]);
  });

  it("does not match a term that TBX-Min calls obsolete", () => {
    const term = (text: string, status: string): string => `<tig><term>${text}</term><termStatus>${status}</termStatus></tig>`; // prettier-ignore
    const entryOf = (terms: string): string => `<TBX dialect="TBX-Min"><header/><body><termEntry id="c1"><langSet xml:lang="en">${terms}</langSet></termEntry></body></TBX>`; // prettier-ignore
    // Without termStatus both are expressions, the obsolete one preferred, and two texts left out.
    const { concepts, leftOut } = read(entryOf(term("uno", "obsolete") + term("one", "preferred")));
    expect(concepts).toMatchObject([{ expressions: [{ text: "one", type: "preferred" }], hiddenLabels: [{ text: "uno" }] }]); // prettier-ignore
    expect(leftOut).toEqual({});
  });

  it("does not match a term whose status its tool wraps in an element of its own", () => {
    const status = '<termNote type="administrativeStatus"><Value>deprecatedTerm</Value></termNote>';
    const { concepts, leftOut } = read(entry(`<termSec><term>data bus</term>${status}</termSec>`));
    expect([concepts[0]?.expressions, leftOut]).toEqual([[], {}]);
  });

  it("has the whole of a term or title that its tool wraps in elements of its own", () => {
    const text = entry("<termSec><term><Text>Incredible<b>s</b></Text></term></termSec>");
    const { concepts, title, leftOut } = read(text.replace("<tbx>", "<tbx><title><Text>Words</Text></title>"));
    expect(concepts).toMatchObject([{ expressions: [{ text: "Incredibles" }] }]);
    expect([title, leftOut]).toEqual(["Words", {}]);
  });
});

const wrap = (inside: string): string => `<tbx xmlns="urn:iso:std:iso:30042:ed-2">${inside}</tbx>`;

it.each<[string, string | Uint8Array, string]>([
  ["is no XML", "id,term\n", "a.tbx:2: Not readable as TBX: text data outside of root node"],
  ["is other XML", "<rdf:RDF xmlns:rdf='x'/>", "a.tbx:1: Not readable as TBX: it begins with <RDF>, not with <tbx>"],
  ["has no entries", wrap(""), "a.tbx: There is no conceptEntry or termEntry. Name a TBX file"],
  ["is cut off", V3.slice(0, -30), "a.tbx:17: Not readable as TBX: unclosed tag: "],
  ["is in another encoding", '<?xml version="1.0" encoding="ISO-8859-1"?><tbx/>', "its encoding is ISO-8859-1, and only UTF-8 is read"], // prettier-ignore
  ["is not UTF-8", Buffer.from(wrap("caf\u00E9"), "latin1"), "a.tbx:1: The line is not UTF-8"],
  ["has an entity of the DTD it names", `<!DOCTYPE tbx SYSTEM "a.dtd">${wrap("&x;")}`, "undefined entity"],
  ["declares such an entity itself", `<!DOCTYPE tbx SYSTEM "a.dtd" [<!ENTITY x SYSTEM "/etc/passwd">]>${wrap("&x;")}`, "declares more than plain entities"], // prettier-ignore
  ["has an entity of a file and a text", `<!DOCTYPE tbx [<!ENTITY x SYSTEM "a" "b">]>${wrap("&x;")}`, "declares more than plain entities"], // prettier-ignore
  ["has an entity of a file", `<!DOCTYPE tbx [<!ENTITY x SYSTEM "/etc/passwd">]>${wrap("&x;")}`, "declares more than plain entities"], // prettier-ignore
  ["has entities in entities", `<!DOCTYPE tbx [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${wrap("&b;")}`, "declares more than plain entities"], // prettier-ignore
  ["has an unknown entity", wrap("&constructor;"), "undefined entity"],
  ["is too deep", wrap("<p>".repeat(600)), "more than 500 levels are nested in each other"],
  ["has a text without an end", wrap(`<p>${"x".repeat(17 * 2 ** 20)}`), "16 million characters hold no statement"],
  ["uses an entity too often", `<!DOCTYPE tbx [<!ENTITY a "${"x".repeat(999)}">]>${wrap("&a;".repeat(20_000))}`, "16 million characters hold no statement"], // prettier-ignore
])("a file that %s is refused in one line", (_what, text, message) => {
  const error = thrown(() => read(text));
  expect(error).toBeInstanceOf(SourceError);
  expect(error.message).toContain(message);
  expect(error.message).not.toMatch(/\n/);
});

function thrown(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown");
}

describe("what is exported", () => {
  const ORIGIN = "https://registry.example";

  it("comes back: code, domain, definition, terms with their tags, types and strengths, for the nasty registry", () => {
    const registry = checkedRegistry({
      ...nasty,
      concepts: [...nasty.concepts, concept("N-SYM", [expression("en", "§", { type: "symbol" }), expression("en", "sym.", { type: "abbreviation" }), expression("en", "sign", { type: "preferred", equivalenceStrength: 0.25 })])], // prettier-ignore
    });
    const { concepts } = read([...writeTbx(registry, { origin: ORIGIN })].join(""));
    const sorted = (texts: readonly unknown[]): unknown[] => texts.map((text) => JSON.stringify(text)).toSorted();
    expect(concepts.map(({ code, sourceId }) => [code, sourceId])).toEqual(Array.from(registry.concepts, ({ code }) => [code, null])); // prettier-ignore
    for (const [i, { domain, definition, expressions }] of [...registry.concepts].entries()) {
      const own = concepts[i];
      expect([own?.domain, own?.definitions.map(({ text }) => text)]).toEqual([domain, [definition]]);
      const was = expressions.map((one) => [
        one.locale ?? one.language,
        one.expression,
        one.type,
        one.equivalenceStrength,
      ]);
      expect(sorted(own?.expressions.map((one) => [one.tag, one.text, one.type, one.equivalenceStrength ?? 1]) ?? [])).toEqual(sorted(was)); // prettier-ignore
    }
  });

  it("is imported by the command, waits for review, and resolves as before when somebody vouches for it", async () => {
    const before = checkedRegistry({ concepts: [concept("C-1", [expression("en", "one", { type: "preferred" }), expression("pt", "um", { locale: "pt-BR", type: "preferred" })])] }); // prettier-ignore
    const tbx = [...writeTbx(before, { origin: ORIGIN })].join("");
    for (const [reviewAs, published] of [
      ["in_review", 0],
      ["reviewed", 1],
    ] as const) {
      // prettier-ignore
      const effects = renamable({ ...registryFiles({ concepts: [] }), "out.tbx": tbx });
      const args = ["import", "--format", "tbx", "--from", "out.tbx", "--into", "words", "--review-as", reviewAs];
      expect(await said(effects, args)).toMatchObject({ code: 0, stderr: "" });
      const { registry } = checkRegistry(readRegistry(effects, "words", () => undefined));
      expect([registry?.name, registry?.concepts.length]).toEqual(["Test", published]);
      expect(Object.keys(textsOf(effects)).some((name) => name.startsWith("words/concepts/"))).toBe(true);
      if (published === 1) expect(registry?.concepts.first(1)[0]).toMatchObject({ code: "C-1", definition: "Definition of C-1.", domain: "test", expressions: [{ language: "en", expression: "one" }, { language: "pt", locale: "pt-BR", expression: "um" }] }); // prettier-ignore
    }
  });
});
