/** Notes, keys, checkpoints and policies against the examples of C2SP and the tests of Go. */
import { createPrivateKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  parseCheckpoint,
  parseNote,
  parseProof,
  parseVerifierKey,
  policyOfLog,
  verifyCheckpoint,
  webCrypto,
} from "../../../../generator/tools/log/c2sp.ts";
import { nodeCryptography } from "../../../../generator/tools/log/cryptography.ts";
import { signNote } from "../../../../generator/tools/log/key.ts";
import { putLeafHash } from "../../../../generator/tools/log/merkle.ts";
import { parsePolicy } from "../../../../generator/tools/log/policy.ts";

/** signed-note, Verifier keys, Example. */
const EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const EXAMPLE_NOTE =
  "This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

/** golang.org/x/mod/sumdb/tlog, note_test.go: the root is the hash of the leaf "hello world". */
const GO_TREE = "go.sum database tree\n123456789012\nTszzRgjTG6xce+z2AG31kAXYKBgQVtCSCE40HmuwBb0=\n";

/** golang.org/x/mod/sumdb/note, note_test.go: a key pair and the note that it signs. */
const GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const GO_PRIVATE = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
const GO_TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const GO_NOTE = `${GO_TEXT}\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

/** tlog-cosignature, the example of a cosigned checkpoint. */
const COSIGNED = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

async function verifiesNote(note: string, vkey: string, cryptography = nodeCryptography): Promise<boolean> {
  const { text, signatures } = parseNote(note);
  const { name, id, publicKey } = await parseVerifierKey(vkey, cryptography);
  const own = signatures.find((line) => line.name === name && line.id === id);
  const signed = { publicKey, message: Buffer.from(text), signature: own?.bytes ?? new Uint8Array(64) };
  return cryptography.verifyEd25519(signed);
}

describe("a signed note", () => {
  it.each([
    ["signed-note", EXAMPLE_NOTE, EXAMPLE_KEY],
    ["Go", GO_NOTE, GO_KEY],
  ])("of %s verifies with Node and with WebCrypto, and not with another text", async (_, note, key) => {
    expect(await verifiesNote(note, key)).toBe(true);
    expect(await verifiesNote(note, key, webCrypto)).toBe(true);
    expect(await verifiesNote(note.replace("is", "was"), key)).toBe(false);
    expect(await verifiesNote(note.replace("is", "was"), key, webCrypto)).toBe(false);
  });

  it("is signed byte for byte as Go signs it", async () => {
    const seed = Buffer.from(GO_PRIVATE, "base64").subarray(1);
    // RFC 8410 §7: an Ed25519 key in PKCS #8 is this and its seed.
    const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    expect(signNote(GO_TEXT, key, await parseVerifierKey(GO_KEY, nodeCryptography))).toBe(GO_NOTE);
  });

  it.each([
    ["without a signature", "text\n", "no signature"],
    ["without an empty line", "text\n\u2014 a YWFhYWE=\n", "no signature"],
    ["that ends in the middle of a line", EXAMPLE_NOTE.trimEnd(), "no signature"],
    ["with a control character", EXAMPLE_NOTE.replace("example", "exa\u0007mple"), "control"],
    ["with a hyphen for the dash", EXAMPLE_NOTE.replace("\u2014", "-"), 'not "\u2014 name base64"'],
    [
      "with a name that has a plus",
      EXAMPLE_NOTE.replace("\u2014 example.com/foo", "\u2014 a+b"),
      'not "\u2014 name base64"',
    ],
    [
      "with a name that has a space of Unicode",
      EXAMPLE_NOTE.replace("\u2014 example.com/foo", "\u2014 a\u2003b"),
      'not "\u2014 name base64"',
    ],
    ["whose base64 is not canonical", EXAMPLE_NOTE.replace("aQM=", "aQN="), 'not "\u2014 name base64"'],
    ["whose base64 has no padding", EXAMPLE_NOTE.replace("aQM=\n", "aQM\n"), 'not "\u2014 name base64"'],
    ["with 101 signatures", `text\n\n${"\u2014 a YWFhYWE=\n".repeat(101)}`, "more than 100"],
  ])("%s is refused", (_, note, message) => {
    expect(() => parseNote(note)).toThrow(message);
  });

  it("may have empty lines in its text, and 16 signatures", () => {
    const { text, signatures } = parseNote(`a\n\nb\n\n${"\u2014 a YWFhYWE=\n".repeat(16)}`);
    expect([text, signatures.length]).toEqual(["a\n\nb\n", 16]);
  });
});

describe("a verifier key", () => {
  it("is refused whenever one character of it differs, as in the tests of Go", async () => {
    for (let i = 0; i < GO_KEY.length; i++) {
      const other = GO_KEY.slice(0, i) + String.fromCharCode(GO_KEY.charCodeAt(i) + 1) + GO_KEY.slice(i + 1);
      await expect(parseVerifierKey(other, nodeCryptography), other).rejects.toThrow(/verifier key/);
    }
  });

  it.each([
    ["PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==", /32 bytes|form/],
    ["PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "type 101"],
    [
      "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
      "has the key id c74f20a4, but its key makes c74f20a3",
    ],
    ["", "form"],
  ])("%s is refused", async (key, message) => {
    await expect(parseVerifierKey(key, nodeCryptography)).rejects.toThrow(message);
  });
});

describe("a checkpoint", () => {
  it("is read as in the example of tlog-cosignature", () => {
    const { text, signatures } = parseNote(COSIGNED);
    const { origin, size } = parseCheckpoint(text);
    const lines = signatures.map(({ name, id, bytes }) => [name, id, bytes.length]);
    expect([origin, size, lines]).toEqual([
      "example.com/behind-the-sofa",
      20_852_163,
      [["example.com/behind-the-sofa", "033de0ae", 64], ["witness.example.com/w1", "8d66cf3f", 72]], // prettier-ignore
    ]);
    // The example was cosigned at the time that its text shows.
    expect(Buffer.from(signatures[1]?.bytes ?? "").readBigUInt64BE()).toBe(1_679_315_147n);
  });

  it.each(["", "JOE\n"])("is read as Go's tlog reads and writes it, with %j behind it", (rest) => {
    const { origin, size, root } = parseCheckpoint(`${GO_TREE}${rest}`);
    const leaf = Buffer.alloc(32);
    putLeafHash(leaf, 0, Buffer.from("hello world"));
    expect([origin, size, Buffer.from(root)]).toEqual(["go.sum database tree", 123_456_789_012, leaf]);
  });

  it.each([
    ["a hexadecimal size, as in Go's vectors", GO_TREE.replace("123456789012", "0xabcdef"), "not a decimal number"],
    ["a long root, as in Go's vectors", GO_TREE.replace("b0=", "TOOBIG="), "not three lines"],
    ["a size with a zero before it", "a\n01\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "not a decimal number"],
    ["a size of 2^53", "a\n9007199254740992\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "not below 2^53"],
    ["a negative size", "a\n-1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "not a decimal number"],
    ["a short root", "a\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw==\n", "not three lines"],
    ["no origin", "\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "not three lines"],
    ["an empty line after it", "a\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n", "not three lines"],
    ["two lines", "a\n1\n", "not three lines"],
  ])("with %s is refused", (_, text, message) => {
    expect(() => parseCheckpoint(text)).toThrow(message);
  });

  const seed = Buffer.from(GO_PRIVATE, "base64").subarray(1);
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const text = "PeterNeumann\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
  const verify = async (note: string): Promise<number> =>
    (await verifyCheckpoint(note, policyOfLog(await parseVerifierKey(GO_KEY, nodeCryptography)), nodeCryptography))
      .size;

  it("of another origin, with another key id or a wrong signature is refused", async () => {
    const note = signNote(text, key, { name: "PeterNeumann", id: "c74f20a3" });
    expect(await verify(note)).toBe(1);
    await expect(verify(note.replace("PeterNeumann\n", "Other\n"))).rejects.toThrow("is of Other, not of PeterNeumann");
    const otherId = signNote(text, key, { name: "PeterNeumann", id: "00000000" });
    await expect(verify(otherId)).rejects.toThrow("has the key id 00000000 instead of PeterNeumann+c74f20a3");
    await expect(verify(note.replace("\n1\n", "\n2\n"))).rejects.toThrow("does not verify");
  });

  it("whose signature is not the canonical one of RFC 8032 is refused", async () => {
    const note = signNote(text, key, { name: "PeterNeumann", id: "c74f20a3" });
    const [line = ""] = /\u2014.*\n$/u.exec(note) ?? [];
    const bytes = Buffer.from(line.split(" ")[2] ?? "", "base64");
    // S + L is the same number modulo the order of the group (RFC 8032 §5.1.7 demands S < L).
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    const s = BigInt(`0x${Buffer.from(bytes.subarray(36).toReversed()).toString("hex")}`) + order;
    bytes.set(Buffer.from(s.toString(16).padStart(64, "0"), "hex").toReversed(), 36);
    const other = note.replace(line, `\u2014 PeterNeumann ${bytes.toString("base64")}\n`);
    await expect(verify(other)).rejects.toThrow("does not verify");
  });
});

describe("a proof", () => {
  const CHECKPOINT = GO_NOTE;
  it.each([
    ["another version", `c2sp.org/tlog-proof@v2\nindex 0\n\n${CHECKPOINT}`, "does not begin"],
    ["no index", `c2sp.org/tlog-proof@v1\n\n${CHECKPOINT}`, "not lines of extra, index"],
    ["an index with a zero before it", `c2sp.org/tlog-proof@v1\nindex 00\n\n${CHECKPOINT}`, "not a decimal number"],
    ["an index of 2^53", `c2sp.org/tlog-proof@v1\nindex 9007199254740992\n\n${CHECKPOINT}`, "not below 2^53"],
    ["a short hash", `c2sp.org/tlog-proof@v1\nindex 0\nYWFh\n\n${CHECKPOINT}`, "not lines of extra, index"],
    ["no checkpoint", "c2sp.org/tlog-proof@v1\nindex 0\n", "does not begin"],
  ])("with %s is refused", (_, text, message) => {
    expect(() => parseProof(text)).toThrow(message);
  });

  it("is read as tlog-proof lays it out", () => {
    const hash = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
    const { extra, index, path, checkpoint } = parseProof(
      `c2sp.org/tlog-proof@v1\nextra YWFh\nindex 7\n${hash}\n${hash}\n\n${COSIGNED}`,
    );
    expect([Buffer.from(extra).toString(), index, path.length, checkpoint]).toEqual(["aaa", 7, 2, COSIGNED]);
  });
});

/** Keys of type 4 over public keys that differ in their first byte; the names are the key names. */
async function witnessKey(name: string): Promise<string> {
  const typed = Buffer.concat([Buffer.of(4), Buffer.alloc(32, name)]);
  const id = Buffer.from(await nodeCryptography.sha256(Buffer.concat([Buffer.from(`${name}\n`), typed])));
  return `${name}+${id.subarray(0, 4).toString("hex")}+${typed.toString("base64")}`;
}

describe("a policy", () => {
  it("decides as the example of tlog-policy says", async () => {
    const names = ["X1", "X2", "X3", "Y1", "Y2", "Y3"];
    const lines = await Promise.all(names.map(async (name) => `witness ${name} ${await witnessKey(name)}`));
    const { isQuorum } = await parsePolicy(
      [
        `log ${GO_KEY} https://log.example`,
        ...lines,
        " group\tX-witnesses 2 X1 X2 X3 ",
        "# a comment",
        "group Y-witnesses any Y1 Y2 Y3",
        "group X-and-Y all X-witnesses Y-witnesses",
        "quorum X-and-Y",
        "",
      ].join("\n"),
      nodeCryptography,
    );
    const decided = [["X1", "X2", "Y3"], ["X1", "Y1", "Y2"], ["X1", "X2", "X3"], []].map((all) =>
      isQuorum(new Set(all)),
    );
    expect(decided).toEqual([true, false, false, false]);
  });

  it.each([
    ["no quorum", ["log GO"], 'no "quorum"'],
    ["two quorums", ["quorum none", "quorum none"], "Line 2 of the policy: The quorum is there twice"],
    ["a quorum of nobody", ["quorum W"], "not defined before it"],
    ["a witness of the name none", ["witness none A", "quorum none"], "not a new name"],
    ["two of one name", ["witness a A", "witness a B", "quorum a"], "not a new name"],
    ["one key twice", ["witness a A", "witness b A", "quorum a"], "there twice"],
    ["a log's key for a witness", ["witness a GO", "quorum a"], "not the key of a witness"],
    ["a witness's key for a log", ["log A", "quorum none"], "not the key of a log"],
    ["a threshold of 0", ["witness a A", "group g 0 a", "quorum g"], "0 of them cannot cosign"],
    ["a threshold above its members", ["witness a A", "group g 2 a", "quorum g"], "2 of them cannot cosign"],
    ["a member of two groups", ["witness a A", "group g any a", "group h any a", "quorum g"], "already a member"],
    ["a word that it does not have", ["signer a", "quorum none"], "is not a log, witness, group or quorum"],
  ])("with %s is refused", async (_, lines, message) => {
    const [a, b] = [await witnessKey("a"), await witnessKey("b")];
    const text = lines.join("\n").replaceAll(/\bA\b/g, a).replaceAll(/\bB\b/g, b).replaceAll("GO", GO_KEY);
    await expect(parsePolicy(text, nodeCryptography)).rejects.toThrow(message);
  });
});
