/** An index changed by somebody who knows its layout and signs the release again. */
import { compileIndex } from "../../../generator/index/compile.ts";
import { fileSystem } from "../../../generator/effects/file-system.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { DIGEST_BYTES, FOOTER_BYTES, FOOTER_FIELDS, SECTIONS } from "../../../runtime/registry/index-format.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { openIndex } from "../../../runtime/registry/index.ts";
import { checkRegistry } from "../../../generator/verify/audit/registry.ts";
import type { Manifest } from "../../../runtime/contract/inputs.ts";
import { parseManifest } from "../../../runtime/release/manifest.ts";
import { nasty } from "../../support/nasty.ts";
import { random } from "../../support/random.ts";
import { checkedRegistry, concept, expression } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { Copy, faultsAfter, MANIFEST } from "../../support/tamper.ts";
import {
  byHash,
  editIndex,
  gramsOfWords,
  type Parts,
  patchIndex,
  putTogether,
  readRegistry,
  takeApart,
  trailed,
  type Word,
} from "../../support/tamper-index.ts";

let dist: string;
let bytes: Buffer;
let manifest: Manifest;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty));
  const copy = new Copy(dist);
  bytes = readRegistry(copy);
  const reading = parseManifest(JSON.parse(copy.read(MANIFEST).toString()));
  if (!reading.ok) throw new Error("No manifest");
  manifest = reading.value;
});

/** What verify says of an index as it opens and walks it, in memory. */
function faultsOf(index: Uint8Array): readonly string[] {
  try {
    return checkRegistry(openIndex(memorySource(index)), manifest, { ...fileSystem, memoryBytes: 0 }).faults;
  } catch (error) {
    return [`registry.index: ${String(error)}`];
  }
}
const faultsOfParts = (change: (parts: Parts) => void): readonly string[] => {
  const parts = takeApart(bytes);
  change(parts);
  return faultsOf(putTogether(parts));
};
/** The same with bytes changed below the trailer, which is made to fit. */
const faultsOfBytes = (change: (body: Buffer) => Buffer | void): readonly string[] => {
  const body = Buffer.from(bytes.subarray(0, -DIGEST_BYTES));
  return faultsOf(trailed(change(body) ?? body));
};

function keyOf(parts: Parts, text: string): Parts["keys"][number] {
  const found = parts.keys.find(({ key }) => key.toString() === text);
  if (found === undefined) throw new Error(`No key ${text}`);
  return found;
}

function wordOf(parts: Parts, text: string): Word {
  const found = parts.words.find((word) => word.text === text);
  if (found === undefined) throw new Error(`No word ${text}`);
  return found;
}

function gramOf(parts: Parts, text: string): Word {
  return wordOf({ ...parts, words: parts.grams }, text);
}

const WORDS = /^registry\.index: its words are not those of its concepts/;
const DEFINITION = "Definition of N-TAXI.";
const OTHER = "Definition of N-TAXY.";
const idOf = (parts: Parts, code: string): number =>
  parts.concepts.findIndex(({ detail }) => detail.includes(`"code":"${code}"`));

