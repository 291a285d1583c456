/**
 * Compiles a checked registry to the bytes of its files (layout: runtime/registry/index-format.ts)
 * as a stream: each section is made in pieces, and pieces that must wait for their place wait in a
 * spool. The same registry and origin always give the same bytes.
 */
import { createHash } from "node:crypto";
import {
  FORMAT_VERSION,
  HASH_VERSION,
  type IndexMeta,
  MAGIC,
  type Section,
} from "../../runtime/registry/index-format.ts";
import { encoded, tap } from "../text/chunks.ts";
import { type Keys, keysOf, nearKeysOf, nearKindsOf } from "../registry/keys.ts";
import type { PublishedRegistry } from "../registry/published-concept.ts";
import { ConceptSections } from "./concept-sections.ts";
import { keyPages, numberPostings } from "./key-pages.ts";
import { SectionedFiles } from "./sectioned-files.ts";
import { wordBlocks } from "./words.ts";

type Bytes = Generator<Uint8Array, void>;

/** A compiled registry as a stream of its files, which must be written in this order. */
export interface CompiledRegistry {
  readonly bundle: Bytes;
  readonly index: Bytes;
  /** The digests of the blocks of bundle and index. */
  readonly blocks: Bytes;
  /** The digests of the pieces of `blocks`. */
  readonly root: Bytes;
}

export function compileRegistry(
  published: PublishedRegistry,
  keys = keysOf(published.registry.concepts),
): CompiledRegistry {
  const { budget } = published.registry.concepts;
  const sections = new ConceptSections(budget);
  const files = new SectionedFiles(budget);
  return {
    bundle: files.section("bundle", sections.make(published)),
    index: indexSections(published, { sections, files, keys }),
    blocks: files.blocks(),
    root: files.root(),
  };
}

/** The bundle, then the index, as a reader sees them. */
export function* compileIndex(published: PublishedRegistry): Bytes {
  const { bundle, index } = compileRegistry(published);
  yield* bundle;
  yield* index;
}

interface Parts {
  readonly sections: ConceptSections;
  readonly files: SectionedFiles;
  readonly keys: Keys;
}

function* indexSections({ registry }: PublishedRegistry, { sections, files, keys }: Parts): Bytes {
  const { concepts, registryVersion, nearForms } = registry;
  // Only the bundle has been emitted so far.
  const bundleSha256 = files.digest().toString("hex");
  const list = createHash("sha256");
  yield* files.emit(MAGIC);
  const padded = function* <T>(name: Section, chunks: Generator<Uint8Array, T>): Generator<Uint8Array, T> {
    const value = yield* files.section(name, chunks);
    yield* files.pad();
    return value;
  };
  yield* padded(
    "list",
    tap(sections.list.chunks(), (chunk) => list.update(chunk)),
  );
  const { words, grams } = yield* padded("words", wordBlocks(concepts));
  yield* padded("answers", both(sections.answers.chunks(), sections.notes.chunks()));
  yield* padded("concepts", sections.records.chunks());
  const kinds = concepts.kinds.values;
  const nearKinds = nearForms ? nearKindsOf(kinds) : [];
  const ids = numberPostings([...kinds, ...nearKinds]);
  const nearKeys = nearForms ? nearKeysOf(concepts) : NO_KEYS;
  const near = yield* padded("near", keyPages(nearKeys, nearKinds, ids));
  yield* padded("nearDirectory", encoded([near.directory]));
  // A reader of a part of the file begins with its end: most lookups need only what comes last.
  const { keyCount, directory } = yield* padded("pages", keyPages(keys, kinds, ids));
  yield* padded("directory", encoded([directory]));
  const meta: IndexMeta = {
    registryVersion,
    ...ids,
    listSha256: list.digest("hex"),
    bundleSha256,
    marks: sections.marks,
    notesStart: sections.answers.length,
    words,
    grams,
  };
  yield* padded("meta", encoded(JSON.stringify(meta)));
  yield* files.footer({
    formatVersion: FORMAT_VERSION,
    hashVersion: HASH_VERSION,
    seed: keys.seed,
    pageCount: keys.pageCount,
    keyCount,
    conceptCount: concepts.length,
    nearSeed: nearKeys.seed,
    nearPageCount: nearKeys.pageCount,
  });
}

const NO_KEYS: Keys = { seed: 0, pageCount: 0, *pages() {} };

function* both(first: Bytes, second: Bytes): Bytes {
  yield* first;
  yield* second;
}
