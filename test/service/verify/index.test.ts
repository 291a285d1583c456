/** An index changed by somebody who knows its layout, with all its digests and the release signed again. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  CONCEPT_RECORD,
  DIGEST_BYTES,
  FOOTER_BYTES,
  FOOTER_FIELDS,
  SECTIONS,
} from "../../../runtime/registry/index-format.ts";
import { memorySource } from "../../../runtime/registry/byte-source.ts";
import { openIndex } from "../../../runtime/registry/index.ts";
import { nasty } from "../../support/nasty.ts";
import { checkedRegistry } from "../../support/registry.ts";
import { buildRelease } from "../../support/release.ts";
import { Copy, faultsAfter } from "../../support/tamper.ts";
import { editIndex, type Parts, patchIndex, putTogether, readRegistry, takeApart } from "../../support/tamper-index.ts";

let dist: string;
beforeAll(async () => {
  dist = await buildRelease(checkedRegistry(nasty));
});

function keyOf(parts: Parts, text: string): Parts["keys"][number] {
  const found = parts.keys.find(({ key }) => key.toString() === text);
  if (found === undefined) throw new Error(`No key ${text}`);
  return found;
}

const DEFINITION = "Definition of N-TAXI.";
const OTHER = "Definition of N-TAXY.";
const idOf = (parts: Parts, code: string): number =>
  parts.concepts.findIndex(({ detail }) => detail.includes(`"code":"${code}"`));

const CHANGES: [title: string, change: (parts: Parts) => void, fault: RegExp][] = [
  ...(["summary", "search", "detail", "resolved", "candidate"] as const).map((part): (typeof CHANGES)[number] => [
    `a text changed in the ${part} alone`,
    (parts) => {
      const taxi = parts.concepts[idOf(parts, "N-TAXI")];
      if (taxi !== undefined) taxi[part] = taxi[part].replace(/Definition of N-TAXI\.|definition of n-taxi\.|Name of/, (text) => text.replace(/i\.$|of$/i, "y."));
    },
    part === "detail" ? /^registry\.index: N-TAXI: its summary is not what/ : new RegExp(`^registry\\.index: N-TAXI: its ${part} is not what`),
  ]),
  [
    "a definition changed everywhere in the index, which the bundle's digest in the status tells",
    (parts) => {
      const taxi = parts.concepts[idOf(parts, "N-TAXI")];
      for (const part of ["summary", "detail", "resolved"] as const) if (taxi) taxi[part] = taxi[part].replace(DEFINITION, OTHER);
      if (taxi) taxi.search = taxi.search.replace(DEFINITION.toLowerCase(), OTHER.toLowerCase());
    },
    /^api\/v1\/status: its "data\.publicBundle" does not agree with the release/,
  ],
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
    "a posting that points to another concept",
    (parts) => keyOf(parts, "poison").postings.forEach((posting) => (posting.concept = 0)),
    /^registry\.index: N-POISON: "poison" does not lead back to it/,
  ],
  [
    "a posting that points behind the last concept",
    (parts) => keyOf(parts, "poison").postings.forEach((posting) => (posting.concept = parts.concepts.length)),
    /^registry\.index: has a key that leads to a concept it does not hold/,
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
    /^registry\.index: the languages, strengths or digests in its meta/,
  ],
  ["a member more in meta", (parts) => (parts.meta.note = "hello"), /^registry\.index: the languages, strengths or digests in its meta/],
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
    /^registry\.index: N-ACCENTS: its address is another one/,
  ],
  ["a detail that is no JSON", (parts) => parts.concepts.forEach((one) => (one.detail = `${one.detail.slice(0, -2)} \n`)), /^registry\.index: concept 0: not JSON/],
  [
    "a detail with a member more",
    (parts) => parts.concepts.forEach((one) => (one.detail = one.detail.replace('{"code"', '{"x":1,"code"'))),
    /^registry\.index: concept 0: it has the unknown property "x"/,
  ],
]; // prettier-ignore

describe("an index with", () => {
  it("nothing changed is put together to the same bytes", () => {
    const bytes = readRegistry(new Copy(dist));
    expect(putTogether(takeApart(bytes)).equals(bytes)).toBe(true);
  });

  it.each(CHANGES)("%s is found out", async (_title, change, fault) => {
    const faults = await faultsAfter(dist, (copy) => editIndex(copy, change));
    expect(faults.filter((text) => fault.test(text))).not.toEqual([]);
  });
});

describe("bytes of an index that nobody reads", () => {
  const sectionsOf = (body: Buffer) =>
    openIndex(memorySource(Buffer.concat([body, Buffer.alloc(DIGEST_BYTES)]))).sections;

  it.each(SECTIONS.filter((name) => name !== "bundle"))(
    "are found in the padding behind %s, or there is none",
    async (name) => {
      let isPadded = false;
      const faults = await faultsAfter(dist, (copy) =>
        patchIndex(copy, (body) => {
          const { offset, length } = sectionsOf(body)[name];
          isPadded = (offset + length) % 8 !== 0;
          if (isPadded) body[offset + length] = 1;
          return body;
        }),
      );
      expect(faults.some((text) => text.startsWith(`registry.index: holds something behind its section ${name}`))).toBe(
        isPadded,
      );
    },
  );

  it("are found between the sections and the footer", async () => {
    const faults = await faultsAfter(dist, (copy) =>
      patchIndex(copy, (body) =>
        Buffer.concat([body.subarray(0, -FOOTER_BYTES), Buffer.alloc(8, 7), body.subarray(-FOOTER_BYTES)]),
      ),
    );
    expect(faults).toContainEqual(
      expect.stringMatching(/^registry\.index: holds something between its sections and its footer/),
    );
  });

  it("are found between two sections, with the table of sections made to fit", async () => {
    const faults = await faultsAfter(dist, (copy) =>
      patchIndex(copy, (body) => {
        const { search } = sectionsOf(body);
        const made = Buffer.concat([body.subarray(0, search.offset), Buffer.alloc(8, 7), body.subarray(search.offset)]);
        const table = made.length - FOOTER_BYTES;
        for (const [i, name] of SECTIONS.entries()) {
          if (name === "bundle" || name === "list") continue;
          made.writeBigUInt64LE(made.readBigUInt64LE(table + i * 16) + 8n, table + i * 16);
        }
        return made;
      }),
    );
    expect(faults).toContainEqual(expect.stringMatching(/^registry\.index: its section search does not begin where/));
  });

  it("are found in a record of a concept and in a page of keys", async () => {
    const record = await faultsAfter(dist, (copy) =>
      patchIndex(copy, (body) => {
        body[sectionsOf(body).concepts.offset + CONCEPT_RECORD.candidateLength + 4] = 1;
        return body;
      }),
    );
    expect(record).toContainEqual(expect.stringMatching(/^registry\.index: concept 0: its parts do not follow/));
    const page = await faultsAfter(dist, (copy) =>
      patchIndex(copy, (body) => {
        // One key less than there are: the last one lies where no lookup comes.
        const { offset } = sectionsOf(body).pages;
        body.writeUInt32LE(body.readUInt32LE(offset) - 1, offset);
        return body;
      }),
    );
    expect(page).toContainEqual(expect.stringMatching(/^registry\.index: has a page whose keys do not lie/));
  });

  it("are found behind the last page, and a first page that begins later too", async () => {
    for (const [entry, fault] of [
      [-1, /has a page whose keys do not lie/],
      [0, /its first page does not begin/],
    ] as const) {
      const faults = await faultsAfter(dist, (copy) =>
        patchIndex(copy, (body) => {
          const { offset, length } = sectionsOf(body).directory;
          const at = entry === 0 ? offset : offset + length - 4;
          body.writeUInt32LE(body.readUInt32LE(at) + (entry === 0 ? 1 : -1), at);
          return body;
        }),
      );
      expect(faults.filter((text) => text.startsWith("registry.index: ") && fault.test(text))).not.toEqual([]);
    }
  });
});

describe("a footer that lies, with everything signed again,", () => {
  it.each(FOOTER_FIELDS)("about %s is found out", async (name) => {
    for (const value of [0, 1, 0x7fffffff, 0xffffffff]) {
      const faults = await faultsAfter(dist, (copy) =>
        patchIndex(copy, (body) => {
          const at = body.length - FOOTER_BYTES + SECTIONS.length * 16 + FOOTER_FIELDS.indexOf(name) * 4;
          if (body.readUInt32LE(at) !== value) body.writeUInt32LE(value, at);
          else body.writeUInt32LE(value + 5, at);
          return body;
        }),
      );
      expect([name, value, faults.some((text) => text.startsWith("registry.index: "))]).toEqual([name, value, true]);
    }
  });
});