const CHANGES: [title: string, change: (parts: Parts) => void, fault: RegExp][] = [
  ...(["summary", "detail", "resolved", "candidate"] as const).map((part): (typeof CHANGES)[number] => [
    `a text changed in the ${part} alone`,
    (parts) => {
      const taxi = parts.concepts[idOf(parts, "N-TAXI")];
      if (taxi !== undefined) taxi[part] = taxi[part].replace(/Definition of N-TAXI\.|definition of n-taxi\.|Name of/, (text) => text.replace(/i\.$|of$/i, "y."));
    },
    part === "detail" ? /^registry\.index: N-TAXI: its summary is not what/ : new RegExp(`^registry\\.index: N-TAXI: its ${part} is not what`),
  ]),
  [
    "a hidden expression that resolves",
    (parts) => parts.keys.push({ key: Buffer.from("hidden"), postings: [{ language: 0, strength: 0, concept: 0 }] }),
    /^registry\.index: "hidden" leads to more than its concepts/,
  ],
  [
    "a hidden expression that the count of keys does not tell",
    (parts) => {
      parts.keyCount = parts.keys.length;
      parts.keys.push({ key: Buffer.from("hidden"), postings: [{ language: 0, strength: 0, concept: 0 }] });
    },
    /^registry\.index: "hidden" leads to more than its concepts/,
  ],
  [
    "a near form that no expression has",
    (parts) => parts.near.push({ key: Buffer.from("hidden"), postings: [{ language: 0, strength: 0, concept: 0 }] }),
    /^registry\.index: "hidden" leads to more than its concepts/,
  ],
  [
    "a near form that is nearer than its rule says",
    (parts) => parts.near.forEach(({ postings }) => postings.forEach((one) => (one.strength = parts.meta.strengths.length - 1))),
    /^registry\.index: \S+: ".*" does not lead back to it/,
  ],
  [
    "a hidden code that leads to a concept",
    (parts) => {
      parts.keyCount = parts.keys.length;
      parts.keys.push({ key: Buffer.concat([Buffer.of(0xff), Buffer.from("N-SECRET")]), postings: [{ language: 0, strength: 0, concept: 0 }] });
    },
    /^registry\.index: "N-SECRET" leads to more than its concepts/,
  ],
  [
    "a posting more at a published expression",
    (parts) => keyOf(parts, "taxi").postings.push({ language: 65535, strength: 0, concept: 0 }),
    /^registry\.index: "taxi" leads to more than its concepts/,
  ],
  [
    "postings in another order",
    (parts) => (keyOf(parts, "taxi").postings = keyOf(parts, "taxi").postings.toReversed()),
    /^registry\.index: has a key whose postings are not in their order, so nothing was looked up in it/,
  ],
  [
    "a posting twice",
    (parts) => keyOf(parts, "taxi").postings.unshift({ ...(keyOf(parts, "taxi").postings[0] as Parts["keys"][number]["postings"][number]) }),
    /^registry\.index: has a key whose postings are not in their order/,
  ],
  [
    "a posting that points to another concept",
    (parts) => keyOf(parts, "poison").postings.forEach((posting) => (posting.concept = 0)),
    /^registry\.index: N-POISON: "poison" does not lead back to it/,
  ],
  [
    "a posting that points behind the last concept",
    (parts) => keyOf(parts, "poison").postings.forEach((posting) => (posting.concept = parts.concepts.length)),
    /^registry\.index: has a key that leads to a concept it does not hold, so nothing was looked up in it/,
  ],
  [
    "a posting of another strength",
    (parts) => keyOf(parts, "sort of").postings.forEach((posting) => (posting.strength = parts.meta.strengths.length - 1)),
    /^registry\.index: N-NEAR: "sort of" does not lead back to it/,
  ],
  [
    "a strength changed in meta",
    (parts) => (parts.meta.strengths = parts.meta.strengths.map((one: number) => (one === 0.8 ? 0.85 : one))),
    /^registry\.index: N-NEAR: "sort of" does not lead back to it/,
  ],
  [
    "a language renamed in meta",
    (parts) => (parts.meta.languages = parts.meta.languages.map((tag: string) => (tag === "fr" ? "fro" : tag))),
    /^registry\.index: N-TAXI: "taxi" does not lead back to it/,
  ],
  [
    "a language more in meta",
    (parts) => parts.meta.languages.push("zz"),
    /^registry\.index: the languages, strengths, digests, marks or blocks of words in its meta/,
  ],
  ["another mark in meta", (parts) => (parts.meta.marks = [8]), /^registry\.index: the languages, strengths, digests, marks or/],
  ["a member more in meta", (parts) => (parts.meta.note = "hello"), /^registry\.index: the languages, strengths, digests, marks or/],
  ["a block of words more in meta", (parts) => parts.meta.words.push(8), /^registry\.index: the languages, strengths, digests, marks or/],
  ["a word that leads to a concept more", (parts) => wordOf(parts, "n-taxi.").ids.push(parts.concepts.length - 1), WORDS],
  ["a word that leads to a concept less", (parts) => wordOf(parts, "definition").ids.pop(), WORDS],
  ["a word that leads to another concept", (parts) => wordOf(parts, "n-taxi.").ids.splice(0, 1, 0), WORDS],
  [
    "a word that leads to another concept, with its grams",
    (parts) => {
      wordOf(parts, "n-taxi.").ids.splice(0, 1, 0);
      parts.grams = gramsOfWords(parts.words);
    },
    WORDS,
  ],
  ["a word that no concept has", (parts) => parts.words.push({ text: "hidden", ids: [0] }), WORDS],
  [
    "a word twice, once behind a byte order mark",
    (parts) => {
      const { text, ids } = parts.words[0] as Word;
      parts.words = [...parts.words, { text: `\uFEFF${text}`, ids }].sort(byHash);
    },
    WORDS,
  ],
  ["a gram of no concept", (parts) => (parts.grams = [...parts.grams, { text: "qq", ids: [] }].sort(byHash)), WORDS],
  ["a word less", (parts) => parts.words.pop(), WORDS],
  ["two words in each other's place", (parts) => (parts.words = parts.words.toReversed()), WORDS],
  ["a gram that leads to a concept more", (parts) => gramOf(parts, "xi").ids.push(parts.concepts.length - 1), WORDS],
  ["a gram that leads to a concept less", (parts) => gramOf(parts, "xi").ids.pop(), WORDS],
  ["a gram that no word has", (parts) => (parts.grams = [...parts.grams, { text: "qq", ids: [0] }].sort(byHash)), WORDS],
  ["a gram less", (parts) => parts.grams.splice(3, 1), WORDS],
  ["two grams in each other's place", (parts) => (parts.grams = parts.grams.toReversed()), WORDS],
  [
    "a key taken away",
    (parts) => void parts.keys.splice(parts.keys.indexOf(keyOf(parts, "poison")), 1),
    /^registry\.index: N-POISON: "poison" does not lead back to it/,
  ],
  [
    "the codes of two concepts changed for each other",
    (parts) => {
      for (const part of ["summary", "detail", "resolved", "candidate"] as const)
        for (const one of parts.concepts) one[part] = one[part].replace(/N-(POISON|PRESENT)/, (_all, code) => (code === "POISON" ? "N-PRESENT" : "N-POISON"));
    },
    /^registry\.index: N-PRESENT: not found by its code/,
  ],
  ["two concepts in each other's place", (parts) => (parts.concepts = parts.concepts.toReversed()), /^registry\.index: N-TAXI: not found by its code/],
  [
    "a concept of another registryVersion",
    (parts) => {
      for (const part of ["summary", "detail", "resolved"] as const)
        for (const one of parts.concepts.slice(0, 1)) one[part] = one[part].replace("2026.11.1", "2026.11.2");
    },
    /^registry\.index: N-ACCENTS: another registryVersion/,
  ],
  ["another registryVersion in meta", (parts) => (parts.meta.registryVersion = "2026.11.2"), /^registry\.index: another registryVersion/],
  [
    "a concept whose address is on another host",
    (parts) => parts.concepts.forEach((one) => (one.detail = one.detail.replace("https://registry.example/", "https://evil.example/"))),
    /^registry\.index: N-ACCENTS: its address is not that of this release/,
  ],
  ["a detail that is no JSON", (parts) => parts.concepts.forEach((one) => (one.detail = `${one.detail.slice(0, -2)} \n`)), /^registry\.index: concept 0: not JSON/],
  [
    "a provenance deeper than any of a release",
    (parts) => parts.concepts.forEach((one) => (one.detail = one.detail.replace('"provenance":null', `"provenance":${"[".repeat(100)}${"]".repeat(100)}`))),
    /^registry\.index: concept 0: provenance must be an object/,
  ],
  [
    "a provenance with a match that is none",
    (parts) => parts.concepts.forEach((one) => (one.detail = one.detail.replace('"sourceId":"urn:x"', '"sourceId":"urn:x","exactMatch":5'))),
    /^registry\.index: concept \d+: .*exactMatch must be an array/,
  ],
  [
    "a detail with a member more",
    (parts) => parts.concepts.forEach((one) => (one.detail = one.detail.replace('{"code"', '{"x":1,"code"'))),
    /^registry\.index: concept 0: it has the unknown property "x"/,
  ],
]; // prettier-ignore

