/** A large file that is hashed again part by part, for changes that its metadata does not show. */
import { appendFileSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { stampOf } from "../../../runtime/release/plain-file.ts";
import { WatchedFile } from "../../../runtime/release/watched-file.ts";
import { folder } from "../../support/command.ts";
import { sha256 } from "../../support/sha256.ts";

const BYTES = Buffer.from("a file of some length, which is hashed again part by part");
const file = path.join(folder({ file: BYTES.toString() }), "file");
const stampOnDisk = (): string => stampOf(lstatSync(file, { bigint: true }));

describe("the digest of a watched file", () => {
  it.each([1, 7, BYTES.length - 1, BYTES.length, 1000])("is that of its bytes after a round of parts of %i bytes", async (part) => {
    writeFileSync(file, BYTES);
    // What it had before somebody changed it without a trace.
    const watched = new WatchedFile(file, { stamp: stampOnDisk(), sha256: "before" }, part);
    for (let round = 1; round < Math.ceil(BYTES.length / part); round++) expect(await watched.digest()).toBe("before");
    for (let round = 0; round < 4; round++) expect(await watched.digest()).toBe(sha256(BYTES));
  }); // prettier-ignore

  it("is that of its bytes at once where its metadata changed, in the middle of a round too", async () => {
    writeFileSync(file, BYTES);
    const watched = new WatchedFile(file, { stamp: stampOnDisk(), sha256: "before" }, 10);
    expect(await watched.digest()).toBe("before");
    appendFileSync(file, "!");
    for (let round = 0; round < 9; round++) expect(await watched.digest()).toBe(sha256(`${BYTES.toString()}!`));
    writeFileSync(file, "");
    expect(await watched.digest()).toBe(sha256(""));
  });

  it("is none where the file is gone", async () => {
    const watched = new WatchedFile(file, { stamp: stampOnDisk(), sha256: "before" });
    rmSync(file);
    expect(await watched.digest()).toBe(undefined);
  });
});
