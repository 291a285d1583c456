/** Trees, paths and tiles against vectors of others. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rootOf, encodeBase64, hexOf } from "../../../../generator/tools/log/c2sp.ts";
import { nodeCryptography } from "../../../../generator/tools/log/cryptography.ts";
import { EMPTY_ROOT } from "../../../../generator/tools/log/merkle.ts";
import { consistencyPath, inclusionPath } from "../../../../generator/tools/log/paths.ts";
import { tilePath, TileReader } from "../../../../generator/tools/log/tile-reader.ts";
import { type Tree, TreeWriter } from "../../../../generator/tools/log/tiles.ts";
import { isConsistent } from "../witness-server.ts";

interface Made extends Tree {
  readonly files: Map<string, Uint8Array>;
  readonly reader: TileReader;
}

function treeOf(entries: readonly Uint8Array[]): Made {
  const files = new Map<string, Uint8Array>();
  const writer = new TreeWriter((name, bytes) => files.set(name, Uint8Array.from(bytes)));
  for (const entry of entries) writer.add(entry);
  const tree = writer.finish();
  const read = (name: string): Uint8Array => files.get(name) ?? expect.fail(`no ${name}`);
  return { ...tree, files, reader: new TileReader(read, tree.size, nodeCryptography) };
}

const leavesTo = (size: number): Buffer[] => Array.from({ length: size }, (_, i) => Buffer.from(`leaf ${i}`));
const inclusion = (tree: Made, index: number): Promise<Uint8Array[]> =>
  tree.reader.roots(inclusionPath(index, tree.size));
const consistency = (tree: Made, before: number): Promise<Uint8Array[]> =>
  tree.reader.roots(consistencyPath(before, tree.size));

/** The tree of the reference implementation of Certificate Transparency (merkletree test data). */
const CT_ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const CT_ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const ctTree = (size: number): Made => treeOf(CT_ENTRIES.slice(0, size).map((hex) => Buffer.from(hex, "hex")));