const sectionsOf = (body: Buffer) =>
  openIndex(memorySource(Buffer.concat([body, Buffer.alloc(DIGEST_BYTES)]))).sections;

const ORIGIN = "https://registry.example";
const indexOf = (concepts: readonly unknown[]): Buffer =>
  Buffer.concat([...compileIndex({ registry: checkedRegistry({ concepts }), origin: ORIGIN })]);
/** The bytes changed below the trailer, which is made to fit. */
const patched = (index: Buffer, change: (body: Buffer) => void): Buffer => {
  const body = Buffer.from(index.subarray(0, -DIGEST_BYTES));
  change(body);
  return trailed(body);
};

/** From the second number of a section on. */
function fillWith(value: number, { offset, length }: { offset: number; length: number }, body: Buffer): void {
  for (let at = offset + 4; at < offset + length; at += 4) body.writeUInt32LE(value, at);
}

describe("an index with", () => {
  it("nothing changed is put together to the same bytes", () => {
    expect(putTogether(takeApart(bytes)).equals(bytes)).toBe(true);
    expect(faultsOf(bytes)).toEqual([]);
  });

  it.each(CHANGES)("%s is reported as a fault of the index", (_title, change, fault) => {
    expect(faultsOfParts(change)).toContainEqual(expect.stringMatching(fault));
  });

  it.each(["keys", "near"] as const)(
    "any one of its %s removed is reported for each concept that has it, and for no other key",
    (space) => {
      const keys = takeApart(bytes)[space];
      expect(keys.length).toBeGreaterThan(0);
      for (const [i, { postings }] of keys.entries()) {
        const faults = faultsOfParts((parts) => parts[space].splice(i, 1));
        expect(faults.filter((text) => /not found by its code|does not lead back to it/.test(text))).toHaveLength(postings.length); // prettier-ignore
        expect(faults.filter((text) => /leads to more/.test(text))).toEqual([]);
      }
    },
  );

  it("more faults than a function has arguments names them all, in each part of its keys", () => {
    const expressions = Array.from({ length: 700 }, (_none, i) => `e${i}`);
    const many = Array.from({ length: 100 }, (_none, id) =>
      concept(`C-${1000 + id}`, expressions.map((text) => expression("en", `${text} of ${id}`))),
    ); // prettier-ignore
    const isOfKey = (text: string): boolean => /does not lead back to it|leads to more/.test(text);
    const index = indexOf(many);
    expect(faultsOf(index).filter(isOfKey)).toEqual([]);
    const parts = takeApart(index);
    expect(parts.pageCount).toBeGreaterThan(1024);
    parts.meta.languages = ["xx"];
    expect(faultsOf(putTogether(parts)).filter((text) => text.includes("does not lead back to it"))).toHaveLength(
      70_000,
    );
  });

  it("two expressions of one near form has it once, which is no fault", () => {
    const index = indexOf([concept("C-1", [expression("en", "Us"), expression("en", "US")])]);
    expect(takeApart(index).near).toMatchObject([{ key: Buffer.from("us"), postings: [{ concept: 0 }] }]);
    expect(faultsOf(index).filter((text) => text.includes("postings") || text.includes("lead"))).toEqual([]);
  });

  it("no page of keys is reported as a code that is not found", () => {
    const parts = takeApart(indexOf([concept("C-1", [expression("en", "one")])]));
    Object.assign(parts, { keys: [], pageCount: 0 });
    expect(faultsOf(putTogether(parts))).toContain("registry.index: C-1: not found by its code");
  });

  it("a gram in the wrong block is reported", () => {
    const concepts = Array.from({ length: 1100 }, (_none, i) =>
      concept(`C-${1000 + i}`, [expression("en", `e${i}`)], { name: "alpha", definition: "Nothing." }),
    );
    const compiled = indexOf(concepts);
    expect(faultsOf(compiled)).not.toContainEqual(expect.stringMatching(WORDS));
    expect(faultsOf(putTogether(takeApart(compiled)))).toContainEqual(expect.stringMatching(WORDS));
  });

  it("a definition changed in the index and its words is reported for the SKOS file, which has the old one", async () => {
    const faults = await faultsAfter(dist, (copy) =>
      editIndex(copy, (parts) => {
        const taxi = parts.concepts[idOf(parts, "N-TAXI")];
        if (taxi === undefined) return;
        for (const part of ["summary", "detail", "resolved"] as const) taxi[part] = taxi[part].replace(DEFINITION, OTHER);
        wordOf(parts, "n-taxi.").text = "n-taxy.";
        parts.words.sort(byHash);
        parts.grams = gramsOfWords(parts.words);
      }),
    ); // prettier-ignore
    expect(faults).toContainEqual(expect.stringMatching(/^registry\/concepts\.ttl: .* differs from the registry/));
  });

  it("another byte in place of a line feed of the bundle is reported as a detail that differs", async () => {
    const copy = new Copy(dist);
    copy.write("registry/bundle.ndjson", Buffer.concat([copy.read("registry/bundle.ndjson").subarray(0, -1), Buffer.from("x")])); // prettier-ignore
    const faults = await copy.verify();
    expect(faults).toContainEqual(expect.stringMatching(/: its detail is not what its detail gives$/));
  });

  it("a changed member is reported by verify of the whole release, and a broken footer as one fault", async () => {
    const changed = await faultsAfter(dist, (copy) => editIndex(copy, (parts) => (parts.meta.note = "hello")));
    expect(changed).toContainEqual(
      expect.stringMatching(/^registry\.index: the languages, strengths, digests, marks or/),
    );
    const broken = await faultsAfter(dist, (copy) =>
      patchIndex(copy, (body) => (body.writeBigUInt64LE(1n << 53n, body.length - FOOTER_BYTES), body)),
    );
    expect(broken.filter((text) => text.startsWith("registry.index: ")).length).toBe(1);
  });
});

describe("keys that no lookup can trust", () => {
  const cases: [string, (body: Buffer) => void][] = [
    ["a page with any number of keys", (body) => body.writeUInt32LE(0x7fffffff, sectionsOf(body).pages.offset)],
    ["a page with places far beyond it", (body) => fillWith(0xfffffff0, sectionsOf(body).pages, body)],
    ["pages beyond their section", (body) => fillWith(0x3fffffff, sectionsOf(body).directory, body)],
  ];

  it.each(cases)("are told from notes that name other concepts, which are looked up: %s", (_title, change) => {
    const related = indexOf([
      concept("R-A", [expression("en", "alpha")], { narrower: ["R-B"] }),
      concept("R-B", [expression("en", "beta")], { related: ["R-C"] }),
      concept("R-C", [expression("en", "gamma")]),
    ]);
    const faults = faultsOf(patched(related, change));
    expect(faults.filter((text) => text.includes("so nothing was looked up in it"))).toHaveLength(1);
    expect(faults.filter((text) => /damaged/.test(text))).toEqual([]);
  });

  it.each(cases)("are the only fault of a whole release: %s", async (_title, change) => {
    const faults = await faultsAfter(dist, (copy) => patchIndex(copy, (body) => (change(body), body)));
    expect(faults).toEqual([expect.stringMatching(/^registry\.index: .*, so nothing was looked up in it$/)]);
  });
});