describe("the tree of Certificate Transparency", () => {
  it.each(CT_ROOTS.map((root, i) => [i + 1, root] as const))("has at size %i the root %s", (size, root) => {
    expect(hexOf(ctTree(size).root)).toBe(root);
  });

  it("is the hash of nothing when it is empty", () => {
    expect(hexOf(treeOf([]).root)).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(EMPTY_ROOT).toEqual(treeOf([]).root);
  });

  it.each([
    [
      8,
      0,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      8,
      5,
      [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [3, 2, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]],
  ])("of size %i includes entry %i by the published path", async (size, index, path) => {
    expect((await inclusion(ctTree(size), index)).map(hexOf)).toEqual(path);
  });

  it("of size 8 continues that of size 6 by the published path", async () => {
    expect((await consistency(ctTree(8), 6)).map(hexOf)).toEqual([
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
  });
});

/** Size, root, and digest of the paths of the indexes below, by @transmute/rfc9162 0.0.5. */
const JUDGED = readFileSync(join(import.meta.dirname, "judged.txt"), "utf8")
  .trimEnd()
  .split("\n");
const indexesIn = (size: number): number[] =>
  size <= 40 ? [...Array(size).keys()] : [0, 1, Math.floor(size / 3), Math.floor(size / 2), size - 2, size - 1];

describe("trees of 1 to 300 entries", () => {
  it("have the roots and the inclusion paths of an independent implementation", async () => {
    const found: string[] = [];
    for (let size = 1; size <= JUDGED.length; size++) {
      const tree = treeOf(leavesTo(size));
      const digest = createHash("sha256");
      for (const index of indexesIn(size)) {
        for (const hash of await inclusion(tree, index)) digest.update(hash);
        digest.update("\n");
      }
      found.push(`${size} ${encodeBase64(tree.root)} ${digest.digest("hex")}`);
    }
    expect(found).toEqual(JUDGED);
    expect(found).toHaveLength(300);
  });

  it("verify by RFC 9162 §2.1.3.2 from every entry, and not with another index or size", async () => {
    for (const size of [1, 2, 3, 7, 8, 100, 255, 256, 257, 300]) {
      const tree = treeOf(leavesTo(size));
      for (const index of indexesIn(size)) {
        const proof = { leaf: Buffer.from(`leaf ${index}`), index, size, path: await inclusion(tree, index) };
        expect(await rootOf(proof, nodeCryptography)).toEqual(tree.root);
        const other = { ...proof, index: (index + 1) % size };
        if (size > 1) expect(await rootOf(other, nodeCryptography).catch(String)).not.toEqual(tree.root);
        await expect(rootOf({ ...proof, path: [...proof.path, tree.root] }, nodeCryptography)).rejects.toThrow("path");
        if (size > 1)
          await expect(rootOf({ ...proof, path: proof.path.slice(1) }, nodeCryptography)).rejects.toThrow("path");
      }
    }
  });

  it("continue every smaller one by RFC 9162 §2.1.4.2, and none with another root", async () => {
    const roots = Array.from({ length: 301 }, (_, size) => Buffer.from(treeOf(leavesTo(size)).root));
    for (const second of [1, 2, 3, 4, 5, 8, 13, 64, 100, 256, 257, 300])
      for (let first = 1; first <= second; first++) {
        const path = (await consistency(treeOf(leavesTo(second)), first)).map((hash) => Buffer.from(hash));
        const [firstRoot = Buffer.alloc(0), secondRoot = Buffer.alloc(0)] = [roots[first], roots[second]];
        expect(isConsistent({ first, second, firstRoot, secondRoot, path })).toBe(true);
        const other = Buffer.alloc(32, 7);
        expect(isConsistent({ first, second, firstRoot: other, secondRoot, path })).toBe(false);
      }
  });
});

describe("tiles", () => {
  it.each([
    [{ level: 0, index: 1_234_067, width: 256 }, "tile/0/x001/x234/067"],
    [{ level: 1, index: 0, width: 12 }, "tile/1/000.p/12"],
    [{ level: "entries", index: 1000, width: 1 }, "tile/entries/x001/000.p/1"],
  ] as const)("of %o are named as in tlog-tiles", (tile, name) => {
    expect(tilePath(tile)).toBe(name);
  });

  it("of 70,000 entries are those of the example in tlog-tiles", () => {
    const { files } = treeOf(leavesTo(70_000));
    const names = [...files.keys()].filter((name) => !name.includes("entries"));
    expect(names.filter((name) => name.startsWith("tile/0/") && !name.includes(".p/"))).toHaveLength(273);
    expect(names.filter((name) => name.includes(".p/") || !name.startsWith("tile/0/")).sort()).toEqual([
      "tile/0/273.p/112",
      "tile/1/000",
      "tile/1/001.p/17",
      "tile/2/000.p/1",
    ]);
    expect(files.get("tile/1/000")?.length).toBe(8192);
  });

  it("of 256 entries are a full one and one of width 1 above it", () => {
    expect([...treeOf(leavesTo(256)).files.keys()]).toEqual(["tile/entries/000", "tile/0/000", "tile/1/000.p/1"]);
  });

  it.each([
    ["short", (bytes: Uint8Array) => bytes.subarray(1), "has 31 bytes, not 32"],
    ["long", (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc(32)]), "has 64 bytes, not 32"],
  ])("that are %s are refused", async (_, change, message) => {
    const tree = treeOf(leavesTo(257));
    const reader = new TileReader((name) => {
      const bytes = tree.files.get(name) ?? new Uint8Array();
      return name === "tile/0/001.p/1" ? change(bytes) : bytes;
    }, 257);
    await expect(reader.roots(inclusionPath(0, 257))).rejects.toThrow(`tile/0/001.p/1 ${message}`);
  });

  it("hold at most 65,535 bytes of an entry", () => {
    expect(() => treeOf([Buffer.alloc(65_536)])).toThrow("at most 65535 fit");
  });
});