describe("bytes of an index that nobody reads", () => {
  it.each(['{"data":[', "},{", '],"count":'])("are found between the concepts of the list: %s", (mark) => {
    const faults = faultsOfBytes((body) => {
      body.writeUInt8(0x20, body.indexOf(mark, sectionsOf(body).list.offset) + 1);
    });
    expect(faults).toEqual(["registry.index: its section list is not what its concepts give"]);
  });

  it.each(SECTIONS.filter((name) => name !== "bundle"))("are found in the padding behind %s, or there is none", (name) => {
    let isPadded = false;
    const faults = faultsOfBytes((body) => {
      const { offset, length } = sectionsOf(body)[name];
      isPadded = (offset + length) % 8 !== 0;
      if (isPadded) body[offset + length] = 1;
    });
    const fault = `registry.index: has extra bytes after its section ${name}`;
    expect(faults.some((text) => text.startsWith(fault))).toBe(isPadded);
  }); // prettier-ignore

  it.each<[string, (body: Buffer) => Buffer | void, RegExp]>([
    [
      "between the sections and the footer",
      (body) => Buffer.concat([body.subarray(0, -FOOTER_BYTES), Buffer.alloc(8, 7), body.subarray(-FOOTER_BYTES)]),
      /has extra bytes between its sections and its footer/,
    ],
    [
      "between two sections, with the table of sections made to fit",
      (body) => {
        const { words } = sectionsOf(body);
        const made = Buffer.concat([body.subarray(0, words.offset), Buffer.alloc(8, 7), body.subarray(words.offset)]);
        const table = made.length - FOOTER_BYTES;
        for (const [i, name] of SECTIONS.entries()) {
          if (name === "bundle" || name === "list") continue;
          made.writeBigUInt64LE(made.readBigUInt64LE(table + i * 16) + 8n, table + i * 16);
        }
        return made;
      },
      /its section words does not begin where/,
    ],
    [
      // One key less than there are: the last one lies where no lookup comes.
      "in a page of keys",
      (body) => {
        const { offset } = sectionsOf(body).pages;
        body.writeUInt32LE(body.readUInt32LE(offset) - 1, offset);
      },
      /has a page whose keys are not/,
    ],
    [
      "behind the last page",
      (body) => {
        const { offset, length } = sectionsOf(body).directory;
        body.writeUInt32LE(body.readUInt32LE(offset + length - 4) - 1, offset + length - 4);
      },
      /has a page whose keys are not/,
    ],
    [
      "before a first page that begins later",
      (body) => {
        const { offset } = sectionsOf(body).directory;
        body.writeUInt32LE(body.readUInt32LE(offset) + 1, offset);
      },
      /its first page does not begin/,
    ],
    [
      "in a page that ends elsewhere",
      (body) => {
        const { offset } = sectionsOf(body).directory;
        body.writeUInt32LE(0xffffffff, offset + 4);
      },
      /its page 0 is outside its section/,
    ],
    [
      "in a page with any number of keys",
      (body) => {
        body.writeUInt32LE(0x7fffffff, sectionsOf(body).pages.offset);
      },
      /has a page with more keys than it can hold/,
    ],
  ])("are found %s", (_where, change, fault) => {
    expect(faultsOfBytes(change)).toContainEqual(expect.stringMatching(fault));
  });
});

it("an index without keys has a first page that begins with its section", () => {
  const empty = indexOf([]);
  const { offset } = openIndex(memorySource(empty)).sections.directory;
  const fault = /its first page does not begin/;
  expect(faultsOf(empty)).not.toContainEqual(expect.stringMatching(fault));
  empty.writeUInt32LE(1, offset);
  expect(faultsOf(empty)).toContainEqual(expect.stringMatching(fault));
});

describe("a footer that lies, with everything signed again,", () => {
  const values = [0, 1, 0x7fffffff, 0xffffffff];
  it.each(FOOTER_FIELDS.flatMap((name) => values.map((value) => [name, value] as const)))(
    "about %s is reported as a fault: %d",
    (name, value) => {
      const faults = faultsOfBytes((body) => {
        const at = body.length - FOOTER_BYTES + SECTIONS.length * 16 + FOOTER_FIELDS.indexOf(name) * 4;
        body.writeUInt32LE(body.readUInt32LE(at) === value ? value + 5 : value, at);
      });
      expect(faults).toContainEqual(expect.stringMatching(/^registry\.index: /));
    },
  );

  const places = Array.from({ length: SECTIONS.length * 2 }, (_none, i) => i * 8);
  it.each(places)("about the offset or length of a section is reported as a fault: byte %d", (field) => {
    for (const value of [0n, 1n, 8n, 0xffffn, 0x7fffffffn, 0xffffffffn, 1n << 53n, (1n << 64n) - 1n]) {
      const faults = faultsOfBytes((body) => {
        const at = body.length - FOOTER_BYTES + field;
        body.writeBigUInt64LE(body.readBigUInt64LE(at) === value ? value + 1n : value, at);
      });
      expect([value, faults.length > 0]).toEqual([value, true]);
    }
  });
});

describe("any bytes of an index", () => {
  it("that are changed, with everything signed again, are named, and break nothing", () => {
    const next = random(7);
    for (let round = 0; round < 60; round++) {
      const faults = faultsOfBytes((body) => {
        for (let i = 0; i <= round % 4; i++) {
          const at = next(body.length);
          body[at] = (body[at] ?? 0) ^ (1 + next(255));
        }
      });
      expect([round, faults.length > 0]).toEqual([round, true]);
    }
  });
});
